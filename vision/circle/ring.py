"""The ring: which of the cards lie in it, how many places it has, and where each place is."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.geometry import Points

PLACES = (5, 12)
RADIUS_MM = (60.0, 330.0)
RADIUS_STEP_MM = 6.0
CENTRE_STEP_MM = 6.0
REACH_MM = 120.0            # the ring's middle lies no farther from the middle of the common area
UNEVEN = 0.16               # of the radius: a card lies so far in or out
SKEW_DEG = 14.0             # a card's turn off the radius
GAP_DEG = 9.0               # a gap's departure from the even one
EMPTY_COST = 4.0            # what an empty place costs beside uneven gaps, in squares of GAP_DEG
ELSEWHERE = 0.3             # what a card outside the common area counts, of one inside
INSIDE = 0.62               # of the radius: nearer the middle lies the pile


@dataclass(frozen=True)
class Ring:
    """`places`: of each given card its place from 0 on, clockwise from the place nearest the top of the picture; None: not in the ring."""

    centre: NDArray[np.float64]      # mm
    radius_mm: float
    places: tuple[int | None, ...]
    count: int                       # places, with the empty ones
    at: Points                       # (count, 2) the middles of the places, mm; of empty ones expected
    sure: float                      # that the numbering begins at the right place


def find_ring(at: Points, turns_deg: Sequence[float], *, central: Sequence[bool], centre: Points, up: NDArray[np.float64]) -> Ring | None:
    """The ring among cards whose middles are `at` (n, 2) mm, each turned by `turns_deg` (any side up).

    `central`: which lie in the common area, `centre` its middle; `up`: the direction (mm) towards the top of the picture.
    None with fewer than three cards in a ring.
    """
    if len(at) < 3:
        return None
    weight = np.where(np.asarray(central, bool), 1.0, ELSEWHERE)
    middle, radius = _fitted(at, np.asarray(turns_deg, float), weight, centre)
    away = np.hypot(*(at - middle).T)
    off = _skew(at, np.asarray(turns_deg, float), middle)
    member = (np.abs(away - radius) < 2.2 * UNEVEN * radius) & (away > INSIDE * radius) & (off < 2.5 * SKEW_DEG) & (weight > 0.5)
    if member.sum() < 3:
        return None
    angle = _clock(at - middle, up)
    order = [int(k) for k in np.flatnonzero(member)[np.argsort(angle[member])]]
    gaps = (np.roll(angle[order], -1) - angle[order]) % 360
    steps = _steps(gaps)
    count = int(sum(steps))
    number, where = dict[int, int](), np.zeros((count, 2))
    n = 0
    for k, gap, step in zip(order, gaps, steps, strict=True):
        number[k], where[n] = n, at[k]
        for e in range(1, step):
            where[n + e] = middle + radius * _direction(angle[k] + gap * e / step, up)
        n += step
    height = (where - middle) @ up
    first = int(height.argmax())
    runner = float(np.sort(height)[-2])
    sure = float(1 / (1 + np.exp(-(height[first] - runner) / 1.5)))
    places = tuple((number[k] - first) % count if k in number else None for k in range(len(at)))
    return Ring(middle, radius, places, count, np.roll(where, -first, axis=0), sure)


def place_of(ring: Ring, at_mm: Sequence[float]) -> tuple[int, float]:
    """The place (from 0) in whose direction a point lies, and how probable it is that no neighbour is meant."""
    a = np.degrees(np.arctan2(*(np.asarray(at_mm) - ring.centre)[::-1]))
    b = np.degrees(np.arctan2(*(ring.at - ring.centre).T[::-1]))
    off = np.abs((b - a + 180) % 360 - 180)
    best = int(off.argmin())
    lead = float(np.sort(off)[1] - off[best]) if ring.count > 1 else 90.0
    return best, float(1 / (1 + np.exp(-lead / 2.5)))


def _fitted(at: Points, turns: NDArray[np.float64], weight: NDArray[np.float64], centre: Points) -> tuple[NDArray[np.float64], float]:
    """Centre and radius for which most cards lie on the ring and point outward or inward."""
    low, high = np.maximum(at.min(0), centre - REACH_MM), np.minimum(at.max(0), centre + REACH_MM)
    high = np.maximum(high, low + CENTRE_STEP_MM)
    x, y = np.meshgrid(np.arange(low[0], high[0], CENTRE_STEP_MM), np.arange(low[1], high[1], CENTRE_STEP_MM))
    middles = np.c_[x.ravel(), y.ravel()]
    apart = at[None] - middles[:, None]
    away = np.hypot(apart[..., 0], apart[..., 1])                                   # (m, n)
    bearing = np.degrees(np.arctan2(apart[..., 1], apart[..., 0]))
    skew = np.abs((bearing - turns + 45) % 90 - 45)
    pointing = weight * np.exp(-0.5 * (skew / SKEW_DEG) ** 2)
    radii = np.arange(*RADIUS_MM, RADIUS_STEP_MM)
    best = (-1.0, 0, 0.0)
    for radius in radii:
        worth = (pointing * np.exp(-0.5 * ((away - radius) / (UNEVEN * radius / 2 + 4)) ** 2)).sum(1) * (1 - radius / 2000)
        m = int(worth.argmax())
        if worth[m] > best[0]:
            best = (float(worth[m]), m, float(radius))
    _, m, radius = best
    mine = np.abs(away[m] - radius) < 1.5 * UNEVEN * radius
    return middles[m], float(np.average(away[m][mine], weights=pointing[m][mine] + 1e-6)) if mine.any() else radius


def _skew(at: Points, turns: NDArray[np.float64], middle: NDArray[np.float64]) -> NDArray[np.float64]:
    bearing = np.degrees(np.arctan2(*(at - middle).T[::-1]))
    return np.asarray(np.abs((bearing - turns + 45) % 90 - 45), np.float64)


def _steps(gaps: NDArray[np.float64]) -> list[int]:
    """How many places on the next card lies, for each card: 1, or more over empty places."""
    best: tuple[float, list[int]] = (np.inf, [1] * len(gaps))
    for count in range(max(len(gaps), PLACES[0]), max(PLACES[1], len(gaps)) + 1):
        even = 360 / count
        steps = np.maximum(1, np.round(gaps / even)).astype(int)
        if steps.sum() != count:
            continue
        cost = float(((gaps - steps * even) ** 2 / (steps * GAP_DEG**2)).sum()) + EMPTY_COST * (count - len(gaps))
        if cost < best[0]:
            best = (cost, [int(s) for s in steps])
    return best[1]


def _clock(apart: Points, up: NDArray[np.float64]) -> NDArray[np.float64]:
    """Degrees clockwise from `up`, seen from above (x right, y down)."""
    right = np.array([-up[1], up[0]])
    return np.asarray(np.degrees(np.arctan2(apart @ right, apart @ up)) % 360, np.float64)


def _direction(clock_deg: float, up: NDArray[np.float64]) -> NDArray[np.float64]:
    t = np.radians(clock_deg)
    return np.asarray(np.cos(t) * up + np.sin(t) * np.array([-up[1], up[0]]), np.float64)
