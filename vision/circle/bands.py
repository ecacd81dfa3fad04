"""What the arrow network is shown and what it says: bands along a card's sides, each with its side up."""

import numpy as np
from numpy.typing import NDArray

from vision.geometry import Picture

SIDE_PX, DEPTH_PX = 96, 30    # of a band: along the card's side and into the card
STEPS = 10                    # steps 1..10 are read
PRESENT, RIGHT, NUMBER = 0, 1, 2   # what is said: logits of an arrow's being there, of its pointing right; then of 1..10
SAYS = NUMBER + STEPS


def bands(card: Picture) -> NDArray[np.uint8]:
    """(4, DEPTH_PX, SIDE_PX, 3) of a (SIDE_PX, SIDE_PX, 3) card: along its top, right, bottom and left side, that side up."""
    return np.stack([np.rot90(card, k)[:DEPTH_PX] for k in range(4)])


def normalised(shown: NDArray[np.uint8]) -> NDArray[np.float32]:
    """(n, DEPTH_PX, SIDE_PX, 3) BGR -> (n, 3, DEPTH_PX, SIDE_PX), each band with mean 0 and spread 1 over all its channels."""
    x = np.ascontiguousarray(shown.transpose(0, 3, 1, 2), np.float32)
    x -= x.mean((1, 2, 3), keepdims=True)
    return np.asarray(x / (x.std((1, 2, 3), keepdims=True) + 4), np.float32)
