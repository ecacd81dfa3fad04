"""Evidence markers and tokens, and how the ten green tokens want two photos to be laid."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

from sample_frames.deck.pen import darker, lighter
from sample_frames.deck.sheet import Picture, Sheet, pixels

MARKER_MM = 30.0
TOKEN_MM = {"green": 40.0, "yellow": 25.0, "red": 25.0}
MARKER_YELLOW = "#f7c81e"
BLACK = "#16130f"
TOKEN_COLOURS = {"green": "#3f9a55", "yellow": "#f4cf2f", "red": "#cf3a36"}
POINTS = {"green": "3", "yellow": "2", "red": "1"}


@dataclass(frozen=True)
class Pose:
    """Where the middle of a photo lies relative to the middle of the pair, in mm (y down), and its turn, degrees clockwise."""

    x_mm: float
    y_mm: float
    turn_deg: float


@dataclass(frozen=True)
class Layout:
    """How a green token shows two photos of 120 × 80 mm; `name` says the kind of layout."""

    name: str
    first: Pose
    second: Pose


LAYOUTS = (
    Layout("side by side", Pose(-63, 0, 0), Pose(63, 0, 0)),
    Layout("head to toe", Pose(-63, 0, 0), Pose(63, 0, 180)),
    Layout("one above the other", Pose(0, -43, 0), Pose(0, 43, 0)),
    Layout("quarter turn", Pose(-53, 0, 0), Pose(53, 0, 90)),
    Layout("tossed", Pose(-58, -22, -24), Pose(52, 24, 33)),
    Layout("side by side", Pose(-66, -14, 0), Pose(66, 14, 0)),
    Layout("head to toe", Pose(-63, 0, 180), Pose(63, 0, 0)),
    Layout("one above the other", Pose(0, -43, 0), Pose(0, 43, 180)),
    Layout("quarter turn", Pose(-53, 0, 270), Pose(53, 0, 0)),
    Layout("tossed", Pose(-50, 20, 150), Pose(54, -18, -62)),
)
"""Of green tokens 1 to 10. A tossed pair is only meant: the photos fall as they like."""


def draw_markers() -> Iterator[Picture]:
    """Markers 1 to 10 seen from above, BGRA."""
    sheet = Sheet(MARKER_MM, MARKER_MM)
    for value in range(1, 11):
        if value > 1:
            sheet.next_page()
        side = MARKER_MM
        sheet.box(0.1, 0.1, side - 0.2, side - 0.2, MARKER_YELLOW, corner=2.2, edge=darker(MARKER_YELLOW, 0.3), line=0.2)
        for i in range(13):
            long = 2.2 if i % 6 == 0 else 1.2
            at = 3.0 + i * 2.0
            sheet.line([(at, 1.0), (at, 1.0 + long)], BLACK, 0.35)
            sheet.line([(1.0, at), (1.0 + long, at)], BLACK, 0.35)
        sheet.text(str(value), side * 0.53, side * 0.77, side * (0.5 if value < 10 else 0.44), BLACK)
        if value in (6, 9):
            sheet.box(side * 0.53 - 4.6, side * 0.82, 9.2, 1.5, BLACK)
    return pixels(sheet.pdf(), clear=True)


def draw_tokens() -> Iterator[tuple[str, Picture]]:
    """Names as in a deck pack ("green-back", "green-01" …, "yellow", "red") and pictures, BGRA."""
    for colour, size in TOKEN_MM.items():
        names = ["green-back", *(f"green-{i:02d}" for i in range(1, 11))] if colour == "green" else [colour, f"{colour}-back"]
        sheet = Sheet(size, size)
        for number, name in enumerate(names):
            if number:
                sheet.next_page()
            _disc(sheet, size, TOKEN_COLOURS[colour])
            if name in ("green-back", "yellow", "red"):
                _points(sheet, size, colour)
            elif colour == "green":
                _pair(sheet, size, LAYOUTS[number - 1])
            else:
                sheet.thing("magnifying glass", size / 2 + 0.6, size * 0.73, size * 0.5, colour="#6b4226")
        yield from zip(names, pixels(sheet.pdf(), clear=True), strict=True)


def _disc(sheet: Sheet, size: float, colour: str) -> None:
    middle = size / 2
    sheet.oval(middle, middle, middle - 0.05, None, darker(colour, 0.45))
    sheet.oval(middle, middle, middle * 0.94, None, colour)
    sheet.oval(middle, middle, middle * 0.85, None, None, edge=lighter(colour, 0.45), width=size * 0.012)


def _points(sheet: Sheet, size: float, colour: str) -> None:
    for i in range(12):
        angle = math.radians(30 * i)
        sheet.oval(size / 2 + size * 0.36 * math.cos(angle), size / 2 + size * 0.36 * math.sin(angle), size * 0.012, None, "#fffaf0")
    sheet.text(POINTS[colour], size / 2, size * 0.66, size * 0.33, "#fffaf0", edge=darker(TOKEN_COLOURS[colour], 0.7), width=size * 0.012)


def _pair(sheet: Sheet, size: float, layout: Layout) -> None:
    """The two photos as small cards; a house on each tells its upper side."""
    scale = size * 0.62 / 250
    for pose, fill in ((layout.first, "#fffaf0"), (layout.second, "#ffe9a8")):
        sin, cos = math.sin(math.radians(pose.turn_deg)), math.cos(math.radians(pose.turn_deg))

        def at(x: float, y: float, pose: Pose = pose, sin: float = sin, cos: float = cos) -> tuple[float, float]:
            return (size / 2 + scale * (pose.x_mm + x * cos - y * sin), size / 2 + scale * (pose.y_mm + x * sin + y * cos))

        sheet.poly([at(*corner) for corner in ((-60, -40), (60, -40), (60, 40), (-60, 40))], fill, edge=BLACK, width=0.3)
        sheet.poly([at(*corner) for corner in ((0, -30), (26, -4), (16, -4), (16, 26), (-16, 26), (-16, -4), (-26, -4))], "#b5433c")
