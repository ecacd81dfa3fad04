"""The session: one game at one table. Every line is in the journal before anybody is told of it."""

from companion.session.games import begin, games_folder, kept, resume, unfinished
from companion.session.journal import Journal, JournalError
from companion.session.session import Session

__all__ = ["Journal", "JournalError", "Session", "begin", "games_folder", "kept", "resume", "unfinished"]
