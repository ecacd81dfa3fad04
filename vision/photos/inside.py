"""What a photo shows within its outline: its side, and what glare or a hand hides of it."""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.cv import darkest
from vision.geometry import Picture, Points
from vision.observation import Side
from vision.topview import View

CUT_PX = (120, 80)            # longer side, shorter side
BLOCK = 10                    # pixels of a cut
PARTS = (6, 4)                # of a photo, along and across
FEWEST_PARTS = 4              # that must be seen to tell the side
SPREAD = (8, 92)              # percentiles between which the colour is spread
IN_PARTS = (0.09, 0.36)       # spread of the colour in most parts: below the one no colour side, above the other no back was seen
IN_WHOLE = (0.12, 0.45)       # the same in the whole
BURNT = 242                   # the darkest channel, from which a place shows nothing but light
ALIKE = 0.35                  # correlation from which two blocks show the same
FLAT = 5.0                    # grey steps: less spread says nothing

Blocks = NDArray[np.float64]


@dataclass(frozen=True)
class Inside:
    """`sure` is the side's probability; `hidden` the part (0..1) that cannot be seen."""

    side: Side | None
    sure: float
    hidden: float


def look_inside(view: View, quad: Points, fellow: Points | None = None) -> tuple[Inside, ...]:
    """The insides of a photo and, if told, of its fellow, whose corners begin at the same corner of the picture.

    Where the two differ over a whole block, one of them is hidden there: the burnt one, else the one with less to see (photos are crammed).
    """
    cuts = [view.cut(q, *CUT_PX) for q in (quad, fellow) if q is not None]
    burnt = [_mean((darkest(cut) > BURNT).astype(np.float32)) > 0.5 for cut in cuts]
    hidden = [b.copy() for b in burnt]
    if len(cuts) == 2:
        a, b = (cv2.cvtColor(cut, cv2.COLOR_BGR2GRAY).astype(np.float32) for cut in cuts)
        (va, vb), correlation = _compared(np.asarray(a), np.asarray(b))
        unlike = (correlation < ALIKE) & (np.maximum(va, vb) > FLAT) & ~burnt[0] & ~burnt[1]
        unlike = cv2.morphologyEx(unlike.astype(np.uint8), cv2.MORPH_OPEN, np.ones((2, 2), np.uint8)) > 0   # a difference is smaller
        hidden[0] |= unlike & (va < vb)
        hidden[1] |= unlike & (va >= vb)
    return tuple(_inside(cut, h) for cut, h in zip(cuts, hidden, strict=True))


def side_of(picture: Picture, shown: NDArray[np.bool_] | None = None) -> tuple[Side | None, float]:
    """Which side a cut of a photo shows, and its probability, judged where `shown` (H, W).

    By how much the colour varies, whatever the lamp: the spread of log red/green and log blue/green, in most of the picture's parts and
    in the whole. A hand colours the whole, but few parts.
    """
    soft = cv2.GaussianBlur(picture, (0, 0), 1.0).astype(np.float32) + 6
    blue, green, red = (np.asarray(c) for c in cv2.split(soft))
    lit = (green > 16) & (np.asarray(soft).max(2) < 252)
    if shown is not None:
        lit &= shown
    colours = np.log(np.stack([red, blue], -1) / green[..., None])
    parts = [
        _spread(part[told])
        for row, row_lit in zip(np.array_split(colours, PARTS[1], 0), np.array_split(lit, PARTS[1], 0), strict=True)
        for part, told in zip(np.array_split(row, PARTS[0], 1), np.array_split(row_lit, PARTS[0], 1), strict=True)
        if told.mean() > 0.25
    ]
    if len(parts) < FEWEST_PARTS:
        return None, 0.5
    lean, whole = _lean(float(np.median(parts)), *IN_PARTS), _lean(_spread(colours[lit]), *IN_WHOLE)
    if lean * whole < 0:
        lean *= 0.5
    return ("colour" if lean > 0 else "back"), float(1 / (1 + np.exp(-4 * abs(lean))))


def _spread(colours: NDArray[np.float32]) -> float:
    ordered = np.sort(colours.T, axis=1)                    # (2, n); np.percentile takes thrice as long over so few
    at = np.array(SPREAD) / 100 * (ordered.shape[1] - 1)
    below = at.astype(int)
    above = np.minimum(below + 1, ordered.shape[1] - 1)
    low, high = (ordered[:, below] + (at - below) * (ordered[:, above] - ordered[:, below])).T
    return float(np.hypot(*(high - low)))


def _lean(spread: float, grey: float, coloured: float) -> float:
    """-1 at `grey`, 1 at `coloured`."""
    middle = np.sqrt(grey * coloured)
    return float(np.log(max(spread, 1e-3) / middle) / np.log(coloured / middle))


def _inside(cut: Picture, hidden: NDArray[np.bool_]) -> Inside:
    shown = np.kron(~hidden, np.ones((BLOCK, BLOCK), bool))
    side, sure = side_of(cut, shown)
    return Inside(side, sure, float(hidden.mean()))


def _mean(values: NDArray[np.float32]) -> Blocks:
    h, w = values.shape
    return np.asarray(values.reshape(h // BLOCK, BLOCK, w // BLOCK, BLOCK).mean((1, 3)), np.float64)


def _compared(a: NDArray[np.float32], b: NDArray[np.float32]) -> tuple[tuple[Blocks, Blocks], Blocks]:
    """The spread of each block in a and in b, and their correlation, at the best of small shifts: outlines are good to a millimetre."""
    va, vb = (np.sqrt(np.maximum(_mean(v * v) - _mean(v) ** 2, 0)) for v in (a, b))
    best = np.full(va.shape, -1.0)
    for dx in (-1, 0, 1):
        for dy in (-1, 0, 1):
            moved = np.roll(b, (dy, dx), (0, 1))
            together = _mean(a * moved) - _mean(a) * _mean(moved)
            spread = np.sqrt(np.maximum(_mean(moved * moved) - _mean(moved) ** 2, 0))
            best = np.maximum(best, together / (va * spread + 4))   # flat blocks are like nothing
    return (va, vb), best
