"""JSON with as few quotes as can be, for lines that people read: [Ada,"Bea B"] and {rounds:3,first:Ada}."""

from __future__ import annotations

import json
import re
from typing import Any

_BARE = re.compile(r"[^\W\d][\w'-]*")
_LITERALS = {"null": None, "true": True, "false": False}
_TOKEN = re.compile(r"""([\[\]{},:])|("(?:[^"\\]|\\.)*")|(-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)|([^\W\d][\w'-]*)""")


class NotationError(ValueError):
    """A text that tells no value; the message says where."""


def write(value: Any) -> str:
    """A value of JSON's types; without blanks, but within quotes."""
    if isinstance(value, dict):
        return "{" + ",".join(f"{_word(key)}:{write(entry)}" for key, entry in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ",".join(write(entry) for entry in value) + "]"
    return _word(value) if isinstance(value, str) else json.dumps(value)


def _word(words: str) -> str:
    if _BARE.fullmatch(words) and words not in _LITERALS:
        return words
    return json.dumps(words, ensure_ascii=not words.isprintable())


def read(text: str, start: int = 0) -> tuple[Any, int]:
    """The value that begins at `start`, and where it ends. Raises NotationError."""
    token = _TOKEN.match(text, start)
    if token is None:
        raise NotationError(f"a value is wanted at {text[start : start + 20]!r}")
    mark, quoted, number, word = token.groups()
    if word is not None:
        return _LITERALS.get(word, word), token.end()
    if mark is None:
        try:
            return json.loads(quoted or number), token.end()
        except ValueError as e:
            raise NotationError(f"no text or number: {token[0][:20]}") from e
    if mark == "[":
        return _read_entries(text, token.end(), "]")
    if mark == "{":
        pairs, end = _read_entries(text, token.end(), "}")
        return dict(pairs), end
    raise NotationError(f"a value is wanted at {text[start : start + 20]!r}")


def _read_entries(text: str, at: int, close: str) -> tuple[list[Any], int]:
    """The entries of a list, or the (key, value) pairs of an object, up to `close`."""
    entries: list[Any] = []
    while not text.startswith(close, at):
        if entries:
            at = _past(text, at, ",")
        entry, at = read(text, at)
        if close == "}":
            if not isinstance(entry, str):
                raise NotationError(f"{write(entry)} is no key")
            value, at = read(text, _past(text, at, ":"))
            entry = (entry, value)
        entries.append(entry)
    return entries, at + len(close)


def _past(text: str, at: int, mark: str) -> int:
    if not text.startswith(mark, at):
        raise NotationError(f"{mark!r} is wanted at {text[at : at + 20]!r}")
    return at + len(mark)
