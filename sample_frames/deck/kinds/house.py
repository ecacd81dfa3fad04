"""Tools, and what stands about in a house."""

from __future__ import annotations

import math

from sample_frames.deck.kinds.kind import Kinds
from sample_frames.deck.pen import INK, Pen, darker, lighter

HOUSE = Kinds()
WOOD = "#b07a45"
STEEL = "#c9d2da"
BRASS = "#e0b040"
PAPER = "#fdf4dd"


@HOUSE.drawn("#e0b040")
def key(p: Pen, c: str) -> None:
    p = p.turned(-30)
    p.bar([(0, 0.6), (0, 0.04)], 0.09, c)
    p.bar([(0.02, 0.08), (0.18, 0.08)], 0.08, c)
    p.bar([(0.02, 0.26), (0.16, 0.26)], 0.08, c)
    p.oval(0, 0.76, 0.22, 0.22, c)
    p.dot(0, 0.78, 0.09, INK)


@HOUSE.drawn("#d8593c")
def lantern(p: Pen, c: str) -> None:
    p.bar([(-0.14, 0.84), (-0.1, 0.97), (0.1, 0.97), (0.14, 0.84)], 0.035, INK, soft=True)
    p.poly([(-0.2, 0.72), (0.2, 0.72), (0.1, 0.88), (-0.1, 0.88)], c)
    p.box(-0.22, 0.16, 0.44, 0.56, "#ffe08a")
    p.blob([(0, 0.6), (0.09, 0.4), (0, 0.26), (-0.09, 0.4)], "#ff9d2e")
    for x in (-0.22, 0.22):
        p.bar([(x, 0.16), (x, 0.72)], 0.05, c)
    p.box(-0.3, 0.02, 0.6, 0.15, c, corner=0.04)


@HOUSE.drawn("#c7374a")
def umbrella(p: Pen, c: str) -> None:
    p.bar([(0, 0.6), (0, 0.16), (0.06, 0.05), (0.16, 0.06), (0.18, 0.16)], 0.05, WOOD, soft=True)
    p.sector(0, 0.5, 0.48, 0.44, 0, 180, c)
    for x in (-0.32, 0.0, 0.32):
        p.sector(x, 0.5, 0.16, 0.08, 0, 180, darker(c, 0.4))
    p.patch([(-0.14, 0.56), (0.14, 0.56), (0.03, 0.92), (-0.03, 0.92)], lighter(c, 0.5))
    p.line([(0, 0.92), (0, 0.99)], INK, 0.05)


@HOUSE.drawn("#6e7886")
def hammer(p: Pen, c: str) -> None:
    p = p.turned(28)
    p.bar([(0, 0.7), (0, 0.02)], 0.11, WOOD)
    p.box(-0.28, 0.66, 0.42, 0.24, c, corner=0.03)
    p.poly([(0.14, 0.9), (0.14, 0.68), (0.36, 0.7)], c)


@HOUSE.drawn("#c8d0d8")
def saw(p: Pen, c: str) -> None:
    p = p.turned(-18, (0, 0.4))
    teeth = [(0.46 - i * 0.06, 0.26 if i % 2 else 0.2) for i in range(11)]
    p.poly([(-0.14, 0.56), (0.48, 0.42), (0.48, 0.26), *teeth, (-0.14, 0.26)], c)
    p.box(-0.5, 0.24, 0.38, 0.36, "#c86a32", corner=0.1)
    p.box(-0.4, 0.34, 0.18, 0.15, "#6b3b1c", corner=0.06)


@HOUSE.drawn("#c8955a")
def ladder(p: Pen, c: str) -> None:
    for y in (0.18, 0.38, 0.58, 0.78):
        p.bar([(-0.24 + y * 0.1, y), (0.24 - y * 0.1, y)], 0.06, lighter(c, 0.25))
    p.bar([(-0.28, 0.03), (-0.17, 0.97)], 0.08, c)
    p.bar([(0.28, 0.03), (0.17, 0.97)], 0.08, c)


