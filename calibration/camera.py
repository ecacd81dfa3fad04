"""From a few measured points to the camera that saw them: lens and pose fitted together.

Four to ten points measured with a ruler leave a free homography (eight numbers) and a lens much room to follow the noise. A camera
has less: square pixels, an axis near the picture's middle, a field of view like other cameras', a plane seen by a rotation and a
shift. So the most probable camera is sought: the points' errors and what is known of cameras beforehand, weighed together
(maximum a posteriori), by Levenberg-Marquardt with weights that let go of a point that fits nothing (Cauchy).
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.geometry import Points, points, transform
from vision.table import Lens

Numbers = NDArray[np.float64]

RULER_MM = 0.2               # error of a place measured on the table
CLICK_PX = 0.5               # error of a place told in the picture
TYPICAL_FOV_DEG = 70.0       # diagonal, of webcams and phones
FOV_SPREAD = 0.12            # of log focal length, where no field of view is told
TOLD_FOV_SPREAD = 0.01       # makers round it
GIVEN_LENS_SPREAD = 0.002    # a measured lens is as good as exact
AXIS_SPREAD = 0.006          # of the optical axis from the middle, as a part of the picture's width
K1_SPREAD = 0.06
K2_OF_K1 = -0.3              # lenses bend back towards their rim
K2_SPREAD = 0.01


@dataclass(frozen=True, slots=True)
class Measured:
    """A point known in the picture (px) and on the table (mm)."""

    px: tuple[float, float]
    mm: tuple[float, float]


@dataclass(frozen=True, slots=True)
class Camera:
    """A lens and the plane it looks at, with how far each measured point lies from it."""

    lens: Lens
    homography: tuple[float, ...]    # undistorted pixel -> mm, row by row
    residual_mm: tuple[float, ...]   # one a measured point


def fit_camera(
    measured: Sequence[Measured], image_size: tuple[int, int], *, lens: Lens | None = None, diagonal_fov_deg: float | None = None
) -> Camera:
    """The most probable camera for the points. They must hold four in general position (`calibration.points` sees to it)."""
    px, mm = points([m.px for m in measured]), points([m.mm for m in measured])
    width, height = image_size
    known = _prior(width, height, lens, diagonal_fov_deg)
    start = np.concatenate([known.mean, _start_pose(known.lens(known.mean), px, mm)])
    spread = _spread_mm(px, mm)

    def residuals(x: Numbers) -> Numbers:
        off = transform(_to_mm(known.lens(x), x), known.lens(x).undistort(px)) - mm
        return np.nan_to_num(off / spread, nan=1e3, posinf=1e3, neginf=-1e3)

    best = _most_probable(residuals, known, start, len(px))
    fitted = known.lens(best)
    h = _to_mm(fitted, best)
    off = transform(h, fitted.undistort(px)) - mm
    return Camera(fitted, tuple(float(v) for v in (h / h[2, 2]).ravel()), tuple(float(v) for v in np.hypot(*off.T)))


@dataclass(frozen=True)
class _Prior:
    """What is known of the lens before any point: log f, axis x, axis y, k1, k2 bent off its usual k1, as mean and spread."""

    mean: Numbers
    spread: Numbers
    fixed: tuple[float, float, float] = (0.0, 0.0, 0.0)   # p1, p2, k3
    k2_of_k1: float = 0.0
    aspect: float = 1.0                                   # fy / fx

    def lens(self, x: Numbers) -> Lens:
        log_f, cx, cy, k1, k2 = (float(v) for v in x[:5])
        f = math.exp(log_f)
        return Lens((f, f * self.aspect, cx, cy), (k1, k2 + self.k2_of_k1 * k1, *self.fixed))


def _prior(width: int, height: int, lens: Lens | None, fov_deg: float | None) -> _Prior:
    if lens is not None:
        fx, fy, cx, cy = lens.matrix
        k1, k2, p1, p2, k3 = lens.distortion
        tight = np.array([GIVEN_LENS_SPREAD, 1.0, 1.0, GIVEN_LENS_SPREAD, GIVEN_LENS_SPREAD])
        return _Prior(np.array([math.log(fx), cx, cy, k1, k2]), tight, (p1, p2, k3), 0.0, fy / fx)
    f = math.hypot(width, height) / 2 / math.tan(math.radians(fov_deg or TYPICAL_FOV_DEG) / 2)
    axis = AXIS_SPREAD * width
    spread = np.array([TOLD_FOV_SPREAD if fov_deg else FOV_SPREAD, axis, axis, K1_SPREAD, K2_SPREAD])
    return _Prior(np.array([math.log(f), width / 2, height / 2, 0.0, 0.0]), spread, k2_of_k1=K2_OF_K1)


def _spread_mm(px: Points, mm: Points) -> float:
    """Expected error of a measured point in mm: the ruler's, and the click's at this picture's scale."""
    scale = np.median(np.hypot(*(mm - mm.mean(0)).T)) / np.median(np.hypot(*(px - px.mean(0)).T))
    return float(math.hypot(RULER_MM, CLICK_PX * scale))


def _start_pose(lens: Lens, px: Points, mm: Points) -> Numbers:
    """Rotation vector and shift of the plane, from the least-squares homography."""
    h, _ = cv2.findHomography(mm, lens.undistort(px), 0)
    m = np.linalg.inv(lens.camera_matrix()) @ h
    m = m / np.sqrt(np.linalg.norm(m[:, 0]) * np.linalg.norm(m[:, 1]))
    m = m if m[2, 2] > 0 else -m
    u, _, vt = np.linalg.svd(np.column_stack([m[:, 0], m[:, 1], np.cross(m[:, 0], m[:, 1])]))
    turn, _ = cv2.Rodrigues(u @ vt)
    return np.concatenate([turn.ravel(), m[:, 2]])


def _to_mm(lens: Lens, x: Numbers) -> Numbers:
    """Undistorted pixel -> mm, of the pose in x[5:]."""
    turn, _ = cv2.Rodrigues(x[5:8])
    h = lens.camera_matrix() @ np.column_stack([turn[:, 0], turn[:, 1], x[8:11]])
    return np.asarray(np.linalg.inv(h), np.float64)


def _most_probable(residuals: Callable[[Numbers], Numbers], known: _Prior, start: Numbers, n: int, rounds: int = 60) -> Numbers:
    scale = np.concatenate([known.spread, [0.01, 0.01, 0.01, 1.0, 1.0, 1.0]])   # steps of like effect

    def whole(z: Numbers, weight: Numbers) -> Numbers:
        off = residuals(start + z * scale) * weight
        return np.asarray(np.concatenate([off.ravel(), z[:5]]), np.float64)

    z = np.zeros(11)
    damping, weight = 1e-2, np.ones((n, 1))
    for _ in range(rounds):
        r = whole(z, weight)
        step = 1e-4
        jacobian = np.column_stack([(whole(z + step * e, weight) - r) / step for e in np.eye(11)])
        move = np.linalg.solve(jacobian.T @ jacobian + damping * np.eye(11), -jacobian.T @ r)
        if np.sum(whole(z + move, weight) ** 2) < np.sum(r**2):
            z, damping = z + move, damping / 4
            off = np.hypot(*residuals(start + z * scale).T)[:, None]
            weight = 1 / np.sqrt(1 + (off / 3) ** 2)
            if np.abs(move).max() < 1e-5:
                break
        else:
            damping *= 8
            if damping > 1e8:
                break
    return np.asarray(start + z * scale, np.float64)
