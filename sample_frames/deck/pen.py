"""A pen for little vector drawings: filled shapes with an outline, lit from the upper left.

Every thing of the deck is drawn in a box of its own: x from -0.5 to 0.5, y from 0 (the ground it stands on) up to 1.
A pen without a canvas draws nothing and only measures, so the extent of a thing comes from its drawing and from nowhere else.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from reportlab.lib.colors import HexColor

Point = tuple[float, float]
Path = list[tuple[Point, ...]]
"""A closed outline: a starting point, then straight steps (one point) and Bézier steps (three points)."""

INK = "#2a2035"
OUTLINE = 0.034
"""Width of an outline in units of the thing's box."""
LIGHT = (-0.035, 0.03)
"""How far the lit part of a shape is shifted towards the lamp."""


def mixed(colour: str, other: str, part: float) -> str:
    """The colour with `part` (0 to 1) of another in it; both "#rrggbb"."""
    pairs = ((int(colour[i : i + 2], 16), int(other[i : i + 2], 16)) for i in (1, 3, 5))
    return "#" + "".join(f"{round(a + (b - a) * part):02x}" for a, b in pairs)


def darker(colour: str, part: float = 0.25) -> str:
    return mixed(colour, "#1c1430", part)


def lighter(colour: str, part: float = 0.4) -> str:
    return mixed(colour, "#ffffff", part)


def lightness(colour: str) -> float:
    """How light a colour is in a grey picture, 0 to 255 (Rec. 601, as a black-and-white print is made)."""
    red, green, blue = (int(colour[i : i + 2], 16) for i in (1, 3, 5))
    return 0.299 * red + 0.587 * green + 0.114 * blue


@cache
def paint(colour: str) -> Any:
    """reportlab's colour for "#rrggbb"; its own reading of strings takes half of a page's time."""
    return HexColor(colour)


@dataclass
class Extent:
    """The box of all that a pen drew: left, bottom, right, top in units of the thing's box."""

    left: float = math.inf
    bottom: float = math.inf
    right: float = -math.inf
    top: float = -math.inf

    def add(self, points: Sequence[Point], margin: float) -> None:
        for x, y in points:
            self.left, self.right = min(self.left, x - margin), max(self.right, x + margin)
            self.bottom, self.top = min(self.bottom, y - margin), max(self.top, y + margin)


@dataclass(frozen=True)
class Pen:
    """Draws on a reportlab canvas whose unit is the thing's box, or only measures where `canvas` is None."""

    canvas: Any = None
    extent: Extent = field(default_factory=Extent)
    affine: tuple[float, float, float, float, float, float] = (1.0, 0.0, 0.0, 1.0, 0.0, 0.0)

    def turned(self, degrees: float, about: Point = (0.0, 0.5)) -> Pen:
        """A pen on the same sheet that draws everything turned anticlockwise about a point."""
        cos, sin = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
        x, y = about
        turn = (cos, sin, -sin, cos, x - cos * x + sin * y, y - sin * x - cos * y)
        return Pen(self.canvas, self.extent, _after(self.affine, turn))

    # -- shapes with an outline -------------------------------------------------------------------------------------

    def poly(self, points: Sequence[Point], fill: str) -> None:
        self._shape([(point,) for point in points], fill)

    def box(self, x: float, y: float, width: float, height: float, fill: str, *, corner: float = 0.0) -> None:
        """A rectangle from its lower left corner, with round corners if wanted."""
        self._shape(_box(x, y, width, height, corner), fill)

    def oval(self, x: float, y: float, rx: float, ry: float | None = None, fill: str = "#ffffff") -> None:
        self._shape(_sector(x, y, rx, rx if ry is None else ry, 0, 360), fill)

    def sector(self, x: float, y: float, rx: float, ry: float, start: float, end: float, fill: str, *, centre: bool = False) -> None:
        """The part of an oval between two angles (degrees, anticlockwise from the right), closed by its chord or over the centre."""
        self._shape(_sector(x, y, rx, ry, start, end) + ([((x, y),)] if centre else []), fill)

    def blob(self, points: Sequence[Point], fill: str) -> None:
        """A soft outline that runs through all points."""
        self._shape(_soft(points), fill)

    def bar(self, points: Sequence[Point], width: float, fill: str, *, soft: bool = False) -> None:
        """A rod, rope or rim: a thick line with an outline."""
        self._stroke(points, width + 2 * OUTLINE * 0.8, INK, soft=soft)
        self._stroke(points, width, fill, soft=soft)

    # -- details without an outline ---------------------------------------------------------------------------------

    def dot(self, x: float, y: float, radius: float, fill: str = INK, ry: float | None = None) -> None:
        self._shape(_sector(x, y, radius, radius if ry is None else ry, 0, 360), fill, plain=True)

    def patch(self, points: Sequence[Point], fill: str) -> None:
        self._shape([(point,) for point in points], fill, plain=True)

    def line(self, points: Sequence[Point], colour: str = INK, width: float = OUTLINE, *, soft: bool = False) -> None:
        self._stroke(points, width, colour, soft=soft)

    def eyes(self, x: float, y: float, apart: float, radius: float = 0.05) -> None:
        """Two round eyes with a glint, `apart` between their centres."""
        for side in (-0.5, 0.5):
            self.dot(x + side * apart, y, radius)
            self.dot(x + side * apart - radius * 0.3, y + radius * 0.35, radius * 0.38, "#ffffff")

    # -- how it comes onto the sheet --------------------------------------------------------------------------------

    def _at(self, step: tuple[Point, ...]) -> tuple[Point, ...]:
        a, b, c, d, e, f = self.affine
        return tuple((a * x + c * y + e, b * x + d * y + f) for x, y in step)

    def _shape(self, path: Path, fill: str, *, plain: bool = False) -> None:
        steps = [self._at(step) for step in path]
        self.extent.add([point for step in steps for point in step], 0.0 if plain else OUTLINE / 2)
        if self.canvas is None:
            return
        canvas = self.canvas
        canvas.setFillColor(paint(fill if plain else darker(fill)))
        canvas.drawPath(_traced(canvas, steps), stroke=0, fill=1)
        if plain:
            return
        canvas.saveState()
        canvas.clipPath(_traced(canvas, steps), stroke=0, fill=0)
        canvas.setFillColor(paint(fill))
        canvas.translate(*LIGHT)
        canvas.drawPath(_traced(canvas, steps), stroke=0, fill=1)
        canvas.restoreState()
        canvas.setStrokeColor(paint(INK))
        canvas.setLineWidth(OUTLINE)
        canvas.drawPath(_traced(canvas, steps), stroke=1, fill=0)

    def _stroke(self, points: Sequence[Point], width: float, colour: str, *, soft: bool) -> None:
        steps = [self._at(step) for step in (_soft(points, closed=False) if soft else [(point,) for point in points])]
        self.extent.add([point for step in steps for point in step], width / 2)
        if self.canvas is None:
            return
        self.canvas.setStrokeColor(paint(colour))
        self.canvas.setLineWidth(width)
        self.canvas.drawPath(_traced(self.canvas, steps, closed=False), stroke=1, fill=0)


