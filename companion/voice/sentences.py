"""What the page shows and the voice says, in English, French, Spanish, Italian and German."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from companion.voice.grammar import Tongue
from companion.voice.rulings import wording

SILENT = frozenset({"turned", "taken", "back", "page"})
"""Accepted keys that everybody sees for himself and that change neither points nor what is due in an unexpected way."""


def word(event: Mapping[str, Any], ruling: Mapping[str, Any], language: str, *, was_over: bool = False) -> str:
    """The ruling as a caption, with digits.

    `event` is the line that it rules on, {} where that was none; `was_over`: whether the game was, before it.
    """
    return wording(Tongue(language), ruling, event, was_over=was_over)


def say(event: Mapping[str, Any], ruling: Mapping[str, Any], language: str, *, was_over: bool = False) -> str | None:
    """What the voice says, numbers in full words; None where it keeps quiet: what all see, and entries that were refused."""
    if ruling["ruling"] == "rejected" or (ruling["ruling"] == "accepted" and ruling["key"] in SILENT):
        return None
    return wording(Tongue(language, spoken=True), ruling, event, was_over=was_over)
