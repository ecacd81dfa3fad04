"""Reading a numeral by turning it until it stands upright."""

from dataclasses import replace

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.geometry import Picture, Points
from vision.markers import crops
from vision.markers.networks import ask, softmax
from vision.topview import TopView

READ_PX = 32              # side of a grey crop
READ_SIZES = 0.95         # a crop is this many marker sizes wide
NEARER = 0.8              # the second look's crops: a numeral that fills a third of its piece is read better from nearer
STEP_DEGREES = 45.0       # between the turns in which a piece is shown
LIKELIEST = 3             # turns that are looked at from nearer too
VALUES = 10


def read_numerals(top: TopView, at_mm: Points, size_mm: NDArray[np.float64]) -> NDArray[np.float64]:
    """How well each value 1..10 fits the pieces: (n, VALUES), each the best fit over all turns, 0..1, the mean of two looks."""
    grey = replace(top, picture=np.asarray(cv2.cvtColor(top.picture, cv2.COLOR_BGR2GRAY), np.uint8))
    turns = np.radians(np.arange(0, 360, STEP_DEGREES))
    n = len(at_mm)
    first = _fits(grey, at_mm, size_mm, np.tile(turns, (n, 1)), READ_SIZES)
    likeliest = turns[np.argsort(-first.max(2), axis=1)[:, :LIKELIEST]]
    nearer = _fits(grey, at_mm, size_mm, likeliest, NEARER)
    return np.asarray((first.max(1) + nearer.max(1)) / 2, np.float64)


def _fits(grey: TopView, at_mm: Points, size_mm: NDArray[np.float64], turns: NDArray[np.float64], sizes: float) -> NDArray[np.float64]:
    """(n, k, VALUES): of n pieces, each shown in its k turns."""
    n, k = turns.shape
    shown = crops.cut_crops(grey, np.repeat(at_mm, k, 0), np.repeat(size_mm, k), turns.ravel(), px=READ_PX, sizes=sizes)
    return softmax(ask("upright", normalised(shown)))[:, 1:].reshape(n, k, VALUES)


def normalised(shown: Picture) -> NDArray[np.float32]:
    """(n, READ_PX, READ_PX) grey -> (n, 1, READ_PX, READ_PX), each with mean 0 and spread 1."""
    return crops.normalised(shown[..., None], least_spread=3)
