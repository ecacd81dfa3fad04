"""The common scene: which thing stands where, and what a photo shows in its place.

A *spot* is a place on a shelf, a hook, the street or in the sky; a *thing* is what lies there. A photo is the scene with other
things (or none) at one to five of its spots.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import msgspec

from sample_frames.deck import market
from sample_frames.deck.kinds import KINDS
from sample_frames.deck.sheet import Sheet

SEED = 1889


class Thing(msgspec.Struct, frozen=True, omit_defaults=True):
    """A drawn thing. `colour` None is its usual one, `shift_mm` moves it from its spot (right and down positive)."""

    kind: str
    colour: str | None = None
    scale: float = 1.0
    shift_mm: tuple[float, float] = (0.0, 0.0)
    mirrored: bool = False


@dataclass(frozen=True)
class Spot:
    """A place for a thing: the middle of its foot in mm from the photo's top left corner, and the side of its box."""

    name: str
    x_mm: float
    y_mm: float
    size_mm: float
    base: Thing | None
    hangs: bool = False
    """On a hook or in the air: without a shadow on the ground."""
    room: bool = False
    """Kept free for the neighbours, which may move into it."""


BoxMm = tuple[float, float, float, float]
"""x, y, width, height in mm."""

SKY = ["bird", "hot air balloon", "kite", "airplane", "bat", "rocket", "star", "balloon", "flying saucer"]
FOOD_STALL = [
    ["apple", "pear", "pineapple", "cherries", "lemon"],
    ["jar", "cheese", "bread", "bottle", "cake"],
    ["watermelon", "bowl", "cupcake", "teapot", "-"],
    ["pan", "carrot", "strawberry", "", "grapes"],
]
ODDS_STALL = [
    ["globe", "hourglass", "camera", "vase", "book"],
    ["alarm clock", "crown", "telephone", "", "radio"],
    ["scales", "treasure chest", "candle", "telescope", "trophy"],
    ["key", "scissors", "mask", "magnifying glass", "padlock"],
]
TOY_STALL = [
    ["teddy", "nesting doll", "train", "robot", "dice"],
    ["car", "drum", "-", "boat", "ball"],
    ["rocking horse", "spinning top", "blocks", "pinwheel", "gift"],
    ["", "yo yo", "bell", "guitar", "puzzle piece"],
]
STREET = [
    [
        "chair", "umbrella", "cat", "lantern", "suitcase", "-", "pumpkin",
        "bucket", "dog", "boot", "watering can", "snail", "hat", "stool",
    ],
    [
        "mushroom", "rabbit", "basket", "anchor", "accordion", "mouse", "birdcage",
        "skateboard", "turtle", "ladder", "", "jug", "shirt", "penguin",
    ],
    [
        "frog", "wheel", "-", "rubber duck", "handbag", "broom", "compass",
        "fish", "flag", "hammer", "crab", "saw", "picture", "letter",
    ],
]
"""What stands where, from left to right; "" is a free place that something may come to, "-" one that a neighbour may move into."""


def _spots() -> tuple[Spot, ...]:
    spots = []

    def put(name: str, x: float, y: float, size: float, kind: str, *, hangs: bool = False) -> None:
        spots.append(Spot(name, x, y, size, Thing(kind) if kind in KINDS else None, hangs, kind == "-"))

    for i, kind in enumerate(SKY):
        put(f"sky-{i + 1}", 6.2 + i * 12.3, 9.4 + (i % 2) * 0.9, 7.6, kind, hangs=True)
    for (left, right), rows, name in zip(market.STALLS, (FOOD_STALL, ODDS_STALL, TOY_STALL), ("food", "odds", "toys"), strict=True):
        pitch = (right - left - 2.8) / 5
        for row, (kinds, y) in enumerate(zip(rows, (*market.SHELVES, market.COUNTER, market.STREET - 1.1), strict=True)):
            hangs = row == 3
            for i, kind in enumerate(kinds):
                put(f"{name}-{row + 1}-{i + 1}", left + 1.4 + (i + 0.5) * pitch, y, 6.5 if hangs else 6.8, kind, hangs=hangs)
    for row, (kinds, y, size) in enumerate(zip(STREET, (63.2, 71.2, 79.2), (7.4, 7.6, 7.9), strict=True)):
        for i, kind in enumerate(kinds):
            put(f"street-{row + 1}-{i + 1}", 5.2 + i * 8.43, y, size, kind)
    return tuple(spots)


SPOTS: dict[str, Spot] = {spot.name: spot for spot in _spots()}
State = Mapping[str, Thing | None]
"""What a photo shows at spots where it departs from the scene."""


def box_mm(spot: Spot, thing: Thing) -> BoxMm:
    """The box that the thing and its shadow fill in the photo."""
    drawn = _drawn_mm(spot, thing)
    return drawn if spot.hangs else joined([drawn, _shadow_mm(spot, thing)])


def _drawn_mm(spot: Spot, thing: Thing) -> BoxMm:
    extent = KINDS[thing.kind].extent
    size = spot.size_mm * thing.scale
    left, right = (-extent.right, -extent.left) if thing.mirrored else (extent.left, extent.right)
    x, y = spot.x_mm + thing.shift_mm[0], spot.y_mm + thing.shift_mm[1]
    return (x + left * size, y - extent.top * size, (right - left) * size, (extent.top - extent.bottom) * size)


def _shadow_mm(spot: Spot, thing: Thing) -> BoxMm:
    """The box of the soft oval under a thing that stands; the lamps are on the left, so it lies a little to the right."""
    _, _, width, _ = _drawn_mm(spot, thing)
    height = 0.14 * spot.size_mm * thing.scale
    return (spot.x_mm + thing.shift_mm[0] - 0.48 * width + 0.3, spot.y_mm + thing.shift_mm[1] - 0.05 - height / 2, 0.96 * width, height)


def joined(boxes: list[BoxMm]) -> BoxMm:
    """The smallest box round them all."""
    left, top = min(b[0] for b in boxes), min(b[1] for b in boxes)
    right, foot = max(b[0] + b[2] for b in boxes), max(b[1] + b[3] for b in boxes)
    return (left, top, right - left, foot - top)


def draw_photos(states: Iterable[State]) -> bytes:
    """A PDF with a page for each photo: the scene with other things at the spots of its state; 120 × 80 mm, edge to edge."""
    sheet = Sheet(market.WIDTH_MM, market.HEIGHT_MM)
    for number, state in enumerate(states):
        if number:
            sheet.next_page()
        market.draw_market(sheet, random.Random(SEED))
        for spot in SPOTS.values():
            thing = state.get(spot.name, spot.base)
            if thing is not None:
                _draw_thing(sheet, spot, thing)
    return sheet.pdf()


def _draw_thing(sheet: Sheet, spot: Spot, thing: Thing) -> None:
    if not spot.hangs:
        x, y, width, height = _shadow_mm(spot, thing)
        sheet.oval(x + width / 2, y + height / 2, width / 2, height / 2, "#1c1430", alpha=0.35)
    x, y = spot.x_mm + thing.shift_mm[0], spot.y_mm + thing.shift_mm[1]
    sheet.thing(thing.kind, x, y, spot.size_mm * thing.scale, colour=thing.colour, mirrored=thing.mirrored)
