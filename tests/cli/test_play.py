"""`companion play` as a process: it serves, it survives a kill, it ends with one line."""

import contextlib
import json
import os
import re
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from vision.table import Lens, Seat, Table, write_table

COMPANION = [sys.executable, "-c", "from companion.cli import main; main()"]


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


class Player:
    """A running `companion play`."""

    def __init__(self, folder: Path, *arguments: str, port: int | None = None) -> None:
        self.port = port or free_port()
        env = {**os.environ, "COMPANION_GAMES": str(folder / "games"), "XDG_CONFIG_HOME": str(folder / "config"), "LANG": "en_GB.UTF-8"}
        command = [*COMPANION, "play", *arguments, "--port", str(self.port)]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=env)

    def ask(self, path: str, body: dict[str, Any] | None = None) -> Any:
        """The answer as JSON, once the server is there."""
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(f"http://127.0.0.1:{self.port}/api/v1/{path}", data, {"content-type": "application/json"})
        deadline = time.monotonic() + 180   # the sample deck may have to be drawn first
        while True:
            try:
                with urllib.request.urlopen(request, timeout=20) as answer:
                    return json.load(answer)
            except (ConnectionError, urllib.error.URLError):
                assert self.process.poll() is None, f"it ended: {self.process.communicate()}"
                assert time.monotonic() < deadline, "the server does not start"
                with contextlib.suppress(subprocess.TimeoutExpired):
                    self.process.wait(0.1)

    def hear(self, key: str) -> list[dict[str, Any]]:
        """All rulings, once one of this key is among them."""
        deadline = time.monotonic() + 180
        while key not in (keys := [r["key"] for r in self.ask("rulings")]):
            assert time.monotonic() < deadline, f"{key} was never ruled: {keys}"
            with contextlib.suppress(subprocess.TimeoutExpired):
                self.process.wait(0.3)
        rulings: list[dict[str, Any]] = self.ask("rulings")
        return rulings

    def act(self, event: str, **fields: Any) -> Any:
        return self.ask("events", {"event": event, **fields})


def stop(player: Player) -> None:
    """As a pulled plug would, once it plays."""
    player.ask("health")
    player.process.send_signal(signal.SIGKILL)
    player.process.wait()


@pytest.fixture
def players(tmp_path: Path) -> Iterator[Any]:
    running: list[Player] = []

    def start(*arguments: str, port: int | None = None) -> Player:
        running.append(Player(tmp_path, *arguments, port=port))
        return running[-1]

    yield start
    for player in running:
        player.process.kill()
        player.process.communicate()


def test_a_killed_game_goes_on_where_it_was(players: Any) -> None:
    """Killed with SIGKILL and started again, the same round goes on with every marker and point."""
    first = players("none", "--players", "Ada,Bo")
    first.act("green-turned")
    first.act("photos-laid", photos=[None, None])
    first.act("marker-taken", player="Ada", value=7)
    before = first.ask("state")
    stop(first)

    again = players("none", "--players", "Ada,Bo")

    after = again.ask("state")
    assert after["position"] == before["position"] and after["seq"] == before["seq"] == 4
    assert after["resumed"] == {"round": 1}
    assert after["clock"]["deadline"] == before["clock"]["deadline"]
    assert again.act("marker-taken", player="Bo", value=5)["key"] in ("all-chosen", "too-late")
    assert "Welcome back: round 1, nothing lost." in again.process.stdout.readline()


def test_ctrl_c_ends_cleanly(players: Any) -> None:
    """Exit status 130 and no stack trace."""
    player = players("none", "--players", "Ada,Bo")
    player.ask("health")
    player.process.send_signal(signal.SIGINT)

    out, err = player.process.communicate(timeout=20)

    assert player.process.returncode == 130
    assert "Traceback" not in out + err


def test_a_taken_port_is_named(players: Any) -> None:
    """One line says which port and what to do; exit status 2."""
    first = players("none", "--players", "Ada,Bo")
    first.ask("health")
    second = players("none", "--players", "Ada,Bo", port=first.port)

    _, err = second.process.communicate(timeout=30)

    assert second.process.returncode == 2
    assert re.fullmatch(rf"companion: port {first.port} cannot be used \(.*\); choose another with --port.*\n", err)


def test_a_second_companion_does_not_take_the_game(players: Any) -> None:
    """Two on one games folder would spoil each other's journal: the second says who has it, and the first plays on."""
    first = players("none", "--players", "Ada,Bo")
    first.act("green-turned")
    second = players("none", "--players", "Ada,Bo")

    _, err = second.process.communicate(timeout=30)

    assert second.process.returncode == 2 and "open in another companion" in err
    assert first.act("photos-laid", photos=[None, None])["key"] == "look"


def test_other_players_begin_a_game_of_their_own(players: Any) -> None:
    """The unfinished game of others is kept; where, and how they go on with it, is said."""
    first = players("none", "--players", "Ada,Bo B")
    first.act("green-turned")
    stop(first)

    second = players("none", "--players", "Zoe,Max")

    assert second.ask("state")["position"]["players"] == ["Zoe", "Max"]
    said = second.process.stdout.readline()
    assert "The unfinished game of Ada, Bo B is kept in" in said
    assert "companion play none --game sherlook --players 'Ada,Bo B' goes on with it." in said


