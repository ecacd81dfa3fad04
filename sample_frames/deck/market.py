"""The scene behind the things: a night market with three lit stalls, roofs and a dusk sky behind, cobbles in front."""

from __future__ import annotations

import math
import random

from sample_frames.deck.pen import INK, darker, lighter, mixed
from sample_frames.deck.sheet import Sheet

WIDTH_MM, HEIGHT_MM = 120.0, 80.0
STALLS = ((0.6, 38.6), (41.0, 79.0), (81.4, 119.4))
"""Left and right edge of each stall."""
SHELVES = (27.5, 35.8)
COUNTER = 44.1
"""Heights (y) on which things stand in a stall."""
STREET = 54.6
AWNINGS = ("#c8443f", "#2f8f8a", "#d9992f")
FRONTS = ("#c99a76", "#a9b3cf", "#c7b07c")
SIGNS = ("apple", "key", "ball")
CREAM = "#fff2d8"


def draw_market(sheet: Sheet, random_source: random.Random) -> None:
    """Everything that is the same in all photos."""
    _sky(sheet, random_source)
    _roofs(sheet, random_source)
    sheet.box(0, 20, WIDTH_MM, STREET - 20, "#4a3f66")
    sheet.shine(0, STREET - 2, WIDTH_MM, HEIGHT_MM - STREET + 2, ["#4c466e", "#6c6690"], [0, 1])
    sheet.stamp("cobbles", lambda: _cobbles(sheet, random_source), reach=2 * WIDTH_MM)
    _rug(sheet, 1.5, 58.6, "#e8c9b4", "#b5534d")
    _rug(sheet, 61.4, 118.5, "#c9dccb", "#3f7f7c")
    for (left, right), awning, front in zip(STALLS, AWNINGS, FRONTS, strict=True):
        _stall(sheet, left, right, awning, front)
    for (left, right), sign in zip(STALLS, SIGNS, strict=True):
        _sign(sheet, (left + right) / 2, sign)
    _lamps(sheet)


def _sky(sheet: Sheet, random_source: random.Random) -> None:
    sheet.shine(0, 0, WIDTH_MM, 22, ["#27306b", "#5b58a0", "#c58aa6", "#f6bd8a"], [0, 0.35, 0.7, 1])
    for _ in range(70):
        x, y = random_source.uniform(0, WIDTH_MM), random_source.uniform(0, 9)
        sheet.oval(x, y, random_source.choice((0.1, 0.14, 0.2)), None, "#fff7dc", alpha=0.85)
    sheet.glow(113.5, 5.6, 8, "#fff0c0", 0.5)
    sheet.oval(113.5, 5.6, 3.6, None, "#fdf0c6")
    for x, y, r in ((112.4, 4.6, 0.7), (114.6, 6.6, 0.9), (114.4, 4.2, 0.4)):
        sheet.oval(x, y, r, None, "#ecd9a4")


