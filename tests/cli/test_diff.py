"""`companion diff` as a person runs it: answers, exit status, reports, bad input."""

import json
import os
import re
from pathlib import Path

import click
import cv2
import numpy as np
import pytest
from click.testing import CliRunner, Result
from fastapi.testclient import TestClient
from PIL import Image

from companion.app.door import local_hosts
from companion.app.server import create_app
from companion.cli import companion
from tests.app.test_server import HERE, make_desk
from tests.vision.differences_pictures import scene, stickers

A = scene(3)
B = stickers(A, [(150, 150), (420, 300), (640, 460)])


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """a.png, its copy same.bmp, changed.png with three stickers, other.png, broken files."""
    out = tmp_path_factory.mktemp("pictures")
    for name, picture in {"a.png": A, "same.bmp": A, "changed.png": B, "other.png": scene(9)}.items():
        cv2.imwrite(str(out / name), picture)
    (out / "empty.png").touch()
    (out / "cut.png").write_bytes((out / "a.png").read_bytes()[:5000])
    return out


def run(*args: object) -> Result:
    return CliRunner().invoke(companion, ["diff", *map(str, args)], standalone_mode=False)


def status(result: Result) -> int:
    """As the process would end: 2 for anything a person can mend."""
    return 2 if result.exception is not None else int(result.return_value or 0)


@pytest.mark.parametrize("as_json", [False, True])
@pytest.mark.parametrize(
    ("b", "expected"), [("same.bmp", 0), ("changed.png", 1), ("other.png", 2), ("empty.png", 2), ("cut.png", 2), ("missing.png", 2)]
)
def test_exit_status_is_that_of_cmp(folder: Path, b: str, expected: int, as_json: bool) -> None:
    """0 the same, 1 different, 2 trouble, with and without --json (reports 24, 21)."""
    assert status(run(folder / "a.png", folder / b, *(["--json"] if as_json else []))) == expected


def test_json_is_the_contract(folder: Path) -> None:
    """Count, range, places with boxes, alignment; nothing else is printed."""
    said = json.loads(run(folder / "a.png", folder / "changed.png", "--json").output)

    assert (said["format"], said["same_picture"], said["count"]) == (1, True, 3)
    assert said["range"][0] <= 3 <= said["range"][1] and len(said["places"]) == 3
    assert set(said["places"][0]) == {"n", "a", "b", "kind", "probability", "ring", "number"}
    assert len(said["alignment"]["b_to_a"]) == 9


def test_the_answer_says_what_could_not_be_seen(folder: Path) -> None:
    """A lamp's reflection on one picture: the line says how many the count may be, and that a place lies under glare."""
    lit = B.copy()
    cv2.circle(lit, (250, 420), 60, (255, 255, 255), -1)
    cv2.imwrite(str(folder / "lit.png"), cv2.GaussianBlur(lit, (9, 9), 0))

    said = run(folder / "a.png", folder / "lit.png").output.splitlines()[0]
    plain = json.loads(run(folder / "a.png", folder / "lit.png", "--json").output)

    low, high = plain["range"]
    assert [u["why"] for u in plain["unseen"]] == ["glare"] and low < high
    assert said.startswith(f"{plain['count']} differences (between {low} and {high}; one place lies under glare), ")
    assert run(folder / "a.png", folder / "same.bmp").output == "no difference, 100% sure\n"


def test_the_help_names_only_what_is_taken(folder: Path) -> None:
    """The ends that the help names are the ends that are accepted."""
    low, high = re.findall(r"0\.\d+", run("--help").output.split("--sensitivity")[1])[:2]

    for end in (low, high):
        assert status(run(folder / "a.png", folder / "same.bmp", "--sensitivity", end)) == 0


def test_expect_turns_the_status_round(folder: Path) -> None:
    """With --expect N the status is 0 for N differences, else 1."""
    assert status(run(folder / "a.png", folder / "changed.png", "--expect", 3)) == 0
    assert status(run(folder / "a.png", folder / "changed.png", "--expect", 2)) == 1
    assert status(run(folder / "a.png", folder / "same.bmp", "--expect", 0)) == 0


def test_ignored_places_do_not_count(folder: Path) -> None:
    """A box and a mask each take a place out."""
    mask = np.zeros_like(A)
    mask[240:360, 360:480] = 255
    cv2.imwrite(str(folder / "mask.png"), mask)

    both = run(folder / "a.png", folder / "changed.png", "--ignore-box", "100,100,100,100", "--ignore", folder / "mask.png", "--expect", 1)

    assert status(both) == 0


def test_reports_are_written(folder: Path) -> None:
    """A PNG with both pictures, and a page that needs no other file and says its settings (reports 24)."""
    run(folder / "a.png", folder / "changed.png", "--report", folder / "out.png", "--min-size", "10px")
    run(folder / "a.png", folder / "changed.png", "--report", folder / "out.html", "--min-size", "10px")

    drawn, page = cv2.imread(str(folder / "out.png")), (folder / "out.html").read_text()
    assert drawn is not None and drawn.shape[1] > 1.5 * drawn.shape[0]
    assert page.count("<li><b>") == 3 and "Blink" in page and "10px" in page
    assert "http://" not in page and "https://" not in page


