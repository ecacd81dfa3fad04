"""Which games there are: one journal a game, in one folder; the newest unfinished one can be gone on with."""

import os
from datetime import datetime
from pathlib import Path
from typing import Any

import platformdirs

from companion import rules
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


def unfinished(folder: Path, *, source: str) -> Session | None:
    """The newest game of this source, if it is not over."""
    for path in sorted(folder.glob(f"*{SUFFIX}"), reverse=True):
        try:
            session = resume(path)
        except EmptyJournalError:
            continue
        if session.seq and session.journal.about("source") == source:   # where no game began nothing was told
            if rules.position(session.state)["state"] not in ("idle", "over"):
                session.journal.hold()
                return session
            session.close()
            return None
        session.close()
    return None


def _free_name(folder: Path, stem: str) -> Path:
    for more in ["", *(f"-{n}" for n in range(2, 100))]:
        path = folder / f"{stem}{more}{SUFFIX}"
        if not path.exists():
            return path
    raise JournalError(f"{folder}: a hundred games began in this second; wait a moment and begin again")