def _roofs(sheet: Sheet, random_source: random.Random) -> None:
    x = -2.0
    while x < WIDTH_MM:
        width, top = random_source.uniform(6.5, 10.5), random_source.uniform(11.6, 13.4)
        wall = mixed("#4d4478", "#7a5a86", random_source.random())
        sheet.box(x, top + 1.6, width, 12, wall)
        sheet.poly([(x - 0.5, top + 1.8), (x + width * 0.3, top), (x + width * 0.7, top), (x + width + 0.5, top + 1.8)], darker(wall, 0.35))
        if random_source.random() < 0.5:
            sheet.box(x + width * 0.58, top - 1.3, 1.1, 1.9, darker(wall, 0.2))
        for i in range(int(width // 2.4)):
            if random_source.random() < 0.7:
                sheet.box(x + 1 + i * 2.4, top + 2.6, 1.0, 1.3, "#ffd98a")
        x += width


def _cobbles(sheet: Sheet, random_source: random.Random) -> None:
    y, row = STREET - 1.0, 0
    while y < HEIGHT_MM:
        height = 1.5 + (y - STREET) * 0.055
        width = height * 2.0
        x = -width * (0.5 if row % 2 else 0.0)
        while x < WIDTH_MM:
            stone = mixed("#7d789f", "#9a93b4", random_source.random())
            sheet.box(x + 0.12, y + 0.1, width - 0.24, height - 0.2, stone, corner=0.5)
            x += width
        y, row = y + height, row + 1


def _rug(sheet: Sheet, left: float, right: float, ground: str, pattern: str) -> None:
    top, foot, lean = 57.4, 72.6, 1.6
    outer = [(left + lean, top), (right - lean, top), (right, foot), (left, foot)]
    inner = [(left + lean + 1.2, top + 0.8), (right - lean - 1.2, top + 0.8), (right - 1.5, foot - 1), (left + 1.5, foot - 1)]
    sheet.poly([(x, y + 0.7) for x, y in outer], INK, alpha=0.35)
    sheet.poly(outer, pattern, edge=INK, width=0.16)
    sheet.poly(inner, ground)
    count = int((right - left) // 3.2)
    for i in range(count):
        x = left + (i + 0.5) * (right - left) / count
        sheet.poly([(x - 0.5, foot - 0.5), (x, foot - 0.85), (x + 0.5, foot - 0.5), (x, foot - 0.15)], CREAM)
    for y in (64.3, 65.1):
        sheet.line([(left + 1.8, y), (right - 1.8, y)], pattern, 0.28, alpha=0.55)


def _stall(sheet: Sheet, left: float, right: float, awning: str, front: str) -> None:
    sheet.shine(left + 0.6, 15, right - left - 1.2, COUNTER - 15, ["#f9dfa6", "#fbe9c2", "#eed3a0"], [0, 0.45, 1])
    for i in range(1, 8):
        x = left + i * (right - left) / 8
        sheet.line([(x, 17), (x, COUNTER)], "#d9b67c", 0.16, alpha=0.7)
    for shelf in SHELVES:
        sheet.box(left + 0.8, shelf + 0.9, right - left - 1.6, 0.7, "#8a6038", alpha=0.28)
        sheet.box(left + 0.8, shelf - 0.1, right - left - 1.6, 1.0, "#a8733f", edge=INK, line=0.14)
    for x in (left, right - 1.3):
        sheet.box(x, 16, 1.3, STREET - 15.4, "#8a5a34", edge=INK, line=0.14)
    _counter(sheet, left, right, front)
    _awning(sheet, left, right, awning)


def _counter(sheet: Sheet, left: float, right: float, front: str) -> None:
    sheet.box(left - 0.2, STREET - 0.5, right - left + 0.4, 1.2, INK, alpha=0.4)
    sheet.box(left, COUNTER + 1.0, right - left, STREET - COUNTER - 1.0, front, edge=INK, line=0.16)
    planks = 6
    for i in range(planks):
        x = left + i * (right - left) / planks
        if i % 2:
            sheet.box(x, COUNTER + 1.1, (right - left) / planks, STREET - COUNTER - 1.2, lighter(front, 0.1))
        sheet.line([(x, COUNTER + 1.2), (x, STREET - 0.2)], darker(front, 0.45), 0.16)
    for i in range(5):
        x = left + 1.4 + (i + 0.5) * (right - left - 2.8) / 5
        sheet.line([(x, COUNTER + 1.9), (x, COUNTER + 2.9), (x + 0.5, COUNTER + 3.2), (x + 0.7, COUNTER + 2.8)], INK, 0.3)
    sheet.box(left - 0.6, COUNTER - 0.1, right - left + 1.2, 1.4, "#c08a4f", edge=INK, line=0.16)
    sheet.box(left - 0.4, COUNTER + 0.1, right - left + 0.8, 0.4, "#dcae74")


def _awning(sheet: Sheet, left: float, right: float, colour: str) -> None:
    top, foot, inset, stripes = 13.2, 17.6, 2.2, 10
    width = (right - left + 1.6) / stripes
    upper = (right - left - 2 * inset) / stripes
    sheet.box(left + 0.6, foot + 0.4, right - left - 1.2, 2.6, "#8a5a34", alpha=0.25)
    for i in range(stripes):
        fill = colour if i % 2 == 0 else CREAM
        x, x_top = left - 0.8 + i * width, left + inset + i * upper
        sheet.poly([(x_top, top), (x_top + upper, top), (x + width, foot), (x, foot)], fill)
        half = [(x + width / 2 - width / 2 * math.cos(math.pi * k / 12), foot + 1.7 * math.sin(math.pi * k / 12)) for k in range(13)]
        sheet.poly(half, darker(fill, 0.12), edge=INK, width=0.14)
    sheet.poly([(left + inset, top), (right - inset, top), (right + 0.8, foot), (left - 0.8, foot)], None, edge=INK, width=0.18)


def _sign(sheet: Sheet, x: float, kind: str) -> None:
    """The board on an awning that says what is sold."""
    sheet.oval(x, 16.1, 3.9, 2.55, "#6b4226", edge=INK, width=0.18)
    sheet.oval(x, 16.1, 3.4, 2.1, CREAM)
    sheet.thing(kind, x, 17.8, 3.5)


def _lamps(sheet: Sheet) -> None:
    """A string of paper lamps over the awnings."""
    for start, end in ((-2.0, 40.0), (40.0, 80.0), (80.0, 122.0)):
        points = []
        for k in range(25):
            part = k / 24
            points.append((start + (end - start) * part, 11.4 + 4.4 * part * (1 - part)))
        sheet.line(points, INK, 0.18)
        for k in range(2, 24, 4):
            x, y = points[k]
            sheet.glow(x, y + 0.9, 2.2, "#ffe9a0", 0.55)
            sheet.oval(x, y + 0.9, 0.62, 0.75, ("#ffd45e", "#ff9c6b", "#a8e0b8")[(k // 4) % 3], edge=INK, width=0.12)
