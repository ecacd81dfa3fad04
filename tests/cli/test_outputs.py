"""What commands write where a person says: never over what they read, whole or not at all, and never in silence."""

import json
import os
import re
import resource
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import cv2
import pytest

from tests.cli.test_calibrate import POINTS
from tests.cli.test_referee import film
from tests.rules import games
from tests.vision.differences_pictures import scene, stickers
from vision.files import replacing
from vision.table import Lens, Seat, Table, write_table

COMPANION = [sys.executable, "-c", "from companion.cli import main; main()"]
GAME = games.GAMES / "sherlook-ten-rounds-and-one.game"
SEATS = (Seat("Ada", "red", ((-300, 100), (300, 100), (300, 220))), Seat("Bo", "blue", ((-300, -220), (300, -220), (300, -100))))
REFEREE = ["referee", "clip.mp4", "--table", "table.toml", "--game", "sherlook", "--players", "Ada,Bo"]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Two pictures and a list of them, a clip with its table, measured points, a written game."""
    (tmp_path / "game.jsonl").write_text("\n".join(games.read(GAME.read_text("utf-8"))[1]), "utf-8")
    a = scene(3, 480, 360, things=90)
    cv2.imwrite(str(tmp_path / "a.png"), a)
    cv2.imwrite(str(tmp_path / "b.png"), stickers(a, [(100, 100)], 36))
    (tmp_path / "link.png").symlink_to("a.png")
    (tmp_path / "list.csv").write_text("a,b\na.png,b.png\n")
    (tmp_path / "points.json").write_text(json.dumps(POINTS))
    film(tmp_path / "clip.mp4", 0.5)
    lens = Lens((600.0, 600.0, 320.0, 180.0), (0.0, 0.0, 0.0, 0.0, 0.0))
    write_table(Table((640, 360), lens, (1.25, 0, -400.0, 0, 1.25, -225.0, 0, 0, 1.0), SEATS), tmp_path / "table.toml")
    return tmp_path


def companion(folder: Path, *args: str, room: int | None = None, **streams: Any) -> subprocess.CompletedProcess[str]:
    """`companion ARGS` as a process in the folder; `room`: no file may grow beyond so many bytes, as on a disk that is nearly full."""
    def little_room() -> None:
        if room is not None:
            resource.setrlimit(resource.RLIMIT_FSIZE, (room, room))
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)

    env = {**os.environ, "XDG_CACHE_HOME": str(folder / "cache")}
    pipes: dict[str, Any] = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, **streams}
    return subprocess.run([*COMPANION, *args], cwd=folder, text=True, timeout=120, env=env, preexec_fn=little_room, **pipes)


def contents(folder: Path) -> dict[str, bytes]:
    return {p.name: p.read_bytes() for p in folder.iterdir() if p.is_file()}


OVER_INPUTS = {
    "the clip": [*REFEREE, "--events", "clip.mp4"],
    "the table": [*REFEREE, "--events", "table.toml"],
    "a picture": ["diff", "a.png", "b.png", "--report", "a.png"],
    "by a link": ["diff", "a.png", "b.png", "--report", "link.png"],
    "the list": ["audit", "list.csv", "--csv", "list.csv"],
    "an audited picture": ["audit", "list.csv", "--html", "b.png"],
    "a folder's picture": ["audit", ".", "--html", "./a.png"],
    "another output": ["audit", "list.csv", "--html", "new", "--csv", "new"],
    "what is kept": ["audit", "list.csv", "--keep", "new", "--csv", "new"],
    "the points": ["calibrate", "--points", "points.json", "-o", "points.json"],
    "the pictures' folder": ["observe", ".", "--table", "table.toml", "--debug", "."],
}


@pytest.mark.parametrize("over", OVER_INPUTS)
def test_what_is_read_is_never_written_over(folder: Path, over: str) -> None:
    """One line that names the option and the remedy, exit status 2, and every file as it was."""
    before = contents(folder)
    done = companion(folder, *OVER_INPUTS[over])

    assert done.returncode == 2 and done.stdout == ""
    assert done.stderr.count("\n") == 1 and done.stderr.endswith("would be lost; choose another name\n")
    assert contents(folder) == before


WRITTEN = {
    "report.html": ["diff", "a.png", "b.png", "--report", "report.html"],
    "matrix.html": ["audit", "list.csv", "--workers", "1", "--html", "matrix.html"],
    "matrix.csv": ["audit", "list.csv", "--workers", "1", "--csv", "matrix.csv"],
    "made.toml": ["calibrate", "--points", "points.json", "-o", "made.toml"],
    "events.jsonl": [*REFEREE, "--events", "events.jsonl"],
}


@pytest.mark.parametrize("name", WRITTEN)
def test_a_full_disk_leaves_the_file_that_was_there(folder: Path, name: str) -> None:
    """Yesterday's file stays and no stump lies beside it; with room the new one takes its place."""
    (folder / name).write_text("yesterday's")
    before = contents(folder)
    full = companion(folder, *WRITTEN[name], room=20)

    assert full.returncode == 2 and full.stderr.splitlines()[-1].startswith(f"companion: {name}: cannot be written"), full.stderr
    assert "Traceback" not in full.stderr and contents(folder) == before

    assert companion(folder, *WRITTEN[name]).returncode in (0, 1)
    assert contents(folder).keys() == before.keys() and (folder / name).read_text() != "yesterday's"


