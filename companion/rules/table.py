"""The seam where a game plugs in: what a table must answer, and what a box must tell before it is opened."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from companion.rules.event import COMMON, Event, Kind
from companion.rules.outcome import Outcome
from companion.rules.settings import Setting, Settings

OVER = "over"

Score = dict[str, dict[str, int]]
"""By player (or "team"): the entries of `score`; the entry "points" decides."""


@dataclass(frozen=True, kw_only=True)
class Table(ABC):
    """A game under way. It never changes: each event gives a new one, so an old one can be kept at no cost."""

    box: Box
    players: tuple[str, ...]
    settings: Settings
    state: str

    def play(self, event: Event) -> Outcome:
        """What the event, which is one of this game's, does to this table."""
        play = self.box.events[event.name].play
        assert play is not None
        return play(self, event)

    def regular(self) -> list[str]:
        """The game's own events that are regular now; a game whose answer hangs on more than the state says so here."""
        return [name for name, kind in self.box.events.items() if self.state in kind.regular]

    def next_of(self, player: str) -> str:
        """The player who sits clockwise of this one."""
        return self.players[(self.players.index(player) + 1) % len(self.players)]

    def right_of(self, player: str) -> str:
        """The right-hand neighbour: the player before this one in the list."""
        return self.players[self.players.index(player) - 1]

    @abstractmethod
    def score(self) -> Score:
        """The whole score."""

    @abstractmethod
    def winners(self) -> list[str]:
        """Who has won if the game is over as it stands, in the order of the players."""

    @abstractmethod
    def details(self) -> dict[str, Any]:
        """What the position tells beyond game, state, players, settings and score, ready for JSON."""

    def memory(self) -> dict[str, Any]:
        """What must be known to play on but is not in the position (§7.5 fixes its keys), ready for JSON."""
        return {}

    def sound(self) -> bool:
        """Whether a table that somebody typed in can be played on: nothing is missing or out of bounds. May raise TypeError."""
        return True

    @abstractmethod
    def public_details(self) -> dict[str, Any]:
        """`details()` as every player may see it: nothing that lies face down, or that tells of it."""

    @abstractmethod
    def choices(self, name: str) -> dict[str, list[Any]]:
        """Which values the fields of this regular event may take without a foul or a refusal.

        By field; a field that is not named is free within its bounds, or may be left out.
        """


@dataclass(frozen=True, slots=True)
class Short:
    """A shorter way to write one key of the details in a line of text, and the way back."""

    shorten: Callable[[Any], Any]
    lengthen: Callable[[Any], Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Box:
    """A game as it is chosen: its name, its settings, its events, how many can play, and how it is set up.

    `begin(box, players, settings)` gives the first table; `restore(table, found)` the table that has this state, score, these
    `details` and this `memory`, from a first table of the same players and settings. `short`: which details have a short form.
    """

    game: str
    settings: tuple[Setting, ...]
    events: Mapping[str, Kind]
    seats: Callable[[Settings], range]
    begin: Callable[[Box, tuple[str, ...], Settings], Table]
    restore: Callable[[Any, Mapping[str, Any]], Table]
    short: Mapping[str, Short] = field(default_factory=dict)


class Boxes(Mapping[str, Box]):
    """The games that can be played, by name, and all kinds of event that any of them knows."""

    def __init__(self, boxes: Iterable[Box]) -> None:
        self._boxes = {box.game: box for box in boxes}
        self.kinds: dict[str, Kind] = dict(COMMON)
        for box in self._boxes.values():
            for name, kind in box.events.items():
                if not self.kinds.setdefault(name, kind).reads_like(kind):
                    raise ValueError(f"{box.game}: another game's event {name!r} has other fields; rename it")

    def __getitem__(self, game: str) -> Box:
        return self._boxes[game]

    def __iter__(self) -> Any:
        return iter(self._boxes)

    def __len__(self) -> int:
        return len(self._boxes)


def most_points(score: Score, *tie_breaks: str) -> list[str]:
    """Those with most points (and then most of each tie-break) who have any, in the order of the score."""
    ranks = {player: tuple(entry[key] for key in ("points", *tie_breaks)) for player, entry in score.items()}
    best = max(ranks.values())
    return [player for player, rank in ranks.items() if rank == best and best[0] > 0]
