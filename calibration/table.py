"""A table from points and seats, and what a person should know about it."""

from dataclasses import dataclass

import numpy as np

from calibration.camera import fit_camera
from calibration.points import CalibrationError, PointsFile
from calibration.points import check as check_points
from calibration.seats import SeatsFile
from calibration.seats import check as check_seats
from vision.geometry import points, transform
from vision.table import Table

GOOD_MM = 2.0    # a point further off than this was mismeasured
HOPELESS_MM = 12.0


@dataclass(frozen=True, slots=True)
class Calibration:
    """The table, and how far (mm) each measured point lies from where the table has it."""

    table: Table
    residual_mm: tuple[float, ...]

    def advice(self) -> tuple[str, ...]:
        """One line for each point that does not fit the others."""
        return tuple(
            f"point {n} lies {off:.1f} mm from where the others put it: measure it again"
            for n, off in enumerate(self.residual_mm, 1)
            if off > GOOD_MM
        )


def calibrate(file: PointsFile, seats: SeatsFile | None = None) -> Calibration:
    """The most probable table. Raises CalibrationError with one line if the points contradict each other."""
    check_points(file)
    seats = seats or SeatsFile(())
    check_seats(seats)
    camera = fit_camera(file.measured, file.image_size, lens=file.lens, diagonal_fov_deg=file.diagonal_fov_deg)
    table = Table(file.image_size, camera.lens, camera.homography, seats.seats, seats.common)
    _check_upright(table, file)
    if np.median(camera.residual_mm) > HOPELESS_MM:
        worst = int(np.argmax(camera.residual_mm))
        raise CalibrationError(
            f"the points do not fit together (half of them are off by more than {np.median(camera.residual_mm):.0f} mm, "
            f"point {worst + 1} by {camera.residual_mm[worst]:.0f}): are they millimetres, x to the right and y down as seen?"
        )
    return Calibration(table, camera.residual_mm)


def _check_upright(table: Table, file: PointsFile) -> None:
    """A camera above the table sees x to the right of y, and every point in front of it."""
    px = table.lens.undistort(points([m.px for m in file.measured]))
    h = np.array(table.homography).reshape(3, 3)
    depth = np.c_[px, np.ones(len(px))] @ h[2]
    middle = px.mean(0)
    corner = transform(h, middle + np.eye(3, 2, -1))
    (ax, ay), (bx, by) = corner[1] - corner[0], corner[2] - corner[0]
    if not np.isfinite(corner).all() or np.any(depth * depth[0] <= 0) or ax * by - ay * bx <= 0:
        raise CalibrationError("the points are mirrored or out of order: x runs to the right and y down as the camera sees the table")
