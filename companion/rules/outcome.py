"""What the rules say of one event: it counts, it is a foul, or it cannot be."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from companion.rules.table import Table

ACCEPTED, FOUL, REJECTED = "accepted", "foul", "rejected"

Row = dict[str, Any]
"""A line of `points`: {"player": name, "points": whole number, "for": what}."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """A ruling without its frame: `table` is the table after the event, None where nothing changed."""

    ruling: str
    key: str
    params: dict[str, Any]
    table: Table | None = None
    points: list[Row] = field(default_factory=list)


def accepted(key: str, table: Table, params: dict[str, Any], *, points: list[Row] | None = None, warn: list[str] | None = None) -> Outcome:
    """It counts, and the table is now `table`; what is odd about it, but no foul, stands in `warn`."""
    return Outcome(ACCEPTED, key, {**params, "warn": warn} if warn else params, table, points or [])


def foul(key: str, params: dict[str, Any] | None = None, *, action: str = "warn", table: Table | None = None) -> Outcome:
    """It happened against the rules: `warn` puts it back, `ask` leaves it to the host, `out` has changed the table."""
    return Outcome(FOUL, key, {"action": action, **(params or {})}, table)


def rejected(key: str, params: dict[str, Any] | None = None) -> Outcome:
    """It cannot be: nothing changes, and the event is forgotten."""
    return Outcome(REJECTED, key, params or {})


def points_row(player: str, points: int, reason: str) -> Row:
    """One booking of points."""
    return {"player": player, "points": points, "for": reason}
