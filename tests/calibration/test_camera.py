"""A fitted camera sees the table as the true one did."""

import cv2
import numpy as np
import pytest

from calibration import CalibrationError, Measured, PointsFile, calibrate, card_points
from vision.table import Lens, Table

SIZE = (1920, 1080)
LENS = Lens((1500.0, 1500.0, 968.0, 534.0), (-0.06, 0.02, 0.0, 0.0, 0.0))


def a_camera(tilt_deg: float = 20.0) -> Table:
    """65 cm above the table's middle, tilted."""
    turn, _ = cv2.Rodrigues(np.array([-np.radians(tilt_deg), 0.02, 0.01]))
    pose = np.column_stack([turn[:, 0], turn[:, 1], [5.0, -10.0, 650.0]])
    return Table(SIZE, LENS, tuple(float(v) for v in np.linalg.inv(LENS.camera_matrix() @ pose).ravel()))


PLACES = [(-170, -110), (165, -100), (170, 115), (-160, 105), (10, -5), (60, 80), (-80, -60)]


def measured(camera: Table, noise_mm: float, seed: int) -> tuple[Measured, ...]:
    rng = np.random.default_rng(seed)
    px = camera.to_px(PLACES)
    mm = np.array(PLACES) + rng.normal(0, noise_mm, (len(PLACES), 2))
    return tuple(Measured((float(u), float(v)), (float(x), float(y))) for (u, v), (x, y) in zip(px, mm, strict=True))


def worst_mm(fitted: Table, true: Table) -> float:
    grid = true.to_px([(x, y) for x in range(-180, 181, 40) for y in range(-120, 121, 40)])
    return float(np.hypot(*(fitted.to_mm(grid) - true.to_mm(grid)).T).max())


def test_exact_points_and_lens_give_the_exact_table() -> None:
    """Without noise nothing is lost."""
    camera = a_camera()
    made = calibrate(PointsFile(SIZE, measured(camera, 0.0, 1), LENS))
    assert worst_mm(made.table, camera) < 0.02


@pytest.mark.parametrize("seed", range(4))
def test_a_ruler_is_enough(seed: int) -> None:
    """Points measured to 0.2 mm keep the whole table within 1 mm, with the lens given or not."""
    camera = a_camera(8 + 7 * seed)
    points = measured(camera, 0.2, seed)
    assert worst_mm(calibrate(PointsFile(SIZE, points, LENS)).table, camera) < 1.0
    assert worst_mm(calibrate(PointsFile(SIZE, points, None, 72)).table, camera) < 2.0


def test_one_slip_of_the_ruler_is_named_and_does_no_harm() -> None:
    """A point written down 30 mm off is let go, and the advice says which."""
    camera = a_camera()
    points = list(measured(camera, 0.1, 3))
    points[4] = Measured(points[4].px, (points[4].mm[0] + 30, points[4].mm[1]))
    made = calibrate(PointsFile(SIZE, tuple(points), LENS))
    assert worst_mm(made.table, camera) < 1.5
    assert len(made.advice()) == 1 and made.advice()[0].startswith("point 5 lies ")


def test_mirrored_points_are_refused() -> None:
    """Whoever measured y upwards is told."""
    camera = a_camera()
    points = tuple(Measured(m.px, (m.mm[0], -m.mm[1])) for m in measured(camera, 0.1, 3))
    with pytest.raises(CalibrationError, match="mirrored"):
        calibrate(PointsFile(SIZE, points))


def test_points_that_contradict_each_other_are_refused() -> None:
    """Two points swapped make no plane: better no table than a wrong one."""
    camera = a_camera()
    m = measured(camera, 0.1, 3)[:4]
    swapped = (Measured(m[0].px, m[2].mm), m[1], Measured(m[2].px, m[0].mm), Measured(m[3].px, (400.0, 20.0)))
    with pytest.raises(CalibrationError):
        calibrate(PointsFile(SIZE, swapped))


def test_a_card_on_the_table_is_enough_to_begin() -> None:
    """Its four corners alone keep places a hand's breadth away within 3 mm of the card's frame."""
    camera = a_camera()
    corners = camera.to_px([(-60, -40), (60, -40), (60, 40), (-60, 40)])
    made = calibrate(PointsFile(SIZE, card_points([(float(u), float(v)) for u, v in corners], (120, 80)), None, 72))
    grid = camera.to_px([(x, y) for x in (-120, 0, 120) for y in (-80, 0, 80)])
    assert np.hypot(*(made.table.to_mm(grid) - camera.to_mm(grid)).T).max() < 3.0
