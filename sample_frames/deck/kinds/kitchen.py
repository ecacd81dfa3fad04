"""Things of the kitchen and the parlour table."""

from __future__ import annotations

from sample_frames.deck.kinds.kind import Kinds
from sample_frames.deck.pen import INK, Pen, darker, lighter

KITCHEN = Kinds()
WOOD = "#b07a45"
STEEL = "#c9d2da"
BRASS = "#e0b040"


@KITCHEN.drawn("#3f7fb5")
def teapot(p: Pen, c: str) -> None:
    p.bar([(-0.3, 0.3), (-0.46, 0.4), (-0.42, 0.58), (-0.26, 0.56)], 0.06, c, soft=True)
    p.poly([(0.2, 0.22), (0.3, 0.5), (0.46, 0.66), (0.5, 0.56), (0.38, 0.3)], c)
    p.blob([(-0.32, 0.36), (-0.2, 0.62), (0.2, 0.62), (0.32, 0.36), (0.2, 0.05), (-0.2, 0.05)], c)
    p.sector(0, 0.6, 0.2, 0.14, 0, 180, lighter(c, 0.4))
    p.oval(0, 0.78, 0.06, 0.06, BRASS)
    p.dot(-0.16, 0.42, 0.05, lighter(c, 0.7), 0.09)


@KITCHEN.drawn("#d9574a")
def cup(p: Pen, c: str) -> None:
    p.bar([(0.2, 0.5), (0.4, 0.46), (0.36, 0.26), (0.16, 0.24)], 0.06, c, soft=True)
    p.blob([(-0.3, 0.58), (0.3, 0.58), (0.24, 0.24), (0.1, 0.12), (-0.1, 0.12), (-0.24, 0.24)], c)
    p.oval(0, 0.58, 0.3, 0.07, "#5a3620")
    p.oval(0, 0.07, 0.42, 0.06, lighter(c, 0.6))
    for x in (-0.1, 0.1):
        p.line([(x, 0.7), (x + 0.05, 0.78), (x - 0.03, 0.86), (x + 0.03, 0.95)], "#fdfaf3", 0.045, soft=True)


@KITCHEN.drawn("#e9e2cf")
def jug(p: Pen, c: str) -> None:
    p.bar([(0.16, 0.76), (0.42, 0.72), (0.4, 0.36), (0.2, 0.28)], 0.07, c, soft=True)
    p.blob([(-0.26, 0.92), (0.18, 0.88), (0.16, 0.66), (0.3, 0.36), (0.22, 0.03), (-0.22, 0.03), (-0.3, 0.36), (-0.16, 0.66)], c)
    p.patch([(-0.27, 0.34), (0.27, 0.34), (0.27, 0.24), (-0.27, 0.24)], "#4a78b8")


@KITCHEN.drawn("#3d8a58")
def bottle(p: Pen, c: str) -> None:
    p.box(-0.06, 0.84, 0.12, 0.14, WOOD, corner=0.02)
    p.blob([(-0.08, 0.86), (0.08, 0.86), (0.09, 0.66), (0.2, 0.5), (0.2, 0.04), (-0.2, 0.04), (-0.2, 0.5), (-0.09, 0.66)], c)
    p.box(-0.2, 0.16, 0.4, 0.24, "#f6ecd2")
    p.dot(0, 0.28, 0.06, "#c43a4a")


@KITCHEN.drawn("#4a4f5c")
def pan(p: Pen, c: str) -> None:
    p.bar([(0.1, 0.52), (0.44, 0.86)], 0.09, WOOD)
    p.oval(-0.12, 0.36, 0.35, 0.35, c)
    p.oval(-0.12, 0.36, 0.26, 0.26, lighter(c, 0.18))
    p.blob([(-0.26, 0.42), (-0.12, 0.52), (0.04, 0.42), (0.02, 0.26), (-0.12, 0.22), (-0.26, 0.26)], "#fffaf0")
    p.dot(-0.1, 0.37, 0.075, "#f5b82e")


