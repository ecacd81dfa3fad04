"""What a spot may show instead: the menu from which the photos take their departures.

A variant is offered only if it can be seen: in the finished picture, made grey and as small as a webcam shows it, it must differ plainly
from the common scene and from every other variant of its spot. That also keeps recolourings honest on the black-and-white side.
"""

from __future__ import annotations

import math
import random
from collections.abc import Iterator, Mapping
from itertools import cycle

import cv2
import numpy as np
from msgspec.structs import replace

from sample_frames.deck.kinds import KINDS, Kind
from sample_frames.deck.kinds.animals import ANIMALS
from sample_frames.deck.kinds.clothes import CLOTHES
from sample_frames.deck.kinds.food import FOOD
from sample_frames.deck.kinds.house import HOUSE
from sample_frames.deck.kinds.kitchen import KITCHEN
from sample_frames.deck.kinds.sky import SKY
from sample_frames.deck.kinds.toys import TOYS
from sample_frames.deck.market import HEIGHT_MM, WIDTH_MM
from sample_frames.deck.pen import lightness
from sample_frames.deck.scene import SPOTS, BoxMm, Spot, Thing, box_mm, draw_photos, joined
from sample_frames.deck.sheet import Picture, pixels

SMALL_PX = 250
"""The width at which a webcam at arm's length shows a photo."""
PLAIN_LEVELS = 30
PLAIN_PIXELS = 36
"""A difference is plain when so many pixels of the small grey picture differ by so many of 255 levels."""
MOST_VARIANTS = 4
RING_MARGIN_MM = 0.5
GAP_MM = 0.4
PALETTE = ("#d8392f", "#f3cf3b", "#3f7fb5", "#58a65c", "#7b4aa0", "#f2ead8", "#3a3650", "#e88fb4")
FLIERS: dict[str, Kind] = {name: ANIMALS[name] for name in ("owl", "bee", "butterfly", "parrot")}
FITTING: dict[str, tuple[dict[str, Kind], ...]] = {
    "sky": (SKY, FLIERS),
    "food": (FOOD, KITCHEN),
    "odds": (HOUSE,),
    "toys": (TOYS,),
    "street": (ANIMALS, CLOTHES),
}
"""What may take a place in each area of the picture."""
Menu = dict[str, tuple[Thing | None, ...]]


def ring(boxes: list[BoxMm]) -> tuple[float, float, float]:
    """Centre and radius in mm of the circle that the back prints round these boxes, pushed inwards where the edge would cut it."""
    x, y, width, height = joined(boxes)
    radius = 0.54 * max(width, height, 0.8 * math.hypot(width, height)) + RING_MARGIN_MM
    least = radius + RING_MARGIN_MM
    return (min(max(x + width / 2, least), WIDTH_MM - least), min(max(y + height / 2, least), HEIGHT_MM - least), radius)


def grey_small(picture: Picture) -> Picture:
    """As the black-and-white side looks in a webcam: grey, SMALL_PX wide, each pixel the mean of what it covers."""
    height = round(picture.shape[0] * SMALL_PX / picture.shape[1])
    small = cv2.resize(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), (SMALL_PX, height), interpolation=cv2.INTER_AREA)
    return np.asarray(small, dtype=np.uint8)


def plain_pixels(a: Picture, b: Picture, box: BoxMm) -> int:
    """How many pixels of two small grey pictures differ plainly in a box of the photo (mm)."""
    scale = a.shape[1] / WIDTH_MM
    x0, y0 = max(0, math.floor(box[0] * scale)), max(0, math.floor(box[1] * scale))
    x1, y1 = math.ceil((box[0] + box[2]) * scale), math.ceil((box[1] + box[3]) * scale)
    difference = np.abs(a[y0:y1, x0:x1].astype(np.int16) - b[y0:y1, x0:x1].astype(np.int16))
    return int(np.count_nonzero(difference >= PLAIN_LEVELS))


def spare_kinds(area: str) -> list[str]:
    """Kinds that would fit into an area of the picture and that the scene does not show."""
    shown = {spot.base.kind for spot in SPOTS.values() if spot.base}
    return sorted(name for family in FITTING[area] for name in family if name not in shown)


