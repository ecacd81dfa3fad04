"""Reading a numeral by turning it until it stands upright."""

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.geometry import Points
from vision.markers.crops import cut_crops
from vision.markers.networks import ask, softmax
from vision.topview import TopView

READ_PX = 32              # side of a grey crop
READ_SIZES = 0.95         # a crop is this many marker sizes wide
STEP_DEGREES = 45.0       # between the turns in which a piece is shown
VALUES = 10


def read_numerals(top: TopView, at_mm: Points, size_mm: NDArray[np.float64]) -> NDArray[np.float64]:
    """How well each value 1..10 fits the pieces: (n, VALUES), each the best fit over all turns, 0..1."""
    turns = np.radians(np.arange(0, 360, STEP_DEGREES))
    n, k = len(at_mm), len(turns)
    crops = cut_crops(top, np.repeat(at_mm, k, 0), np.repeat(size_mm, k), np.tile(turns, n), px=READ_PX, sizes=READ_SIZES)
    grey = np.array([cv2.cvtColor(c, cv2.COLOR_BGR2GRAY) for c in crops], np.uint8).reshape(-1, READ_PX, READ_PX)
    fits = softmax(ask("upright", normalised(grey)))[:, 1:]
    return np.asarray(fits.reshape(n, k, VALUES).max(1), np.float64)


def normalised(crops: NDArray[np.uint8]) -> NDArray[np.float32]:
    """(n, READ_PX, READ_PX) grey -> (n, 1, READ_PX, READ_PX), each with mean 0 and spread 1."""
    x = crops[:, None].astype(np.float32)
    x -= x.mean((1, 2, 3), keepdims=True)
    return np.asarray(x / (x.std((1, 2, 3), keepdims=True) + 3), np.float32)
