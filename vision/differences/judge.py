"""How likely each candidate is a difference, how many there are in all, and how sure that is.

A small network judges the places; it and the numbers of the model are fitted to drawn pairs by `vision.training.differences_judge`.
"""

from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from functools import lru_cache
from pathlib import Path

import cv2
import msgspec
import numpy as np
from numpy.typing import NDArray

from vision.differences.candidates import Candidate
from vision.differences.maps import STRIDE, Maps
from vision.differences.nearby import Nearby
from vision.differences.rings import Ring, own_departures

PLACES = Path(__file__).parent.parent / "weights" / "differences_places.onnx"
MODEL = Path(__file__).parent.parent / "weights" / "differences.json"
FAINT = 0.03
BESIDE = np.ones((7, 7), np.uint8)
MOST = 40  # the distribution of the count ends here
COVERED = 0.86  # of the distribution of the count: then 0.958 of the ranges of 2300 pairs hold the true one, 0.953 of 1000 others
NOT_SURE = 0.94  # what is said where it would be more, but for a doubt that no number shows
COARSE_SURE = 0.89  # ... and no more of a coarse picture
MOST_SURE = 0.995  # nothing that was fitted on hundreds of pairs knows more
CERTAIN = 0.999
PLAIN = 1.0  # log odds of the count from which nothing about the pair is hard: such counts are worth more than they say
DOUBTFUL = (0.1, 0.9)  # the probability of a place that nobody can be sure of
WIDE_ENOUGH_PX = 320.0  # pixels across the poorer original that a sure answer needs: in fewer a small difference is a few pixels
HIDDEN_PART = 0.03  # of the print: where less is unseen, hardly a whole difference can lie


class Model(msgspec.Struct, frozen=True):
    """What the network of places looks at, in order; what other places make of one (logistic); the missed ones (log-linear); how sure the
    count is (logistic).
    """

    places: tuple[str, ...]
    company: dict[str, float]
    missed: dict[str, float]
    sure: dict[str, float]


@dataclass(frozen=True)
class Look:
    """What the pair as a whole is like."""

    width: int  # of the working frame
    detail_px: float  # pixels across the poorer file
    faint: float  # how much faint doubt the map leaves all over
    hidden: float  # part of the print that cannot be compared


@dataclass(frozen=True)
class Spot:
    """A candidate, the ring round it, and what the pictures show there."""

    candidate: Candidate
    ring: Ring | None
    near: Nearby
    pixels: float  # log odds of its pixels


@dataclass(frozen=True)
class Judged:
    """A candidate with its probability and the ring round it."""

    candidate: Candidate
    probability: float
    ring: Ring | None


@dataclass(frozen=True)
class Verdict:
    """The count as a distribution in short."""

    places: tuple[Judged, ...]  # those more likely than not, likeliest first
    count: int
    probability: float
    range: tuple[int, int]


@lru_cache(maxsize=1)
def fitted() -> Model:
    """The numbers that ship with the program."""
    return msgspec.json.decode(MODEL.read_bytes(), type=Model)


def logit(p: float) -> float:
    p = min(max(p, 1e-4), 1 - 1e-4)
    return float(np.log(p / (1 - p)))


def sigmoid(x: float) -> float:
    return float(1 / (1 + np.exp(-np.clip(x, -30, 30))))


def faintness(maps: Maps, usable: NDArray[np.bool_]) -> float:
    """How much faint doubt the map leaves all over, beside what it marks plainly: that has faint edges in any pair."""
    plain = cv2.dilate((maps.changed > 0.5).astype(np.uint8), BESIDE) > 0
    values = maps.changed[usable & ~plain]
    return float(values[values > FAINT].sum()) / 10


def ringed(found: list[Candidate], rings: list[Ring], maps: Maps) -> list[tuple[Candidate, Ring | None]]:
    """Each candidate with the ring round it; a ring that holds none is looked at once more and makes its own."""
    out: list[tuple[Candidate, Ring | None]] = []
    held = set()
    for c in found:
        if sum(r.on != "both" and r.holds_middle(c) for r in rings) > 1:
            continue  # one place over several rings: each of them speaks for itself
        k = next((k for k, r in enumerate(rings) if r.holds(c.box) or any(r.holds(b) for b in c.boxes)), None)
        if k is not None:
            held.add(k)
        out.append((c, rings[k] if k is not None else None))
    for k, ring in enumerate(rings):
        if k not in held and (faint := _inside(ring, maps)) is not None:
            out.append((faint, ring))
    return out


