"""The points file: places known both in the picture and on the table, and what is known of the lens."""

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

import msgspec
import numpy as np

from calibration.camera import Measured
from vision.geometry import Points, points, rectangle
from vision.table import Lens

T = TypeVar("T")

FORMAT = 1
FEWEST = 4
LARGEST = 1_000_000   # bytes
THINNEST = 0.03   # height of a triangle of three points as a part of the points' extent: flatter is a line


class CalibrationError(ValueError):
    """Points or seats that make no table; the message says what, where, and what to do."""


@dataclass(frozen=True, slots=True)
class PointsFile:
    """What a points file holds, checked."""

    image_size: tuple[int, int]
    measured: tuple[Measured, ...]
    lens: Lens | None = None
    diagonal_fov_deg: float | None = None


class _Point(msgspec.Struct, frozen=True):
    px: tuple[float, float]
    mm: tuple[float, float]


class _Lens(msgspec.Struct, frozen=True):
    matrix: tuple[float, float, float, float]
    distortion: tuple[float, float, float, float, float]


class _File(msgspec.Struct, frozen=True):
    format: int
    image_size: tuple[int, int]
    points: list[_Point]
    lens: _Lens | None = None
    diagonal_fov_deg: float | None = None


def read_points(path: Path) -> PointsFile:
    """The points of a file (contract §2). Raises CalibrationError with one line."""
    data = read_json(path, _File, "points")
    if data.format != FORMAT:
        raise CalibrationError(f"{path}: format {data.format}, expected {FORMAT}; update the companion or measure again")
    lens = Lens(data.lens.matrix, data.lens.distortion) if data.lens else None
    file = PointsFile(data.image_size, tuple(Measured(p.px, p.mm) for p in data.points), lens, data.diagonal_fov_deg)
    try:
        check(file)
    except CalibrationError as e:
        raise CalibrationError(f"{path}: {e}") from None
    return file


def card_points(corners_px: Sequence[tuple[float, float]], size_mm: tuple[float, float]) -> tuple[Measured, ...]:
    """A card of known size (width, height) lying on the table, as four points: its corners in the picture, clockwise from its own top left.

    Its middle becomes the table's origin, its upper edge the x axis.
    """
    if len(corners_px) != 4:
        raise CalibrationError(f"a card has four corners, {len(corners_px)} were told")
    if not all(math.isfinite(v) and v > 0 for v in size_mm):
        raise CalibrationError(f"a card's size must be two lengths in mm, found {size_mm!r}")
    places = rectangle((0.0, 0.0), size_mm)
    return tuple(Measured((float(u), float(v)), (float(x), float(y))) for (u, v), (x, y) in zip(corners_px, places, strict=True))


def check(file: PointsFile) -> None:
    """Raises CalibrationError where the values cannot make a table."""
    width, height = file.image_size
    if width < 16 or height < 16:
        raise CalibrationError(f"image_size {width}x{height} is no camera picture; give the picture's width and height in pixels")
    numbers = [v for m in file.measured for v in (*m.px, *m.mm)]
    if file.lens is not None:
        numbers += [*file.lens.matrix, *file.lens.distortion]
        if min(file.lens.matrix[:2]) <= 0:
            raise CalibrationError("the lens needs focal lengths (first two of `matrix`) above 0; or leave `lens` null")
    if not all(map(math.isfinite, numbers)):
        raise CalibrationError("a number is not finite; measure that point again")
    if file.diagonal_fov_deg is not None and not 20 <= file.diagonal_fov_deg <= 150:
        raise CalibrationError(f"diagonal_fov_deg {file.diagonal_fov_deg:g} is no camera's (20 to 150); leave it null if unknown")
    if len(file.measured) < FEWEST:
        raise CalibrationError(f"{len(file.measured)} points, at least {FEWEST} are needed; measure more, spread over the table")
    for n, m in enumerate(file.measured, 1):
        u, v = m.px
        if not (-0.02 * width <= u <= 1.02 * width and -0.02 * height <= v <= 1.02 * height):
            raise CalibrationError(f"point {n} at pixel ({u:g}, {v:g}) lies outside the picture of {width}x{height}; is image_size right?")
    for where, unit in ((points([m.px for m in file.measured]), "in the picture"), (points([m.mm for m in file.measured]), "on the table")):
        if not _four_spread(where):
            raise CalibrationError(f"three points lie on one line {unit}; measure four that span the table, as its corners do")


def _four_spread(where: Points) -> bool:
    """Whether some four of the points hold no three on one line."""
    extent = float(np.ptp(where, axis=0).max())
    if extent == 0:
        return False
    flat = {
        trio: _height(where[list(trio)]) < THINNEST * extent for trio in itertools.combinations(range(min(len(where), 24)), 3)
    }
    return any(
        not any(flat[trio] for trio in itertools.combinations(four, 3))
        for four in itertools.combinations(range(min(len(where), 24)), 4)
    )


def _height(triangle: Points) -> float:
    """The smallest height of a triangle."""
    sides = triangle - np.roll(triangle, 1, axis=0)
    longest = float(np.hypot(*sides.T).max())
    (ax, ay), (bx, by) = triangle[1] - triangle[0], triangle[2] - triangle[0]
    return abs(float(ax * by - ay * bx)) / longest if longest else 0.0


def read_json(path: Path, kind: type[T], what: str) -> T:
    """The file as a `kind`. Raises CalibrationError that names the file and the place in it."""
    try:
        if path.exists() and (not path.is_file() or path.stat().st_size > LARGEST):
            raise CalibrationError(f"{path}: not a {what} file; name a regular file of at most {LARGEST // 1000} kB")
        return msgspec.json.decode(path.read_bytes(), type=kind, strict=False)
    except OSError as e:
        raise CalibrationError(f"{path}: cannot be read ({e.strerror}); name a {what} file") from e
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as e:
        raise CalibrationError(f"{path}: not a {what} file ({e}); `companion calibrate --help` shows how one looks") from e

