"""The mathematical trick of the deck: every two of forty photos differ in 1 to 10 places, and every number occurs.

A photo departs from the common scene at 1 to 5 spots. Each spot has a few *variants* (the cat gone, the cat grey, a dog instead), and
**no two photos share a variant**. So where only one of two photos departs, they differ; where both depart at one spot, they show
two different variants and differ there as well, once. Hence the number of differences of a pair is exactly the number of spots that
are ringed on the one back or on the other:

    count(a, b) = |spots(a) ∪ spots(b)| = |spots(a)| + |spots(b)| - |spots(a) ∩ spots(b)|

It is at least 1 since every photo departs somewhere, and at most 5 + 5 = 10. Nobody has to look whether two rings at one spot mean the
same. Two to ten come from the sizes alone; a *one* needs two photos with a single departure at the same spot. What remains to be
searched is a set whose counts are spread as evenly as they can be, so that no marker is a safe guess.
"""

from __future__ import annotations

import math
import random
from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import combinations

SIZES = (1,) * 10 + (2,) * 7 + (3,) * 6 + (4,) * 7 + (5,) * 10
"""Departures of each of the forty photos; more photos at both ends, since sums of two numbers crowd in the middle."""
MOST = 10

SpotName = str


def count(a: frozenset[SpotName], b: frozenset[SpotName]) -> int:
    """The differences of two photos that depart at these spots."""
    return len(a | b)


def counts(photos: Sequence[frozenset[SpotName]]) -> Counter[int]:
    """How many pairs have how many differences."""
    return Counter(count(a, b) for a, b in combinations(photos, 2))


def search(
    variants: Mapping[SpotName, int], *, sizes: Sequence[int] = SIZES, steps: int = 60_000, seed: int = 1
) -> list[frozenset[SpotName]]:
    """Sets of spots, one a photo, that keep the law and whose counts are as even as `steps` tries make them.

    variants : how many variants each spot offers, so how many photos may depart there.
    Each step moves one departure of one photo to another spot that still has a variant; a step that makes the counts less even
    is taken back. Raises ValueError where the spots offer too few variants for the sizes.
    """
    source = random.Random(seed)
    photos = _first(variants, sizes, source)
    free = Counter(variants)
    free.subtract(spot for photo in photos for spot in photo)
    spots = sorted(variants)
    tally = counts(photos)
    for _ in range(steps):
        i = source.randrange(len(photos))
        old, new = source.choice(sorted(photos[i])), source.choice(spots)
        if free[new] <= 0 or new in photos[i]:
            continue
        moved = photos[i] - {old} | {new}
        others = [photo for k, photo in enumerate(photos) if k != i]
        after = Counter(tally)
        after.subtract(count(photos[i], other) for other in others)
        after.update(count(moved, other) for other in others)
        if unevenness(after) <= unevenness(tally):
            photos[i], tally = moved, after
            free[old] += 1
            free[new] -= 1
    source.shuffle(photos)
    return photos


def unevenness(tally: Mapping[int, int]) -> float:
    """How well the count of an unseen pair can be guessed: the negative entropy of the frequencies, up to a constant."""
    return sum(frequency * math.log(frequency) for frequency in tally.values() if frequency)


def _first(variants: Mapping[SpotName, int], sizes: Sequence[int], source: random.Random) -> list[frozenset[SpotName]]:
    """A start that keeps the law: single departures crowd at few spots (that makes the ones), the others go where most is left."""
    free = Counter(variants)
    photos: dict[int, frozenset[SpotName]] = {}
    crowded: SpotName | None = None
    for i in sorted(range(len(sizes)), key=lambda i: (sizes[i] > 1, -sizes[i])):
        order = sorted(free, key=lambda spot: (-free[spot], source.random()))
        if sizes[i] == 1 and crowded is not None and free[crowded] > 0:
            order = [crowded]
        taken = order[: sizes[i]]
        if len(taken) < sizes[i] or free[taken[-1]] <= 0:
            raise ValueError(f"{len(variants)} spots with {sum(variants.values())} variants are too few for {sum(sizes)} departures")
        free.subtract(taken)
        photos[i] = frozenset(taken)
        crowded = taken[0] if sizes[i] == 1 else crowded
    return [photos[i] for i in range(len(sizes))]
