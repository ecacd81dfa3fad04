"""The table laid flat: a part of it is the same picture as the whole."""

import numpy as np
import pytest

from tests.vision.test_photos import PHOTO_MM, TABLE, a_picture, a_table
from vision.geometry import rectangle

VIEW = a_table((a_picture(1), rectangle((-65, 0), PHOTO_MM, 0)))


@pytest.mark.parametrize("px_per_mm", [1.0, 2.0])
def test_a_part_shows_what_the_whole_shows_there(px_per_mm: float) -> None:
    """The same pixels at the same places of the table."""
    whole, part = VIEW.top(px_per_mm), VIEW.within((-120.0, -50.0, 10.0, 45.0)).top(px_per_mm)
    corner = np.round(whole.to_px([part.origin_mm])[0]).astype(int)
    h, w = part.picture.shape[:2]
    assert (part.picture == whole.picture[corner[1]:corner[1] + h, corner[0]:corner[0] + w]).all()
    assert part.to_mm([[0, 0]])[0] == pytest.approx(whole.to_mm([corner])[0])
    low, high = part.to_mm([[0, 0], [w, h]])
    assert (low <= (-120, -50)).all() and (high >= (10, 45)).all() and (high - low < (132, 97)).all()


def test_a_part_of_a_part_and_a_part_beside_the_table() -> None:
    """Parts narrow each other; one that lies outside of what the camera sees shows a few pixels at its rim, never all of it."""
    both = VIEW.within((-100.0, -100.0, 50.0, 50.0)).within((0.0, 0.0, 200.0, 200.0))
    assert both.only == (0.0, 0.0, 50.0, 50.0)
    beside = VIEW.within((5000.0, 0.0, 5100.0, 40.0)).top(2.0)
    assert beside.picture.shape[0] * beside.picture.shape[1] < 0.02 * np.prod(VIEW.top(2.0).picture.shape[:2])
    assert TABLE.image_size == VIEW.frame.shape[1::-1]
