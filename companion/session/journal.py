"""The journal: one SQLite file a game. Lines are only ever added; what was written survives a kill and a pulled plug."""

import json
import sqlite3
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

VERSION = 1   # of the journal's tables

SCHEMA = """
CREATE TABLE about (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;
CREATE TABLE line (
    seq INTEGER PRIMARY KEY,
    event TEXT NOT NULL CHECK (json_valid(event)),
    ruling TEXT NOT NULL CHECK (json_valid(ruling))
) STRICT;
CREATE TRIGGER line_never_changes BEFORE UPDATE ON line BEGIN SELECT RAISE(ABORT, 'the journal is only added to'); END;
CREATE TRIGGER line_never_goes BEFORE DELETE ON line BEGIN SELECT RAISE(ABORT, 'the journal is only added to'); END;
CREATE TABLE picture (name TEXT PRIMARY KEY, jpeg BLOB NOT NULL) STRICT;
CREATE TABLE question (
    number INTEGER PRIMARY KEY,
    question TEXT NOT NULL CHECK (json_valid(question)),
    closed INTEGER NOT NULL DEFAULT 0
) STRICT;
"""


class JournalError(Exception):
    """The journal cannot be read or written; the message says what, where, and what to do."""


class EmptyJournalError(JournalError):
    """The file never held anything: the disk was full, or the machine stopped, when it was made."""


@dataclass(frozen=True, slots=True)
class Line:
    """One event and the ruling on it."""

    seq: int
    event: dict[str, Any]
    ruling: dict[str, Any]


class Journal:
    """A game's file. Raises JournalError from every method where the file cannot be used."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._held: sqlite3.Connection | None = None
        self._lock = threading.RLock()   # one connection, many threads: nobody's write may slip into another's transaction
        with self._spoken("opened"):
            path.parent.mkdir(parents=True, exist_ok=True)
            fresh = _claimed(path)
            self._db = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
            try:
                self._db.execute("PRAGMA journal_mode=WAL")
                self._db.execute("PRAGMA synchronous=FULL")
                if fresh:
                    self._db.executescript(f"BEGIN; {SCHEMA} PRAGMA user_version={VERSION}; COMMIT;")
                version = int(self._db.execute("PRAGMA user_version").fetchone()[0])
                tables = self._db.execute("SELECT count(*) FROM sqlite_schema").fetchone()[0]
            except BaseException:
                self._db.close()
                if fresh:
                    remove(path)
                raise
        if version == 0 and tables == 0:
            self._db.close()
            raise EmptyJournalError(f"{path}: this journal never held anything; remove it")
        if version != VERSION:
            self._db.close()
            raise JournalError(f"{path}: a journal of version {version}, this program reads version {VERSION}; "
                               + ("update the companion" if version > VERSION else "this is no game's journal"))

    def hold(self) -> None:
        """Keep other companions from this game until `close` or the end of the process. Raises JournalError if one has it."""
        lock = self.path.with_name(f"{self.path.name}.lock")
        self._held = sqlite3.connect(lock, timeout=0, isolation_level=None, check_same_thread=False)
        try:
            self._held.execute("BEGIN EXCLUSIVE")
        except sqlite3.OperationalError as e:
            raise JournalError(f"{self.path}: this game is open in another companion; end that one first, or name another folder with "
                               "COMPANION_GAMES") from e

    def close(self) -> None:
        """Give the file back; everything is on the disk already."""
        self._db.close()
        if self._held is not None:
            self._held.close()

    def about(self, key: str) -> str | None:
        """What was noted of the game under `key`."""
        with self._spoken("read"):
            row = self._db.execute("SELECT value FROM about WHERE key = ?", (key,)).fetchone()
        return None if row is None else str(row[0])

    def note(self, key: str, value: str) -> None:
        """Note something of the whole game, in place of what was noted before."""
        with self._spoken("written"):
            self._db.execute("INSERT INTO about VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value", (key, value))

    def add(self, line: Line, *, jpeg: bytes | None = None) -> None:
        """Write a line, with the picture it rests on; on the disk when this returns."""
        with self._spoken("written"), self._whole():
            self._db.execute("INSERT INTO line VALUES (?, ?, ?)", (line.seq, _text(line.event), _text(line.ruling)))
            if jpeg is not None:
                self._db.execute("INSERT INTO picture VALUES (?, ?)", (f"evidence-{line.seq}", jpeg))

    def lines(self, since: int = 0) -> list[Line]:
        """All lines after seq `since`, oldest first."""
        with self._spoken("read"):
            rows = self._db.execute("SELECT seq, event, ruling FROM line WHERE seq > ? ORDER BY seq", (since,)).fetchall()
        return [Line(seq, json.loads(event), json.loads(ruling)) for seq, event, ruling in rows]

    def keep_picture(self, name: str, jpeg: bytes) -> None:
        """Keep a picture under a name, in place of an earlier one."""
        with self._spoken("written"):
            self._db.execute("INSERT INTO picture VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET jpeg = excluded.jpeg", (name, jpeg))

    def picture(self, name: str) -> bytes | None:
        """The picture of that name, or None."""
        with self._spoken("read"):
            row = self._db.execute("SELECT jpeg FROM picture WHERE name = ?", (name,)).fetchone()
        return None if row is None else bytes(row[0])

    def ask(self, question: dict[str, Any]) -> int:
        """Keep an open question; returns its number."""
        with self._spoken("written"):
            number = self._db.execute("INSERT INTO question (question) VALUES (?)", (_text(question),)).lastrowid
        assert number is not None
        return number

    def close_question(self, number: int) -> bool:
        """Mark a question as answered; whether it was open."""
        with self._spoken("written"):
            return self._db.execute("UPDATE question SET closed = 1 WHERE number = ? AND closed = 0", (number,)).rowcount > 0

    def open_questions(self) -> list[dict[str, Any]]:
        """The open questions, oldest first, each with its number."""
        with self._spoken("read"):
            rows = self._db.execute("SELECT number, question FROM question WHERE closed = 0 ORDER BY number").fetchall()
        return [{**json.loads(question), "question": number} for number, question in rows]

    @contextmanager
    def _whole(self) -> Iterator[None]:
        """All of it or nothing."""
        self._db.execute("BEGIN IMMEDIATE")
        try:
            yield
            self._db.execute("COMMIT")
        except BaseException:
            if self._db.in_transaction:   # a full disk has rolled back already
                self._db.execute("ROLLBACK")
            raise

    @contextmanager
    def _spoken(self, what: str) -> Iterator[None]:
        try:
            with self._lock:
                yield
        except sqlite3.DatabaseError as e:
            if type(e) is sqlite3.DatabaseError:   # not one of its kinds: the file itself is wrong
                raise JournalError(f"{self.path}: this is no game's journal ({e}); move the file away and start again") from e
            raise JournalError(f"{self.path}: the journal cannot be {what} ({e}); free some disk space or name another folder with "
                               "COMPANION_GAMES, then start again: what was announced is kept") from e
        except OSError as e:
            raise JournalError(f"{self.path}: the journal cannot be {what} ({e.strerror}); name a folder that can be written with "
                               "COMPANION_GAMES") from e


def remove(path: Path) -> None:
    """Remove a journal in which no game began, and what lies beside it."""
    for leftover in path.parent.glob(f"{path.name}*"):
        leftover.unlink(missing_ok=True)


def _claimed(path: Path) -> bool:
    """Whether the file was not there and is now ours to fill."""
    try:
        path.touch(exist_ok=False)
    except FileExistsError:
        return False
    return True


def _text(value: dict[str, Any]) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