def features(spot: Spot, rings: Sequence[Ring], look: Look, spots: int) -> dict[str, float]:
    """What the place judge looks at, in the order that its network wants; `spots`: how many there are in the pair."""
    c, ring = spot.candidate, spot.ring
    own = own_departures(rings) if rings else 0.0
    lone, shared = float(ring is not None and ring.on != "both"), float(ring is not None and ring.on == "both")
    return {
        "peak": logit(c.peak),
        "centre": logit(c.centre),
        "mean": logit(c.mean),
        "size": float(np.log(c.cells * STRIDE**2) / 2 - np.log(look.width)),
        "contrast": float(np.log(c.contrast + 0.1)),
        "unseen": c.unseen,
        "border": 1 - float(min(c.border, 0.04) * 25),
        "on the print": logit(float(np.clip(c.inside, 0.02, 0.98))),
        "on its rim": logit(float(np.clip(c.rim, 0.02, 0.98))),
        "one-sided": float(c.kind in ("added", "removed")),
        **{kind: float(c.kind == kind) for kind in ("moved", "recoloured", "mirrored", "replaced", "resized")},
        "restless": float(np.log(look.faint + 0.05)),
        "spots": float(np.log(1 + spots)),
        "hidden": look.hidden,
        "rings": float(min(len(rings), 12)),
        "lone": own * lone,
        "lone, all ringed": (1 - own) * lone,
        "shared": (1 - own) * shared,
        "shared, own ringed": own * shared,
        "off the ring's middle": _off_middle(c, ring),
        "fills the ring": min(1.5, max(c.box[2] / ring.radius[0], c.box[3] / ring.radius[1]) / 2) if ring is not None else 0.0,
        **asdict(spot.near),
        "pixels": spot.pixels,
    }


def _off_middle(c: Candidate, ring: Ring | None) -> float:
    """How far the place lies from the middle of its ring, in radii: a numeral sits on the line."""
    if ring is None:
        return 0.0
    dx, dy = c.box[0] + c.box[2] / 2 - ring.at[0], c.box[1] + c.box[3] / 2 - ring.at[1]
    return float(min(1.5, np.hypot(dx / ring.radius[0], dy / ring.radius[1])))


def rows_of(spots: Sequence[Spot], rings: Sequence[Ring], look: Look) -> NDArray[np.float32]:
    """(n, features) of the spots of one pair."""
    return np.array([list(features(spot, rings, look, len(spots)).values()) for spot in spots], np.float32)


def judged(spots: Sequence[Spot], rings: Sequence[Ring], look: Look, *, sensitivity: float = 0.5) -> list[Judged]:
    """Every candidate with its probability, the rings' word and that of the other places included."""
    return in_company(alone(spots, rings, look, sensitivity=sensitivity), model=fitted())


def alone(spots: Sequence[Spot], rings: Sequence[Ring], look: Look, *, sensitivity: float = 0.5) -> list[Judged]:
    """Every candidate with its probability, each by itself."""
    if not spots:
        return []
    net = _network()
    net.setInput(rows_of(spots, rings, look))
    return with_odds(spots, net.forward()[:, 0] + logit(sensitivity))


def in_company(places: list[Judged], *, model: Model) -> list[Judged]:
    """The places as the others make them more or less likely: where nothing else differs, most often nothing does."""
    weighed = (sum(model.company[k] * v for k, v in cues.items()) for cues in company_cues(places))
    return [p if p.probability >= CERTAIN else replace(p, probability=sigmoid(odds)) for p, odds in zip(places, weighed, strict=True)]


def company_cues(places: Sequence[Judged]) -> list[dict[str, float]]:
    """Of each place: its own log odds, and how likely the others are."""
    out = []
    whole = sum(p.probability for p in places)
    for k, p in enumerate(places):
        best = max((q.probability for n, q in enumerate(places) if n != k), default=0.0)
        own = logit(p.probability)
        out.append({"bias": 1.0, "own": own, "others": float(np.log(whole - p.probability + 0.3)), "best": best, "own, best": own * best})
    return out


def with_odds(spots: Sequence[Spot], odds: NDArray[np.float32]) -> list[Judged]:
    """The spots judged, by their log odds; one a ring. What is certain needs no judge, but for what may be the numeral of a ring."""
    sure = [s.candidate.certain and s.ring is None for s in spots]
    likely = [CERTAIN if c else sigmoid(float(o)) for c, o in zip(sure, odds, strict=True)]
    return one_a_ring([Judged(s.candidate, p, s.ring) for s, p in zip(spots, likely, strict=True)])


@lru_cache(maxsize=1)
def _network() -> cv2.dnn.Net:
    return cv2.dnn.readNetFromONNX(str(PLACES))


def _inside(ring: Ring, maps: Maps) -> Candidate | None:
    """The strongest evidence within a ring where no candidate of its own arose."""
    rows, columns = maps.changed.shape
    y, x = np.ogrid[:rows, :columns]
    (cx, cy), (rx, ry) = ring.at, ring.radius
    within = (((x + 0.5) * STRIDE - cx) / rx) ** 2 + (((y + 0.5) * STRIDE - cy) / ry) ** 2 <= 1
    if not within.any():
        return None
    strongest = np.sort(maps.changed[within])[-4:]
    unseen = float((maps.unseen[within] > 0.5).mean())
    middle = float(maps.centre[within].max())
    return Candidate((ring.box,), float(strongest[-1]), middle, float(strongest.mean()), 4, 1.0, unseen, 0.05)