def test_a_stopped_referee_leaves_its_events(folder: Path) -> None:
    """What was told until Ctrl-C is in the file."""
    with subprocess.Popen([*COMPANION, *REFEREE, "--events", "events.jsonl"], cwd=folder, stdout=subprocess.PIPE, text=True) as running:
        assert running.stdout is not None and running.stdout.readline()
        running.send_signal(signal.SIGINT)
        running.wait(timeout=60)
    assert json.loads((folder / "events.jsonl").read_text().splitlines()[0])["event"] == "game-started"


def test_what_a_killed_referee_left_goes_when_the_events_are_written_again(folder: Path) -> None:
    """Yesterday's file stays until then, and what another writes at that moment, or a person called something alike, stays for good."""
    (folder / "events.jsonl").write_text("yesterday")
    (folder / "events.jsonl.mine.part").write_text("a person's")
    film(folder / "clip.mp4", 20.0)
    with subprocess.Popen([*COMPANION, *REFEREE, "--events", "events.jsonl"], cwd=folder, stdout=subprocess.PIPE, text=True) as running:
        assert running.stdout is not None and running.stdout.readline()
        running.kill()
    assert (folder / "events.jsonl").read_text() == "yesterday"
    (left,) = set(folder.glob("events.jsonl.*.part")) - {folder / "events.jsonl.mine.part"}

    with replacing(folder / "events.jsonl") as first, replacing(folder / "events.jsonl") as second:
        assert not left.exists()
        first.write(b"first")
        second.write(b"second")

    assert (folder / "events.jsonl").read_text() == "first"
    assert [p.name for p in folder.glob("*.part")] == ["events.jsonl.mine.part"]


def test_a_disk_that_is_full_at_the_first_game_is_said_once(folder: Path) -> None:
    """The sample deck does not fit where it is drawn: one line says where and what to do, and no stump stays."""
    done = companion(folder, "play", "--port", "18999", room=100_000)

    assert done.returncode == 2 and done.stderr.count("\n") == 1, done.stderr
    assert done.stderr.startswith(f"companion: {folder}/cache/table-companion: the sample game cannot be made there (")
    assert "free some room" in done.stderr and list((folder / "cache" / "table-companion").iterdir()) == []


def test_verbose_tells_what_the_companion_does_and_not_what_its_libraries_do(folder: Path) -> None:
    """Where standard error is piped, progress is told to whoever asks for it, in lines of our own; else nothing is."""
    quiet = companion(folder, "audit", "list.csv", "--workers", "1", "--json")
    told = companion(folder, "audit", "list.csv", "--workers", "1", "--json", "--verbose")

    assert quiet.stderr == "" and told.stdout == quiet.stdout
    assert "1 of 1 pairs compared" in told.stderr
    assert all(re.match(r" *\d+ ms companion\.", line) for line in told.stderr.splitlines()), told.stderr


SAYING = {
    "replay": ["replay", "game.jsonl"],
    "replay --json": ["replay", "game.jsonl", "--json"],
    "diff": ["diff", "a.png", "b.png"],
    "observe": ["observe", "clip.mp4", "--table", "table.toml", "--json"],
    "audit": ["audit", "list.csv", "--workers", "1"],
    "referee": [*REFEREE, "--events", "events.jsonl"],
    "doctor": ["doctor"],
}


@pytest.mark.parametrize("what", SAYING)
def test_a_full_standard_output_is_one_line(folder: Path, what: str) -> None:
    """As with a full disk under `> answers.txt`: exit status 2, no stack trace."""
    with Path("/dev/full").open("w") as full:
        done = companion(folder, *SAYING[what], stdout=full)

    assert done.returncode == 2, done.stderr
    assert done.stderr == "companion: standard output cannot be written (No space left on device); free some room or send it elsewhere\n"
