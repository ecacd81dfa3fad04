"""The rendered camera and the table file agree on where a millimetre is seen."""

import numpy as np
import pytest

from sample_frames.scene.camera import looking

TILTED = looking(
    eye_mm=(60, 250, 680), roll_deg=3, fov_deg=62, image_size=(640, 360), distortion=(-0.11, 0.04, 3e-4, -2e-4, 0), off_centre_px=(4, -3)
)


def test_the_table_file_of_a_camera_is_exact() -> None:
    """What the camera projects to a pixel, its table file carries back to the same millimetre."""
    spots = np.array([[-250, -120], [250, -110], [240, 130], [-230, 120], [0, 0]], float)
    px = TILTED.project(np.c_[spots, np.zeros(5)])
    assert TILTED.table().to_mm(px) == pytest.approx(spots, abs=0.01)


def test_every_pixel_knows_its_place_on_the_table() -> None:
    """The map from pixels to millimetres, interpolated, is as good as the lens itself."""
    ground, table = TILTED.ground, TILTED.table()
    for x, y in [(0, 0), (639, 359), (321, 77), (100, 300)]:
        assert ground[y, x] == pytest.approx(table.to_mm([[x + 0.5, y + 0.5]])[0], abs=0.05)


def test_the_table_lies_as_the_camera_sees_it() -> None:
    """x grows to the right, y downwards, and what is higher seems nearer to the camera, so farther from the middle."""
    left, right, below = TILTED.project([[-100, 0, 0], [100, 0, 0], [0, 100, 0]])
    assert left[0] < right[0] and below[1] > left[1]
    foot, top = TILTED.project([[200, 0, 0], [200, 0, 40]])
    assert top[0] > foot[0]