def test_places_smaller_than_asked_do_not_count(folder: Path) -> None:
    """--min-size in pixels of A, or in millimetres of what A shows."""
    assert status(run(folder / "a.png", folder / "changed.png", "--min-size", "90px", "--expect", 0)) == 0
    assert status(run(folder / "a.png", folder / "changed.png", "--min-size", "12mm", "--width-mm", 100, "--expect", 0)) == 0
    assert status(run(folder / "a.png", folder / "changed.png", "--min-size", "2mm", "--width-mm", 100, "--expect", 3)) == 0


def test_both_pictures_in_one_file(folder: Path) -> None:
    """One name: the file holds both; its report shows it once, with the places of both."""
    cv2.imwrite(str(folder / "sheet.png"), np.concatenate([A, np.full((600, 30, 3), 250, np.uint8), B], 1))

    said = json.loads(run(folder / "sheet.png", "--json", "--report", folder / "sheet.html").output)

    assert said["count"] == 3 and all(p["b"][0] - p["a"][0] == pytest.approx(830, abs=6) for p in said["places"])
    assert (folder / "sheet.html").read_text().count("<figure>") == 1


def test_one_picture_alone_is_no_sheet(folder: Path) -> None:
    """A file that shows nothing twice is refused, and the line says what to do."""
    result = run(folder / "a.png")

    assert status(result) == 2 and "name two files" in str(result.exception)


@pytest.mark.parametrize(
    ("options", "named"),
    [(["--sensitivty", "0.4"], "sensitivty"), (["--ignore-box", "1,2,3"], "--ignore-box"), (["--min-size", "3cm"], "--min-size"),
     (["--min-size", "3mm"], "--width-mm"), (["--report", "out.pdf"], "out.pdf"), (["--sensitivity", "nan"], "--sensitivity"),
     (["--ignore-box", "0,0,9999,9999"], "nothing is left to compare"),
     (["--ignore-box", "5000,0,10,10"], "lies outside A"), (["--ignore-box", "-50,-50,20,20"], "lies outside A"),
     (["--ignore-box", "10,10,0,50"], "above 0"), (["--ignore-box", "10,10,50,-5"], "above 0"),
     (["--ignore-box", "1.2.3,0,9,9"], "four numbers"),
     *((["--min-size", "3mm", "--width-mm", odd], "--width-mm") for odd in ("nan", "inf", "-inf", "0", "-3", "wide")),
     (["--min-size", "nanpx"], "--min-size"), (["--min-size", "-3px"], "--min-size"), (["--min-size", "9" * 400 + "px"], "--min-size"),
     *((["--sensitivity", odd], "--sensitivity") for odd in ("inf", "0", "1", "-1"))],
)
def test_a_wrong_option_is_named(folder: Path, options: list[str], named: str) -> None:
    """A misspelt or senseless option is an error that names it, never passed over (reports 24)."""
    result = run(folder / "a.png", folder / "changed.png", *options)

    assert isinstance(result.exception, click.ClickException) and named in result.exception.format_message()


TROUBLE = {
    "folder": ("a folder", lambda path: path.mkdir()),
    "pipe.png": ("not a file", os.mkfifo),
    "loop.png": ("symbolic links", lambda path: path.symlink_to(path)),
    "two\nlines.png": ("two\\nlines.png", lambda path: path.write_text("no picture")),
    "bomb.png": ("megapixels", lambda path: Image.new("1", (20_000, 20_000)).save(path)),
    "huge.png": ("larger than", lambda path: os.truncate(os.open(path, os.O_CREAT | os.O_WRONLY), 3_000_000_000)),
    "blank.png": ("do not show the same picture", lambda path: Image.new("RGB", (800, 600), (90, 90, 90)).save(path)),
}


@pytest.mark.parametrize("name", TROUBLE)
def test_trouble_is_one_line(folder: Path, tmp_path: Path, name: str) -> None:
    """What cannot be compared: what it is, in one line, with status 2; nothing is read that has no end."""
    said, made = TROUBLE[name]
    made(tmp_path / name)
    result = run(folder / "a.png", tmp_path / name)

    assert status(result) == 2 and said in str(result.exception) and "\n" not in str(result.exception)


def test_the_page_says_the_same(folder: Path, tmp_path: Path) -> None:
    """Two pictures dropped on the companion's page get the answer of `companion diff --json`."""
    desk = make_desk(tmp_path)
    with TestClient(create_app(desk, hosts=local_hosts(8000)), base_url=HERE) as client:
        files = {"a": (folder / "a.png").read_bytes(), "b": (folder / "changed.png").read_bytes()}
        dropped = client.post("/api/v1/differences", files=files).json()
    desk.close()

    assert dropped == json.loads(run(folder / "a.png", folder / "changed.png", "--json").output)
