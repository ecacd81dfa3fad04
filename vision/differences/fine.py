"""The fine look at clean pairs: two files of one picture that agree nearly pixel by pixel, where a change may be tiny or pale.

The network works on a reduced copy; a change of twenty pixels in a picture of four thousand is lost there. Where the two agree so well
that noise is no excuse (screenshots, scans of one file, lossless or lightly compressed copies), every compact residue is a difference.
"""

from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.cv import brightest
from vision.differences.align import Array, inside, warp
from vision.geometry import Picture
from vision.observation import Box

CLEAN_LEVELS = 1.2  # mean residue (of 255) up to which a pair counts as clean
EXACT_LEVELS = 0.3
MOST_OF_A_CHANGE = 8.0  # levels of a pixel that count for this: changes themselves do not make a pair unclean
LEAST_LEVELS = 4.0  # the palest change that is looked for
TIMES_USUAL = 8.0  # and how far above the usual residue of its surroundings it stands
CHANGED_PART = 0.2  # of the pixels at most differ at all, where two files are equal but for their changes
LEAST_AREA_PX = 12  # smaller ones are hot pixels
LARGEST_PX = 4096  # the longer side of the picture that is looked at; a larger one is looked at in strips
STRIP_PX = 1024
STRAY_PART = 0.002  # ... of the pixels at most differ beside what is found: a codec leaves traces round all that has edges
TRACE_PX = 4  # round a residue: what is smoothed with it
MOST_SPECKS = 16  # more are the edges of a plain drawing that lies off by a fraction of a pixel
THIN_PX, THIN_PART = (5, 8), 0.004  # the thinnest residue that counts where two files do not agree to the last bit
JOIN_PX = 5  # parts so near belong together
ALL_ROUND, FRAME_PART = 0.9, 0.4  # of both sides spans a frame round the picture, and of its box it fills at most


@dataclass(frozen=True)
class Speck:
    """A compact residue, in pixels of A."""

    box: Box
    levels: float


@dataclass(frozen=True)
class CleanLook:
    """All compact residues of a clean pair, how much the two differ on average (levels of 255), and whether most pixels are equal."""

    specks: list[Speck]
    residue: float
    lossless: bool  # so that every compact residue is a difference

    @property
    def exact(self) -> bool:
        """So clean that what left no residue is no difference."""
        return self.residue < EXACT_LEVELS


def one_grid(a: Picture, b: Picture, b_to_a: Array) -> bool:
    """Whether each pixel of one file lies on its like of the other."""
    return a.shape == b.shape and bool(np.abs(b_to_a / b_to_a[2, 2] - np.eye(3)).max() < 0.02)


def specks(a: Picture, b: Picture, b_to_a: Array) -> CleanLook | None:
    """All compact residues of a clean pair, in A's pixels; None where the pair is not clean."""
    same_grid = one_grid(a, b, b_to_a)
    if not same_grid and not _worth_it(a, b, b_to_a):
        return None
    height, width = a.shape[:2]
    found = np.zeros((height, width), np.uint8)
    levels = np.zeros((height, width), np.uint8)
    sums, count, unequal = 0.0, 0, 0
    for top in range(0, height, STRIP_PX):
        low, high = max(0, top - 8), min(height, top + STRIP_PX + 8)
        part_a = a[low:high]
        if same_grid:
            part_b, both = b[low:high], None
        else:
            to_part = np.array([[1, 0, 0], [0, 1, -low], [0, 0, 1.0]]) @ b_to_a
            part_b = warp(b, to_part, width, high - low)
            both = inside((b.shape[1], b.shape[0]), to_part, width, high - low, margin=2)
        rest, reach = _residue(part_a, part_b, exact=same_grid)
        if both is not None:
            rest[~both] = 0
        sums += cv2.sumElems(np.minimum(rest, MOST_OF_A_CHANGE))[0]
        count += rest.size if both is None else int(both.sum())
        unequal += cv2.countNonZero(rest)
        if sums > CLEAN_LEVELS * height * width:
            return None
        keep = slice(top - low, min(top + STRIP_PX, height) - low)
        found[top : top + STRIP_PX] = (rest > np.maximum(LEAST_LEVELS, reach))[keep]
        levels[top : top + STRIP_PX] = rest[keep]  # none is above 255
    if count == 0 or sums / count > CLEAN_LEVELS:
        return None
    compact = _compact(found, levels)
    equal = same_grid and unequal < CHANGED_PART * count and len(compact) <= MOST_SPECKS
    seen = CleanLook(compact, sums / count, equal and _strays(levels, compact) < STRAY_PART * count)
    if seen.lossless:
        return seen
    least = float(np.clip(THIN_PART * width, *THIN_PX))  # the codec, or a grid that is off by a fraction, leaves thin and tiny ones
    return CleanLook([s for s in seen.specks if min(s.box[2:]) >= least], seen.residue, False)