@KITCHEN.drawn("#c8562f")
def pot(p: Pen, c: str) -> None:
    for side in (-1, 1):
        p.bar([(side * 0.34, 0.46), (side * 0.46, 0.46), (side * 0.46, 0.34), (side * 0.34, 0.34)], 0.05, INK)
    p.box(-0.36, 0.03, 0.72, 0.5, c, corner=0.1)
    p.sector(0, 0.54, 0.38, 0.2, 0, 180, lighter(c, 0.3))
    p.oval(0, 0.78, 0.07, 0.06, INK)
    p.dot(-0.22, 0.34, 0.04, lighter(c, 0.6), 0.12)


@KITCHEN.drawn("#b8433f")
def jar(p: Pen, c: str) -> None:
    p.box(-0.3, 0.02, 0.6, 0.68, c, corner=0.12)
    p.box(-0.26, 0.68, 0.52, 0.2, "#f3e6c8", corner=0.05)
    p.line([(-0.24, 0.72), (0.24, 0.72)], "#c43a4a", 0.03)
    p.box(-0.2, 0.18, 0.4, 0.3, "#fdf6e6", corner=0.03)
    p.dot(0, 0.33, 0.075, c)


@KITCHEN.drawn("#5aa0a8")
def bowl(p: Pen, c: str) -> None:
    for x, y, fill in ((-0.2, 0.52, "#e8862e"), (0.18, 0.52, "#7bb04a"), (0.0, 0.6, "#d8392f")):
        p.oval(x, y, 0.17, 0.16, fill)
    p.box(-0.14, 0.0, 0.28, 0.1, c)
    p.sector(0, 0.46, 0.46, 0.4, 180, 360, c)
    p.line([(-0.36, 0.34), (0.36, 0.34)], lighter(c, 0.6), 0.04)


@KITCHEN.drawn("#c99a5b")
def rolling_pin(p: Pen, c: str) -> None:
    p = p.turned(28, (0, 0.42))
    p.bar([(-0.47, 0.42), (0.47, 0.42)], 0.09, "#c8453a")
    p.box(-0.32, 0.29, 0.64, 0.26, c, corner=0.08)
    p.line([(-0.22, 0.48), (0.2, 0.48)], lighter(c, 0.5), 0.03)


@KITCHEN.drawn("#f2ead8")
def salt_shaker(p: Pen, c: str) -> None:
    p.poly([(-0.18, 0.66), (0.18, 0.66), (0.27, 0.03), (-0.27, 0.03)], c)
    p.sector(0, 0.66, 0.2, 0.26, 0, 180, STEEL)
    for x, y in ((-0.08, 0.75), (0.08, 0.75), (0, 0.83)):
        p.dot(x, y, 0.028)
    p.line([(-0.08, 0.22), (0.08, 0.26), (-0.08, 0.38), (0.08, 0.42)], "#4a78b8", 0.05, soft=True)


@KITCHEN.drawn("#c08a4e")
def basket(p: Pen, c: str) -> None:
    p.bar([(-0.36, 0.42), (-0.3, 0.78), (0, 0.92), (0.3, 0.78), (0.36, 0.42)], 0.05, c, soft=True)
    p.poly([(-0.44, 0.46), (0.44, 0.46), (0.34, 0.03), (-0.34, 0.03)], c)
    for y in (0.14, 0.26, 0.38):
        p.line([(-0.36, y), (0.36, y)], darker(c, 0.35), 0.03)
    for x in (-0.24, -0.08, 0.08, 0.24):
        p.line([(x, 0.06), (x * 1.15, 0.43)], darker(c, 0.35), 0.03)


@KITCHEN.drawn("#f3ead2")
def candle(p: Pen, c: str) -> None:
    p.bar([(0.2, 0.12), (0.4, 0.16), (0.38, 0.3), (0.24, 0.26)], 0.05, BRASS, soft=True)
    p.oval(0, 0.1, 0.3, 0.09, BRASS)
    p.box(-0.12, 0.12, 0.24, 0.5, c, corner=0.03)
    p.blob([(-0.12, 0.6), (0.12, 0.62), (0.13, 0.46), (0.06, 0.54), (-0.02, 0.44)], lighter(c, 0.6))
    p.blob([(0, 0.99), (0.11, 0.78), (0, 0.66), (-0.11, 0.78)], "#ff9d2e")
    p.dot(0, 0.75, 0.045, "#ffe98a", 0.07)


