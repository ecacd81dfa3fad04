"""What can be chosen before a game: a title and a sentence for the page, a default, and bounds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from companion.rules.event import is_whole

Settings = Mapping[str, Any]
"""The settings of a game under way, defaults filled in; never changed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Number:
    """A whole number between two bounds; a bound may be the name of a setting further up."""

    name: str
    title: str
    description: str
    default: int
    least: int | str
    most: int | str

    def default_for(self, players: Sequence[str]) -> int:
        return self.default

    def allows(self, value: Any, chosen: Settings, players: Sequence[str]) -> bool:
        return is_whole(value) and _bound(self.least, chosen) <= value <= _bound(self.most, chosen)

    def describe(self) -> dict[str, Any]:
        return {"least": self.least, "most": self.most}


def _bound(bound: int | str, chosen: Settings) -> int:
    return int(chosen[bound]) if isinstance(bound, str) else bound


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """One of a few words. Where `only_if` names a setting further up and its value, only the default goes with another value."""

    name: str
    title: str
    description: str
    default: str
    choices: tuple[str, ...]
    only_if: tuple[str, str] | None = None

    def default_for(self, players: Sequence[str]) -> str:
        return self.default

    def allows(self, value: Any, chosen: Settings, players: Sequence[str]) -> bool:
        if value not in self.choices:
            return False
        return value == self.default or self.only_if is None or chosen[self.only_if[0]] == self.only_if[1]

    def describe(self) -> dict[str, Any]:
        return {"choices": list(self.choices), "only_if": list(self.only_if) if self.only_if else None}


@dataclass(frozen=True, slots=True, kw_only=True)
class OnePlayer:
    """One of the players; the first of them where nothing is said."""

    name: str
    title: str
    description: str

    def default_for(self, players: Sequence[str]) -> str:
        return players[0]

    def allows(self, value: Any, chosen: Settings, players: Sequence[str]) -> bool:
        return value in players

    def describe(self) -> dict[str, Any]:
        return {"choices": "players"}


Setting = Number | Choice | OnePlayer


def choose(settings: Sequence[Setting], wanted: Mapping[str, Any], players: Sequence[str]) -> tuple[Settings, str | None]:
    """All settings with their defaults filled in, and the name of the first that is out of bounds, or None.

    Null is the same as not said; names that no setting has are ignored. A default must keep the bounds, too.
    """
    chosen: dict[str, Any] = {}
    for setting in settings:
        said = wanted.get(setting.name)
        value = setting.default_for(players) if said is None else said
        if not setting.allows(value, chosen, players):
            return chosen, setting.name
        chosen[setting.name] = value
    return chosen, None


def describe(settings: Sequence[Setting]) -> list[dict[str, Any]]:
    """What a page needs to draw the choices, ready for JSON; `default` is null where it is the first player."""
    return [
        {
            "name": setting.name,
            "title": setting.title,
            "description": setting.description,
            "default": None if isinstance(setting, OnePlayer) else setting.default,
            **setting.describe(),
        }
        for setting in settings
    ]
