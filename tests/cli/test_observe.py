"""`companion observe`: one line a picture, one clear line for what it cannot use."""

import json
from pathlib import Path

import cv2
import numpy as np
import pytest
from click.testing import CliRunner, Result

from companion.cli.observe import command
from vision.table import Lens, Table, write_table

SIZE = (640, 360)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A table file, a picture of the same shape, one of another shape, one of a single pixel, a broken table and an empty folder."""
    lens = Lens((500.0, 500.0, 320.0, 180.0), (0.0,) * 5)
    write_table(Table(SIZE, lens, (1.0, 0, -320, 0, 1.0, -180, 0, 0, 1.0)), tmp_path / "table.toml")
    for name, size in (("a.png", SIZE), ("big.png", (1280, 720)), ("square.png", (400, 400)), ("dot.png", (1, 1))):
        cv2.imwrite(str(tmp_path / name), np.full((*size[::-1], 3), 120, np.uint8))
    (tmp_path / "broken.toml").write_text("format = 1\nimage_size = [")
    (tmp_path / "empty").mkdir()
    return tmp_path


def run(*arguments: object) -> Result:
    return CliRunner().invoke(command, [str(a) for a in arguments])


def test_a_picture_is_one_line_of_json(folder: Path) -> None:
    """The line names the picture, its size and the game."""
    done = run(folder / "a.png", "--table", folder / "table.toml", "--json")
    seen = json.loads(done.output)
    assert done.exit_code == 0
    assert (seen["format"], seen["source"], seen["image_size"], seen["game"]) == (1, "a.png", [640, 360], "sherlook")
    assert seen["photos"] == []


def test_a_picture_has_no_time(folder: Path) -> None:
    """A person who has one still picture looked at reads its name, and no second of a film."""
    assert run(folder / "a.png", "--table", folder / "table.toml").output == "a.png:\n"


def test_a_batch_goes_on_past_what_fails(folder: Path) -> None:
    """One line a case, in order, errors in their places, exit status 1."""
    images = ["a.png", "nowhere.png", "dot.png", "square.png", "big.png", "table.toml"]
    cases = [{"image": i, "table": "table.toml", "deck": None, "game": "sherlook"} for i in images]
    cases += [{"image": "a.png", "table": "broken.toml"}, {"image": "a.png", "table": "table.toml", "game": "chess"}, {"image": "a.png"},
              {"image": "a.png", "table": "table.toml", "deck": 5}]
    (folder / "cases.jsonl").write_text("\n".join(json.dumps(c) for c in cases))
    done = run("--batch", folder / "cases.jsonl", "--json")
    lines = [json.loads(line) for line in done.output.splitlines()]
    assert done.exit_code == 1 and len(lines) == len(cases)
    assert [("error" in line) for line in lines] == [False, True, True, True, False, True, True, True, True, True]
    assert "there is no such file" in lines[1]["error"]
    assert "another shape" in lines[2]["error"] and "another shape" in lines[3]["error"]
    assert "broken.toml" in lines[6]["error"] and "unknown game" in lines[7]["error"]
    assert lines[9]["error"] == '"deck": a path or null was expected, found 5'


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ((), "name one picture"),
        (("a.png",), "which table"),
        (("nowhere.png", "--table", "table.toml"), "no such file"),
        (("a.png", "--table", "nowhere.toml"), "nowhere.toml: cannot be read as a table file (No such file or directory); make one"),
        (("a.png", "--table", "a.png"), "a.png: cannot be read as a table file (it is no text); make one"),
        (("--batch", "empty"), "empty: cannot be read as a list of cases (Is a directory); name a file"),
        (("dot.png", "--table", "table.toml"), "another shape"),
        (("a.png", "--table", "broken.toml"), "broken.toml"),
        (("a.png", "--table", "table.toml", "--deck", "nodeck"), "deck.toml"),
        (("empty", "--table", "table.toml"), "no picture in this folder"),
        (("--batch", "nowhere.jsonl"), "nowhere.jsonl"),
        (("--batch", "table.toml"), "not JSON"),
    ],
)
def test_what_cannot_be_used_is_said_in_one_line(
    folder: Path, monkeypatch: pytest.MonkeyPatch, arguments: tuple[str, ...], says: str
) -> None:
    """What, where, and no stack trace."""
    monkeypatch.chdir(folder)
    done = run(*arguments)
    assert done.exit_code != 0 and says in done.output
    assert "Traceback" not in done.output and len(done.output.strip().splitlines()) == 1


def test_a_video_is_a_line_for_each_settled_picture(folder: Path) -> None:
    """A thing laid down between two rests gives two lines, with their times."""
    film = cv2.VideoWriter(str(folder / "film.mp4"), cv2.VideoWriter.fourcc(*"mp4v"), 15, SIZE)
    for k in range(60):
        frame = np.full((*SIZE[::-1], 3), 120, np.uint8)
        if k >= 30:
            left = 100 + 10 * min(k - 30, 6)
            cv2.rectangle(frame, (left, 100), (left + 90, 180), (20, 40, 220), -1)
        film.write(frame)
    film.release()
    done = run(folder / "film.mp4", "--table", folder / "table.toml", "--json")
    lines = [json.loads(line) for line in done.output.splitlines()]
    assert done.exit_code == 0 and len(lines) == 2
    assert lines[0]["t"] < 2.0 < lines[1]["t"] and lines[1]["source"] == "film.mp4"


def test_debug_pictures_are_written(folder: Path) -> None:
    """One a picture, of its size."""
    assert run(folder / "a.png", "--table", folder / "table.toml", "--debug", folder / "out").exit_code == 0
    (drawn,) = (folder / "out").iterdir()
    picture = cv2.imread(str(drawn))
    assert picture is not None and picture.shape == (360, 640, 3)