@HOUSE.drawn("#3f7fc0")
def scissors(p: Pen, c: str) -> None:
    p.bar([(-0.2, 0.94), (0.12, 0.36)], 0.08, STEEL)
    p.bar([(0.2, 0.94), (-0.12, 0.36)], 0.08, STEEL)
    for side in (-1, 1):
        p.oval(side * 0.22, 0.19, 0.2, 0.18, c)
        p.dot(side * 0.22, 0.19, 0.1, "#efe5cc", 0.08)
    p.dot(0, 0.57, 0.04)


@HOUSE.drawn("#d04a3c")
def paintbrush(p: Pen, c: str) -> None:
    p = p.turned(-34)
    p.bar([(0, 0.62), (0, 0.02)], 0.09, c)
    p.box(-0.1, 0.56, 0.2, 0.16, STEEL)
    p.blob([(-0.1, 0.72), (0.1, 0.72), (0.15, 0.84), (0.02, 1.02), (-0.12, 0.86)], "#4a9a8a")


@HOUSE.drawn("#d8a842")
def broom(p: Pen, c: str) -> None:
    p = p.turned(14)
    p.bar([(0, 0.4), (0, 0.98)], 0.06, WOOD)
    p.poly([(-0.12, 0.42), (0.12, 0.42), (0.28, -0.02), (-0.28, -0.02)], c)
    p.box(-0.13, 0.34, 0.26, 0.1, "#c43a3a")
    for x in (-0.12, 0.0, 0.12):
        p.line([(x * 0.8, 0.3), (x * 1.4, 0.04)], darker(c), 0.03)


@HOUSE.drawn("#ffe27a")
def light_bulb(p: Pen, c: str) -> None:
    p.box(-0.14, 0.02, 0.28, 0.26, STEEL, corner=0.05)
    p.line([(-0.13, 0.13), (0.13, 0.17)])
    p.blob([(0, 0.99), (0.24, 0.9), (0.34, 0.66), (0.16, 0.3), (-0.16, 0.3), (-0.34, 0.66), (-0.24, 0.9)], c)
    p.line([(-0.07, 0.32), (-0.12, 0.58), (0, 0.5), (0.12, 0.58), (0.07, 0.32)], "#c46a1c", 0.035)


@HOUSE.drawn("#d9a93a")
def padlock(p: Pen, c: str) -> None:
    p.bar([(-0.2, 0.5), (-0.2, 0.76), (0, 0.9), (0.2, 0.76), (0.2, 0.5)], 0.08, STEEL, soft=True)
    p.box(-0.34, 0.04, 0.68, 0.5, c, corner=0.08)
    p.dot(0, 0.34, 0.075)
    p.patch([(-0.035, 0.32), (0.035, 0.32), (0.055, 0.16), (-0.055, 0.16)], INK)


@HOUSE.drawn("#d23a3a")
def magnet(p: Pen, c: str) -> None:
    p.bar([(-0.28, 0.88), (-0.28, 0.42), (0, 0.16), (0.28, 0.42), (0.28, 0.88)], 0.2, c, soft=True)
    for x in (-0.28, 0.28):
        p.box(x - 0.12, 0.72, 0.24, 0.22, "#eef0f2")


@HOUSE.drawn("#4aa39a")
def alarm_clock(p: Pen, c: str) -> None:
    for side in (-1, 1):
        p.bar([(side * 0.2, 0.14), (side * 0.3, 0.02)], 0.07, darker(c, 0.3))
        p.sector(side * 0.22, 0.76, 0.16, 0.15, 0, 180, BRASS)
    p.oval(0, 0.45, 0.38, 0.38, c)
    p.oval(0, 0.45, 0.27, 0.27, "#fffaf0")
    p.line([(0, 0.62), (0, 0.45), (0.13, 0.38)], INK, 0.05)


