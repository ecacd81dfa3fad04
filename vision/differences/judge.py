"""How likely each candidate is a difference, how many there are in all, and how sure that is.

The numbers of the model are fitted to drawn pairs by `vision.training.differences_judge`.
"""

from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import msgspec
import numpy as np
from numpy.typing import NDArray

from vision.differences.candidates import Candidate
from vision.differences.maps import STRIDE, Maps
from vision.differences.rings import Ring, own_departures

MODEL = Path(__file__).parent.parent / "weights" / "differences.json"
FAINT = 0.03
MOST = 40  # the distribution of the count ends here
COVERED = 0.98  # of the distribution of the count: then 0.94 of 320 held-back ranges hold the true one
SURE = 0.95
NOT_SURE = 0.94  # what is said where it would be more, but for a doubt that no number shows
MOST_SURE = 0.995  # nothing that was fitted on hundreds of pairs knows more
PLAIN = 1.0  # log odds of the count from which nothing about the pair is hard: such counts are worth more than they say
DOUBTFUL = (0.1, 0.9)  # the probability of a place that nobody can be sure of
WIDE_ENOUGH_PX = 320.0  # pixels across the poorer file that a sure answer needs
HIDDEN_PART = 0.01  # of the print: where less is unseen, hardly a whole difference can lie


class Model(msgspec.Struct, frozen=True):
    """Fitted numbers: the place judge (logistic), the missed ones (log-linear), and how sure the count is (logistic)."""

    place: dict[str, float]
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
    """How much faint doubt the map leaves, all over."""
    values = maps.changed[usable]
    return float(values[(values > FAINT) & (values < 0.5)].sum()) / 10 if values.size else 0.0


def ringed(found: list[Candidate], rings: list[Ring], maps: Maps | None) -> list[tuple[Candidate, Ring | None]]:
    """Each candidate with the ring round it; with `maps`, a ring that holds none is looked at once more and makes its own."""
    out: list[tuple[Candidate, Ring | None]] = []
    held = set()
    for c in found:
        if sum(r.on != "both" and r.holds_middle(c) for r in rings) > 1 and maps is not None:
            continue  # one place over several rings: each of them speaks for itself
        k = next((k for k, r in enumerate(rings) if r.holds(c.box) or any(r.holds(b) for b in c.boxes)), None)
        if k is not None:
            held.add(k)
        out.append((c, rings[k] if k is not None else None))
    for k, ring in enumerate(rings):
        if k not in held and maps is not None and (faint := _inside(ring, maps)) is not None:
            out.append((faint, ring))
    return out


def features(c: Candidate, ring: Ring | None, rings: list[Ring], look: Look) -> dict[str, float]:
    """What the place judge looks at."""
    size = float(np.log(c.cells * STRIDE**2) / 2 - np.log(look.width))
    own = own_departures(rings) if rings else 0.0
    return {
        "bias": 1.0,
        "peak": logit(c.peak),
        "centre": logit(c.centre),
        "mean": logit(c.mean),
        "size": size + 3.5,
        "large": max(0.0, size + 2.5),
        "contrast": float(np.log(c.contrast + 0.1)),
        "unseen": c.unseen,
        "border": 1 - float(min(c.border, 0.04) * 25),
        "moved": float(c.kind == "moved"),
        "on the print": logit(float(np.clip(c.inside, 0.02, 0.98))),
        "restless": float(np.log(look.faint + 0.05)),
        "thin": float(np.log(max(c.box[2:]) / max(1.0, min(c.box[2:])))),
        "lone": own if ring is not None and ring.on != "both" else 0.0,
        "lone, all ringed": 1 - own if ring is not None and ring.on != "both" else 0.0,
        "shared": 1 - own if ring is not None and ring.on == "both" else 0.0,
        "shared, own ringed": own if ring is not None and ring.on == "both" else 0.0,
        "none": float(min(len(rings), 4)) / 4 if ring is None and rings else 0.0,
    }


def judged(
    found: list[Candidate], rings: list[Ring], maps: Maps | None, look: Look, *, model: Model, sensitivity: float = 0.5
) -> list[Judged]:
    """Every candidate with its probability, the rings' word included."""
    lean = logit(sensitivity)
    pairs = ringed(found, rings, maps)
    out = []
    for c, ring in pairs:
        row = features(c, ring, rings, look)
        out.append(Judged(c, sigmoid(lean + sum(model.place[k] * v for k, v in row.items())), ring))
    return one_a_ring(out)


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


def verdict(places: list[Judged], look: Look, *, model: Model) -> Verdict:
    """The count, its probability and its range."""
    shown, spread = counted(places, look, model=model)
    count = len(shown)
    low, high = narrowest(spread, count, holds=COVERED)
    probability = sigmoid(sum(model.sure[k] * v for k, v in sure_cues(places, spread[count], look).items()))
    doubts = look.hidden > HIDDEN_PART or look.detail_px < WIDE_ENOUGH_PX or any(DOUBTFUL[0] < p.probability < DOUBTFUL[1] for p in places)
    return Verdict(shown, count, min(probability, NOT_SURE if doubts else MOST_SURE), (low, high))


def counted(places: list[Judged], look: Look, *, model: Model) -> tuple[tuple[Judged, ...], NDArray[np.float64]]:
    """The places that count, likeliest first, and P(total = 0, 1, ...) as the places have it: too sure of what was never a candidate."""
    missed = float(np.exp(np.clip(sum(model.missed[k] * v for k, v in missing_cues(places, look).items()), -6, 1)))
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


def missing_cues(places: list[Judged], look: Look) -> dict[str, float]:
    """What tells how many differences never became a candidate: how many did, faint marks all over, a coarse file."""
    return {
        "bias": 1.0,
        "seen": float(np.log(sum(p.probability for p in places) + 0.3)),
        "faint": float(np.log(look.faint + 0.05)),
        "detail": float(np.log(max(look.detail_px, 50.0) / 500)),
    }


def sure_cues(places: list[Judged], said: float, look: Look) -> dict[str, float]:
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
    }
