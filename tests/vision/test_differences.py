"""Counting differences: the laws."""

import cv2
import numpy as np

from vision.differences import count_differences
from vision.geometry import Picture


def scene(seed: int = 1, width: int = 800, height: int = 600) -> Picture:
    """A picture crammed with shapes."""
    rng = np.random.default_rng(seed)
    picture = np.full((height, width, 3), rng.integers(90, 200, 3), np.uint8)
    for _ in range(140):
        x, y, r = int(rng.integers(0, width)), int(rng.integers(0, height)), int(rng.integers(8, 46))
        colour = [int(v) for v in rng.integers(0, 256, 3)]
        if rng.random() < 0.5:
            cv2.circle(picture, (x, y), r, colour, -1, cv2.LINE_AA)
        else:
            cv2.fillConvexPoly(picture, (rng.normal(0, r, (4, 2)) + [x, y]).astype(np.int32), colour, cv2.LINE_AA)
    return picture


def test_identical_pictures_have_no_difference() -> None:
    """Identity is exactly zero, for a blank picture too."""
    for picture in (scene(), np.full((40, 60, 3), 200, np.uint8), np.zeros((1, 1, 3), np.uint8)):
        said = count_differences(picture, picture.copy())
        assert (said.count, said.probability, said.same_picture) == (0, 1.0, True)


def test_other_pictures_are_refused() -> None:
    """Two pictures of different scenes are not counted."""
    said = count_differences(scene(1), scene(2))
    assert (said.same_picture, said.count) == (False, None)
