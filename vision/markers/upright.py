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
LOOKS = (0.95, 0.8)       # crops are so many marker sizes wide: a numeral that fills a third of its piece is read better from nearer
READ_SIZES = LOOKS[0]
STEP_DEGREES = 45.0       # between the turns in which a piece is shown
VALUES = 10
EIGHT = 7                 # where the 8 stands among the values: the only one that is itself on its head
DOUBT = 0.03              # of what is said of a piece on its head: it never rules a value out


def read_numerals(top: TopView, at_mm: Points, size_mm: NDArray[np.float64]) -> NDArray[np.float64]:
    """How well each value 1..10 fits the pieces: (n, VALUES), each the best fit over all turns, 0..1, the mean of two looks."""
    grey = replace(top, picture=np.asarray(cv2.cvtColor(top.picture, cv2.COLOR_BGR2GRAY), np.uint8))
    return np.asarray(np.mean([_fits(grey, at_mm, size_mm, sizes).max(1) for sizes in LOOKS], axis=0), np.float64)


def _fits(grey: TopView, at_mm: Points, size_mm: NDArray[np.float64], sizes: float) -> NDArray[np.float64]:
    """(n, turns, VALUES): how well each value fits n pieces shown in every turn, and on their heads.

    A 3 that may pass for an 8 does so one way up only, and a 6 read as a 9 is still a 6 the other way up: a value fits where it is read
    upright and, half a turn on, nothing is (an 8: an 8 again).
    """
    n, turns = len(at_mm), np.radians(np.arange(0, 360, STEP_DEGREES))
    k = len(turns)
    shown = crops.cut_crops(grey, np.repeat(at_mm, k, 0), np.repeat(size_mm, k), np.tile(turns, n), px=READ_PX, sizes=sizes)
    said = softmax(ask("upright", normalised(shown))).reshape(n, k, 1 + VALUES)
    on_head = np.roll(said, k // 2, axis=1)
    expected = np.repeat(on_head[..., :1], VALUES, axis=2)
    expected[..., EIGHT] = on_head[..., 1 + EIGHT]
    return np.asarray(said[..., 1:] * (expected + DOUBT) / (1 + DOUBT), np.float64)


def normalised(shown: Picture) -> NDArray[np.float32]:
    """(n, READ_PX, READ_PX) grey -> (n, 1, READ_PX, READ_PX), each with mean 0 and spread 1."""
    return crops.normalised(shown[..., None], least_spread=3)
