"""Arrow and number of a card that lies face up, read without a pack: which side bears them, which way it points, how many steps."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.circle.bands import DEPTH_PX, NUMBER, PRESENT, RIGHT, SIDE_PX, normalised
from vision.circle.numbers import number_chances
from vision.geometry import Points, points
from vision.markers.networks import ask, softmax
from vision.topview import View

DOUBT = 1.4        # by which the network's log odds are divided: what is drawn for its training is never quite what will be seen
SIDES = 4
FINE = 2           # times as fine as the network's bands are those in which ink is sought
SLIP, INK_SLIP = 0.01, 0.02   # what each witness of a number leaves to all others
LOOK_WEIGHT, CERTAIN = 0.8, 1.4  # of the arrow network's number beside the ink's; of both together: by 109 cards, doubting rather


@dataclass(frozen=True)
class Arrow:
    """`side`: of the card's quad, 0 from its first corner to its second. The chances of way and number are given that an arrow is there."""

    side: int
    there: float
    way: Literal["left", "right"]
    way_sure: float
    steps: int
    steps_sure: float


def read_arrows(view: View, quads: Sequence[Points]) -> list[Arrow]:
    """The likeliest arrow of each card (quads (4, 2) in mm, clockwise)."""
    if not len(quads):
        return []
    fine = np.array([view.cut(_along(quad, side), FINE * SIDE_PX, FINE * DEPTH_PX) for quad in quads for side in range(SIDES)], np.uint8)
    shown = np.array([cv2.resize(band, (SIDE_PX, DEPTH_PX), interpolation=cv2.INTER_AREA) for band in fine], np.uint8)
    said = ask("arrows", normalised(shown)).reshape(len(quads), SIDES, -1) / DOUBT
    return [_likeliest(each, fine[SIDES * n : SIDES * (n + 1)]) for n, each in enumerate(said)]


def _along(quad: Points, side: int) -> Points:
    """The band along one side, that side up."""
    q = points(np.roll(quad, -side, axis=0))
    length, depth = np.hypot(*(q[1] - q[0])), np.hypot(*(q[3] - q[0]))
    down = (q[3] - q[0]) * (length * DEPTH_PX / SIDE_PX / depth)
    return points([q[0], q[1], q[1] + down, q[0] + down])


def _likeliest(said: NDArray[np.float64], fine: NDArray[np.uint8]) -> Arrow:
    side = int(said[:, PRESENT].argmax())
    others = float(np.delete(said[:, PRESENT], side).max())
    there = float(1 / (1 + np.exp(-said[side, PRESENT])) / (1 + np.exp(others - said[side, PRESENT])))
    right = float(1 / (1 + np.exp(-said[side, RIGHT])))
    both = (softmax(said[side : side + 1, NUMBER:])[0] + SLIP) ** LOOK_WEIGHT * (number_chances(fine[side]) + INK_SLIP)
    numbers = both**CERTAIN / (both**CERTAIN).sum()
    steps = int(numbers.argmax())
    return Arrow(side, there, "right" if right >= 0.5 else "left", max(right, 1 - right), steps + 1, float(numbers[steps]))
