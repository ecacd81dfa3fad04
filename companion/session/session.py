"""One game: its state, its journal, and who is told. Nothing is announced before it is written."""

import threading
from bisect import bisect_left
from collections.abc import Callable
from typing import Any

from companion import rules
from companion.session.journal import Journal, JournalError, Line

Ruling = dict[str, Any]
Event = dict[str, Any]
Listener = Callable[[Event, Ruling], None]


class Session:
    """A game as the journal tells it. Methods may be called from any thread."""

    def __init__(self, journal: Journal) -> None:
        """Takes up the game of the journal. Raises JournalError if other rules refereed it."""
        self.journal = journal
        self._lock = threading.RLock()
        self._listeners: list[Listener] = []
        self._state = rules.start()
        self._rulings: list[tuple[Event, Ruling]] = []
        self._seq = 0
        self._take_up()

    def close(self) -> None:
        """Let go of the journal."""
        self.journal.close()

    @property
    def seq(self) -> int:
        """The seq of the newest line; 0 before the first."""
        return self._seq

    @property
    def state(self) -> rules.State:
        """The game as it stands, for the questions of `companion.rules`."""
        return self._state

    def post(self, event: Event, *, jpeg: bytes | None = None) -> Ruling:
        """Rule on an event and, unless it is rejected, write it and tell the listeners. Returns the ruling.

        event : without `seq`. jpeg : the picture that it rests on. Raises JournalError if it cannot be written; then nothing has changed.
        """
        with self._lock:
            answers = event.get("answers")
            whole = {"format": 1, **event, "seq": self._seq + 1}
            state, ruling = rules.rule(self._state, whole)
            if ruling["ruling"] == "rejected":
                return ruling
            self.journal.add(Line(whole["seq"], whole, ruling), jpeg=jpeg)
            self._state, self._seq = state, whole["seq"]
            self._rulings.append((whole, ruling))
            if isinstance(answers, int):
                self.journal.close_question(answers)
            for listener in self._listeners:
                listener(whole, ruling)
            return ruling

    def subscribe(self, listener: Listener) -> None:
        """Call `listener(event, ruling)` after each line that was written."""
        self._listeners.append(listener)

    def rulings(self, since: int = 0) -> list[tuple[Event, Ruling]]:
        """Events and rulings after seq `since`, oldest first."""
        with self._lock:
            return [pair for pair in self._rulings if pair[0]["seq"] > since]

    def state_before(self, seq: int) -> str:
        """The game's state by name before line `seq`: "idle" before the first."""
        with self._lock:
            at = bisect_left(self._rulings, seq, key=lambda pair: pair[0]["seq"])
            return str(self._rulings[at - 1][1]["state"]) if at else "idle"

    def ask(self, question: dict[str, Any], *, jpeg: bytes | None = None) -> dict[str, Any]:
        """Keep a question open; returns it with its number."""
        with self._lock:
            number = self.journal.ask(question)
            if jpeg is not None:
                self.journal.keep_picture(f"question-{number}", jpeg)
            return {**question, "question": number}

    def open_questions(self) -> list[dict[str, Any]]:
        """What is asked and not answered yet, oldest first."""
        return self.journal.open_questions()

    def withdraw(self, number: int) -> bool:
        """Close a question that no longer matters; whether it was open."""
        return self.journal.close_question(number)

    def _take_up(self) -> None:
        for line in self.journal.lines():
            state, ruling = rules.rule(self._state, line.event)
            if _meaning(ruling) != _meaning(line.ruling):
                raise JournalError(f"{self.journal.path}: line {line.seq} was ruled otherwise by the companion that wrote it "
                                   f"({line.ruling.get('key')}, now {ruling.get('key')}); go on with that version of the companion")
            self._state, self._seq = state, line.seq
            self._rulings.append((line.event, line.ruling))


def _meaning(ruling: Ruling) -> Ruling:
    return {key: value for key, value in ruling.items() if key != "text"}
