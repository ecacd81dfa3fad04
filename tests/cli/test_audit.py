"""`companion audit`: whole folders and lists, kept and resumed, with trouble in the midst."""

import csv
import io
import json
from pathlib import Path

import cv2
import pytest
from click.testing import CliRunner, Result

from companion.cli import companion
from tests.cli.strays import stray_and_killed
from tests.vision.differences_pictures import scene, stickers
from vision.differences import many
from vision.differences.many import Job, judge, run

A = scene(3, 480, 360, things=90)
CARDS = {"p1.png": A, "p2.png": stickers(A, [(100, 100)], 36), "p3.png": stickers(A, [(300, 200), (400, 80)], 36)}
TRUE = {("p1.png", "p2.png"): 1, ("p1.png", "p3.png"): 2, ("p2.png", "p3.png"): 3}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, picture in CARDS.items():
        cv2.imwrite(str(tmp_path / name), picture)
    return tmp_path


def audit(*args: object) -> Result:
    return CliRunner().invoke(companion, ["audit", *map(str, args)], standalone_mode=False)


def test_a_folder_gives_every_pair_once(folder: Path) -> None:
    """All pairs in order, each with the hashes of its files; the matrices say the same."""
    done = audit(folder, "--json", "--workers", 1, "--csv", folder / "m.csv", "--html", folder / "m.html")
    pairs = json.loads(done.output)["pairs"]

    assert {(p["a"], p["b"]): p["count"] for p in pairs} == TRUE
    assert all(len(p["sha256_a"]) == len(p["sha256_b"]) == 64 for p in pairs)
    assert list(csv.reader(io.StringIO((folder / "m.csv").read_text())))[1] == ["p1.png", "0", "1", "2"]
    assert done.return_value == 0 and "p2.png" in (folder / "m.html").read_text()


def test_a_list_with_trouble_goes_on(folder: Path) -> None:
    """A file that cannot be read and a pair that is refused are verdicts; the others are compared."""
    cv2.imwrite(str(folder / "other.png"), scene(8, 480, 360))
    (folder / "empty.png").touch()
    (folder / "pairs.csv").write_text("a,b,expected\np1.png,p2.png,1\np1.png,empty.png,\np1.png,other.png,\np1.png,p3.png,5\n")

    done = audit(folder / "pairs.csv", "--json", "--workers", 1)
    pairs = json.loads(done.output)["pairs"]

    assert [p["count"] for p in pairs] == [1, None, None, 2]
    assert [p["same_picture"] for p in pairs] == [True, None, False, True]
    assert "empty" in pairs[1]["error"] and pairs[2]["error"] and done.return_value == 1


@pytest.mark.parametrize(
    ("text", "said"),
    [("a,c\nx,y\n", "'b' is missing"), ("", "no pairs"), ("a,b\n,y\n", "line 2"), ("a,b,expected\nx,y,many\n", "'many'")],
)
def test_a_broken_list_is_one_line(tmp_path: Path, text: str, said: str) -> None:
    """What is wrong with the list, and where."""
    (tmp_path / "pairs.csv").write_text(text)
    result = audit(tmp_path / "pairs.csv")

    assert said in str(result.exception) and "\n" not in str(result.exception)


def test_ten_thousand_files_are_refused_at_once(tmp_path: Path) -> None:
    """Fifty million pairs are a mistake; the message says what to do."""
    for k in range(10_000):
        (tmp_path / f"{k}.png").touch()
    result = audit(tmp_path)

    assert "10000 pictures" in str(result.exception) and "CSV" in str(result.exception)


def test_an_audit_goes_on_where_it_stopped(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Kept verdicts are not asked again, a line cut off in mid-write and a changed file are."""
    keep = folder / "kept.jsonl"
    first = audit(folder, "--json", "--workers", 1, "--keep", keep)
    lines = keep.read_text().splitlines()
    keep.write_text("\n".join(lines[:2]) + "\n" + lines[2][:40])
    asked: list[Job] = []
    monkeypatch.setattr(many, "judge", lambda job: asked.append(job) or judge(job))

    again = audit(folder, "--json", "--workers", 1, "--keep", keep)

    assert json.loads(again.output) == json.loads(first.output)
    assert [(job.name_a, job.name_b) for job in asked] == [("p2.png", "p3.png")]


def test_an_expected_matrix_is_held_against_the_counts(folder: Path) -> None:
    """Equal: 0; one cell off: 1."""
    (folder / "right.csv").write_text(",p1.png,p2.png\np1.png,0,1\np3.png,2,3\n")
    (folder / "wrong.csv").write_text(",p1.png,p2.png\np1.png,0,4\n")

    assert audit(folder, "--workers", 1, "--expect-matrix", folder / "right.csv").return_value == 0
    assert audit(folder, "--workers", 1, "--expect-matrix", folder / "wrong.csv").return_value == 1


def test_a_killed_worker_and_a_stray_line_change_nothing(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    """The verdicts are those of one worker alone, each with its own pair's hashes (reports 25)."""
    jobs = [Job(str(folder / p), str(folder / q), p, q) for p in CARDS for q in CARDS if p != q]
    alone = {(v.a, v.b): v for v in map(judge, jobs)}
    monkeypatch.setattr(many, "judge", stray_and_killed)

    pooled = list(run(jobs, workers=2))

    assert (folder / "killed").exists()
    assert len(pooled) == len(jobs) and {(v.a, v.b): v for v in pooled} == alone
    assert "stray" not in capfd.readouterr().out
