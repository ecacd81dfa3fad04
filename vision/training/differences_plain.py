"""How plainly a difference shows in two finished pictures, and whether a careful person would find it."""

from collections.abc import Iterable, Sequence
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.cv import brightest
from vision.geometry import Picture

LEAST_LEVELS = 36.0  # what shows less, a careful person hardly finds
LEAST_PIXELS = 6
TENTH = 10  # the strongest of so many
AROUND_PX = 20  # it is looked so far round a difference, or as far as it is large
CALM = 3.0  # levels: where nothing else differs, so much is needed to stand out
STANDS_OUT = 1.0  # what shows no more than anything else round it, nobody finds
Box = Sequence[float]  # x, y, w, h
Array = NDArray[Any]


def residue(a: Picture, b: Picture, region: NDArray[np.bool_]) -> Array:
    """(h, w) levels: what one side has and the other has nowhere within two pixels, once their light is equal; the largest channel.

    The light of a channel is equal when its mean over a fifth of the width and its spread are, the paler side's.
    """
    size, on = a.shape[1] // 5 | 1, region.astype(np.float32)
    around = cv2.blur(on, (size, size)) + 1e-3
    sides = [p.astype(np.float32) for p in (a, b)]
    even = [p - cv2.blur(p * on[..., None], (size, size)) / around[..., None] for p in sides]
    spread = np.array([cv2.meanStdDev(p, mask=region.astype(np.uint8))[1].ravel() + 1 for p in even], np.float32)
    one, other = (cv2.blur(p * (spread.min(0) / s), (3, 3)) for p, s in zip(even, spread, strict=True))
    reach = np.ones((5, 5), np.uint8)
    apart, back = (np.maximum(p - cv2.dilate(q, reach), cv2.erode(q, reach) - p) for p, q in ((one, other), (other, one)))
    return np.asarray(np.maximum(brightest(np.asarray(cv2.max(apart, back))), 0), np.float32)


def levels(rest: Array, boxes: Iterable[Box]) -> float:
    """How plainly a difference shows: the mean of its strongest tenth, in the plainer of its boxes."""
    return max((_strongest(rest[_part(box, 0)]) for box in boxes), default=0.0)


def stands_out(rest: Array, boxes: Sequence[Box], others: Iterable[Box], region: NDArray[np.bool_]) -> bool:
    """Whether it shows more than whatever differs round it on the print, but for the other differences."""
    near = np.zeros_like(region)
    for box in boxes:
        near[_part(box, max(AROUND_PX, *box[2:]))] = True
    for box in (*boxes, *others):
        near[_part(box, 4)] = False
    around = rest[near & region]
    return levels(rest, boxes) >= STANDS_OUT * (_strongest(around) + CALM)


def _part(box: Box, margin: float) -> tuple[slice, slice]:
    x, y, w, h = box
    return np.s_[max(0, int(y - margin)) : max(0, int(y + h + margin)) + 1, max(0, int(x - margin)) : max(0, int(x + w + margin)) + 1]


def _strongest(values: Array) -> float:
    """The mean of the strongest tenth."""
    n = min(values.size, max(LEAST_PIXELS, values.size // TENTH))
    return float(np.partition(values, values.size - n, axis=None)[values.size - n :].mean()) if n else 0.0
