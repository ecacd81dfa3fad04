"""Fits how the places that the map marks are judged: the odds of one place, how many are missed, and what a count's probability is worth.

    python -m vision.training.differences_judge --sources SOURCES --cache CACHE --pairs 600
    python -m vision.training.differences_judge ... --measure --pairs 1000
    python -m vision.training.differences_judge ... --measure --identical --pairs 1000

The first fits: of the pairs, drawn from sources that the map was not trained on, two thirds fit the judge, the rest the last map from
said to true. The others change nothing: they measure on sources that neither has seen, and print the reliability table. What was looked
at is kept in CACHE; the map's weights must not change meanwhile.
"""

import argparse
import pickle
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

import cv2
import msgspec
import numpy as np
from numpy.typing import NDArray

from vision.differences.align import Fit
from vision.differences.candidates import Candidate
from vision.differences.comparison import Options, Side, evidence
from vision.differences.judge import (
    MODEL,
    Judged,
    Look,
    Model,
    counted,
    features,
    fitted,
    missing_cues,
    one_a_ring,
    ringed,
    sigmoid,
    verdict,
)
from vision.differences.rings import Ring
from vision.geometry import Picture
from vision.observation import Box
from vision.training.differences_pairs import WIDTH, Difference, draw_pair
from vision.training.differences_scenes import Sources
from vision.training.differences_sources import gathered

FIRST_SEED = {"judge": 1_000_000, "measure": 2_000_000}
GROWN = 0.015  # of the width: how far a place's middle may lie outside the true box
SAME_BOX = 0.2  # or how much they overlap at least
MOST_OF_A_PAIR = 3.0  # places: a restless pair has no more say
# added to the log odds: drawn pairs are harsher than tables, where it doubted too much, and some of their lone rings hold nothing
LEAN = {"bias": 0.7, "lone": 0.7}
BINS = (0.0, 0.3, 0.5, 0.7, 0.8, 0.9, 0.95, 1.01)
Array = NDArray[Any]


@dataclass(frozen=True)
class Looked:
    """One drawn pair as the chain sees it."""

    truth: tuple[Difference, ...]
    places: tuple[tuple[Candidate, Ring | None], ...]
    rings: tuple[Ring, ...]
    look: Look


def look_at(seed: int, from_: Sources, *, identical: bool) -> Looked:
    """Draws the pair of this seed and looks at it, each side in the size of its file."""
    pair = draw_pair(seed, from_, differences=0 if identical else None)
    files = [_sized(p, px) for p, px in zip((pair.a, pair.b), pair.files_px, strict=True)]
    to_a, to_b = (np.diag([f.shape[1] / pair.a.shape[1], f.shape[0] / pair.a.shape[0], 1.0]) for f in files)
    h, w = files[0].shape[:2]
    corners = np.array([[0.0, 0], [w, 0], [w, h], [0, h]])
    fit_ = Fit(to_a @ np.linalg.inv(to_b), 0.3, corners, 1.0)
    seen = evidence(Side(files[0]), Side(files[1]), fit_, Options(work_px=512 if min(pair.files_px) < 320 else WIDTH))
    to_work = np.linalg.inv(seen.laid.to_a) @ to_a
    truth = tuple(Difference(d.kind, tuple(_carried(b, to_work) for b in d.boxes), d.hidden) for d in pair.differences)  # type: ignore[misc]
    return Looked(truth, tuple(ringed(seen.found, seen.rings, seen.maps)), tuple(seen.rings), seen.whole)


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


def logistic(x: Array, y: Array, weight: Array, *, ridge: float = 1.0) -> Array:
    """Weights of a logistic regression of weighted samples, by Newton's method."""
    w = np.zeros(x.shape[1])
    for _ in range(40):
        p = 1 / (1 + np.exp(-np.clip(x @ w, -30, 30)))
        w = w + np.linalg.solve((x * (weight * p * (1 - p))[:, None]).T @ x + ridge * np.eye(len(w)), x.T @ (weight * (y - p)) - ridge * w)
    return w


def poisson(x: Array, y: Array, *, ridge: float = 1.0) -> Array:
    """Weights of a log-linear Poisson regression, by damped Newton."""
    w = np.zeros(x.shape[1])
    w[0] = np.log(y.mean() + 0.02)
    for _ in range(60):
        m = np.exp(np.clip(x @ w, -8, 3))
        w = w + 0.5 * np.linalg.solve((x * m[:, None]).T @ x + ridge * np.eye(len(w)), x.T @ (y - m) - ridge * np.r_[0, w[1:]])
    return w


def monotone(said: Array, right: Array, *, steps: int = 6) -> tuple[list[float], list[float]]:
    """Isotonic regression (pool adjacent violators) on quantile bins, shrunk towards a half by two pseudo-counts."""
    order = np.argsort(said)
    groups = [[float(said[g].mean()), float(right[g].sum() + 0.5), float(len(g) + 1)] for g in np.array_split(order, steps) if len(g)]
    k = 0
    while k < len(groups) - 1:
        if groups[k][1] / groups[k][2] > groups[k + 1][1] / groups[k + 1][2]:
            p, q = groups[k], groups.pop(k + 1)
            groups[k] = [(p[0] * p[2] + q[0] * q[2]) / (p[2] + q[2]), p[1] + q[1], p[2] + q[2]]
            k = max(0, k - 1)
        else:
            k += 1
    xs, ys = [g[0] for g in groups], [g[1] / g[2] for g in groups]
    return [0.0, *xs, 1.0], [min(ys[0], xs[0]), *ys, max(ys[-1], min(0.99, ys[-1] + 0.5 * (1 - xs[-1])))]


