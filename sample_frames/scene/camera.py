"""A pinhole camera with a lens, above a table whose plane is z = 0.

Table frame: millimetres, x right and y down as the camera sees the table, z up. Camera frame: x right, y down, z into the
picture. The change from one to the other turns a left-handed frame into a right-handed one, so det R = -1.
"""

from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike, NDArray

from vision.geometry import Points
from vision.table import Lens, Seat, Table

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Camera:
    """Where a camera is and what its lens does. `image_size` is (width, height) in pixels."""

    image_size: tuple[int, int]
    lens: Lens
    rotation: Floats = field(repr=False)  # (3, 3): table axes -> camera axes
    shift: Floats = field(repr=False)  # (3,): the table's origin in the camera's frame, mm

    @property
    def eye_mm(self) -> Floats:
        """(3,) where the camera is, in table mm."""
        return np.asarray(-self.rotation.T @ self.shift, np.float64)

    def project(self, xyz_mm: ArrayLike) -> Points:
        """(n, 3) points in table mm -> (n, 2) pixels of the frame."""
        p = np.asarray(xyz_mm, np.float64).reshape(-1, 3) @ self.rotation.T + self.shift
        fx, fy, cx, cy = self.lens.matrix
        return self.lens.distort(np.c_[fx * p[:, 0] / p[:, 2] + cx, fy * p[:, 1] / p[:, 2] + cy])

    @cached_property
    def rays(self) -> NDArray[np.float32]:
        """(h, w, 3) for each pixel's centre the direction (x, y, 1) into the scene, in the camera's frame."""
        w, h = self.image_size
        fx, fy, cx, cy = self.lens.matrix
        step = 8  # the lens is smooth: undistort every eighth pixel, and fill up linearly
        xs, ys = np.arange(-step, w + 2 * step, step), np.arange(-step, h + 2 * step, step)
        grid = np.stack(np.meshgrid(xs + 0.5, ys + 0.5), -1)
        flat = self.lens.undistort(grid.reshape(-1, 2)).reshape(grid.shape)
        coarse = np.stack([(flat[..., 0] - cx) / fx, (flat[..., 1] - cy) / fy], -1)
        fine = _upsample(coarse, step)[step : step + h, step : step + w]
        return np.concatenate([fine, np.ones((h, w, 1))], -1).astype(np.float32)

    @cached_property
    def ground(self) -> NDArray[np.float32]:
        """(h, w, 2) the table millimetre that each pixel's centre shows."""
        rays = self.rays @ np.linalg.inv(self.plane((0, 0, 0), (1, 0, 0), (0, 1, 0))).T.astype(np.float32)
        return np.asarray(rays[..., :2] / rays[..., 2:], np.float32)

    def plane(self, origin: ArrayLike, right: ArrayLike, down: ArrayLike) -> Floats:
        """(3, 3) that carries (u, v, 1) of the plane origin + u right + v down (table mm) to a ray (x, y, 1) times depth."""
        o, r, d = (np.asarray(v, np.float64) for v in (origin, right, down))
        return np.column_stack([self.rotation @ r, self.rotation @ d, self.rotation @ o + self.shift])

    def homography_to_mm(self) -> Floats:
        """(3, 3) undistorted pixel -> table mm."""
        h = np.linalg.inv(self.lens.camera_matrix() @ self.plane((0, 0, 0), (1, 0, 0), (0, 1, 0)))
        return np.asarray(h / h[2, 2], np.float64)

    def table(self, seats: tuple[Seat, ...] = (), common: tuple[tuple[float, float], ...] = ()) -> Table:
        """The table file that a perfect calibration of this camera makes."""
        return Table(self.image_size, self.lens, tuple(float(v) for v in self.homography_to_mm().ravel()), seats, common)


def looking(
    *,
    eye_mm: ArrayLike,
    at_mm: ArrayLike = (0.0, 0.0, 0.0),
    roll_deg: float = 0.0,
    fov_deg: float = 70.0,
    image_size: tuple[int, int] = (1280, 720),
    distortion: tuple[float, float, float, float, float] = (0.0,) * 5,
    off_centre_px: tuple[float, float] = (0.0, 0.0),
) -> Camera:
    """A camera at `eye_mm` that looks at `at_mm`; `fov_deg` is the diagonal field of view (of the pinhole, without distortion)."""
    eye, at = np.asarray(eye_mm, np.float64), np.asarray(at_mm, np.float64)
    forward = (at - eye) / np.linalg.norm(at - eye)
    right = np.array([1.0, 0.0, 0.0]) - forward[0] * forward
    right /= np.linalg.norm(right)
    down = -np.cross(forward, right)  # the table's frame is left-handed
    c, s = np.cos(np.deg2rad(roll_deg)), np.sin(np.deg2rad(roll_deg))
    rotation = np.stack([c * right + s * down, c * down - s * right, forward])
    w, h = image_size
    f = 0.5 * np.hypot(w, h) / np.tan(np.deg2rad(fov_deg) / 2)
    lens = Lens((f, f, w / 2 + off_centre_px[0], h / 2 + off_centre_px[1]), distortion)
    return Camera(image_size, lens, rotation, -rotation @ eye)


def _upsample(coarse: Floats, step: int) -> Floats:
    """Linear interpolation of a grid (rows, columns, 2) to `step` times as many samples, the grid's own samples kept."""
    t = np.arange(step) / step
    a, b = coarse[:-1], coarse[1:]
    rows = (a[:, None] * (1 - t)[None, :, None, None] + b[:, None] * t[None, :, None, None]).reshape(-1, *coarse.shape[1:])
    a, b = rows[:, :-1], rows[:, 1:]
    return np.asarray((a[:, :, None] * (1 - t)[None, None, :, None] + b[:, :, None] * t[None, None, :, None]).reshape(len(rows), -1, 2))