@HOUSE.drawn("#b5793f")
def hourglass(p: Pen, c: str) -> None:
    p.blob(
        [
            (-0.2, 0.88), (0.2, 0.88), (0.2, 0.68), (0.03, 0.5), (0.2, 0.32),
            (0.2, 0.12), (-0.2, 0.12), (-0.2, 0.32), (-0.03, 0.5), (-0.2, 0.68),
        ],
        "#d9eef4",
    )
    p.patch([(-0.14, 0.7), (0.14, 0.7), (0, 0.52)], "#e8b84a")
    p.patch([(-0.19, 0.14), (0.19, 0.14), (0, 0.36)], "#e8b84a")
    p.box(-0.32, 0.86, 0.64, 0.12, c, corner=0.03)
    p.box(-0.32, 0.02, 0.64, 0.12, c, corner=0.03)


@HOUSE.drawn("#8a4f2c")
def magnifying_glass(p: Pen, c: str) -> None:
    p.bar([(0.12, 0.36), (0.4, 0.06)], 0.13, c)
    p.oval(-0.1, 0.6, 0.35, 0.35, BRASS)
    p.oval(-0.1, 0.6, 0.25, 0.25, "#cdeaf5")
    p.line([(-0.24, 0.62), (-0.18, 0.74), (-0.06, 0.78)], "#ffffff", 0.05, soft=True)


@HOUSE.drawn("#d8b04a")
def compass(p: Pen, c: str) -> None:
    p.oval(0, 0.88, 0.09, 0.09, c)
    p.oval(0, 0.42, 0.42, 0.42, c)
    p.oval(0, 0.42, 0.31, 0.31, "#fdf6e6")
    p.poly([(0.18, 0.66), (0.07, 0.36), (-0.07, 0.48)], "#d0342c")
    p.poly([(-0.18, 0.18), (-0.07, 0.48), (0.07, 0.36)], "#44546a")


@HOUSE.drawn("#3f5f8a")
def telescope(p: Pen, c: str) -> None:
    for x in (-0.26, 0.02, 0.28):
        p.bar([(0, 0.46), (x, 0.02)], 0.05, WOOD)
    p = p.turned(22, (0, 0.56))
    p.box(-0.46, 0.49, 0.3, 0.16, BRASS)
    p.box(-0.2, 0.46, 0.36, 0.22, c)
    p.box(0.14, 0.42, 0.34, 0.3, BRASS, corner=0.02)


@HOUSE.drawn("#4a4a58")
def camera(p: Pen, c: str) -> None:
    p.box(-0.2, 0.58, 0.3, 0.16, darker(c, 0.3))
    p.box(0.24, 0.58, 0.14, 0.1, "#d0342c")
    p.box(-0.46, 0.08, 0.92, 0.52, c, corner=0.07)
    p.patch([(-0.44, 0.4), (0.44, 0.4), (0.44, 0.5), (-0.44, 0.5)], "#b98a5a")
    p.oval(0, 0.32, 0.22, 0.22, STEEL)
    p.oval(0, 0.32, 0.13, 0.13, "#4a7fb0")
    p.dot(-0.05, 0.37, 0.04, "#ffffff")


@HOUSE.drawn("#b5303f")
def telephone(p: Pen, c: str) -> None:
    p.blob([(-0.22, 0.5), (0.22, 0.5), (0.4, 0.06), (0, 0.02), (-0.4, 0.06)], c)
    p.oval(0, 0.28, 0.15, 0.14, "#fdf3dc")
    p.dot(0, 0.28, 0.05, c)
    p.bar([(-0.36, 0.58), (-0.3, 0.7), (0.3, 0.7), (0.36, 0.58)], 0.13, c, soft=True)
    p.line([(-0.1, 0.52), (-0.1, 0.62)], INK, 0.05)
    p.line([(0.1, 0.52), (0.1, 0.62)], INK, 0.05)


@HOUSE.drawn("#a8693a")
def radio(p: Pen, c: str) -> None:
    p.line([(0.3, 0.6), (0.46, 0.96)], STEEL, 0.045)
    p.box(-0.46, 0.04, 0.92, 0.6, c, corner=0.1)
    p.oval(-0.2, 0.32, 0.19, 0.2, "#f0dfb8")
    for y in (0.24, 0.32, 0.4):
        p.line([(-0.33, y), (-0.07, y)], darker("#f0dfb8", 0.5), 0.03)
    p.box(0.08, 0.38, 0.28, 0.14, "#ffe08a")
    p.dot(0.14, 0.2, 0.06)
    p.dot(0.31, 0.2, 0.06)


