"""`companion referee` as a process: what it prints, writes, and says of input that cannot be used."""

import json
import subprocess
import sys
from pathlib import Path

import cv2
import numpy as np
import pytest

from vision.table import Lens, Seat, Table, write_table

WIDTH, HEIGHT, FPS = 640, 360, 10
SEATS = (Seat("Ada", "red", ((-300, 100), (300, 100), (300, 220), (-300, 220))),
         Seat("Bo", "blue", ((-300, -220), (300, -220), (300, -100), (-300, -100))))


@pytest.fixture(scope="module")
def here(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a table file and a short film of an empty table."""
    folder = tmp_path_factory.mktemp("referee")
    lens = Lens((600.0, 600.0, WIDTH / 2, HEIGHT / 2), (0.0, 0.0, 0.0, 0.0, 0.0))
    write_table(Table((WIDTH, HEIGHT), lens, (1.25, 0, -400.0, 0, 1.25, -225.0, 0, 0, 1.0), SEATS), folder / "table.toml")
    film(folder / "empty.mp4", 1.5)
    return folder


def film(path: Path, seconds: float, size: tuple[int, int] = (WIDTH, HEIGHT), codec: str = "mp4v") -> None:
    rng = np.random.default_rng(1)
    grain = cv2.resize(rng.normal(0, 9, (size[1] // 6, 8)).astype(np.float32), size, interpolation=cv2.INTER_CUBIC)
    wood = np.clip(np.array([80, 112, 140]) + grain[..., None], 0, 255).astype(np.uint8)
    out = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*codec), FPS, size)
    for _ in range(round(seconds * FPS)):
        out.write(wood)
    out.release()


def referee(folder: Path, *args: str, source: str = "empty.mp4", players: str = "Ada,Bo", game: str = "sherlook",
            table: str = "table.toml") -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", "from companion.cli import main; main()", "referee", source, "--table", table, "--game", game,
               "--players", players, *args]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=120)


def test_a_film_of_an_empty_table_is_a_game_in_which_nothing_happened(here: Path) -> None:
    """The start by the host, then the summary; the events file holds the start."""
    run = referee(here, "--json", "--events", "out.jsonl")
    assert run.returncode == 0, run.stderr
    started, summary = (json.loads(line) for line in run.stdout.splitlines())
    assert (started["ruling"], started["key"], started["t"]) == ("accepted", "started", 0.0)
    assert (summary["ruling"], summary["state"], summary["events"]) == ("summary", "round", 1)
    (event,) = (json.loads(line) for line in (here / "out.jsonl").read_text(encoding="utf-8").splitlines())
    assert (event["seq"], event["event"], event["by"], event["players"]) == (1, "game-started", "host", ["Ada", "Bo"])


def test_a_person_reads_a_sentence_a_ruling(here: Path) -> None:
    """Without --json a time and a sentence, and how it ended."""
    run = referee(here)
    assert run.returncode == 0
    assert run.stdout.splitlines()[0].startswith("0:00.0  ")
    assert "not over" in run.stdout.splitlines()[-1]


def test_settings_come_from_their_file(here: Path) -> None:
    """The settings of game-started."""
    (here / "settings.json").write_text('{"rounds": 3}', encoding="utf-8")
    run = referee(here, "--json", "--settings", "settings.json")
    assert json.loads(run.stdout.splitlines()[0])["params"]["settings"]["rounds"] == 3


def refused(run: subprocess.CompletedProcess[str]) -> str:
    """The one line of a refusal: exit status 2, no traceback, nothing printed as a result."""
    assert run.returncode == 2
    (line,) = run.stderr.strip().splitlines()
    assert run.stdout == "" and "Traceback" not in line
    return line


@pytest.mark.parametrize(("players", "said"), [
    ("Ada", "1 player"),
    ("Ada,Ada", "named twice"),
    ("Ada,Zoe", "no seat of that name"),
    (",".join(f"P{i}" for i in range(11)), "no seat of that name"),
    ("", "an empty name"),
    ("Ada,,Bo", "an empty name"),
])
def test_players_that_cannot_sit_there_are_refused(here: Path, players: str, said: str) -> None:
    """One line: what, where, what to do."""
    assert said in refused(referee(here, players=players))


def test_eleven_players_are_too_many_even_with_seats(here: Path) -> None:
    """The rules say who can play; the seats cannot make it more."""
    names = [f"P{i}" for i in range(11)]
    lens = Lens((600.0, 600.0, WIDTH / 2, HEIGHT / 2), (0.0, 0.0, 0.0, 0.0, 0.0))
    seats = tuple(Seat(name, "", ((60 * i - 390, 100), (60 * i - 340, 100), (60 * i - 340, 200))) for i, name in enumerate(names))
    write_table(Table((WIDTH, HEIGHT), lens, (1.25, 0, -400.0, 0, 1.25, -225.0, 0, 0, 1.0), seats), here / "eleven.toml")
    assert "11 players" in refused(referee(here, players=",".join(names), table="eleven.toml"))


@pytest.mark.parametrize("game", ["chess", ""])
def test_an_unknown_game_is_refused(here: Path, game: str) -> None:
    """With the games that there are."""
    assert "sherlook" in refused(referee(here, game=game))


def test_a_bad_setting_is_named(here: Path) -> None:
    """The rules' bounds hold for the command too."""
    (here / "bad.json").write_text('{"rounds": 99}', encoding="utf-8")
    assert "rounds" in refused(referee(here, "--settings", "bad.json"))


def test_files_that_cannot_be_used_are_refused(here: Path) -> None:
    """No video, a missing file, a broken table, settings that are no object, a pack that is none: one line each."""
    (here / "noise.mp4").write_bytes(bytes(range(256)) * 40)
    (here / "broken.toml").write_text("format = 1\n", encoding="utf-8")
    (here / "list.json").write_text("[1]", encoding="utf-8")
    assert "noise.mp4" in refused(referee(here, source="noise.mp4"))
    assert "nowhere.mp4" in refused(referee(here, source="nowhere.mp4"))
    assert "broken.toml" in refused(referee(here, table="broken.toml"))
    assert "list.json" in refused(referee(here, "--settings", "list.json"))
    assert "nopack" in refused(referee(here, "--deck", "nopack"))


def test_a_film_of_another_shape_than_the_table_is_refused(here: Path) -> None:
    """The table file was made for another camera."""
    film(here / "square.mp4", 0.5, (360, 360))
    run = referee(here, source="square.mp4")
    assert run.returncode == 2
    assert "shape" in run.stderr and len(run.stderr.strip().splitlines()) == 1


def test_a_truncated_film_is_refused_or_read_as_far_as_it_goes(here: Path) -> None:
    """A file cut off in the middle: one line, or a game up to there; never a traceback."""
    whole = (here / "empty.mp4").read_bytes()
    (here / "cut.mp4").write_bytes(whole[: len(whole) // 2])
    run = referee(here, "--json", source="cut.mp4")
    assert run.returncode in (0, 2) and "Traceback" not in run.stderr
    assert len(run.stderr.strip().splitlines()) <= 1


def test_a_film_cut_in_half_is_refereed_to_there_and_said_to_be_cut(here: Path) -> None:
    """What an AVI holds up to the cut is refereed and summed up; then one line says how much is missing, with status 2."""
    film(here / "whole.avi", 4.0, codec="MJPG")
    whole = (here / "whole.avi").read_bytes()
    (here / "half.avi").write_bytes(whole[: len(whole) // 2])

    run = referee(here, "--json", "--events", "half.jsonl", source="half.avi")

    assert run.returncode == 2
    assert json.loads(run.stdout.splitlines()[-1])["ruling"] == "summary"
    (line,) = run.stderr.strip().splitlines()
    assert "half.avi: the file ends after" in line and "4.0 seconds" in line
    assert "game-started" in (here / "half.jsonl").read_text(encoding="utf-8")
