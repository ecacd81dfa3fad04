"""The one door to OpenCV's quirks: its stubs know neither None nor dtypes, and its arrays changed shape between 4 and 5."""

from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.geometry import Picture

NOTHING: Any = None   # OpenCV takes None where its stubs say that an array must stand


def remap(picture: Picture, xy: NDArray[Any], fraction: NDArray[Any] | None = None, *, border: int = cv2.BORDER_CONSTANT) -> Picture:
    """`picture` sampled where `xy` says: (H, W, 2) float32, or int16 with its `fraction`; OpenCV's pixels (centres at whole numbers)."""
    return np.asarray(cv2.remap(picture, xy, NOTHING if fraction is None else fraction, cv2.INTER_LINEAR, borderMode=border), np.uint8)


def fixed_maps(xy: NDArray[np.float32]) -> tuple[NDArray[np.int16], NDArray[np.uint16]]:
    """Maps of (H, W, 2) float32 in the fixed-point form that `remap` reads fastest."""
    whole, fraction = cv2.convertMaps(xy, NOTHING, cv2.CV_16SC2)
    return np.asarray(whole, np.int16), np.asarray(fraction, np.uint16)


def darkest(picture: Picture) -> NDArray[np.uint8]:
    """(H, W): the least of a pixel's three channels; numpy takes twenty times as long over an axis so short."""
    blue, green, red = cv2.split(picture)
    return np.asarray(cv2.min(cv2.min(blue, green), red), np.uint8)


def brightest(picture: NDArray[Any]) -> NDArray[Any]:
    """(H, W): the most of a pixel's three channels, (H, W, 3) of any kind of number."""
    blue, green, red = cv2.split(picture)
    return np.asarray(cv2.max(cv2.max(blue, green), red))