def rows_of(looked: Looked) -> list[dict[str, float]]:
    """The features of every place of a pair."""
    return [features(c, ring, list(looked.rings), looked.look) for c, ring in looked.places]


def judged(looked: Looked, model: Model) -> list[Judged]:
    """The places of a pair with their probabilities."""
    odds = [sum(model.place[k] * v for k, v in row.items()) for row in rows_of(looked)]
    return one_a_ring([Judged(c, sigmoid(o), ring) for (c, ring), o in zip(looked.places, odds, strict=True)])


def fit(seen: list[Looked]) -> Model:
    """The judge, fitted on these pairs; the map from said to true is still the identity."""
    rows, y, weight = [], [], []
    for looked in seen:
        labels, _ = matched(looked, [c for c, _ in looked.places])
        first = {id(ring): k for k, (_, ring) in reversed(list(enumerate(looked.places))) if ring is not None}  # likeliest of a ring
        told = [
            label is not None and (ring is None or first[id(ring)] == k)
            for k, (label, (_, ring)) in enumerate(zip(labels, looked.places, strict=True))
        ]
        kept = [(row, label) for row, label, use in zip(rows_of(looked), labels, told, strict=True) if use]
        rows += [row for row, _ in kept]
        y += [label or 0 for _, label in kept]
        weight += [min(1.0, MOST_OF_A_PAIR / max(1, len(kept)))] * len(kept)
    names = list(rows[0])
    place = logistic(np.array([[r[k] for k in names] for r in rows]), np.array(y, float), np.array(weight))
    leaning = {name: float(w) + LEAN.get(name, 0.0) for name, w in zip(names, place, strict=True)}
    model = Model(leaning, {}, [0.0, 1.0], [0.0, 1.0])
    missing, misses = [], []
    for looked in seen:
        places = judged(looked, model)
        _, taken = matched(looked, [p.candidate for p in places])
        missing.append(missing_cues(places, looked.look))
        misses.append(sum(not t and not d.hidden for t, d in zip(taken, looked.truth, strict=True)))
    others = list(missing[0])
    miss = poisson(np.array([[m[k] for k in others] for m in missing]), np.array(misses, float))
    print(f"{len(rows)} places, {sum(y)} right; {sum(misses)} differences never marked, on {len(seen)} pairs")
    return msgspec.structs.replace(model, missed=dict(zip(others, map(float, miss), strict=True)))


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
    """How the model counts these pairs. A hidden difference may be counted or not."""
    rows, places = [], np.zeros(3)
    for looked in seen:
        v = verdict(judged(looked, model), looked.look, model=model)
        low, high = sum(not d.hidden for d in looked.truth), len(looked.truth)
        labels, taken = matched(looked, [p.candidate for p in v.places])
        missed = sum(not t and not d.hidden for t, d in zip(taken, looked.truth, strict=True))
        places += [labels.count(1), labels.count(0), missed]
        rows.append(
            (v.probability, low <= v.count <= high, v.range[0] <= high and low <= v.range[1], v.range[1] - v.range[0], v.count == 0)
        )
    said, right, holds, wide, none = np.array(rows, float).T
    return Tally(said, right, holds, wide, none, places)


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


def main() -> None:
    ask = argparse.ArgumentParser(description=__doc__)
    ask.add_argument("--sources", type=Path, help="what differences_sources gathered")
    ask.add_argument("--cache", type=Path, required=True)
    ask.add_argument("--pairs", type=int, default=600)
    ask.add_argument("--measure", action="store_true", help="fit nothing; measure on the sources kept for that")
    ask.add_argument("--identical", action="store_true", help="pairs without any difference")
    ask.add_argument("--model", type=Path, default=MODEL)
    given = ask.parse_args()
    cv2.setNumThreads(1)
    part = "measure" if given.measure else "judge"
    from_ = gathered(given.sources, part)
    folder = given.cache / (part + ("_identical" if given.identical else ""))
    folder.mkdir(parents=True, exist_ok=True)
    seen = []
    for seed in range(FIRST_SEED[part], FIRST_SEED[part] + given.pairs):
        kept = folder / f"{seed}.pickle"
        if not kept.exists():
            kept.write_bytes(pickle.dumps(look_at(seed, from_, identical=given.identical)))
        seen.append(pickle.loads(kept.read_bytes()))
    if given.measure:
        tell(tally(seen, fitted()))
        return
    last = 2 * len(seen) // 3
    model = fit(seen[:last])
    spreads = [counted(judged(looked, model), looked.look, model=model) for looked in seen[last:]]
    said = np.array([spread[len(shown)] for shown, spread in spreads])
    xs, ys = monotone(said, tally(seen[last:], model).right)
    model = msgspec.structs.replace(model, said=xs, true=ys)
    given.model.write_bytes(msgspec.json.format(msgspec.json.encode(model), indent=1) + b"\n")
    tell(tally(seen[last:], model))


if __name__ == "__main__":
    main()
