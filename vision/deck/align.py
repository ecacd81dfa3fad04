"""Laying a picture on one that it nearly is: a homography found on all pixels at once, coarse to fine.

Inverse compositional Gauss-Newton (Baker & Matthews 2004) on locally normalised lightness, so that lamps and shadows do not matter, with
weights that leave out what differs (Huber). The reference's derivatives are made once. Frames: a picture is the square -1..1 in x and y,
whatever its number of pixels; a homography carries the reference's frame to that of the picture laid on it.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.geometry import Picture

WIDTHS_PX = (80, 144, 272)      # of the reference, coarse to fine
STEPS = (10, 6, 4)              # at most, on each
SAME_SIZE = 0.7                 # a picture less than so much larger is not made smaller
TELLING = 0.4                  # of the reference's pixels
ENOUGH = 2e-4                   # of the frame: a step that moves no corner farther ends a level
WINDOW = 0.12                   # of the width: lightness and contrast are evened out over this
FLAT = 4.0                      # grey levels: less contrast than this is not made more
OUTLIER = 0.7                   # of the local contrast: what differs more is another thing
HOLD = 1e-3                     # pull towards no change, so that a blank reference moves nothing
Array = NDArray[np.float32]
Homography = NDArray[np.float64]


@dataclass(frozen=True)
class Fit:
    """`matrix` (3, 3) carries the reference's frame (-1..1) into the picture's; `alike` is the correlation reached, -1..1."""

    matrix: Homography
    alike: float


@dataclass(frozen=True)
class Level:
    """The reference at one size, with what a small change of the frame does to its steepest pixels: they tell where it lies."""

    shape: tuple[int, int]
    values: Array                # (h * w,)
    telling: NDArray[np.intp]    # (n,): which pixels
    steep: Array                 # (8, n)


class Reference:
    """A picture on which others are laid."""

    def __init__(self, picture: Picture) -> None:
        self.picture = picture

    @cached_property
    def levels(self) -> tuple[Level, ...]:
        """Coarse to fine."""
        return tuple(_level(self.picture, width) for width in WIDTHS_PX)

    def fit(self, picture: Picture, *, begins: Sequence[Homography] = (np.eye(3),)) -> Fit:
        """Lays the picture on the reference. `begins`: where it may lie roughly (matrices as in Fit); the best one is followed."""
        fits = [Fit(matrix, -1.0) for matrix in begins]
        for level, steps in zip(self.levels, STEPS, strict=True):
            now = evened(_small(picture, level))
            fits = [max((_refined(level, now, f.matrix, steps) for f in fits), key=lambda f: f.alike)]
        return fits[0]

    def likeness(self, picture: Picture) -> float:
        """The correlation, -1..1, of a picture that lies in the reference's frame already."""
        return _refined(self.levels[1], evened(_small(picture, self.levels[1])), np.eye(3), 0).alike


def evened(picture: Picture) -> Array:
    """Lightness with its local mean taken off and its local contrast made one."""
    grey = cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY).astype(np.float32)
    n = max(3, round(WINDOW * grey.shape[1])) | 1
    mean = cv2.boxFilter(grey, cv2.CV_32F, (n, n))
    spread = np.sqrt(np.maximum(cv2.boxFilter(grey * grey, cv2.CV_32F, (n, n)) - mean * mean, 0))
    return np.asarray((grey - mean) / (spread + FLAT), np.float32)


def frame_to_px(matrix: Homography, width: int, height: int) -> Homography:
    """A matrix into the frame -1..1, as one into the pixels (corner of the first: 0, 0) of a picture of that size."""
    return np.asarray(np.array([[width / 2, 0, width / 2], [0, height / 2, height / 2], [0, 0, 1]]) @ matrix, np.float64)


def grid(width: int, height: int) -> Array:
    """(height * width, 3): the frame's places of the pixels' centres, homogeneous."""
    across, down = ((np.arange(n, dtype=np.float32) + 0.5) * (2 / n) - 1 for n in (width, height))
    x, y = np.meshgrid(across, down)
    return np.stack([x.ravel(), y.ravel(), np.ones(width * height, np.float32)], 1)


def warped(picture: Picture | Array, matrix: Homography, width: int, height: int) -> NDArray[np.generic]:
    """The picture as it looks in the reference's frame, in so many pixels."""
    h, w = picture.shape[:2]
    # OpenCV's pixels, whose centres are whole numbers, to the frame and back
    to_frame = np.array([[2 / width, 0, 1 / width - 1], [0, 2 / height, 1 / height - 1], [0, 0, 1]])
    to_px = np.array([[w / 2, 0, (w - 1) / 2], [0, h / 2, (h - 1) / 2], [0, 0, 1]])
    m = to_px @ matrix @ to_frame
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    return np.asarray(cv2.warpPerspective(picture, m, (width, height), flags=flags, borderMode=cv2.BORDER_REPLICATE))


def _level(picture: Picture, width: int) -> Level:
    height = max(8, round(width * picture.shape[0] / picture.shape[1]))
    small = cv2.resize(picture, (width, height), interpolation=cv2.INTER_AREA)
    values = evened(np.asarray(small, np.uint8))
    gx = cv2.Scharr(values, cv2.CV_32F, 1, 0, scale=1 / 32).ravel() * (width / 2)
    gy = cv2.Scharr(values, cv2.CV_32F, 0, 1, scale=1 / 32).ravel() * (height / 2)
    telling = np.argsort(-(gx * gx + gy * gy))[: round(TELLING * width * height)]
    gx, gy = gx[telling], gy[telling]
    x, y, _ = grid(width, height)[telling].T
    slope = gx * x + gy * y
    steep = np.stack([gx * x, gx * y, gx, gy * x, gy * y, gy, -slope * x, -slope * y])
    return Level((height, width), values.ravel(), telling, np.asarray(steep, np.float32))


def _small(picture: Picture, level: Level) -> Picture:
    """As soft as the reference is at that level."""
    scale = level.shape[1] / picture.shape[1]
    if scale > SAME_SIZE:
        return picture
    return np.asarray(cv2.resize(picture, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), np.uint8)


def _refined(level: Level, evenly: Array, matrix: Homography, steps: int) -> Fit:
    height, width = level.shape
    wanted = level.values[level.telling]
    for _ in range(steps):
        now = np.asarray(warped(evenly, matrix, width, height), np.float32).ravel()[level.telling]
        off = now - wanted
        weighted = level.steep * (OUTLIER / np.maximum(np.abs(off), OUTLIER))
        hessian = (weighted @ level.steep.T).astype(np.float64)
        hessian += np.eye(8) * (HOLD * np.trace(hessian) / 8 + 1e-9)
        delta = np.linalg.solve(hessian, (weighted @ off).astype(np.float64))
        matrix = matrix @ np.linalg.inv(np.eye(3) + np.append(delta, 0).reshape(3, 3))
        matrix = matrix / matrix[2, 2]
        if np.abs(delta).max() < ENOUGH:
            break
    now = np.asarray(warped(evenly, matrix, width, height), np.float32).ravel()
    weight = OUTLIER / np.maximum(np.abs(now - level.values), OUTLIER)
    return Fit(matrix, _correlation(now, level.values, weight))


def _correlation(a: Array, b: Array, weight: Array) -> float:
    total = float(weight.sum())
    p, q = a - float(weight @ a) / total, b - float(weight @ b) / total
    return float((weight * p) @ q / np.sqrt(float((weight * p) @ p) * float((weight * q) @ q) + 1e-9))
