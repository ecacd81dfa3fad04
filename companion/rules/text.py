"""A state as one line that a person can read in a bug report, and paste into `companion replay --from`.

    sherlook choosing players=[Ada,Bea] settings={rounds:3} round=1 markers={Ada:7} deadline=44.5 photos_left=38

The game, its state, the players, and then whatever is not as it is when these players open the box. The line tells the
table, not the history: nothing before it can be undone.
"""

from __future__ import annotations

import re
from typing import Any

from companion.rules import notation
from companion.rules.history import State
from companion.rules.judge import open_box
from companion.rules.settings import choose
from companion.rules.table import OVER, Box, Boxes, Table

IDLE = "idle"

_KEY = re.compile(r"\s*(\w+)=")


class TextError(ValueError):
    """A line that tells no state; the message says what is wrong with it."""


def to_text(state: State) -> str:
    """The state in one line."""
    table = state.table
    if table is None:
        return IDLE
    defaults, _ = choose(table.box.settings, {}, table.players)
    chosen = {name: value for name, value in table.settings.items() if value != defaults.get(name)}
    opened = _facts(table.box.begin(table.box, table.players, table.settings))
    facts = {"players": list(table.players), "settings": chosen} if chosen else {"players": list(table.players)}
    facts |= {key: value for key, value in _facts(table).items() if value != opened[key]}
    return " ".join([table.box.game, table.state, *(f"{key}={notation.write(value)}" for key, value in facts.items())])


def read_table(line: str, known: Boxes) -> State:
    """The state that a line tells, with nothing to undo. Raises TextError."""
    if line.strip() == IDLE:
        return State(known)
    words = line.split(maxsplit=2)
    if len(words) < 3:
        raise TextError("a game, its state and the players are wanted, as in: sherlook round players=[Ada,Bea]")
    try:
        table = _table(known, words[0], words[1], _read_facts(words[2]))
    except RecursionError as e:
        raise TextError("the line is nested too deep") from e
    except TextError:
        raise
    except ValueError as e:
        raise TextError(str(e)) from e
    return State(known, base=table)


def _facts(table: Table) -> dict[str, Any]:
    """All that sets this table apart from others of the same players and settings, written short."""
    facts = {"score": table.score(), **table.details(), **table.memory()}
    return {key: table.box.short[key].shorten(value) if key in table.box.short else value for key, value in facts.items()}


def _read_facts(line: str) -> dict[str, Any]:
    facts, at = {}, 0
    while line[at:].strip():
        key = _KEY.match(line, at)
        if key is None:
            raise TextError(f"something like round=3 is wanted at {line[at : at + 20]!r}")
        facts[key[1]], at = notation.read(line, key.end())
    return facts


def _table(boxes: Boxes, game: str, standing: str, told: dict[str, Any]) -> Table:
    """The table of these facts; the game's own `restore` and a look at the result find what does not fit together."""
    if game not in boxes:
        raise TextError(f"no game is called {game!r}; there are {', '.join(boxes)}")
    opened = _opened(boxes[game], told.pop("players", None), told.pop("settings", {}))
    states = {state for kind in boxes[game].events.values() for state in kind.regular} | {OVER}
    if standing not in states:
        raise TextError(f"{game} has no state {standing!r}; there are {', '.join(sorted(states))}")
    facts = _facts(opened)
    for key, value in told.items():
        if key not in facts:
            raise TextError(f"{game} has no {key!r}; there are {', '.join(facts)}")
        if not _like(value, facts[key]):
            raise TextError(f"{key} cannot be {notation.write(value)}")
        facts[key] = value
    try:
        long = {key: opened.box.short[key].lengthen(value) if key in opened.box.short else value for key, value in facts.items()}
        table = opened.box.restore(opened, {**long, "state": standing})
        fits = table.sound() and _facts(table) == facts
    except (ArithmeticError, AssertionError, AttributeError, LookupError, TypeError, ValueError) as e:
        raise TextError(f"what the line tells does not fit together ({e})") from e
    if not fits:
        raise TextError("what the line tells does not fit together")
    return table


def _like(value: Any, sample: Any) -> bool:
    """Whether a value is of the sample's kind: a number that is not negative, a text, a list, or an object with the same keys.

    An empty object may have any keys, and null may be anything; whether those make sense only the game can tell.
    """
    if isinstance(value, dict) and isinstance(sample, dict) and sample:
        return value.keys() == sample.keys() and all(_like(value[key], sample[key]) for key in sample)
    return sample is None or (type(value) is type(sample) and not (type(value) is int and value < 0))


def _opened(box: Box, players: Any, wanted: Any) -> Table:
    if not isinstance(players, list) or not players or not all(isinstance(name, str) for name in players):
        raise TextError("the players are wanted, as in players=[Ada,Bea]")
    if not isinstance(wanted, dict):
        raise TextError("the settings are wanted as in settings={rounds:3}")
    opened, bad = open_box(box, tuple(players), wanted)
    if opened is None:
        raise TextError(f"the setting {bad!r} is out of bounds" if bad else f"{box.game} is not for {len(players)} players")
    return opened
