"""Setting up a table: names, seats and measured points (or a card of known size), asked once and remembered for the camera."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np

from calibration import CalibrationError, Measured, PointsFile, SeatsFile, calibrate, card_points
from calibration.seats import check as check_seats
from vision.geometry import Points, points, rectangle
from vision.table import Seat, Table, TableError, read_table, write_table

# Red, yellow, green and amber are the tokens' and the page's own.
SEAT_COLOURS = ("#2f6fae", "#8a4fa3", "#a8622a", "#c2528b", "#1b7f8c", "#5c6470", "#5b57c2", "#7a3b2e", "#4f8fd0", "#9a7bb5")
COMMON_SHARE = 0.5  # of the visible table's width and depth: the middle, where photos and free markers lie
SEATS_BEGIN = 0.55
FAR_MM = 5000.0
NARROWEST_MM = 400.0  # of the table, across the middle of the picture: two photos and room beside them,
WIDEST_MM = 3000.0  # and a marker can still be read
OFF_MM = 12.0  # of a card's corner from where the others put it
WISHES = ("players", "points", "card", "seats", "unit")  # what a set-up may name


class SetupError(ValueError):
    """A set-up that cannot be used; the message says what, where, and what to do."""


@dataclass(frozen=True)
class Setup:
    """What is known of a table before its first game."""

    players: tuple[str, ...] = ()
    table: Table | None = None
    measured_mm: float | None = None  # the worst distance of a measured point from where the table has it

    def needs(self, *, camera: bool) -> list[str]:
        """What is still wanted, in the order in which it is asked."""
        wanted = [] if self.players else ["names"]
        if camera:
            seated = self.table is not None and {s.name for s in self.table.seats} >= set(self.players) and self.players
            wanted += ([] if self.table else ["points"]) + ([] if seated else ["seats"])
        return wanted


def remembered(folder: Path, source: str) -> Setup:
    """The set-up of this camera's last game; empty where there is none or it cannot be read any more."""
    try:
        table = read_table(_table_file(folder, source))
    except TableError:
        return Setup()
    return Setup(tuple(seat.name for seat in table.seats), table)


def remember(folder: Path, source: str, setup: Setup) -> None:
    """Keep the set-up for this camera's next game. Raises SetupError if it cannot be written."""
    if setup.table is None:
        return
    try:
        folder.mkdir(parents=True, exist_ok=True)
        write_table(setup.table, _table_file(folder, source))
    except OSError as e:
        raise SetupError(f"{folder}: the table cannot be remembered ({e.strerror}); free some disk space and save again") from e


def change(setup: Setup, wishes: dict[str, Any], image_size: tuple[int, int] | None) -> Setup:
    """The set-up with the wishes of `PUT /api/v1/setup` in it. Raises SetupError with one line."""
    if wishes.get("unit", "mm") not in ("mm", "px"):
        raise SetupError(f"unit: {wishes['unit']!r} is no unit of areas; px or mm")
    if "players" in wishes:
        setup = replace(setup, players=_names(wishes["players"]))
    if "points" in wishes or "card" in wishes:
        if image_size is None:
            raise SetupError("there is no picture of the table yet: plug the camera in first")
        setup = _measured(setup, wishes, image_size)
    if "seats" in wishes:
        setup = _seated(setup, wishes["seats"], in_pixels=wishes.get("unit") == "px")
    elif setup.table and setup.players and {s.name for s in setup.table.seats} != set(setup.players):
        setup = replace(setup, table=replace(setup.table, seats=seats_around(setup.table, setup.players), common=middle(setup.table)))
    return setup


def middle(table: Table) -> tuple[tuple[float, float], ...]:
    """A common area for a table that has none: the middle half of what the camera sees."""
    low, high = _visible(table)
    centre, size = (low + high) / 2, (high - low) * COMMON_SHARE
    return tuple((float(x), float(y)) for x, y in rectangle(centre, size))