@HOUSE.drawn("#3d6fae")
def book(p: Pen, c: str) -> None:
    p.poly([(-0.34, 0.86), (0.26, 0.94), (0.36, 0.9), (0.36, 0.1), (-0.3, 0.02)], PAPER)
    p.poly([(-0.38, 0.86), (0.24, 0.94), (0.24, 0.12), (-0.38, 0.02)], c)
    p.patch([(-0.26, 0.7), (0.12, 0.75), (0.12, 0.56), (-0.26, 0.51)], "#f3d26b")
    p.line([(-0.3, 0.86), (-0.3, 0.04)], darker(c, 0.4), 0.035)


@HOUSE.drawn("#f6ecd4")
def letter(p: Pen, c: str) -> None:
    p.box(-0.45, 0.1, 0.9, 0.6, c, corner=0.02)
    p.line([(-0.43, 0.68), (0, 0.36), (0.43, 0.68)], INK, 0.035)
    p.oval(0, 0.36, 0.12, 0.12, "#c4303a")


@HOUSE.drawn("#f0b52e")
def pencil(p: Pen, c: str) -> None:
    p = p.turned(-40)
    p.poly([(-0.09, 0.2), (0.09, 0.2), (0, -0.04)], "#f3dcb4")
    p.patch([(-0.035, 0.05), (0.035, 0.05), (0, -0.03)], INK)
    p.box(-0.1, 0.2, 0.2, 0.6, c)
    p.box(-0.1, 0.8, 0.2, 0.1, STEEL)
    p.box(-0.1, 0.88, 0.2, 0.12, "#e8818e", corner=0.04)


@HOUSE.drawn("#4f9fce")
def globe(p: Pen, c: str) -> None:
    p.box(-0.22, 0.0, 0.44, 0.09, WOOD, corner=0.03)
    p.bar([(0, 0.08), (0, 0.2)], 0.07, WOOD)
    p.bar([(-0.1, 0.96), (-0.4, 0.74), (-0.4, 0.4), (-0.1, 0.2), (0.14, 0.2)], 0.05, BRASS, soft=True)
    p.oval(0.02, 0.58, 0.34, 0.34, c)
    p.blob([(-0.2, 0.76), (0, 0.8), (0.06, 0.66), (-0.1, 0.52), (-0.24, 0.6)], "#6aa84f")
    p.blob([(0.06, 0.5), (0.26, 0.54), (0.24, 0.38), (0.08, 0.34)], "#6aa84f")


@HOUSE.drawn("#b3733e")
def chair(p: Pen, c: str) -> None:
    p.bar([(-0.26, 0.98), (-0.28, 0.03)], 0.08, c)
    p.bar([(0.12, 0.96), (0.12, 0.44)], 0.07, c)
    for y in (0.9, 0.72):
        p.bar([(-0.24, y), (0.1, y)], 0.09, lighter(c, 0.2))
    p.bar([(0.3, 0.4), (0.32, 0.03)], 0.08, c)
    p.bar([(-0.06, 0.36), (-0.06, 0.1)], 0.07, darker(c, 0.2))
    p.poly([(-0.32, 0.36), (0.26, 0.36), (0.38, 0.46), (-0.16, 0.5)], "#c8443a")


@HOUSE.drawn("#d0503f")
def stool(p: Pen, c: str) -> None:
    for x in (-0.28, 0.28, 0.0):
        p.bar([(x * 0.7, 0.56), (x, 0.04)], 0.08, WOOD)
    p.bar([(-0.22, 0.24), (0.22, 0.24)], 0.05, WOOD)
    p.oval(0, 0.6, 0.4, 0.14, c)


