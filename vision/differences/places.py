"""From a map of evidence to places: one blob a difference."""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

STRONG, WEAK = 0.5, 0.25
LEAST_PART = 0.006         # of the width: the side of the smallest place


@dataclass(frozen=True)
class Blob:
    """A place in the working frame."""

    box: tuple[float, float, float, float]   # x, y, w, h
    probability: float
    area: int


def blobs(strength: NDArray[np.float32], usable: NDArray[np.bool_]) -> list[Blob]:
    """Grows strong evidence into weak and gives each connected place, likeliest first."""
    weak = ((strength > WEAK) & usable).astype(np.uint8)
    width = strength.shape[1]
    n = max(3, round(width * 0.012)) | 1
    weak = cv2.morphologyEx(weak, cv2.MORPH_CLOSE, np.ones((n, n), np.uint8))
    count, labels, stats, _ = cv2.connectedComponentsWithStats(weak)
    out = []
    for i in range(1, count):
        x, y, w, h, area = (int(v) for v in stats[i])
        peak = float(strength[y:y + h, x:x + w][labels[y:y + h, x:x + w] == i].max())
        if peak >= STRONG and area >= (LEAST_PART * width) ** 2:
            out.append(Blob((x, y, w, h), min(0.99, peak), area))
    return sorted(out, key=lambda blob: -blob.probability)