def seats_around(table: Table, players: Sequence[str]) -> tuple[Seat, ...]:
    """Seats for players named clockwise, beginning at the far side's left: each side of the table gets as many as the others."""
    (left, far), (right, near) = _visible(table)
    (x0, y0), _, (x1, y1), _ = rectangle(((left + right) / 2, (far + near) / 2), ((right - left) * SEATS_BEGIN, (near - far) * SEATS_BEGIN))
    sides = [  # clockwise: from, to (walked in this direction), and how deep the side reaches in
        ((left, far), (right, far), (0, y0 - far)),
        ((right, y0), (right, y1), (x1 - right, 0)),
        ((right, near), (left, near), (0, y1 - near)),
        ((left, y1), (left, y0), (x0 - left, 0)),
    ]
    shares = [len(players) // 4 + (turn < len(players) % 4) for turn in (0, 2, 1, 3)]  # far and near come first
    areas = []
    for (start, end, deep), share in zip(sides, shares, strict=True):
        marks = np.linspace(start, end, share + 1)
        areas += [(a, b, b + np.array(deep), a + np.array(deep)) for a, b in pairwise(marks)]
    return tuple(
        Seat(name, colour, tuple((float(x), float(y)) for x, y in area))
        for name, colour, area in zip(players, SEAT_COLOURS, areas, strict=False)
    )


def _visible(table: Table) -> Points:
    """Top left and bottom right (mm) of an upright rectangle that the camera sees whole."""
    w, h = table.image_size
    edge = np.array([[0.02, 0.02], [0.98, 0.02], [0.98, 0.98], [0.02, 0.98]]) * (w, h)
    (ax, ay), (bx, by), (cx, cy), (dx, dy) = table.to_mm(edge).clip(-FAR_MM, FAR_MM)
    return points([[max(ax, dx), max(ay, by)], [min(bx, cx), min(cy, dy)]])


def _names(value: Any) -> tuple[str, ...]:
    if not isinstance(value, list) or not all(isinstance(n, str) for n in value):
        raise SetupError("players: a list of names is wanted")
    names = tuple(n.strip() for n in value)
    if not 2 <= len(names) <= 10:
        raise SetupError(f"players: {len(names)} named; two to ten can play")
    if "" in names:
        raise SetupError("players: an empty name; is there a comma too many?")
    for name in names:
        if not 1 <= len(name) <= 40 or name in ("common", "team"):
            raise SetupError(f"players: {name!r} cannot be a name; take 1 to 40 letters, not “common” or “team”")
        if names.count(name) > 1:
            raise SetupError(f"players: {name} is named twice; add a letter to one of them")
    return names


def _measured(setup: Setup, wishes: dict[str, Any], image_size: tuple[int, int]) -> Setup:
    try:
        if "card" in wishes:
            card = wishes["card"]
            measured = card_points([_pair(corner) for corner in card["corners_px"]], _pair(card["size_mm"]))
        else:
            measured = tuple(Measured(_pair(p["px"]), _pair(p["mm"])) for p in wishes["points"])
        made = calibrate(PointsFile(image_size, measured))
    except CalibrationError as e:
        raise SetupError(str(e)) from e
    except (KeyError, TypeError, ValueError, IndexError) as e:
        raise SetupError(f"points: each wants a place in the picture (px) and on the table (mm) ({e})") from e
    table = made.table
    _check_scale(table, max(made.residual_mm), wishes.get("card"))
    if setup.table is not None and not setup.players:
        table = replace(table, seats=setup.table.seats, common=setup.table.common)
    if setup.players:
        table = replace(table, seats=seats_around(table, setup.players), common=middle(table))
    return replace(setup, table=table, measured_mm=max(made.residual_mm))


def _check_scale(table: Table, off_mm: float, card: Any) -> None:
    """Raises SetupError where corners that lie on no card, or on one of another size, make a table on which nobody can play."""
    what = "the points" if card is None else "the card of {:g} x {:g} mm".format(*card["size_mm"])
    mend = "measure them again" if card is None else "put the corners on those of the card, or give the card's true size"
    if card is not None and off_mm > OFF_MM:
        raise SetupError(f"{what.capitalize()} does not fit its corners: one lies {off_mm:.0f} mm off; {mend}")
    width, height = table.image_size
    left, right = table.to_mm([[width / 2 - 1, height / 2], [width / 2 + 1, height / 2]])
    across = float(np.hypot(*(right - left))) / 2 * width
    if not NARROWEST_MM <= across <= WIDEST_MM:
        many = "little" if across < NARROWEST_MM else "much"
        raise SetupError(f"By {what} the picture shows {across / 10:.0f} cm of the table from left to right, too {many} for a game; {mend}")


def _seated(setup: Setup, wanted: Any, *, in_pixels: bool) -> Setup:
    if setup.table is None:
        raise SetupError("seats: measure the table first, so that a place in the picture is a place on the table")
    to_mm = setup.table.to_mm if in_pixels else points
    try:
        seats = tuple(
            Seat(str(seat["name"]).strip(), str(seat.get("colour") or colour), tuple(_pair(p) for p in to_mm(seat["area"])))
            for seat, colour in zip(wanted, SEAT_COLOURS, strict=False)
        )
        common = setup.table.common or middle(setup.table)
        check_seats(SeatsFile(seats, common))
    except CalibrationError as e:
        raise SetupError(str(e)) from e
    except (KeyError, TypeError, ValueError, AttributeError) as e:
        raise SetupError(f"seats: each wants a name and an area of at least three corners ({e})") from e
    missing = [p for p in setup.players if p not in {s.name for s in seats}]
    if missing:
        raise SetupError(f"seats: {missing[0]} has no seat; draw one")
    return replace(setup, table=replace(setup.table, seats=seats, common=common))


def _pair(value: Any) -> tuple[float, float]:
    x, y = value
    return float(x), float(y)


def _table_file(folder: Path, source: str) -> Path:
    safe = "".join(c if c.isalnum() else "-" for c in source).strip("-") or "camera"
    return folder / f"{safe[:80]}.table.toml"
