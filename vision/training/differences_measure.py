"""Drawn pairs as the counting sees them, matched with what is true of them: what the judge is fitted on, and measured on.

    python -m vision.training.differences_measure --sources SOURCES --cache CACHE --pairs 1000
    python -m vision.training.differences_measure --sources SOURCES --cache CACHE --pairs 1000 --identical

They measure on sources that neither the map nor the judge has seen, and print the reliability table. With --lay the pairs are only drawn
and laid, which the networks have no part in. CACHE keeps the laid pairs, and what the networks saw of them.
"""

import argparse
import hashlib
import pickle
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path
from typing import Any, TypeVar

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.differences.align import Fit
from vision.differences.candidates import Candidate
from vision.differences.comparison import Known, Side, evidence
from vision.differences.frames import CUT_PX
from vision.differences.hue import hue_of
from vision.differences.judge import Look, Model, Spot, alone, fitted, in_company, verdict
from vision.differences.laid import Laid, lay
from vision.differences.maps import WEIGHTS
from vision.differences.patches import WEIGHTS as PATCH_WEIGHTS
from vision.differences.rings import Ring
from vision.geometry import Picture
from vision.observation import Box
from vision.training.differences_pairs import WIDTH, Difference, draw_pair
from vision.training.differences_plain import LEAST_LEVELS, levels, residue
from vision.training.differences_scenes import Sources
from vision.training.differences_sources import gathered

FIRST_SEED = {"patches": 500_000, "judge": 1_000_000, "measure": 2_000_000}
GROWN = 0.015  # of the width: how far a place's middle may lie outside the true box
SAME_BOX = 0.2  # or how much they overlap at least
COARSE_PX = (320, 600)  # files narrower than that are compared as photos cut out of a table are; between them every other one
LEAST_FILE_PX = 8.0  # ... and so does what is smaller in the poorer file: a hundredth of the width of a photo that fills a small picture
BINS = (0.0, 0.3, 0.5, 0.7, 0.8, 0.9, 0.95, 1.01)
Array = NDArray[Any]
Kept = TypeVar("Kept")


@dataclass(frozen=True)
class Looked:
    """One drawn pair as the chain sees it."""

    truth: tuple[Difference, ...]
    spots: tuple[Spot, ...]
    rings: tuple[Ring, ...]
    look: Look


@dataclass(frozen=True)
class Drawn:
    """One drawn pair laid, each side in the size of its file; the truth in the working frame."""

    a: Picture
    b: Picture
    fit: Fit
    laid: Laid
    truth: tuple[Difference, ...]


def drawn(seed: int, from_: Sources, *, identical: bool) -> Drawn:
    """The pair of this seed."""
    pair = draw_pair(seed, from_, differences=0 if identical else None)
    files = [_sized(p, px) for p, px in zip((pair.a, pair.b), pair.files_px, strict=True)]
    to_a, to_b = (np.diag([f.shape[1] / pair.a.shape[1], f.shape[0] / pair.a.shape[0], 1.0]) for f in files)
    h, w = files[0].shape[:2]
    corners = np.array([[0.0, 0], [w, 0], [w, h], [0, h]])
    fit_ = Fit(to_a @ np.linalg.inv(to_b), 0.3, corners, 1.0)
    coarse = min(pair.files_px) < (COARSE_PX[1] if seed % 2 else COARSE_PX[0])
    laid = lay(files[0], files[1], fit_, work_px=CUT_PX if coarse else WIDTH)
    to_work = np.linalg.inv(laid.to_a) @ to_a
    truth = tuple(Difference(d.kind, tuple(_carried(b, to_work) for b in d.boxes), d.hidden) for d in pair.differences)  # type: ignore[misc]
    return Drawn(files[0], files[1], fit_, laid, truth)


def look_at(pair: Drawn) -> Looked:
    """What the map and the rings say of the pair."""
    known = Known(pair.laid, None, (hue_of(pair.laid.a, pair.laid.region), hue_of(pair.laid.b, pair.laid.region)))
    seen = evidence(Side(pair.a), Side(pair.b), pair.fit, known=known)
    rest = residue(pair.laid.a, pair.laid.b, pair.laid.region)
    k = seen.whole.detail_px / seen.whole.width
    small = [max(np.sqrt(w * h) for _, _, w, h in d.boxes) * k < LEAST_FILE_PX for d in pair.truth]
    truth = tuple(replace(d, hidden=d.hidden or s or levels(rest, d.boxes) < LEAST_LEVELS) for d, s in zip(pair.truth, small, strict=True))
    return Looked(truth, tuple(seen.spots), tuple(seen.rings), seen.whole)


def _sized(picture: Picture, width: int) -> Picture:
    if width >= picture.shape[1]:
        return picture
    size = (width, round(width * picture.shape[0] / picture.shape[1]))
    return np.asarray(cv2.resize(picture, size, interpolation=cv2.INTER_AREA), np.uint8)


def _carried(box: Sequence[float], m: Array) -> Box:
    x, y, w, h = box
    return float(m[0, 0] * x + m[0, 2]), float(m[1, 1] * y + m[1, 2]), float(m[0, 0] * w), float(m[1, 1] * h)


def matched(looked: Looked, places: Iterable[Candidate]) -> tuple[list[int | None], list[bool]]:
    """For each place 1 (right), 0 (wrong) or None (hidden: neither), and for each difference whether it was found."""
    taken = [False] * len(looked.truth)
    labels: list[int | None] = []
    grown = GROWN * looked.look.width
    for c in places:
        hits = [k for k, d in enumerate(looked.truth) if any(_touches(p, t, grown) for p in c.boxes for t in d.boxes)]
        fresh = [k for k in hits if not taken[k]]
        if fresh:
            taken[fresh[0]] = True
            labels.append(None if looked.truth[fresh[0]].hidden else 1)
        else:
            labels.append(None if hits and looked.truth[hits[0]].hidden else 0)
    return labels, taken