@KITCHEN.drawn("#7e96a8")
def bucket(p: Pen, c: str) -> None:
    p.bar([(-0.36, 0.6), (-0.28, 0.88), (0, 0.97), (0.28, 0.88), (0.36, 0.6)], 0.035, INK, soft=True)
    p.poly([(-0.4, 0.62), (0.4, 0.62), (0.28, 0.02), (-0.28, 0.02)], c)
    p.oval(0, 0.62, 0.4, 0.09, darker(c, 0.45))
    p.line([(-0.33, 0.3), (0.33, 0.3)], lighter(c), 0.045)


@KITCHEN.drawn("#cfd6dd")
def spoon(p: Pen, c: str) -> None:
    p = p.turned(-32)
    p.bar([(0, 0.62), (0, 0.02)], 0.07, c)
    p.oval(0, 0.78, 0.17, 0.22, c)
    p.dot(-0.04, 0.82, 0.06, lighter(c, 0.8), 0.1)


@KITCHEN.drawn("#d5dbe0")
def fork(p: Pen, c: str) -> None:
    p = p.turned(26)
    p.bar([(0, 0.56), (0, 0.0)], 0.07, c)
    for x in (-0.14, 0.0, 0.14):
        p.bar([(x, 0.66), (x, 0.97)], 0.045, c)
    p.sector(0, 0.68, 0.19, 0.2, 180, 360, c)


@KITCHEN.drawn("#e8a23c")
def coffee_mill(p: Pen, c: str) -> None:
    p.bar([(0, 0.68), (0, 0.84), (0.34, 0.9)], 0.045, STEEL)
    p.oval(0.36, 0.92, 0.07, 0.06, "#c43a2c")
    p.sector(0, 0.54, 0.26, 0.2, 0, 180, STEEL)
    p.box(-0.32, 0.03, 0.64, 0.5, c, corner=0.03)
    p.box(-0.2, 0.12, 0.4, 0.2, darker(c, 0.3))
    p.dot(0, 0.22, 0.045, BRASS)


@KITCHEN.drawn("#d4525e")
def vase(p: Pen, c: str) -> None:
    for x, y, fill in ((-0.22, 0.78, "#f3d04a"), (0.22, 0.8, "#f3f0e6"), (0.0, 0.88, "#e97fae")):
        p.bar([(x * 0.3, 0.5), (x, y)], 0.03, "#4f9a4a")
        p.oval(x, y, 0.12, 0.11, fill)
        p.dot(x, y, 0.04, "#8a5a2a")
    p.blob([(-0.14, 0.56), (0.14, 0.56), (0.1, 0.44), (0.26, 0.24), (0.14, 0.03), (-0.14, 0.03), (-0.26, 0.24), (-0.1, 0.44)], c)
    p.line([(-0.2, 0.26), (0.2, 0.26)], lighter(c, 0.6), 0.045)


@KITCHEN.drawn("#5b8f47")
def cactus(p: Pen, c: str) -> None:
    p.bar([(-0.1, 0.46), (-0.3, 0.48), (-0.3, 0.68)], 0.12, c, soft=True)
    p.bar([(0.1, 0.54), (0.28, 0.56), (0.28, 0.78)], 0.12, c, soft=True)
    p.box(-0.15, 0.26, 0.3, 0.7, c, corner=0.15)
    for x, y in ((-0.05, 0.8), (0.06, 0.66), (-0.05, 0.52), (0.05, 0.4)):
        p.line([(x, y), (x + 0.02, y + 0.06)], lighter(c, 0.7), 0.025)
    p.poly([(-0.27, 0.32), (0.27, 0.32), (0.2, 0.02), (-0.2, 0.02)], "#c96b3d")


@KITCHEN.drawn("#6d7f3a")
def scales(p: Pen, c: str) -> None:
    p.bar([(0, 0.1), (0, 0.88)], 0.06, BRASS)
    p.bar([(-0.38, 0.84), (0.38, 0.84)], 0.05, BRASS)
    for x in (-0.36, 0.36):
        p.line([(x - 0.12, 0.42), (x, 0.82), (x + 0.12, 0.42)])
        p.sector(x, 0.42, 0.14, 0.13, 180, 360, c)
    p.box(-0.24, 0.0, 0.48, 0.12, WOOD, corner=0.04)
