"""The forty photos: what each shows instead of the common scene, and in what two of them differ."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import dataclass
from functools import cache
from importlib import resources

import msgspec
from msgspec.structs import replace

from sample_frames.deck import trick
from sample_frames.deck.scene import SPOTS, BoxMm, Spot, Thing, box_mm, joined
from sample_frames.deck.variants import Menu, ring

Photos = dict[str, dict[str, Thing | None]]
"""Photo id to what it shows at the spots where it departs."""


@dataclass(frozen=True)
class Departure:
    """A place where a photo departs from the common scene. Lengths in mm from the photo's top left corner."""

    spot: str
    scene: Thing | None
    shown: Thing | None
    box_mm: BoxMm
    """Round all that changes: the scene's thing and the photo's."""
    ring_mm: tuple[float, float, float]
    """Centre and radius of the circle on the back."""


@dataclass(frozen=True)
class Place:
    """A place where two photos differ."""

    spot: str
    kind: str | None
    """From the first photo to the second, in the words of the contract (§5); None where more than one thing changed."""
    box_mm: BoxMm


@cache
def photos() -> Photos:
    """The forty photos as they were found by `make`, p01 to p40."""
    return msgspec.json.decode(resources.files(__package__).joinpath("photos.json").read_bytes(), type=Photos)


def make(menu: Menu, *, seed: int = 1) -> Photos:
    """Search a set of photos on a menu of variants. Takes a few seconds."""
    source = random.Random(seed)
    sets = trick.search({spot: len(things) for spot, things in menu.items()}, seed=seed)
    left = {spot: source.sample(things, len(things)) for spot, things in menu.items()}
    used: Counter[str | None] = Counter()

    def taken(spot: str) -> Thing | None:
        """The variant whose kind of change has been used least, so that no kind is rare."""
        thing = min(left[spot], key=lambda thing: used[change(SPOTS[spot].base, thing)])
        left[spot].remove(thing)
        used[change(SPOTS[spot].base, thing)] += 1
        return thing

    return {f"p{i:02d}": {spot: taken(spot) for spot in SPOTS if spot in spots} for i, spots in enumerate(sets, start=1)}


def departures(photo: str) -> tuple[Departure, ...]:
    """Where a photo departs from the common scene. Raises KeyError for an unknown photo."""
    return tuple(_departure(SPOTS[spot], shown) for spot, shown in photos()[photo].items())


def _departure(spot: Spot, shown: Thing | None) -> Departure:
    boxes = [box_mm(spot, thing) for thing in (spot.base, shown) if thing is not None]
    return Departure(spot.name, spot.base, shown, joined(boxes), ring(boxes))


def pair_count(a: str, b: str) -> int:
    """The number of differences of two photos."""
    return len(places(a, b))


def places(a: str, b: str) -> tuple[Place, ...]:
    """Where two photos differ, in the order of the spots."""
    of_a, of_b = photos()[a], photos()[b]
    found = []
    for name, spot in SPOTS.items():
        in_a, in_b = of_a.get(name, spot.base), of_b.get(name, spot.base)
        if in_a != in_b:
            boxes = [box_mm(spot, thing) for thing in (in_a, in_b) if thing is not None]
            found.append(Place(name, change(in_a, in_b), joined(boxes)))
    return tuple(found)


def change(a: Thing | None, b: Thing | None) -> str | None:
    """What happened from one thing to the other, as the contract names it (§5); None where more than one thing changed."""
    if a is None:
        return "added"
    if b is None:
        return "removed"
    if a.kind != b.kind:
        return "replaced"
    changes = {
        "recoloured": replace(a, colour=b.colour),
        "moved": replace(a, shift_mm=b.shift_mm),
        "resized": replace(a, scale=b.scale),
        "mirrored": replace(a, mirrored=b.mirrored),
    }
    return next((name for name, changed in changes.items() if changed == b), None)
