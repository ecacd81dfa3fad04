"""How names and numbers stand in a sentence: elisions, lists, digits or full words; and the catalogues of the languages.

In a message `{player:de}` and `{player:a}` are a name after the French "de" or the Italian "a", which change before a vowel;
`{count:m}` and `{count:f}` are a number before a masculine or feminine noun. Captions have digits, the voice says words.
"""

from __future__ import annotations

import gettext
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from companion.voice.numerals import LANGUAGES, in_words

DOMAIN = "companion"
LOCALE = Path(__file__).parent / "locale"

_AND = {"en": "and", "fr": "et", "es": "y", "it": "e", "de": "und"}


@cache
def catalogue(language: str) -> gettext.NullTranslations:
    """The messages of a language; English ones are their own. A language that we do not have is English."""
    if language == "en" or language not in LANGUAGES:
        return gettext.NullTranslations()
    return gettext.translation(DOMAIN, LOCALE, [language])


@dataclass(frozen=True, slots=True)
class Name:
    """A name, or several, in a sentence."""

    text: str

    def __format__(self, form: str) -> str:
        match form:
            case "de":
                return ("d’" if _elides(self.text) else "de ") + self.text
            case "a":
                return ("ad " if _plain(self.text).startswith("a") else "a ") + self.text
        return self.text


@dataclass(frozen=True, slots=True)
class Numeral:
    """A number in a sentence."""

    number: int
    language: str
    spoken: bool

    def __format__(self, form: str) -> str:
        return in_words(self.number, self.language, form) if self.spoken else str(self.number)


@dataclass(frozen=True, slots=True)
class Tongue:
    """A language, spoken or written: words messages with their parameters."""

    language: str
    spoken: bool = False

    def __call__(self, message: str, /, **params: Any) -> str:
        """The message in this language; a list of names is joined, whole numbers are digits or words."""
        return self._filled(catalogue(self.language).gettext(message), params)

    def many(self, one: str, more: str, /, n: int, **params: Any) -> str:
        """The message for n things, in the plural forms of this language; `{n}` may stand in it."""
        return self._filled(catalogue(self.language).ngettext(one, more, n), {"n": n, **params})

    def _filled(self, message: str, params: dict[str, Any]) -> str:
        filled = message.format(**{key: self._standing(value) for key, value in params.items()})
        return filled[:1].upper() + filled[1:] if message.startswith("{n") else filled  # a number may begin a sentence

    def _standing(self, value: Any) -> Any:
        if isinstance(value, int) and not isinstance(value, bool):
            return Numeral(value, self.language if self.language in LANGUAGES else "en", self.spoken)
        return Name(self.listed(value) if isinstance(value, list) else str(value))

    def listed(self, names: Sequence[str]) -> str:
        """Ada, Bea and Cem."""
        if len(names) < 2:
            return "".join(names)
        return f"{', '.join(names[:-1])} {self._and(names[-1])} {names[-1]}"

    def _and(self, follower: str) -> str:
        start = _plain(follower)
        if self.language == "es" and start.startswith(("i", "hi", "y")) and not start.startswith(("hie", "ya", "ye", "yo", "yu")):
            return "e"
        if self.language == "it" and start.startswith("e"):
            return "ed"
        return _AND.get(self.language, "and")


def _plain(text: str) -> str:
    """Small letters without their accents."""
    return "".join(letter for letter in unicodedata.normalize("NFD", text.casefold()) if not unicodedata.combining(letter))


def _elides(text: str) -> bool:
    """Whether a French "de" loses its e before this name: before vowels, a mute h, and y before a consonant."""
    start = _plain(text)
    return start.startswith(tuple("aeiouhœæ")) or (start[:1] == "y" and start[1:2] not in tuple("aeiou"))