def candidates(spot: Spot, source: random.Random, spare: Iterator[str]) -> list[Thing | None]:
    """What the spot could show instead of its thing, the best first; `spare` gives kinds that fit there."""
    if spot.base is None:
        return [] if spot.room else [Thing(next(spare)) for _ in range(6)]
    base = spot.base
    usual = lightness(KINDS[base.kind].colour)
    colours = [colour for colour in PALETTE if abs(lightness(colour) - usual) >= 55]
    found: list[Thing | None] = [None, replace(base, scale=0.62)]
    found += [replace(base, colour=colour) for colour in source.sample(colours, min(2, len(colours)))]
    found += [Thing(next(spare)) for _ in range(2)]
    source.shuffle(found)
    # few things have room to move, and many look the same in a mirror: these come first where they can
    return [*(replace(base, shift_mm=shift) for shift in _moves(spot)), replace(base, mirrored=True), *found]


def _moves(spot: Spot) -> list[tuple[float, float]]:
    """Shifts (mm) that the thing at a spot has room for: in the open sky, or towards a free place beside it."""
    if spot.name.startswith("sky"):
        return [(2.4, -1.2) if spot.x_mm < WIDTH_MM / 2 else (-2.4, -1.2)]
    free = [other for other in SPOTS.values() if other.room and other.y_mm == spot.y_mm]
    return [((other.x_mm - spot.x_mm) * 0.45, 0.0) for other in free if abs(other.x_mm - spot.x_mm) < 1.5 * spot.size_mm]


def offered(*, seed: int = 7) -> Menu:
    """The menu: spots that may vary, none so near another that their circles could touch, with up to MOST_VARIANTS variants each."""
    source = random.Random(seed)
    spare = {area: cycle(source.sample(kinds, len(kinds))) for area in FITTING for kinds in [spare_kinds(area)]}
    wishes = _apart({name: candidates(spot, source, spare[name.split("-")[0]]) for name, spot in SPOTS.items()}, source)
    *seen, scene = _pictures(wishes)
    menu: Menu = {}
    for name, things in wishes.items():
        spot = SPOTS[name]
        chosen: list[tuple[Thing | None, Picture]] = [(spot.base, scene)]
        for thing, picture in zip(things, seen, strict=False):
            if all(plain_pixels(picture, other, joined(_boxes(spot, thing, base))) >= PLAIN_PIXELS for base, other in chosen):
                chosen.append((thing, picture))
        menu[name] = tuple(thing for thing, _ in chosen[1 : 1 + MOST_VARIANTS])
    return menu


def _boxes(spot: Spot, *things: Thing | None) -> list[BoxMm]:
    return [box_mm(spot, thing) for thing in things if thing is not None]


def _pictures(wishes: Mapping[str, list[Thing | None]]) -> list[Picture]:
    """Small grey pictures: the n-th shows the n-th wish of every spot at once, the last the scene itself."""
    rounds = max(len(things) for things in wishes.values())
    states: list[dict[str, Thing | None]] = [{name: things[n] for name, things in wishes.items() if n < len(things)} for n in range(rounds)]
    return [grey_small(picture) for picture in pixels(draw_photos([*states, {}]))]


def _apart(wishes: dict[str, list[Thing | None]], source: random.Random) -> dict[str, list[Thing | None]]:
    """Spots whose circles never touch: the most that many greedy choices by chance find."""
    rings = {name: ring(_boxes(SPOTS[name], SPOTS[name].base, *things)) for name, things in wishes.items() if things}

    def touch(a: str, b: str) -> bool:
        (xa, ya, ra), (xb, yb, rb) = rings[a], rings[b]
        return math.hypot(xa - xb, ya - yb) < ra + rb + GAP_MM

    near = {a: {b for b in rings if b != a and touch(a, b)} for a in rings}
    # places where something can come or move to are rare: they choose first
    rare = {name for name in rings if SPOTS[name].base is None or _moves(SPOTS[name])}
    best: set[str] = set()
    for _ in range(400):
        kept: set[str] = set()
        for name in sorted(rings, key=lambda name: (name not in rare, source.random() * (1 + len(near[name])))):
            if not near[name] & kept:
                kept.add(name)
        best = max(best, kept, key=len)
    return {name: wishes[name] for name in SPOTS if name in best}
