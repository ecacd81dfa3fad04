"""Clothes and what one carries."""

from __future__ import annotations

from sample_frames.deck.kinds.kind import Kinds
from sample_frames.deck.pen import INK, Pen, darker, lighter

CLOTHES = Kinds()
BRASS = "#e0b040"


@CLOTHES.drawn("#4a3f5c")
def hat(p: Pen, c: str) -> None:
    p.poly([(-0.26, 0.88), (0.26, 0.88), (0.23, 0.2), (-0.23, 0.2)], c)
    p.patch([(-0.235, 0.4), (0.235, 0.4), (0.23, 0.24), (-0.23, 0.24)], "#c8303a")
    p.oval(0, 0.16, 0.46, 0.1, c)
    p.sector(0, 0.17, 0.24, 0.06, 180, 360, "#c8303a")


@CLOTHES.drawn("#b58a58")
def detective_cap(p: Pen, c: str) -> None:
    for side in (-1, 1):
        p.blob([(side * 0.2, 0.26), (side * 0.47, 0.06), (side * 0.44, 0.2), (side * 0.3, 0.36)], darker(c, 0.2))
    p.sector(0, 0.26, 0.37, 0.5, 0, 180, c)
    p.line([(-0.22, 0.28), (-0.14, 0.66)], darker(c, 0.4), 0.03)
    p.line([(0.22, 0.28), (0.14, 0.66)], darker(c, 0.4), 0.03)
    p.line([(-0.3, 0.44), (0.3, 0.44)], darker(c, 0.4), 0.03)
    for side in (-1, 1):
        p.blob([(0, 0.74), (side * 0.2, 0.9), (side * 0.22, 0.72)], "#b5443a")


@CLOTHES.drawn("#7a4a2a")
def boot(p: Pen, c: str) -> None:
    p.blob([(-0.28, 0.92), (0.1, 0.92), (0.1, 0.44), (0.34, 0.34), (0.44, 0.12), (-0.28, 0.12)], c)
    p.box(-0.34, 0.78, 0.48, 0.16, lighter(c, 0.4), corner=0.04)
    p.box(-0.32, 0.02, 0.8, 0.11, INK, corner=0.03)
    for y in (0.44, 0.56, 0.68):
        p.line([(-0.02, y), (0.1, y + 0.03)], "#f4e3bd", 0.04)


@CLOTHES.drawn("#c9485a")
def sock(p: Pen, c: str) -> None:
    p.blob([(-0.24, 0.95), (0.14, 0.95), (0.14, 0.46), (0.4, 0.26), (0.36, 0.06), (0.1, 0.03), (-0.22, 0.24), (-0.26, 0.5)], c)
    p.box(-0.29, 0.8, 0.48, 0.17, "#fdf0d8", corner=0.04)
    for y in (0.52, 0.66):
        p.line([(-0.22, y), (0.12, y)], "#fdf0d8", 0.06)
    p.dot(0.27, 0.16, 0.09, "#fdf0d8")


@CLOTHES.drawn("#3f8a9a")
def mitten(p: Pen, c: str) -> None:
    p.blob([(-0.2, 0.28), (-0.28, 0.7), (-0.08, 0.97), (0.14, 0.88), (0.18, 0.6), (0.4, 0.68), (0.42, 0.5), (0.2, 0.28)], c)
    p.box(-0.24, 0.03, 0.46, 0.26, "#fdf0d8", corner=0.07)
    p.line([(-0.12, 0.58), (-0.04, 0.68), (0.04, 0.58)], "#fdf0d8", 0.05)


@CLOTHES.drawn("#d8574a")
def scarf(p: Pen, c: str) -> None:
    p.blob([(-0.36, 0.78), (0, 0.92), (0.36, 0.78), (0.32, 0.56), (0, 0.48), (-0.32, 0.56)], c)
    p.poly([(0.02, 0.6), (0.26, 0.58), (0.34, 0.08), (0.08, 0.06)], c)
    for y in (0.44, 0.3):
        p.line([(0.08, y), (0.27, y)], "#fdf0d8", 0.06)
    for x in (0.12, 0.2, 0.28):
        p.line([(x, 0.08), (x, 0.0)], INK, 0.03)
    p.oval(0, 0.73, 0.19, 0.08, darker(c, 0.5))


