"""Events: what a line must be before any game looks at it (events.md §6.1 and the first rows of §7.2)."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from companion.rules.outcome import Outcome

FORMAT = 1

Check = Callable[[Any], bool]

@dataclass(frozen=True, slots=True)
class Field:
    """One field of an event: which values it may have, and whether it may be absent, or null, or neither."""

    check: Check
    may_be_absent: bool = False
    may_be_null: bool = False


def needed(check: Check) -> Field:
    """A field that must be there."""
    return Field(check)


def optional(check: Check) -> Field:
    """A field that may be absent or null, which is the same."""
    return Field(check, may_be_absent=True, may_be_null=True)


def or_null(check: Check) -> Field:
    """A field that must be there and may be null, which then says something."""
    return Field(check, may_be_null=True)


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of event: its fields, who may send it, what the game does with it, and in which states it is regular.

    `play(table, event)` gives an Outcome; the kinds that every game has in common have none.
    """

    play: Callable[[Any, Event], Outcome] | None = None
    regular: tuple[str, ...] = ()
    fields: Mapping[str, Field] = field(default_factory=dict)
    host_only: bool = False
    host_fields: tuple[str, ...] = ()

    def reads_like(self, other: Kind) -> bool:
        """Whether an event of the one kind is well formed exactly when it is one of the other."""
        return (self.fields, self.host_only, self.host_fields) == (other.fields, other.host_only, other.host_fields)


@dataclass(frozen=True, slots=True)
class Event:
    """A well-formed event; `fields` has every field of its kind, None where it was absent."""

    seq: int
    t: float
    by: str
    name: str
    fields: Mapping[str, Any]

    def __getitem__(self, key: str) -> Any:
        return self.fields[key]

    @property
    def speaker(self) -> str | None:
        """The player who says so himself; None for the camera and the host."""
        return self.by[len("player:") :] if self.by.startswith("player:") else None


# -- what a value may be -------------------------------------------------------------------------------------------


def is_whole(value: Any) -> bool:
    """A JSON number without fraction or exponent; `true` is none."""
    return type(value) is int


def whole(least: int, most: int | None = None) -> Check:
    """A whole number within bounds, both included."""
    return lambda value: is_whole(value) and value >= least and (most is None or value <= most)


is_seq = whole(1)


def text(value: Any) -> bool:
    """A text that is not empty."""
    return isinstance(value, str) and value != ""


def one_of(*words: str) -> Check:
    """One of these words."""
    return lambda value: isinstance(value, str) and value in words


def flag(value: Any) -> bool:
    """true or false."""
    return isinstance(value, bool)


def _texts(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(name, str) for name in value)


def _object(value: Any) -> bool:
    return isinstance(value, dict)


def _time(value: Any) -> bool:
    return type(value) in (int, float) and 0 <= value <= sys.float_info.max


def _speaker(value: Any) -> bool:
    return isinstance(value, str) and (value in ("camera", "host") or (value.startswith("player:") and value != "player:"))


COMMON: Mapping[str, Kind] = {
    "game-started": Kind(
        fields={"game": needed(text), "players": needed(_texts), "settings": optional(_object)},
        host_only=True,
    ),
    "game-ended": Kind(host_only=True),
    "undo": Kind(fields={"to": optional(is_seq)}, host_only=True),
    "correct": Kind(fields={"replaces": needed(is_seq), "with": or_null(_object)}, host_only=True),
}
"""The kinds of event that every game has."""


# -- reading -------------------------------------------------------------------------------------------------------


def read(line: bytes | str | Mapping[str, Any]) -> dict[str, Any] | None:
    """The JSON object that a line holds, or None.

    NaN, Infinity, lone surrogates, bad UTF-8 and a byte-order mark are no JSON; of doubled keys the last counts. An event
    that is an object already goes the same way, so that nothing enters a game that could not be written to its file.
    """
    try:
        if isinstance(line, Mapping):
            line = json.dumps(dict(line), ensure_ascii=False, allow_nan=False)
        raw = line.encode("utf-8") if isinstance(line, str) else line
        said = _JSON.decode(raw.decode("utf-8"))
    except (ValueError, TypeError, RecursionError):
        return None
    return said if isinstance(said, dict) and not (b"\\u" in raw and _lone_surrogate(raw)) else None


def _no_constant(name: str) -> None:
    raise ValueError(f"{name} is no JSON")


_JSON = json.JSONDecoder(parse_constant=_no_constant)
_ESCAPES = re.compile(rb"\\(?:u[dD][89abAB]..\\u[dD][c-fC-F]..|(u[dD][89a-fA-F])|.)", re.DOTALL)


def _lone_surrogate(raw: bytes) -> bool:
    """Whether an escape in this JSON text stands for half a character."""
    return any(escape[1] for escape in _ESCAPES.finditer(raw))


def parse(said: Mapping[str, Any], kinds: Mapping[str, Kind]) -> Event | str:
    """The event that a JSON object with a good `seq` tells, or the key of its refusal, looked for in the order of §7.2."""
    if not is_whole(said.get("format")) or said["format"] != FORMAT:
        return "format"
    name, by, t = said.get("event"), said.get("by"), said.get("t")
    if not isinstance(name, str) or not _speaker(by) or not _time(t):
        return "malformed"
    kind = kinds.get(name)
    if kind is None:
        return "unknown-event"
    fields: dict[str, Any] = {}
    for key, rule in kind.fields.items():
        value = fields[key] = said.get(key)
        if value is None:
            if not rule.may_be_null or (not rule.may_be_absent and key not in said):
                return "malformed"
        elif not rule.check(value):
            return "malformed"
    if by != "host" and (kind.host_only or any(fields[key] is not None for key in kind.host_fields)):
        return "not-allowed"
    return Event(said["seq"], said["t"], said["by"], name, fields)
