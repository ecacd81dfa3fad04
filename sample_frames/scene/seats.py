"""Players round a table: their places as areas in mm, and where their arms come from."""

from collections.abc import Sequence
from dataclasses import dataclass

from vision.table import Seat

COLOURS = ("blue", "red", "yellow", "green", "orange", "purple")


@dataclass(frozen=True)
class Place:
    """A player's place: the seat of the table file, and the shoulder (mm) from which the arm reaches in."""

    seat: Seat
    shoulder_mm: tuple[float, float]
    side: str  # bottom, left, top, right


def around(names: Sequence[str], *, half_mm: tuple[float, float] = (238.0, 112.0), deep_mm: float = 100.0) -> tuple[Place, ...]:
    """Up to six players clockwise from the bottom: one at each side, the fifth and sixth share the long sides."""
    w, h = half_mm
    gap = 6.0
    sides: dict[str, list[tuple[tuple[float, float], tuple[float, float], tuple[float, float]]]] = {
        "bottom": [((-w + 25, h + gap), (w - 25, h + gap + deep_mm), (0, h + 480))],
        "left": [((-w - gap - deep_mm, -h), (-w - gap, h - 10), (-w - 460, 0))],
        "top": [((-w + 25, -h - gap - deep_mm), (w - 25, -h - gap), (0, -h - 480))],
        "right": [((w + gap, -h), (w + gap + deep_mm, h - 10), (w + 460, 0))],
    }
    for side, needed in (("bottom", 5), ("top", 6)):
        if len(names) >= needed:
            (x0, y0), (x1, y1), (_, sy) = sides[side][0]
            parts = [((4, y0), (x1, y1), (w / 2, sy)), ((x0, y0), (-4, y1), (-w / 2, sy))]
            sides[side] = parts if side == "bottom" else parts[::-1]
    used = {2: ("bottom", "top"), 3: ("bottom", "left", "right")}.get(len(names), ("bottom", "left", "top", "right"))
    places = [(side, corner, opposite, shoulder) for side in used for corner, opposite, shoulder in sides[side]]
    return tuple(
        Place(Seat(name, colour, ((x0, y0), (x1, y0), (x1, y1), (x0, y1))), shoulder, side)
        for name, colour, (side, (x0, y0), (x1, y1), shoulder) in zip(names, COLOURS, places, strict=False)
    )


def middle(half_mm: tuple[float, float] = (238.0, 112.0)) -> tuple[tuple[float, float], ...]:
    """The common area between the seats of `around`."""
    w, h = half_mm
    return ((-w, -h), (w, -h), (w, h), (-w, h))
