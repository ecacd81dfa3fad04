"""A game's journal: what was announced is written first, and a game goes on where it was killed."""

import json
import os
import resource
import signal
import sqlite3
import subprocess
import sys
from datetime import datetime
from pathlib import Path

import pytest

from companion import rules
from companion.session import Journal, JournalError, begin, resume, unfinished

WHEN = datetime(2026, 11, 30, 20, 15)
STARTED = {"event": "game-started", "game": "sherlook", "players": ["Ada", "Bo"], "settings": {"rounds": 2}}


def act(event: str, t: float, **fields: object) -> dict:
    return {"event": event, "t": t, "by": "camera", **fields}


ROUND = [
    act("green-turned", 1.0),
    act("photos-laid", 2.0, photos=[None, None]),
    act("marker-taken", 9.0, player="Ada", value=7),
    act("marker-taken", 10.5, player="Bo", value=5),
    act("photos-turned", 14.0),
    act("differences-counted", 17.0, count=7),
]


def new_game(folder: Path):
    session, ruling = begin(folder, STARTED, when=WHEN, source="clip.mp4")
    assert ruling["key"] == "started"
    return session


def test_a_game_goes_on_where_it_was_left(tmp_path: Path) -> None:
    """Taken up again, the game has the same position, rulings and pictures."""
    session = new_game(tmp_path)
    for event in ROUND:
        session.post(event, jpeg=b"\xff\xd8picture")
    told = session.rulings()
    session.close()

    again = unfinished(tmp_path, source="clip.mp4")

    assert again is not None
    assert again.rulings() == told
    assert rules.position(again.state)["score"]["Ada"]["points"] == 4
    assert again.journal.picture("evidence-4") == b"\xff\xd8picture"


def test_nothing_is_told_before_it_is_written(tmp_path: Path) -> None:
    """A listener that reads the journal at once finds the line there."""
    session = new_game(tmp_path)
    found = []
    session.subscribe(lambda event, ruling: found.append((event["seq"], resume(session.journal.path).seq)))

    for event in ROUND[:3]:
        session.post(event)

    assert found == [(2, 2), (3, 3), (4, 4)]


def test_a_rejected_event_leaves_no_trace(tmp_path: Path) -> None:
    """What cannot be is answered, not written; the next event takes its number."""
    session = new_game(tmp_path)

    refused = session.post(act("differences-counted", 1.0, count=3))
    accepted = session.post(ROUND[0])

    assert (refused["ruling"], refused["key"]) == ("rejected", "wrong-state")
    assert accepted["of"] == 2
    assert [line.event["event"] for line in session.journal.lines()] == ["game-started", "green-turned"]


def test_a_correction_keeps_both_versions(tmp_path: Path) -> None:
    """The journal holds the misread line and its correction; the score is that of the corrected game."""
    session = new_game(tmp_path)
    for event in ROUND:
        session.post(event)

    right = {"event": "marker-taken", "player": "Ada", "value": 6}
    session.post({"event": "correct", "t": 20.0, "by": "host", "replaces": 4, "with": right})

    assert rules.position(session.state)["score"]["Ada"]["points"] == 2
    assert [line.event.get("value") for line in session.journal.lines() if line.event["event"] == "marker-taken"] == [7, 5]
    assert rules.position(resume(session.journal.path).state) == rules.position(session.state)


def test_a_game_that_cannot_begin_leaves_no_file(tmp_path: Path) -> None:
    """A refused start is told, and the folder stays empty."""
    session, ruling = begin(tmp_path, {**STARTED, "players": ["Ada"]}, when=WHEN, source="clip.mp4")

    assert ruling["key"] == "bad-players"
    assert list(tmp_path.iterdir()) == []
    session.close()


def test_a_question_is_open_until_it_is_answered_and_survives_a_kill(tmp_path: Path) -> None:
    """The answer is an ordinary event that names the question."""
    session = new_game(tmp_path)
    for event in ROUND[:5]:
        session.post(event)
    asked = session.ask({"about": "differences-counted", "choices": [{"event": ROUND[5], "sure": 0.6}]})
    session.close()
    again = resume(session.journal.path)
    assert again.open_questions() == [asked]

    again.post({**ROUND[5], "by": "host", "answers": asked["question"]})

    assert again.open_questions() == []


def test_a_finished_game_is_not_gone_on_with(tmp_path: Path) -> None:
    """After the last round, and for another source, a new game begins."""
    session = new_game(tmp_path)
    session.post(act("green-turned", 1.0))
    assert unfinished(tmp_path, source="camera") is None
    session.post({"event": "game-ended", "t": 3.0, "by": "host"})

    assert unfinished(tmp_path, source="clip.mp4") is None


def test_lines_are_never_changed_nor_deleted(tmp_path: Path) -> None:
    """The file itself refuses."""
    session = new_game(tmp_path)
    other = sqlite3.connect(session.journal.path)

    for wish in ("DELETE FROM line", "UPDATE line SET ruling = '{}'"):
        with pytest.raises(sqlite3.IntegrityError, match="only added to"):
            other.execute(wish)


def test_a_journal_of_a_newer_version_is_left_alone(tmp_path: Path) -> None:
    """One line says what to do; the file is as it was."""
    path = tmp_path / "new.game"
    Journal(path).close()
    with sqlite3.connect(path) as db:
        db.execute("PRAGMA user_version = 7")

    with pytest.raises(JournalError, match=r"version 7.*update the companion"):
        Journal(path)
    assert sqlite3.connect(path).execute("PRAGMA user_version").fetchone() == (7,)


