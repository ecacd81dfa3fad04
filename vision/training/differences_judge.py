"""Fits how the places that the map marks are judged: the odds of one place, how many are missed, and what a count's probability is worth.

    python -m vision.training.differences_judge --font NotoColorEmoji.ttf --photographs DIR --cache CACHE --pairs 300

Pairs are drawn from the sources that were held back from the map's training; the first half fits the judge, the second the last map
from said to true. Prints the reliability table of the second half. Needs nothing beyond the package itself.
"""

import argparse
import pickle
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import msgspec
import numpy as np
from numpy.typing import NDArray

from vision.differences.align import Fit
from vision.differences.candidates import Candidate, candidates
from vision.differences.comparison import print_cells
from vision.differences.judge import MODEL, Model, features, judged, missing_cues, verdict
from vision.differences.laid import lay
from vision.differences.maps import map_differences
from vision.differences.rings import Ring, find_rings
from vision.observation import Box
from vision.training.differences_pairs import WIDTH, Difference, draw_pair
from vision.training.differences_sources import sources

FIRST_SEED = 1_000_000
GROWN = 0.015  # of the width: how far a place's middle may lie outside the true box
Array = NDArray[Any]


@dataclass(frozen=True)
class Looked:
    """One drawn pair as the chain sees it."""

    truth: tuple[Difference, ...]
    found: tuple[Candidate, ...]
    rings: tuple[Ring, ...]
    missing: dict[str, float]
    hidden: float
    width: int


def look_at(seed: int, font: Path | None, photographs: Path | None) -> Looked:
    """Draws the pair of this seed from held-back sources and looks at it."""
    pair = draw_pair(FIRST_SEED + seed, sources(font, photographs, part=1))
    h, w = pair.changed.shape
    corners = np.array([[0.0, 0], [w, 0], [w, h], [0, h]])
    laid = lay(pair.a, pair.b, Fit(np.eye(3), 0.3, corners, 1.0))
    maps = map_differences(laid)
    usable = print_cells(laid, maps)
    back = laid.to_a
    truth = tuple(Difference(d.kind, tuple(_carried(b, np.linalg.inv(back)) for b in d.boxes), d.hidden) for d in pair.differences)  # type: ignore[misc]
    return Looked(
        truth,
        tuple(candidates(laid, maps, usable, np.zeros_like(usable))),
        tuple(find_rings(laid)),
        missing_cues(maps, usable, WIDTH),
        float((maps.unseen[usable] > 0.5).mean()) if usable.any() else 0.0,
        laid.width,
    )


def _carried(box: Sequence[float], m: Array) -> Box:
    x, y, w, h = box
    return float(m[0, 0] * x + m[0, 2]), float(m[1, 1] * y + m[1, 2]), float(m[0, 0] * w), float(m[1, 1] * h)


def matched(looked: Looked) -> tuple[list[int | None], list[bool]]:
    """For each candidate 1 (right), 0 (wrong) or None (hidden: neither), and for each difference whether it was found."""
    taken = [False] * len(looked.truth)
    labels: list[int | None] = []
    grown = GROWN * looked.width
    for c in looked.found:
        hits = [k for k, d in enumerate(looked.truth) if any(_touches(p, t, grown) for p in c.boxes for t in d.boxes)]
        fresh = [k for k in hits if not taken[k]]
        if fresh:
            taken[fresh[0]] = True
            labels.append(None if looked.truth[fresh[0]].hidden else 1)
        else:
            labels.append(0)
    return labels, taken


def _touches(p: Box, t: Sequence[float], grown: float) -> bool:
    cx, cy = p[0] + p[2] / 2, p[1] + p[3] / 2
    return bool(t[0] - grown <= cx <= t[0] + t[2] + grown and t[1] - grown <= cy <= t[1] + t[3] + grown)


def logistic(x: Array, y: Array, *, ridge: float = 1.0) -> Array:
    """Weights of a logistic regression, by Newton's method."""
    w = np.zeros(x.shape[1])
    for _ in range(40):
        p = 1 / (1 + np.exp(-np.clip(x @ w, -30, 30)))
        step = np.linalg.solve((x * (p * (1 - p))[:, None]).T @ x + ridge * np.eye(len(w)), x.T @ (y - p) - ridge * w)
        w = w + step
    return w


