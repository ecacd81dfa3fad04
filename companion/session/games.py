"""Which games there are: one journal a game, in one folder; those who left one in the middle go on with their newest."""

import os
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

import platformdirs

from companion.session.journal import EmptyJournalError, Journal, JournalError, remove
from companion.session.session import Session

SUFFIX = ".game"


def games_folder() -> Path:
    """Where games are kept: COMPANION_GAMES, else the user's data folder."""
    named = os.environ.get("COMPANION_GAMES")
    return Path(named) if named else platformdirs.user_data_path("table-companion") / "games"


def begin(folder: Path, started: dict[str, Any], *, when: datetime, source: str) -> tuple[Session, dict[str, Any]]:
    """A new game and the ruling on its `game-started`; if that is rejected, or cannot be written, no journal is left behind."""
    path = _free_name(folder, f"{when:%Y-%m-%d-%H%M%S}")
    session = Session(Journal(path))
    session.journal.hold()
    try:
        session.journal.note("source", source)
        session.journal.note("began", when.astimezone().isoformat())
        ruling = session.post({"t": 0.0, "by": "host", **started})
    except JournalError:
        session.close()
        remove(path)
        raise
    if ruling["ruling"] == "rejected":
        session.close()
        remove(path)
    return session, ruling


def resume(path: Path) -> Session:
    """The game of a journal, as it stood when its last line was written.

    Raises JournalError where the journal cannot be read or was refereed by other rules.
    """
    return Session(Journal(path))


@dataclass(frozen=True)
class Kept:
    """A game that a journal keeps."""

    path: Path
    game: str
    players: tuple[str, ...]
    over: bool


def kept(folder: Path, *, source: str) -> Iterator[Kept]:
    """The games that were begun at this source, newest first."""
    for path in sorted(folder.glob(f"*{SUFFIX}"), reverse=True):
        try:
            journal = Journal(path)
        except EmptyJournalError:
            continue
        try:
            lines = journal.lines() if journal.about("source") == source else []
        finally:
            journal.close()
        if lines:   # where no game began nothing was told
            started = lines[0].event
            yield Kept(path, started["game"], tuple(started["players"]), lines[-1].ruling["state"] in ("idle", "over"))


def unfinished(folder: Path, *, source: str, players: Collection[str] = (), game: str | None = None) -> Session | None:
    """The newest game of this source (of these players, of this box, where they are named), if it is not over."""
    for one in kept(folder, source=source):
        if (not players or set(players) == set(one.players)) and game in (None, one.game):
            if one.over:
                return None
            session = resume(one.path)
            session.journal.hold()
            return session
    return None


def _free_name(folder: Path, stem: str) -> Path:
    for more in ["", *(f"-{n}" for n in range(2, 100))]:
        path = folder / f"{stem}{more}{SUFFIX}"
        if not path.exists():
            return path
    raise JournalError(f"{folder}: a hundred games began in this second; wait a moment and begin again")