def _after(
    second: tuple[float, float, float, float, float, float], first: tuple[float, float, float, float, float, float]
) -> tuple[float, float, float, float, float, float]:
    a, b, c, d, e, f = second
    p, q, r, s, t, u = first
    return (a * p + c * q, b * p + d * q, a * r + c * s, b * r + d * s, a * t + c * u + e, b * t + d * u + f)


def _traced(canvas: Any, steps: Sequence[tuple[Point, ...]], *, closed: bool = True) -> Any:
    path = canvas.beginPath()
    path.moveTo(*steps[0][-1])
    for step in steps[1:]:
        if len(step) == 1:
            path.lineTo(*step[0])
        else:
            path.curveTo(*(number for point in step for number in point))
    if closed:
        path.close()
    return path


def _box(x: float, y: float, width: float, height: float, corner: float) -> Path:
    if corner <= 0:
        return [((x, y),), ((x + width, y),), ((x + width, y + height),), ((x, y + height),)]
    r = min(corner, width / 2, height / 2)
    right, top = x + width, y + height
    path: Path = []
    for cx, cy, start in ((right - r, y + r, 270), (right - r, top - r, 0), (x + r, top - r, 90), (x + r, y + r, 180)):
        path += _sector(cx, cy, r, r, start, start + 90)
    return path


def _sector(x: float, y: float, rx: float, ry: float, start: float, end: float) -> Path:
    """Bézier pieces of at most 90 degrees, each right to a fifth of a thousandth of the radius."""
    pieces = max(1, math.ceil((end - start) / 90 - 1e-9))
    step = math.radians((end - start) / pieces)
    reach = 4 / 3 * math.tan(step / 4)
    angle = math.radians(start)
    path: Path = [((x + rx * math.cos(angle), y + ry * math.sin(angle)),)]
    for _ in range(pieces):
        nxt = angle + step
        ca, sa, cb, sb = math.cos(angle), math.sin(angle), math.cos(nxt), math.sin(nxt)
        path.append(
            (
                (x + rx * (ca - reach * sa), y + ry * (sa + reach * ca)),
                (x + rx * (cb + reach * sb), y + ry * (sb - reach * cb)),
                (x + rx * cb, y + ry * sb),
            )
        )
        angle = nxt
    return path


def _soft(points: Sequence[Point], *, closed: bool = True) -> Path:
    """A Catmull-Rom curve through the points."""
    count = len(points)

    def point(i: int) -> Point:
        return points[i % count] if closed else points[min(max(i, 0), count - 1)]

    path: Path = [(points[0],)]
    for i in range(count if closed else count - 1):
        (x0, y0), (x1, y1), (x2, y2), (x3, y3) = (point(i + k) for k in (-1, 0, 1, 2))
        path.append(((x1 + (x2 - x0) / 6, y1 + (y2 - y0) / 6), (x2 - (x3 - x1) / 6, y2 - (y3 - y1) / 6), (x2, y2)))
    return path