def poisson(x: Array, y: Array, *, ridge: float = 1.0) -> Array:
    """Weights of a log-linear Poisson regression, by damped Newton."""
    w = np.zeros(x.shape[1])
    w[0] = np.log(y.mean() + 0.02)
    for _ in range(60):
        m = np.exp(np.clip(x @ w, -8, 3))
        w = w + 0.5 * np.linalg.solve((x * m[:, None]).T @ x + ridge * np.eye(len(w)), x.T @ (y - m) - ridge * np.r_[0, w[1:]])
    return w


def monotone(said: Array, right: Array, *, steps: int = 8) -> tuple[list[float], list[float]]:
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


def fit(seen: list[Looked]) -> Model:
    """The judge, fitted on these pairs; the map from said to true is still the identity."""
    rows, y = [], []
    missing, misses = [], []
    for looked in seen:
        labels, taken = matched(looked)
        for c, label in zip(looked.found, labels, strict=True):
            if label is not None:
                rows.append(features(c, looked.width))
                y.append(label)
        missing.append(looked.missing)
        misses.append(sum(not t and not d.hidden for t, d in zip(taken, looked.truth, strict=True)))
    names, others = list(rows[0]), list(missing[0])
    place = logistic(np.array([[r[k] for k in names] for r in rows]), np.array(y, float))
    miss = poisson(np.array([[m[k] for k in others] for m in missing]), np.array(misses, float))
    print(f"{len(rows)} places, {sum(y)} right; {sum(misses)} differences never marked, on {len(seen)} pairs")
    return Model(dict(zip(names, map(float, place), strict=True)), dict(zip(others, map(float, miss), strict=True)), [0.0, 1.0], [0.0, 1.0])


def counts(seen: list[Looked], model: Model) -> tuple[Array, Array, Array]:
    """For each pair: the probability said (before the last map), whether the count is right, whether the range holds."""
    said, right, holds = [], [], []
    for looked in seen:
        places = judged(list(looked.found), list(looked.rings), None, looked.width, model=model)
        v = verdict(places, list(looked.rings), hidden=looked.hidden, missing=looked.missing, model=model)
        low = sum(not d.hidden for d in looked.truth)
        said.append(v.probability)
        right.append(low <= v.count <= len(looked.truth))
        holds.append(v.range[0] <= len(looked.truth) and low <= v.range[1])
    return np.array(said), np.array(right, float), np.array(holds, float)


def main() -> None:
    ask = argparse.ArgumentParser(description=__doc__)
    ask.add_argument("--font", type=Path)
    ask.add_argument("--photographs", type=Path)
    ask.add_argument("--cache", type=Path, required=True)
    ask.add_argument("--pairs", type=int, default=300)
    ask.add_argument("--model", type=Path, default=MODEL)
    given = ask.parse_args()
    cv2.setNumThreads(1)
    given.cache.mkdir(parents=True, exist_ok=True)
    seen = []
    for seed in range(given.pairs):
        kept = given.cache / f"{seed:06d}.pickle"
        if not kept.exists():
            kept.write_bytes(pickle.dumps(look_at(seed, given.font, given.photographs)))
        seen.append(pickle.loads(kept.read_bytes()))
    half = len(seen) // 2
    model = fit(seen[:half])
    said, right, holds = counts(seen[half:], model)
    xs, ys = monotone(said, right)
    model = msgspec.structs.replace(model, said=xs, true=ys)
    given.model.write_bytes(msgspec.json.format(msgspec.json.encode(model), indent=1) + b"\n")
    print(f"second half: exact {right.mean():.3f}, range holds {holds.mean():.3f}")
    for low, high in ((0, 0.3), (0.3, 0.5), (0.5, 0.7), (0.7, 0.9), (0.9, 1.01)):
        m = (said >= low) & (said < high)
        if m.any():
            print(f"said {low:.1f}..{high:.1f}: n {m.sum()}, mean {said[m].mean():.3f}, true {right[m].mean():.3f}")


if __name__ == "__main__":
    main()
