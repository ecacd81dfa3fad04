"""Where a lamp is mirrored in a print: a burnt-out spot, and the haze round it in which little is left."""

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.cv import darkest
from vision.geometry import Picture

BURNT = 250              # all three channels: nothing is left of what lies there
BURNT_PART = 0.02        # of a photo, in one spot: of a picture's own whites less is burnt, of a mirrored lamp 3 to 10 %
HAZE = 1.0               # how far the haze reaches beyond a spot, in radii of a disc of its size

Mask = NDArray[np.bool_]


def spots(photo: Picture) -> list[Mask]:
    """Each (h, w): a large spot of a photo's picture that is burnt out in one piece."""
    burnt = cv2.morphologyEx((darkest(photo) >= BURNT).astype(np.uint8), cv2.MORPH_OPEN, np.ones((3, 3), np.uint8))
    count, labels, stats, _ = cv2.connectedComponentsWithStats(burnt)
    return [labels == k for k in range(1, count) if stats[k, cv2.CC_STAT_AREA] >= BURNT_PART * burnt.size]


def hazed(photo: Picture) -> Mask:
    """(h, w): what the spots and the haze round them hide."""
    out = np.zeros(photo.shape[:2], bool)
    for spot in spots(photo):
        reach = HAZE * float(np.sqrt(spot.sum() / np.pi))
        out |= cv2.distanceTransform((~spot).astype(np.uint8), cv2.DIST_L2, 3) < reach
    return out