def test_whose_game_was_left_in_the_middle_goes_on_with_it(players: Any) -> None:
    """Others played meanwhile, one game to its end and one not; who names the same players, in any order, finds their own again."""
    first = players("none", "--game", "sherlock", "--players", "Ada,Bo")
    stop(first)
    others = players("none", "--players", "Zoe,Max")
    others.act("green-turned")
    stop(others)
    more = players("none", "--players", "Eva,Tom")
    more.act("game-ended")
    stop(more)

    again = players("none", "--players", "Max,Zoe")
    assert again.ask("state")["resumed"] == {"round": 1} and again.ask("state")["seq"] == 2
    stop(again)
    box = players("none", "--players", "Ada,Bo")
    assert box.ask("state")["position"]["game"] == "sherlock" and box.ask("state")["resumed"] is not None
    stop(box)
    another = players("none", "--game", "sherlock-deluxe", "--players", "Zoe,Max")
    assert another.ask("state")["resumed"] is None and another.ask("state")["seq"] == 1


def test_what_is_named_for_a_game_that_goes_on_is_heeded_or_answered(players: Any, tmp_path: Path) -> None:
    """Its settings stay as they were, which is said; a table without seats for its players is refused."""
    first = players("none", "--players", "Ada,Bo")
    stop(first)
    (tmp_path / "settings.json").write_text('{"rounds": 3}')
    again = players("none", "--settings", str(tmp_path / "settings.json"))
    assert "keeps the settings with which it began" in again.process.stdout.readline()
    stop(again)
    area = ((0.0, 0.0), (100.0, 0.0), (100.0, 100.0), (0.0, 100.0))
    lens = Lens((500.0, 500.0, 320.0, 180.0), (0.0,) * 5)
    write_table(Table((640, 360), lens, (1.0, 0, -320, 0, 1.0, -180, 0, 0, 1.0), (Seat("Zoe", "red", area),)), tmp_path / "other.toml")

    elsewhere = players("none", "--table", str(tmp_path / "other.toml"))

    _, err = elsewhere.process.communicate(timeout=60)
    assert elsewhere.process.returncode == 2 and "Ada has no seat at this table" in err and err.count("\n") == 1


def bad(folder: Path) -> dict[str, tuple[list[str], str]]:
    (folder / "text.mp4").write_text("no video at all")
    (folder / "broken.toml").write_text("format = 1\nimage_size = [")
    (folder / "settings.json").write_text('{"rounds": 99}')
    (folder / "deep.json").write_text("[" * 200_000)
    return {
        "no such source": (["nothing.mp4"], "no such file, folder or camera"),
        "no video": ([str(folder / "text.mp4")], "not a video"),
        "no camera": (["93"], "camera 93 is not there"),
        "broken table": (["none", "--table", str(folder / "broken.toml")], "cannot be read as a table file"),
        "one player": (["none", "--players", "Ada"], "two to ten can play"),
        "empty name": (["none", "--players", "Ada,,Bo"], "an empty name"),
        "eleven players": (["none", "--players", "A,B,C,D,E,F,G,H,I,J,K"], "two to ten can play"),
        "named twice": (["none", "--players", "Ada,Ada"], "named twice"),
        "unknown game": (["none", "--game", "chess"], "no such game; choose one of sherlook"),
        "bad setting": (["none", "--players", "Ada,Bo", "--settings", str(folder / "settings.json")], "cannot begin"),
        "deep settings": (["none", "--players", "Ada,Bo", "--settings", str(folder / "deep.json")], "cannot be read as settings"),
        "no pack": (["none", "--deck", str(folder)], "cannot be read as a deck pack"),
        "no pack for the sample": (["--deck", str(folder / "nowhere")], "nowhere"),
        "no table for the sample": (["--table", str(folder / "nowhere.toml")], "nowhere.toml"),
        "bad port": (["none", "--port", "99999"], "99999"),
    }


@pytest.mark.parametrize("case", ["no such source", "no video", "no camera", "broken table", "one player", "empty name",
                                  "eleven players", "named twice",
                                  "unknown game", "bad setting", "deep settings", "no pack", "no pack for the sample",
                                  "no table for the sample", "bad port"])
def test_what_cannot_be_played_is_said_in_one_line(tmp_path: Path, case: str) -> None:
    """What, where, and what to do; exit status 2; nothing is left behind."""
    arguments, says = bad(tmp_path)[case]
    env = {**os.environ, "COMPANION_GAMES": str(tmp_path / "games"), "XDG_CONFIG_HOME": str(tmp_path / "config")}

    done = subprocess.run([*COMPANION, "play", *arguments], capture_output=True, text=True, timeout=60, env=env)

    assert done.returncode == 2
    assert says in done.stderr and done.stderr.count("\n") == 1 and "Traceback" not in done.stderr
    assert not list((tmp_path / "games").glob("*.game"))


def test_the_sample_game_is_refereed_killed_and_gone_on_with(players: Any) -> None:
    """`companion play` alone watches its clip; killed in the first round and started again, it misses nothing of it."""
    first = players()
    seq = len(first.hear("look"))
    stop(first)

    again = players("--players", "Zoe,Max")

    assert "is played with its own table, players and deck, not with --players" in again.process.stdout.readline()
    assert again.ask("state")["resumed"] == {"round": 1}
    told = again.hear("marker-taken")
    assert [r["of"] for r in told] == list(range(1, len(told) + 1)) and len(told) > seq
    assert [r["key"] for r in told[:3]] == ["started", "round-begun", "look"]
    assert again.ask("observation")["markers"] and "differences" not in again.ask("observation")
