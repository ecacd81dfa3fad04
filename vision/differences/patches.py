"""Each place once more, pixel by pixel: a small network of our own looks at what both sides show there and round it.

The map sees whole pictures in coarse cells; here a numeral, a burnt spot or the line of a ring looks like what it is. Both sides go through
the same layers, so which is named first changes nothing. It was trained by `vision.training.differences_patches` on drawn pairs.
"""

from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.differences.laid import Laid
from vision.geometry import Picture
from vision.observation import Box

WEIGHTS = Path(__file__).parent.parent / "weights" / "differences_patches.onnx"
SIDE = 40  # pixels of a patch
CHANNELS = 10  # A's three and how burnt it is, B's, what one has and the other lacks, the place
GROWN = 1.6  # of the place's longer side: so much is looked at
GROWN_PX = 8.0  # ... and so much more
LEAST_PX = 28.0  # and at least so much
SPREAD = 12.0  # levels: what is spread by less round a place is not made more of
CLIP = 3.0
NEAR = np.ones((3, 3), np.uint8)
LEVELS = np.arange(256)
Patches = NDArray[np.float32]


def patches(laid: Laid, places: Sequence[tuple[Box, ...]]) -> Patches:
    """(n, CHANNELS, SIDE, SIDE) of what lies at the largest box of each place, pixels of the working frame."""
    out = np.zeros((len(places), CHANNELS, SIDE, SIDE), np.float32)
    for patch, boxes in zip(out, places, strict=True):
        _fill(patch, laid, max(boxes, key=lambda b: b[2] * b[3]))
    return out


def pixel_odds(laid: Laid, places: Sequence[tuple[Box, ...]]) -> NDArray[np.float32]:
    """(n,) log odds that the two sides differ at each place, as its pixels have it."""
    if not places:
        return np.zeros(0, np.float32)
    net = _network()
    net.setInput(patches(laid, places))
    return np.asarray(net.forward()[:, 0], np.float32)


def _fill(patch: Patches, laid: Laid, box: Box) -> None:
    x, y, w, h = box
    n = round(max(GROWN * max(w, h) + GROWN_PX, LEAST_PX))
    left, top = round(x + w / 2 - n / 2), round(y + h / 2 - n / 2)
    k = SIDE / n
    round_it = np.full((SIDE, SIDE), 1, np.uint8)
    round_it[_span(k * (y - top), k * h), _span(k * (x - left), k * w)] = 0
    greys = []
    for side, picture in enumerate((laid.a, laid.b)):
        planes = _side(_cut(picture, left, top, n), round_it)
        patch[4 * side : 4 * side + 4] = planes
        greys.append((planes[0] + planes[1] + planes[2]) / 3)
    rest = patch[8]
    for one, other in (greys, greys[::-1]):
        np.maximum(rest, one - cv2.dilate(other, NEAR), out=rest)
        np.maximum(rest, cv2.erode(other, NEAR) - one, out=rest)
    patch[9] = 1 - round_it


def _span(low: float, length: float) -> slice:
    return slice(max(0, round(low)), max(1, round(low + length)))


def _cut(picture: Picture, left: int, top: int, n: int) -> Picture:
    """A square of n pixels; beyond the picture its edge goes on."""
    rows, columns = picture.shape[:2]
    x0, y0, x1, y1 = max(0, left), max(0, top), min(columns, left + n), min(rows, top + n)
    part = cv2.copyMakeBorder(picture[y0:y1, x0:x1], y0 - top, top + n - y1, x0 - left, left + n - x1, cv2.BORDER_REPLICATE)
    return np.asarray(cv2.resize(part, (SIDE, SIDE), interpolation=cv2.INTER_AREA if n > SIDE else cv2.INTER_LINEAR), np.uint8)


def _side(cut: Picture, round_it: NDArray[np.uint8]) -> list[Patches]:
    """Four planes: the channels, each with mean 0 and all with one spread round the place; and how burnt a pixel is, 0..1."""
    mean, spread = cv2.meanStdDev(cut, mask=round_it)
    table = np.clip((LEVELS[:, None] - mean.ravel()) / (spread.mean() + SPREAD), -CLIP, CLIP).astype(np.float32)
    blue, green, red = cv2.split(cut)
    darkest = np.asarray(cv2.min(cv2.min(blue, green), red), np.float32)
    return [np.asarray(p, np.float32) for p in (*cv2.split(cv2.LUT(cut, table[:, None, :])), darkest / 255)]


@lru_cache(maxsize=1)
def _network() -> cv2.dnn.Net:
    return cv2.dnn.readNetFromONNX(str(WEIGHTS))