def _touches(p: Box, t: Sequence[float], grown: float) -> bool:
    cx, cy = p[0] + p[2] / 2, p[1] + p[3] / 2
    if t[0] - grown <= cx <= t[0] + t[2] + grown and t[1] - grown <= cy <= t[1] + t[3] + grown:
        return True
    both = max(0.0, min(p[0] + p[2], t[0] + t[2]) - max(p[0], t[0])) * max(0.0, min(p[1] + p[3], t[1] + t[3]) - max(p[1], t[1]))
    return both >= SAME_BOX * (p[2] * p[3] + t[2] * t[3] - both)


def is_right(looked: Looked, count: int) -> bool:
    """A hidden difference may be counted or not."""
    return sum(not d.hidden for d in looked.truth) <= count <= len(looked.truth)


@dataclass(frozen=True)
class Tally:
    """What was said of pairs and what is true, one value a pair."""

    said: Array
    right: Array
    holds: Array
    wide: Array
    none: Array  # whether nothing was found
    places: Array  # (3,): right, too many, missed


def tally(seen: list[Looked], model: Model) -> Tally:
    """How these pairs are counted by the network that ships and the model."""
    rows, counts = [], np.zeros(3)
    for looked in seen:
        places = in_company(alone(looked.spots, looked.rings, looked.look), model=model)
        v = verdict(places, looked.rings, looked.look, model=model)
        low, high = sum(not d.hidden for d in looked.truth), len(looked.truth)
        labels, taken = matched(looked, [p.candidate for p in v.places])
        missed = sum(not t and not d.hidden for t, d in zip(taken, looked.truth, strict=True))
        counts += [labels.count(1), labels.count(0), missed]
        rows.append(
            (v.probability, is_right(looked, v.count), v.range[0] <= high and low <= v.range[1], v.range[1] - v.range[0], v.count == 0)
        )
    said, right, holds, wide, none = np.array(rows, float).T
    return Tally(said, right, holds, wide, none, counts)


def tell(t: Tally) -> None:
    """Prints the figures and the reliability table."""
    right, many, missed = t.places
    f1 = 2 * right / (2 * right + many + missed)
    print(f"{len(t.said)} pairs: exact {t.right.mean():.3f}, none found {t.none.mean():.4f}, F1 {f1:.3f}")
    print(f"range holds {t.holds.mean():.3f}, its width {t.wide.mean():.2f}; said 0.95 or more of {(t.said >= 0.95).mean():.3f}")
    error = 0.0
    for low, high in pairwise(BINS):
        m = (t.said >= low) & (t.said < high)
        if m.any():
            error += m.mean() * abs(t.said[m].mean() - t.right[m].mean())
            print(f"said {low:.2f}..{min(high, 1):.2f}: n {m.sum():4d}, mean {t.said[m].mean():.3f}, true {t.right[m].mean():.3f}")
    print(f"expected calibration error {error:.3f}")


def _kept(path: Path, make: Callable[[], Kept]) -> Kept:
    """What the file keeps; made and kept where there is none."""
    if not path.exists():
        path.write_bytes(pickle.dumps(make()))
    kept: Kept = pickle.loads(path.read_bytes())
    return kept


def looked_at(part: str, sources: Path, cache: Path, seeds: range, *, identical: bool, only_lay: bool) -> list[Looked]:
    """The pairs of these seeds as the map that ships sees them; the cache keeps what was done already."""
    from_ = gathered(sources, part)
    folder = cache / (part + ("_identical" if identical else ""))
    folder.mkdir(parents=True, exist_ok=True)
    weights = hashlib.sha256(WEIGHTS.read_bytes() + PATCH_WEIGHTS.read_bytes()).hexdigest()[:12]
    seen = []
    for seed in seeds:

        def laid(seed: int = seed) -> Drawn:
            return _kept(folder / f"{seed}.laid.pickle", lambda: drawn(seed, from_, identical=identical))

        if only_lay:
            laid()
        else:
            seen.append(_kept(folder / f"{seed}.{weights}.pickle", lambda: look_at(laid())))
    return seen


def asked(about: str, part: str) -> tuple[argparse.ArgumentParser, Callable[[argparse.Namespace], list[Looked]]]:
    """The arguments that say which pairs, and the pairs that they say."""
    ask = argparse.ArgumentParser(description=about)
    ask.add_argument("--sources", type=Path, required=True, help="what differences_sources gathered")
    ask.add_argument("--cache", type=Path, required=True)
    ask.add_argument("--pairs", type=int, default=600)
    ask.add_argument("--first", type=int, default=0, help="begin with this one: for a second process that fills the cache")
    ask.add_argument("--lay", action="store_true", help="draw and lay the pairs, and stop")

    def pairs(given: argparse.Namespace) -> list[Looked]:
        cv2.setNumThreads(1)
        seeds = range(FIRST_SEED[part] + given.first, FIRST_SEED[part] + given.pairs)
        return looked_at(part, given.sources, given.cache, seeds, identical=vars(given).get("identical", False), only_lay=given.lay)

    return ask, pairs


def main() -> None:
    ask, pairs = asked(__doc__ or "", "measure")
    ask.add_argument("--identical", action="store_true", help="pairs without any difference")
    given = ask.parse_args()
    seen = pairs(given)
    if seen:
        tell(tally(seen, fitted()))


if __name__ == "__main__":
    main()
