"""How likely each candidate is a difference, how many there are in all, and how sure that is.

The weights that ship were set by hand, on the doubting side; `vision.training.differences_judge` fits them to drawn pairs.
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
RING_SAYS_SO = 4.0  # log odds that a ring of this photo's own departures adds
RINGS_SPEAK = 0.9
SUREST = 0.98
RINGS_SPARE = 0.88  # of what is missed by the pictures alone
NO_RING = -3.0  # and that a place without any ring loses in such a deck
RING_LOOKS_HERE = 0.0  # what a ring on both sides adds
FAINT = 0.03
MOST = 40  # the distribution of the count ends here
COVERED = 0.95  # the range holds the true count this often, as far as the places are judged rightly


class Model(msgspec.Struct, frozen=True):
    """Fitted numbers: the place judge (logistic), the missed ones (log-linear), and what a said count probability is worth."""

    place: dict[str, float]
    missed: dict[str, float]
    said: list[float]
    true: list[float]


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


def features(c: Candidate, width: int) -> dict[str, float]:
    """What the place judge looks at."""
    size = float(np.log(c.cells * STRIDE**2) / 2 - np.log(width))
    return {
        "bias": 1.0,
        "peak": logit(c.peak),
        "mean": logit(c.mean),
        "size": size,
        "contrast": float(np.log(c.contrast + 0.1)),
        "unseen": c.unseen,
        "border": float(min(c.border, 0.05) * 20),
        "moved": float(c.kind == "moved"),
    }


def by_pictures(c: Candidate, width: int, model: Model) -> float:
    """Log odds that the candidate is a difference, by the pictures alone."""
    weights = model.place
    return float(sum(weights[k] * v for k, v in features(c, width).items()))


def judged(
    found: list[Candidate], rings: list[Ring], maps: Maps | None, width: int, *, model: Model, sensitivity: float = 0.5
) -> list[Judged]:
    """Every candidate with its probability, the rings' word included; with `maps`, rings that hold none are looked at once more."""
    own = own_departures(rings) if rings else 0.0
    lean = logit(sensitivity)
    out, held = [], set()
    for c in found:
        if sum(r.on != "both" and r.holds_middle(c) for r in rings) > 1 and maps is not None:
            continue  # one blob over several rings: each of them speaks for itself
        k = next((k for k, r in enumerate(rings) if r.holds(c.box) or any(r.holds(b) for b in c.boxes)), None)
        odds = by_pictures(c, width, model) + lean
        if k is not None:
            ring = rings[k]
            odds += RING_LOOKS_HERE if ring.on == "both" else own * RING_SAYS_SO
            held.add(k)
        elif rings:
            odds += own * NO_RING
        out.append(Judged(c, sigmoid(odds), rings[k] if k is not None else None))
    for k, ring in enumerate(rings):
        if k not in held and ring.on != "both" and maps is not None:
            faint = _inside(ring, maps)
            if faint is not None:
                out.append(Judged(faint, sigmoid(by_pictures(faint, width, model) + lean + own * RING_SAYS_SO), ring))
    return _one_a_ring(out)


def _inside(ring: Ring, maps: Maps) -> Candidate | None:
    """The strongest evidence within a ring where no candidate of its own arose."""
    rows, columns = maps.changed.shape
    y, x = np.ogrid[:rows, :columns]
    (cx, cy), (rx, ry) = ring.at, ring.radius
    within = (((x + 0.5) * STRIDE - cx) / rx) ** 2 + (((y + 0.5) * STRIDE - cy) / ry) ** 2 <= 1
    if not within.any():
        return None
    values = maps.changed[within]
    strongest = np.sort(values)[-4:]
    unseen = float((maps.unseen[within] > 0.5).mean())
    return Candidate((ring.box,), float(strongest[-1]), float(strongest.mean()), 4, 1.0, unseen, 0.05)


def _one_a_ring(places: list[Judged]) -> list[Judged]:
    """Within one lone ring lies one difference: its weaker pieces are dropped."""
    best: dict[int, Judged] = {}
    out = []
    for p in places:
        if p.ring is None or p.ring.on == "both":
            out.append(p)
        elif id(p.ring) not in best or p.probability > best[id(p.ring)].probability:
            best[id(p.ring)] = p
    return out + list(best.values())


def verdict(places: list[Judged], rings: list[Ring], *, hidden: float, missing: dict[str, float], model: Model) -> Verdict:
    """The count, its probability and its range.

    `hidden` is the part of the print that cannot be compared; `missing` are the `missing_cues`. In a deck that rings each photo's own
    departures, what the pictures do not show the rings do: there less is missed.
    """
    missed = float(np.exp(np.clip(sum(model.missed[k] * v for k, v in missing.items()), -6, 1)))
    if any(r.on != "both" for r in rings):
        missed *= 1 - RINGS_SPARE * own_departures(rings)
    spread = distribution([p.probability for p in places], missed + _behind(places, hidden))
    shown = tuple(sorted((p for p in places if p.probability > 0.5), key=lambda p: -p.probability))
    count = len(shown)
    low, high = _range(spread, count)
    said = float(spread[count])
    # where the rings say the same, the count does not rest on the map alone
    agreed = bool(rings) and own_departures(rings) > RINGS_SPEAK and all(p.ring is not None for p in shown)
    probability = min(said, SUREST) if agreed else float(np.interp(said, model.said, model.true))
    return Verdict(shown, count, probability, (low, high))


def distribution(probabilities: list[float], extra: float) -> NDArray[np.float64]:
    """P(total = 0, 1, ...) of independent places and a Poisson number of unseen ones."""
    out = np.zeros(MOST + 1)
    out[0] = 1.0
    for p in probabilities:
        out = out * (1 - p) + np.r_[0.0, out[:-1]] * p
    poisson = np.exp(-extra) * np.cumprod(np.r_[1.0, extra / np.arange(1, MOST + 1)])
    return np.asarray(np.convolve(out, poisson)[: MOST + 1])


def _range(spread: NDArray[np.float64], count: int) -> tuple[int, int]:
    """The narrowest run of counts round `count` that holds COVERED of the probability."""
    low = high = count
    while spread[low : high + 1].sum() < COVERED and (low > 0 or high < MOST):
        below = spread[low - 1] if low > 0 else -1.0
        above = spread[high + 1] if high < MOST else -1.0
        low, high = (low - 1, high) if below > above else (low, high + 1)
    return low, high


def _behind(places: list[Judged], hidden: float) -> float:
    """How many differences are to be expected in the hidden part, by what the rest shows."""
    hidden = min(hidden, 0.95)
    seen = sum(p.probability for p in places)
    return (seen + 0.5) * hidden / (1 - hidden)


def missing_cues(maps: Maps, usable: NDArray[np.bool_], detail_px: float) -> dict[str, float]:
    """What tells how many differences never became a candidate: faint marks all over, and a coarse file."""
    values = maps.changed[usable]
    faint = float(values[values > FAINT].sum()) / 10 if values.size else 0.0
    return {"bias": 1.0, "faint": float(np.log(faint + 0.01)), "detail": float(np.log(max(detail_px, 50.0) / 500))}


def sigmoid(x: float) -> float:
    return float(1 / (1 + np.exp(-np.clip(x, -30, 30))))