@CLOTHES.drawn("#4f8fca")
def shirt(p: Pen, c: str) -> None:
    p.poly(
        [
            (-0.16, 0.93), (0.16, 0.93), (0.34, 0.86), (0.49, 0.56), (0.34, 0.48), (0.26, 0.6),
            (0.26, 0.04), (-0.26, 0.04), (-0.26, 0.6), (-0.34, 0.48), (-0.49, 0.56), (-0.34, 0.86),
        ],
        c,
    )
    p.sector(0, 0.94, 0.15, 0.16, 180, 360, "#fdf0d8")
    for y in (0.2, 0.36, 0.52):
        p.line([(-0.24, y), (0.24, y)], "#fdf0d8", 0.06)


@CLOTHES.drawn("#4a5f96")
def trousers(p: Pen, c: str) -> None:
    p.poly([(-0.28, 0.96), (0.28, 0.96), (0.36, 0.03), (0.08, 0.03), (0, 0.6), (-0.08, 0.03), (-0.36, 0.03)], c)
    p.box(-0.29, 0.84, 0.58, 0.13, "#8a5a34")
    p.dot(0, 0.905, 0.045, BRASS)


@CLOTHES.drawn("#d9628a")
def dress(p: Pen, c: str) -> None:
    p.bar([(-0.12, 0.94), (-0.12, 0.78)], 0.05, c)
    p.bar([(0.12, 0.94), (0.12, 0.78)], 0.05, c)
    p.poly([(-0.2, 0.82), (0.2, 0.82), (0.15, 0.52), (0.42, 0.05), (-0.42, 0.05), (-0.15, 0.52)], c)
    p.box(-0.16, 0.48, 0.32, 0.08, "#f6d860")
    for x, y in ((-0.16, 0.2), (0.04, 0.3), (0.2, 0.16), (0, 0.12)):
        p.dot(x, y, 0.045, "#fff4e0")


@CLOTHES.drawn("#3a3444")
def glasses(p: Pen, c: str) -> None:
    for side in (-1, 1):
        p.oval(side * 0.25, 0.34, 0.22, 0.21, c)
        p.dot(side * 0.25, 0.34, 0.155, "#bfe3ef")
        p.line([(side * 0.25 - 0.07, 0.34), (side * 0.25 + 0.03, 0.43)], "#ffffff", 0.045)
        p.bar([(side * 0.45, 0.42), (side * 0.48, 0.58)], 0.04, c)
    p.bar([(-0.06, 0.38), (0, 0.42), (0.06, 0.38)], 0.05, c, soft=True)


@CLOTHES.drawn("#c8364a")
def bow_tie(p: Pen, c: str) -> None:
    for side in (-1, 1):
        p.poly([(0, 0.4), (side * 0.46, 0.64), (side * 0.46, 0.12)], c)
        p.dot(side * 0.32, 0.38, 0.05, "#fff0d8")
    p.box(-0.1, 0.26, 0.2, 0.25, darker(c, 0.25), corner=0.05)


@CLOTHES.drawn("#a8462f")
def handbag(p: Pen, c: str) -> None:
    p.bar([(-0.22, 0.54), (-0.18, 0.84), (0, 0.93), (0.18, 0.84), (0.22, 0.54)], 0.05, darker(c, 0.3), soft=True)
    p.blob([(-0.34, 0.58), (0.34, 0.58), (0.46, 0.1), (0.3, 0.03), (-0.3, 0.03), (-0.46, 0.1)], c)
    p.poly([(-0.35, 0.58), (0.35, 0.58), (0, 0.28)], lighter(c, 0.2))
    p.dot(0, 0.34, 0.06, BRASS)


@CLOTHES.drawn("#7a5230")
def watch(p: Pen, c: str) -> None:
    p.box(-0.13, 0.02, 0.26, 0.96, c, corner=0.05)
    p.oval(0, 0.5, 0.29, 0.29, BRASS)
    p.oval(0, 0.5, 0.2, 0.2, "#fffaf0")
    p.line([(0, 0.64), (0, 0.5), (0.09, 0.46)], INK, 0.04)


@CLOTHES.drawn("#b5433c")
def backpack(p: Pen, c: str) -> None:
    p.bar([(-0.1, 0.88), (0, 0.97), (0.1, 0.88)], 0.05, darker(c, 0.4), soft=True)
    p.box(-0.34, 0.03, 0.68, 0.86, c, corner=0.24)
    p.box(-0.24, 0.1, 0.48, 0.32, lighter(c, 0.2), corner=0.07)
    p.line([(-0.26, 0.58), (0.26, 0.58)], INK, 0.04)
    p.dot(0, 0.34, 0.045, BRASS)
