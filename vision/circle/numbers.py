"""The number beside an arrow: every blob of ink that could be a numeral is shown to the network that reads markers' numerals upright."""

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.circle.bands import STEPS
from vision.geometry import Picture
from vision.markers.networks import ask, softmax
from vision.markers.upright import READ_PX, normalised

HEIGHT = (0.045, 0.2)         # of a numeral, of the band's length
WIDTH = (0.12, 1.25)          # of a numeral, of its height
LEVELS = (0.25, 0.4, 0.55, 0.7)   # between the darkest and the lightest of a channel
FLAT = 14                     # steps between these, with fewer of which a channel shows no ink
CROPS = (1.5, 1.9)            # crops are so many times as high as the blob
SAME_PX = 4                   # boxes that differ less in all are one
BESIDE = 0.4                  # of the height: figures of one number are no farther apart
UNEVEN = 0.2                  # of the height: nor more uneven

Blob = tuple[int, int, int, int]   # x, y, width, height


def number_chances(band: Picture) -> NDArray[np.float64]:
    """(STEPS,): how well each number 1..10 fits some blob of an upright band, 0..1."""
    blobs = _blobs(band)
    if not blobs:
        return np.zeros(STEPS)
    grey = np.asarray(cv2.cvtColor(band, cv2.COLOR_BGR2GRAY), np.uint8)
    crops = np.array([_crop(grey, blob, size) for blob in blobs for size in CROPS], np.uint8)
    fits = softmax(ask("upright", normalised(crops)))[:, 1:]
    return np.asarray(fits.reshape(len(blobs), len(CROPS), STEPS).mean(1).max(0), np.float64)


def _blobs(band: Picture) -> list[Blob]:
    """Ink of a numeral's size, darker or lighter than its ground; two figures side by side also as one."""
    grey = cv2.cvtColor(band, cv2.COLOR_BGR2GRAY)
    _, a, b = cv2.split(cv2.cvtColor(band, cv2.COLOR_BGR2Lab))
    found: dict[Blob, None] = {}
    for channel in (grey, a, b):
        low, high = np.percentile(channel, [1, 99])
        if high - low < FLAT:
            continue
        for level in LEVELS:
            mask = (np.asarray(channel) > low + level * (high - low)).astype(np.uint8)
            for side in (mask, 1 - mask):
                stats = cv2.connectedComponentsWithStats(side, connectivity=8)[2]
                found |= dict.fromkeys(_of_size(stats, band.shape))
    single = list(found)
    found |= dict.fromkeys(_together(p, q) for p in single for q in single if _beside(p, q))
    apart: list[Blob] = []
    for blob in found:
        if not any(np.abs(np.subtract(blob, other)).sum() <= SAME_PX for other in apart):
            apart.append(blob)
    return apart


def _of_size(stats: NDArray[np.int32], shape: tuple[int, ...]) -> list[Blob]:
    deep, long = shape[:2]
    x, y, w, h = (stats[1:, k] for k in range(4))
    fits = (h > HEIGHT[0] * long) & (h < HEIGHT[1] * long) & (w < WIDTH[1] * h) & (w > WIDTH[0] * h)
    fits &= (x > 0) & (y > 0) & (x + w < long - 1) & (y + h < deep - 1)
    return [(int(r[0]), int(r[1]), int(r[2]), int(r[3])) for r in stats[1:][fits]]


def _beside(p: Blob, q: Blob) -> bool:
    """Whether q could be the second figure of a number that p begins."""
    gap, even = q[0] - (p[0] + p[2]), UNEVEN * p[3]
    return 0 <= gap < BESIDE * p[3] and abs(p[1] - q[1]) < even and abs(p[3] - q[3]) < even


def _together(p: Blob, q: Blob) -> Blob:
    return p[0], min(p[1], q[1]), q[0] + q[2] - p[0], max(p[3], q[3])


def _crop(grey: NDArray[np.uint8], blob: Blob, size: float) -> NDArray[np.uint8]:
    x, y, w, h = blob
    side = size * h
    to_crop = np.array([[side / READ_PX, 0, x + w / 2 - side / 2], [0, side / READ_PX, y + h / 2 - side / 2]])
    how = cv2.INTER_AREA | cv2.WARP_INVERSE_MAP
    return np.asarray(cv2.warpAffine(grey, to_crop, (READ_PX, READ_PX), flags=how, borderMode=cv2.BORDER_REPLICATE), np.uint8)
