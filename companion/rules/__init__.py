"""The rules of every box: pure, replayable, standard library only.

    state = rules.start()
    state, ruling = rules.rule(state, line)      # a line of JSON (bytes or text), or the object that it holds

`State` never changes, so that an old one can be kept at no cost; `rule` never raises. A `Ruling` is a dict as events.md §7
has it, but for the free `text`, which `companion.voice` words. Questions about a state: `legal`, `legal_values`, `position`,
`state_hash`, `summary`, `view`, `winners`. `settings(game)` tells what can be chosen; `to_text` and
`from_text` write a table as one line and read it. To add a game: docs/adding-a-game.md.
"""

from collections.abc import Iterable
from typing import Any

from companion.rules.circle import SHERLOCK, SHERLOCK_DELUXE
from companion.rules.history import Ruling, State, rule
from companion.rules.report import legal, legal_values, position, state_hash, summary, view, winners
from companion.rules.settings import describe
from companion.rules.sherlook import SHERLOOK
from companion.rules.table import Box, Boxes
from companion.rules.text import TextError, read_table, to_text
from companion.rules.tiles import SHERLOCK_2011

BOXES = Boxes((SHERLOOK, SHERLOCK, SHERLOCK_DELUXE, SHERLOCK_2011))
"""The games that the companion referees, by name."""


def start(boxes: Iterable[Box] = tuple(BOXES.values())) -> State:
    """The state before a game; only these boxes can be opened from it."""
    return State(Boxes(boxes))


def from_text(line: str, boxes: Iterable[Box] = tuple(BOXES.values())) -> State:
    """The state that a line of `to_text` tells, with nothing to undo. Raises TextError."""
    return read_table(line, Boxes(boxes))


def settings(game: str) -> list[dict[str, Any]]:
    """The settings of a game in the order of the rules, ready for JSON: name, title, description, default and bounds."""
    return describe(BOXES[game].settings)


__all__ = [
    "BOXES",
    "Box",
    "Boxes",
    "Ruling",
    "State",
    "TextError",
    "from_text",
    "legal",
    "legal_values",
    "position",
    "rule",
    "settings",
    "start",
    "state_hash",
    "summary",
    "to_text",
    "view",
    "winners",
]
