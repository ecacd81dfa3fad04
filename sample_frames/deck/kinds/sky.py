"""What flies, shines or hangs in the air."""

from __future__ import annotations

import math

from sample_frames.deck.kinds.kind import Kinds
from sample_frames.deck.pen import INK, Pen, lighter

SKY = Kinds()


@SKY.drawn("#d8483e")
def hot_air_balloon(p: Pen, c: str) -> None:
    p.line([(-0.16, 0.42), (-0.1, 0.2)], INK, 0.025)
    p.line([(0.16, 0.42), (0.1, 0.2)], INK, 0.025)
    p.box(-0.12, 0.02, 0.24, 0.19, "#b9824a", corner=0.03)
    p.blob([(0, 0.99), (0.28, 0.9), (0.36, 0.66), (0.16, 0.36), (-0.16, 0.36), (-0.36, 0.66), (-0.28, 0.9)], c)
    p.blob([(0, 0.98), (0.12, 0.9), (0.15, 0.66), (0.07, 0.37), (-0.07, 0.37), (-0.15, 0.66), (-0.12, 0.9)], "#f6d45a")


@SKY.drawn("#e6e9ee")
def airplane(p: Pen, c: str) -> None:
    p.poly([(-0.34, 0.5), (-0.47, 0.78), (-0.34, 0.78), (-0.18, 0.54)], "#d0343f")
    p.blob([(-0.44, 0.5), (-0.2, 0.6), (0.24, 0.6), (0.47, 0.46), (0.3, 0.36), (-0.2, 0.36)], c)
    p.poly([(0.08, 0.46), (-0.12, 0.46), (-0.3, 0.14), (-0.16, 0.14)], "#d0343f")
    for x in (-0.1, 0.04, 0.18):
        p.dot(x, 0.52, 0.035, "#4a7fb0")


@SKY.drawn("#f6d24a")
def star(p: Pen, c: str) -> None:
    points = []
    for i in range(10):
        angle, radius = math.radians(90 + 36 * i), 0.47 if i % 2 == 0 else 0.2
        points.append((radius * math.cos(angle), 0.48 + radius * math.sin(angle)))
    p.poly(points, c)
    p.eyes(0, 0.52, 0.14, 0.035)
    p.line([(-0.06, 0.4), (0, 0.37), (0.06, 0.4)], INK, 0.03, soft=True)


@SKY.drawn("#e9eef6")
def cloud(p: Pen, c: str) -> None:
    bumps = ((-0.28, 0.38, 0.19, 0.16), (0.3, 0.38, 0.19, 0.15), (0.08, 0.5, 0.24, 0.22), (-0.1, 0.46, 0.19, 0.19), (0, 0.32, 0.34, 0.13))
    for x, y, rx, ry in bumps:
        p.oval(x, y, rx, ry, c)
    for x, y, rx, ry in bumps:
        p.dot(x, y, rx - 0.02, c, ry - 0.02)
    p.line([(-0.22, 0.36), (-0.06, 0.42), (0.06, 0.36)], "#9aa6c4", 0.035, soft=True)


@SKY.drawn("#7fbf5a")
def flying_saucer(p: Pen, c: str) -> None:
    p.sector(0, 0.5, 0.22, 0.3, 0, 180, "#cfeaf2")
    p.dot(0, 0.6, 0.085, "#6aa84f")
    p.eyes(0, 0.62, 0.08, 0.025)
    p.oval(0, 0.44, 0.47, 0.15, c)
    for x in (-0.28, 0.0, 0.28):
        p.dot(x, 0.41, 0.05, "#fff2a0")


@SKY.drawn("#e07a3a")
def parachute(p: Pen, c: str) -> None:
    for x in (-0.42, -0.14, 0.14, 0.42):
        p.line([(x, 0.6), (0, 0.22)], INK, 0.022)
    p.sector(0, 0.58, 0.46, 0.4, 0, 180, c)
    p.sector(0, 0.58, 0.17, 0.4, 0, 180, lighter(c, 0.6))
    p.box(-0.12, 0.02, 0.24, 0.22, "#8a5a34", corner=0.02)


@SKY.drawn("#f0e9dc")
def ghost(p: Pen, c: str) -> None:
    p.blob(
        [
            (0, 0.97), (0.26, 0.84), (0.33, 0.4), (0.4, 0.08), (0.2, 0.16), (0.08, 0.03),
            (-0.08, 0.16), (-0.24, 0.04), (-0.4, 0.14), (-0.33, 0.5), (-0.26, 0.84),
        ],
        c,
    )
    p.eyes(0, 0.68, 0.22, 0.06)
    p.dot(0, 0.48, 0.06, INK, 0.08)


@SKY.drawn("#7fb8d8")
def paper_plane(p: Pen, c: str) -> None:
    p.poly([(-0.47, 0.6), (0.48, 0.84), (-0.1, 0.44)], lighter(c, 0.5))
    p.poly([(0.48, 0.84), (-0.1, 0.44), (-0.16, 0.1), (0.06, 0.34)], c)
    p.poly([(0.48, 0.84), (0.06, 0.34), (0.3, 0.22)], lighter(c, 0.5))


@SKY.drawn("#f3d98a")
def crescent_moon(p: Pen, c: str) -> None:
    p.blob(
        [
            (0.1, 0.96), (-0.2, 0.86), (-0.34, 0.5), (-0.18, 0.14), (0.14, 0.03),
            (0.34, 0.14), (0.08, 0.26), (-0.02, 0.5), (0.08, 0.76), (0.32, 0.88),
        ],
        c,
    )
    p.dot(-0.14, 0.56, 0.035)