@HOUSE.drawn("#d9b24a")
def birdcage(p: Pen, c: str) -> None:
    p.oval(0, 0.92, 0.07, 0.07, c)
    p.sector(0, 0.5, 0.33, 0.36, 0, 180, "#e8f1ee")
    p.box(-0.33, 0.12, 0.66, 0.4, "#e8f1ee")
    p.blob([(-0.18, 0.3), (-0.02, 0.46), (0.12, 0.44), (0.14, 0.3), (0.0, 0.22)], "#3f8fd0")
    p.poly([(0.13, 0.42), (0.22, 0.38), (0.13, 0.35)], "#ee8a2c")
    for x in (-0.2, 0.0, 0.2):
        p.line([(x, 0.14), (x, 0.82 - abs(x) * 0.4)], darker(c, 0.25), 0.035)
    p.box(-0.4, 0.03, 0.8, 0.12, c, corner=0.04)


@HOUSE.drawn("#c99a3a")
def picture(p: Pen, c: str) -> None:
    p.box(-0.45, 0.06, 0.9, 0.74, c)
    p.box(-0.34, 0.17, 0.68, 0.52, "#a8d8ea")
    p.patch([(-0.32, 0.19), (-0.1, 0.5), (0.06, 0.3), (0.16, 0.4), (0.32, 0.19)], "#5a8f52")
    p.dot(0.18, 0.56, 0.065, "#ffdf6b")
    p.line([(-0.2, 0.82), (0, 0.97), (0.2, 0.82)], INK, 0.03)


@HOUSE.drawn("#8a5230")
def suitcase(p: Pen, c: str) -> None:
    p.bar([(-0.14, 0.62), (-0.12, 0.76), (0.12, 0.76), (0.14, 0.62)], 0.06, INK, soft=True)
    p.box(-0.46, 0.04, 0.92, 0.6, c, corner=0.07)
    for x in (-0.26, 0.26):
        p.patch([(x - 0.05, 0.06), (x + 0.05, 0.06), (x + 0.05, 0.62), (x - 0.05, 0.62)], lighter(c, 0.45))
    p.dot(0, 0.46, 0.055, BRASS)


@HOUSE.drawn("#4f86c6")
def gift(p: Pen, c: str) -> None:
    p.box(-0.36, 0.03, 0.72, 0.52, c)
    p.box(-0.42, 0.52, 0.84, 0.18, lighter(c, 0.15))
    p.box(-0.08, 0.03, 0.16, 0.67, "#f2c744")
    for side in (-1, 1):
        p.blob([(0, 0.72), (side * 0.12, 0.94), (side * 0.32, 0.92), (side * 0.28, 0.76)], "#f2c744")


@HOUSE.drawn("#5a9a72")
def watering_can(p: Pen, c: str) -> None:
    p.bar([(0.14, 0.2), (0.36, 0.56), (0.4, 0.66)], 0.08, c)
    p.poly([(0.28, 0.74), (0.5, 0.58), (0.44, 0.52), (0.24, 0.66)], darker(c, 0.2))
    p.bar([(-0.28, 0.2), (-0.47, 0.4), (-0.38, 0.66), (-0.18, 0.68)], 0.05, c, soft=True)
    p.box(-0.32, 0.03, 0.52, 0.54, c, corner=0.05)
    p.bar([(-0.26, 0.56), (-0.14, 0.78), (0.06, 0.78), (0.14, 0.56)], 0.05, c, soft=True)


@HOUSE.drawn("#4a5a78")
def anchor(p: Pen, c: str) -> None:
    p.bar([(0, 0.08), (0, 0.74)], 0.1, c)
    p.bar([(-0.22, 0.64), (0.22, 0.64)], 0.09, c)
    p.bar([(-0.4, 0.36), (-0.28, 0.12), (0, 0.06), (0.28, 0.12), (0.4, 0.36)], 0.1, c, soft=True)
    p.oval(0, 0.86, 0.12, 0.12, c)
    p.dot(0, 0.86, 0.05, "#efe5cc")


@HOUSE.drawn("#b9824a")
def wheel(p: Pen, c: str) -> None:
    p.oval(0, 0.46, 0.45, 0.45, c)
    p.dot(0, 0.46, 0.31, "#efe0c0")
    for i in range(4):
        a = math.radians(45 * i + 20)
        p.line([(-0.33 * math.cos(a), 0.46 - 0.33 * math.sin(a)), (0.33 * math.cos(a), 0.46 + 0.33 * math.sin(a))], darker(c), 0.06)
    p.oval(0, 0.46, 0.11, 0.11, c)