def _worth_it(a: Picture, b: Picture, b_to_a: Array) -> bool:
    """Whether a reduced copy agrees well enough that the whole one may."""
    k = min(1.0, 600 / max(a.shape[:2]))
    w, h = max(1, round(a.shape[1] * k)), max(1, round(a.shape[0] * k))
    small = np.diag([w / a.shape[1], h / a.shape[0], 1.0])
    sa, sb = warp(a, small, w, h), warp(b, small @ b_to_a, w, h)
    both = inside((b.shape[1], b.shape[0]), small @ b_to_a, w, h, margin=2)
    rest, _ = _residue(sa, sb, exact=False)
    return both.mean() > 0.5 and float(np.minimum(rest, MOST_OF_A_CHANGE)[both].mean()) < CLEAN_LEVELS


def _residue(a: Picture, b: Picture, *, exact: bool) -> tuple[NDArray[Any], NDArray[Any]]:
    """How far B leaves what A has within one pixel (the largest channel), smoothed; and what is usual around, to compare with."""
    if exact:
        apart = cv2.absdiff(a, b)
    else:
        nine = np.ones((3, 3), np.uint8)
        over = cv2.subtract(b, cv2.dilate(a, nine))
        under = cv2.subtract(cv2.erode(a, nine), b)
        back = cv2.subtract(a, cv2.dilate(b, nine))
        beneath = cv2.subtract(cv2.erode(b, nine), a)
        apart = np.maximum(np.maximum(over, under), np.maximum(back, beneath))
    rest = np.asarray(cv2.blur(brightest(np.asarray(apart, np.uint8)).astype(np.float32), (3, 3)), np.float32)
    if cv2.countNonZero(rest) < CHANGED_PART * rest.size:
        # equal to the last bit elsewhere: there is no noise, and a large pale change must not pass for it
        return rest, np.zeros_like(rest)
    return rest, np.asarray(TIMES_USUAL * cv2.blur(np.minimum(rest, 8.0), (61, 61)), np.float32)


def _strays(levels: NDArray[np.uint8], found: list[Speck]) -> int:
    """How many pixels differ beside the residues found."""
    rest = levels.copy()
    for speck in found:
        x, y, w, h = (int(v) for v in speck.box)
        rest[max(0, y - TRACE_PX) : y + h + TRACE_PX, max(0, x - TRACE_PX) : x + w + TRACE_PX] = 0
    return cv2.countNonZero(rest)


def _compact(found: NDArray[np.uint8], levels: NDArray[np.uint8]) -> list[Speck]:
    solid = cv2.morphologyEx(found, cv2.MORPH_OPEN, np.ones((4, 4), np.uint8))  # a smoothed hot pixel is 3 x 3
    joined = cv2.dilate(solid, np.ones((JOIN_PX, JOIN_PX), np.uint8))
    count, labels, stats, _ = cv2.connectedComponentsWithStats(joined)
    out = []
    height, width = found.shape
    for k in range(1, count):
        x, y, w, h = (int(v) for v in stats[k][:4])
        if w > ALL_ROUND * width and h > ALL_ROUND * height and stats[k][cv2.CC_STAT_AREA] < FRAME_PART * w * h:
            continue  # the table or the paper round the print
        where = (labels[y : y + h, x : x + w] == k) & (solid[y : y + h, x : x + w] > 0)
        if int(where.sum()) < LEAST_AREA_PX:
            continue
        ys, xs = np.nonzero(where)
        box = (float(x + xs.min()), float(y + ys.min()), float(np.ptp(xs) + 1), float(np.ptp(ys) + 1))
        out.append(Speck(box, float(np.percentile(levels[y : y + h, x : x + w][where], 90))))
    return out