@pytest.mark.parametrize("content", [b"no database at all, just some text " * 40, b"SQLite format 3\0" + b"\0" * 100])
def test_a_file_that_is_no_journal_is_named(tmp_path: Path, content: bytes) -> None:
    """A broken file is said in one line and not overwritten."""
    path = tmp_path / "broken.game"
    path.write_bytes(content)

    with pytest.raises(JournalError, match=r"broken\.game") as said:
        Journal(path).lines()

    assert "\n" not in str(said.value)
    assert path.read_bytes().startswith(content[:16])


def test_lines_that_other_rules_ruled_are_not_taken_up(tmp_path: Path) -> None:
    """A journal whose rulings this program would not give is left to the version that wrote it."""
    session = new_game(tmp_path)
    session.post(ROUND[0])
    session.close()
    with sqlite3.connect(session.journal.path) as db:
        db.execute("DROP TRIGGER line_never_changes")
        db.execute("UPDATE line SET ruling = json_set(ruling, '$.key', 'other') WHERE seq = 2")

    with pytest.raises(JournalError, match="line 2 was ruled otherwise"):
        resume(session.journal.path)


PLAYER = """
import sys, json
from pathlib import Path
from datetime import datetime
from companion.session import begin, JournalError
session, _ = begin(Path(sys.argv[1]), json.loads(sys.argv[2]), when=datetime(2026, 1, 1), source="s")
session.post({"event": "green-turned", "t": 1.0, "by": "camera"})
session.post({"event": "photos-laid", "t": 2.0, "by": "camera", "photos": [None, None]})
print("ready", flush=True)
try:
    for n in range(100000):
        taken = {"event": "marker-taken", "t": 3.0 + n, "by": "camera", "player": "Ada", "value": n % 10 + 1}
        ruling = session.post(taken, jpeg=bytes(20000))
        print(ruling["of"], flush=True)
except JournalError as e:
    print("ERROR", e, flush=True)
"""


def announced(lines: list[str]) -> list[int]:
    return [int(line) for line in lines if line.strip().isdigit()]


def test_what_was_announced_survives_a_kill(tmp_path: Path) -> None:
    """Killed at any moment, the game goes on with every line that was said."""
    process = subprocess.Popen([sys.executable, "-c", PLAYER, str(tmp_path), json.dumps(STARTED)], stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    said = [process.stdout.readline() for _ in range(30)]
    process.send_signal(signal.SIGKILL)
    said += process.stdout.readlines()
    process.wait()

    again = unfinished(tmp_path, source="s")

    assert again is not None
    assert set(announced(said)) <= {event["seq"] for event, _ in again.rulings()}
    assert len(announced(said)) >= 29


def test_a_full_disk_is_one_line_and_loses_nothing(tmp_path: Path) -> None:
    """When the file cannot grow, the event is not announced, and all before it can be read."""
    def small_disk() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (600_000, 600_000))
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)

    done = subprocess.run([sys.executable, "-c", PLAYER, str(tmp_path), json.dumps(STARTED)], capture_output=True, text=True,
                          preexec_fn=small_disk, timeout=120, env={**os.environ})
    lines = done.stdout.splitlines()

    assert lines[-1].startswith("ERROR") and "free some disk space" in lines[-1]
    again = unfinished(tmp_path, source="s")
    assert again is not None
    assert set(announced(lines)) <= {event["seq"] for event, _ in again.rulings()}


@pytest.mark.parametrize("room", [0, 4096, 20_000, 40_000])
def test_a_disk_that_is_full_at_the_start_leaves_nothing(tmp_path: Path, room: int) -> None:
    """Wherever the making of the journal breaks off, it is one line, and the next start finds an empty folder."""
    def small_disk() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (room, room))
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)

    begins = PLAYER.split("session.post")[0].replace("session, _ = ", "try:\n    ") + "except JournalError as e:\n    print('ERROR', e)\n"
    done = subprocess.run([sys.executable, "-c", begins, str(tmp_path), json.dumps(STARTED)], capture_output=True, text=True,
                          preexec_fn=small_disk, timeout=120)

    assert done.stdout.startswith("ERROR") and "free some disk space" in done.stdout, done.stderr
    assert list(tmp_path.iterdir()) == [] and unfinished(tmp_path, source="s") is None


def test_journals_in_which_nothing_began_are_passed_over(tmp_path: Path) -> None:
    """Left by a machine that stopped in the midst of a start: empty, without tables, or without a line. The game before goes on."""
    new_game(tmp_path).close()
    (tmp_path / "2099-01-01-000001.game").touch()
    with sqlite3.connect(tmp_path / "2099-01-01-000002.game") as db:
        db.execute("PRAGMA journal_mode=WAL")
    begun = Journal(tmp_path / "2099-01-01-000003.game")
    begun.note("source", "clip.mp4")
    begun.close()

    again = unfinished(tmp_path, source="clip.mp4")

    assert again is not None and again.seq == 1


def test_a_game_is_open_in_one_companion_only(tmp_path: Path) -> None:
    """A second one is told so, and neither spoils the other's lines; after the first has closed it, it can be taken up."""
    session = new_game(tmp_path)
    session.post(ROUND[0])

    with pytest.raises(JournalError, match="open in another companion"):
        unfinished(tmp_path, source="clip.mp4")
    session.close()

    again = unfinished(tmp_path, source="clip.mp4")
    assert again is not None and again.seq == 2