@HOUSE.drawn("#efbf3a")
def crown(p: Pen, c: str) -> None:
    p.poly([(-0.4, 0.1), (-0.47, 0.7), (-0.22, 0.42), (0, 0.84), (0.22, 0.42), (0.47, 0.7), (0.4, 0.1)], c)
    for x, y, fill in ((-0.45, 0.74, "#d0343f"), (0, 0.88, "#3f7fd0"), (0.45, 0.74, "#d0343f")):
        p.oval(x, y, 0.05, 0.05, fill)
    p.line([(-0.38, 0.2), (0.38, 0.2)], darker(c), 0.05)
    for x in (-0.2, 0.0, 0.2):
        p.dot(x, 0.3, 0.045, "#c0304a")


@HOUSE.drawn("#5fb8e0")
def ring(p: Pen, c: str) -> None:
    p.oval(0, 0.33, 0.33, 0.33, BRASS)
    p.dot(0, 0.33, 0.22, "#efe5cc")
    p.poly([(-0.2, 0.84), (-0.1, 0.97), (0.1, 0.97), (0.2, 0.84), (0, 0.58)], c)
    p.line([(-0.2, 0.84), (0.2, 0.84)], INK, 0.025)


@HOUSE.drawn("#7a4a26")
def treasure_chest(p: Pen, c: str) -> None:
    for x in (-0.24, -0.06, 0.12, 0.28):
        p.oval(x, 0.5, 0.11, 0.09, "#f6cf45")
    p.sector(0, 0.62, 0.44, 0.3, 0, 180, c)
    p.box(-0.44, 0.03, 0.88, 0.42, c, corner=0.02)
    for x in (-0.3, 0.3):
        p.patch([(x - 0.045, 0.05), (x + 0.045, 0.05), (x + 0.045, 0.44), (x - 0.045, 0.44)], BRASS)
    p.box(-0.09, 0.24, 0.18, 0.2, BRASS)
    p.dot(0, 0.33, 0.04)


@HOUSE.drawn("#d23a3a")
def flag(p: Pen, c: str) -> None:
    p.bar([(-0.32, 0.03), (-0.32, 0.96)], 0.06, WOOD)
    p.blob([(-0.28, 0.92), (-0.06, 0.86), (0.14, 0.94), (0.42, 0.88), (0.4, 0.5), (0.14, 0.54), (-0.06, 0.46), (-0.28, 0.5)], c)
    p.dot(0.06, 0.7, 0.12, "#fff6e0")


@HOUSE.drawn("#f0dcae")
def map(p: Pen, c: str) -> None:
    p.poly([(-0.46, 0.72), (-0.16, 0.84), (0.16, 0.72), (0.46, 0.84), (0.46, 0.2), (0.16, 0.08), (-0.16, 0.2), (-0.46, 0.08)], c)
    p.line([(-0.16, 0.82), (-0.16, 0.22)], darker(c), 0.025)
    p.line([(0.16, 0.7), (0.16, 0.1)], darker(c), 0.025)
    p.line([(-0.36, 0.24), (-0.24, 0.46), (-0.02, 0.4), (0.1, 0.6)], "#3f77b8", 0.045, soft=True)
    p.line([(0.2, 0.52), (0.36, 0.68)], "#c8302c", 0.06)
    p.line([(0.2, 0.68), (0.36, 0.52)], "#c8302c", 0.06)


@HOUSE.drawn("#7a52a8")
def mask(p: Pen, c: str) -> None:
    p.bar([(0.38, 0.5), (0.46, 0.06)], 0.04, BRASS)
    p.blob(
        [(-0.48, 0.74), (-0.2, 0.72), (0, 0.62), (0.2, 0.72), (0.48, 0.74), (0.4, 0.4), (0.18, 0.3), (0, 0.42), (-0.18, 0.3), (-0.4, 0.4)],
        c,
    )
    for x in (-0.22, 0.22):
        p.oval(x, 0.54, 0.12, 0.07, "#efe5cc")
    p.poly([(0, 0.7), (0.1, 0.94), (0, 0.86), (-0.1, 0.94)], "#f2c744")