def one_a_ring(places: list[Judged]) -> list[Judged]:
    """Within one ring lies one difference: its weaker pieces are dropped."""
    best: dict[int, Judged] = {}
    out = []
    for p in places:
        if p.ring is None:
            out.append(p)
        elif id(p.ring) not in best or p.probability > best[id(p.ring)].probability:
            best[id(p.ring)] = p
    return out + list(best.values())


def verdict(places: list[Judged], rings: Sequence[Ring], look: Look, *, model: Model) -> Verdict:
    """The count, its probability and its range."""
    shown, spread = counted(places, rings, look, model=model)
    count = len(shown)
    low, high = narrowest(spread, count, holds=COVERED)
    probability = sigmoid(sum(model.sure[k] * v for k, v in sure_cues(places, rings, spread[count], look).items()))
    doubts = look.hidden > HIDDEN_PART or any(DOUBTFUL[0] < p.probability < DOUBTFUL[1] for p in places)
    most = COARSE_SURE if look.detail_px < WIDE_ENOUGH_PX else NOT_SURE if doubts else MOST_SURE
    return Verdict(shown, count, min(probability, most), (low, high))


def counted(places: list[Judged], rings: Sequence[Ring], look: Look, *, model: Model) -> tuple[tuple[Judged, ...], NDArray[np.float64]]:
    """The places that count, likeliest first, and P(total = 0, 1, ...) as the places have it: too sure of what was never a candidate."""
    missed = float(np.exp(np.clip(sum(model.missed[k] * v for k, v in missing_cues(places, rings, look).items()), -6, 1)))
    spread = distribution([p.probability for p in places], missed + _behind(places, look.hidden))
    return tuple(sorted((p for p in places if p.probability > 0.5), key=lambda p: -p.probability)), spread


def distribution(probabilities: list[float], extra: float) -> NDArray[np.float64]:
    """P(total = 0, 1, ...) of independent places and a Poisson number of unseen ones."""
    out = np.zeros(MOST + 1)
    out[0] = 1.0
    for p in probabilities:
        out = out * (1 - p) + np.r_[0.0, out[:-1]] * p
    poisson = np.exp(-extra) * np.cumprod(np.r_[1.0, extra / np.arange(1, MOST + 1)])
    return np.asarray(np.convolve(out, poisson)[: MOST + 1])


def narrowest(spread: NDArray[np.float64], count: int, *, holds: float) -> tuple[int, int]:
    """The narrowest run of counts round `count` that holds so much of P(total = 0, 1, ...)."""
    low, high, most = count, count, len(spread) - 1
    while spread[low : high + 1].sum() < holds and (low > 0 or high < most):
        below = spread[low - 1] if low > 0 else -1.0
        above = spread[high + 1] if high < most else -1.0
        low, high = (low - 1, high) if below > above else (low, high + 1)
    return low, high


def _behind(places: list[Judged], hidden: float) -> float:
    """How many differences are to be expected in the hidden part, by what the rest shows."""
    hidden = min(hidden, 0.95)
    seen = sum(p.probability for p in places)
    return (seen + 0.5) * hidden / (1 - hidden)


def missing_cues(places: list[Judged], rings: Sequence[Ring], look: Look) -> dict[str, float]:
    """What tells how many differences never became a candidate: how many did, faint marks all over, a coarse file, rings that agree."""
    return {
        "bias": 1.0,
        "seen": float(np.log(sum(p.probability for p in places) + 0.3)),
        "faint": float(np.log(look.faint + 0.05)),
        "detail": float(np.log(max(look.detail_px, 50.0) / 500)),
        "rings agree": float(rings_agree(places, rings)),
    }


def rings_agree(places: list[Judged], rings: Sequence[Ring]) -> bool:
    """Whether rings and pictures tell of the same differences: each lies in a ring, and no ring of one photo is without one."""
    around = [p.ring for p in places if p.probability > 0.5]
    return bool(rings) and all(ring is not None for ring in around) and all(r.on == "both" or any(r is q for q in around) for r in rings)


def sure_cues(places: list[Judged], rings: Sequence[Ring], said: float, look: Look) -> dict[str, float]:
    """What tells how much P(count), as the places have it, is worth."""
    doubted = sum(DOUBTFUL[0] < p.probability < DOUBTFUL[1] for p in places)
    return {
        "bias": 1.0,
        "said": logit(said),
        "plain": max(0.0, logit(said) - PLAIN),
        "doubted": float(min(doubted, 4)),
        "seen": float(np.log(sum(p.probability for p in places) + 0.3)),
        "faint": float(np.log(look.faint + 0.05)),
        "detail": float(np.log(np.clip(look.detail_px, 50.0, 1000.0) / 500)),
        "hidden": min(20 * look.hidden, 1.0),
        "rings agree": float(rings_agree(places, rings)),
    }