@HOUSE.drawn("#e4b43c")
def trophy(p: Pen, c: str) -> None:
    for side in (-1, 1):
        p.bar([(side * 0.24, 0.84), (side * 0.44, 0.8), (side * 0.38, 0.56), (side * 0.18, 0.5)], 0.05, c, soft=True)
    p.box(-0.06, 0.18, 0.12, 0.24, c)
    p.blob([(-0.29, 0.93), (0.29, 0.93), (0.24, 0.56), (0, 0.34), (-0.24, 0.56)], c)
    p.box(-0.24, 0.02, 0.48, 0.17, "#6b4226", corner=0.02)
    p.dot(-0.12, 0.74, 0.04, lighter(c, 0.7), 0.11)


@HOUSE.drawn("#4a6f78")
def typewriter(p: Pen, c: str) -> None:
    p.box(-0.26, 0.5, 0.52, 0.44, PAPER)
    for y in (0.72, 0.82):
        p.line([(-0.17, y), (0.17, y)], "#8a8494", 0.03)
    p.bar([(-0.42, 0.52), (0.42, 0.52)], 0.12, INK)
    p.poly([(-0.36, 0.48), (0.36, 0.48), (0.46, 0.04), (-0.46, 0.04)], c)
    for y, n in ((0.3, 5), (0.16, 6)):
        for i in range(n):
            p.dot((i - (n - 1) / 2) * 0.13, y, 0.042, "#fdf4dd")


@HOUSE.drawn("#c99a4a")
def mirror(p: Pen, c: str) -> None:
    p.bar([(0, 0.3), (0, 0.04)], 0.11, c)
    p.oval(0, 0.62, 0.31, 0.36, c)
    p.oval(0, 0.62, 0.21, 0.26, "#cfe9f4")
    p.line([(-0.1, 0.56), (0.06, 0.78)], "#ffffff", 0.05)


@HOUSE.drawn("#3f4f8a")
def inkwell(p: Pen, c: str) -> None:
    p.blob([(0.02, 0.36), (0.16, 0.66), (0.42, 0.99), (0.34, 0.62), (0.14, 0.4)], "#f6f2e6")
    p.line([(0.02, 0.34), (0.36, 0.88)], INK, 0.025)
    p.box(-0.12, 0.34, 0.24, 0.12, darker(c, 0.3))
    p.blob([(-0.14, 0.36), (0.14, 0.36), (0.32, 0.2), (0.32, 0.04), (-0.32, 0.04), (-0.32, 0.2)], c)
    p.dot(-0.14, 0.2, 0.05, lighter(c, 0.6))


@HOUSE.drawn("#b5443f")
def fan(p: Pen, c: str) -> None:
    p.sector(0, 0.16, 0.48, 0.66, 15, 165, c, centre=True)
    p.sector(0, 0.16, 0.26, 0.36, 15, 165, lighter(c, 0.5), centre=True)
    for degrees in (40, 65, 90, 115, 140):
        angle = math.radians(degrees)
        p.line([(0, 0.16), (0.46 * math.cos(angle), 0.16 + 0.63 * math.sin(angle))], INK, 0.025)
    p.dot(0, 0.15, 0.06, BRASS)


@HOUSE.drawn("#a8522c")
def violin(p: Pen, c: str) -> None:
    p = p.turned(-30)
    p.bar([(0, 0.56), (0, 0.94)], 0.07, "#3a2618")
    p.oval(0, 0.95, 0.06, 0.05, "#3a2618")
    p.blob([(0, 0.62), (0.18, 0.56), (0.11, 0.38), (0.24, 0.16), (0.1, 0.0), (-0.1, 0.0), (-0.24, 0.16), (-0.11, 0.38), (-0.18, 0.56)], c)
    p.line([(0, 0.1), (0, 0.7)], "#f2e6c8", 0.035)
    for side in (-1, 1):
        p.line([(side * 0.1, 0.2), (side * 0.08, 0.34)], INK, 0.035)
