"""The seats file: who sits where, and where the middle is."""

from dataclasses import dataclass
from itertools import combinations
from pathlib import Path

import cv2
import msgspec
import numpy as np

from calibration.points import FORMAT, CalibrationError, read_json
from vision.geometry import area, points
from vision.table import Seat

Polygon = tuple[tuple[float, float], ...]

OVERLAP_MM2 = 100.0   # a square centimetre: less is a slip of the ruler
WIDEST_MM = 5000.0
LONGEST_NAME = 40     # characters, as the rules have it
OTHERS = ("common", "team")   # what zones and sides are called that are no player's


@dataclass(frozen=True, slots=True)
class SeatsFile:
    """What a seats file holds, checked."""

    seats: tuple[Seat, ...]
    common: Polygon = ()


class _Area(msgspec.Struct, frozen=True):
    area: list[tuple[float, float]]


class _Seat(msgspec.Struct, frozen=True):
    name: str
    area: list[tuple[float, float]]
    colour: str = ""


class _File(msgspec.Struct, frozen=True):
    format: int
    seats: list[_Seat]
    common: _Area | None = None


def read_seats(path: Path) -> SeatsFile:
    """The seats of a file (contract §2). Raises CalibrationError with one line."""
    data = read_json(path, _File, "seats")
    if data.format != FORMAT:
        raise CalibrationError(f"{path}: format {data.format}, expected {FORMAT}; update the companion or set the seats again")
    file = SeatsFile(
        tuple(Seat(s.name, s.colour, tuple(s.area)) for s in data.seats),
        tuple(data.common.area) if data.common else (),
    )
    try:
        check(file)
    except CalibrationError as e:
        raise CalibrationError(f"{path}: {e}") from None
    return file


def check(file: SeatsFile) -> None:
    """Raises CalibrationError where seats cannot be told apart."""
    names = [seat.name.strip() for seat in file.seats]
    for seat in file.seats:
        if not seat.name.strip():
            raise CalibrationError("a seat has no name; give each player one")
        if not seat.name.isprintable():
            raise CalibrationError(f"the name {seat.name!r} holds characters that nobody can read; write it anew")
        if len(seat.name.strip()) > LONGEST_NAME:
            raise CalibrationError(f"the name {seat.name[:20]!r}… has {len(seat.name)} characters; write one of at most {LONGEST_NAME}")
        if seat.name.strip() in OTHERS:
            raise CalibrationError(f"no seat can be named {seat.name!r}; give that player another name")
        if not seat.colour.isprintable() or len(seat.colour) > LONGEST_NAME:
            raise CalibrationError(f"the colour of {seat.name} is no word for one; write such as red or #2f6fae")
        if names.count(seat.name.strip()) > 1:
            raise CalibrationError(f"two seats are named {seat.name!r}; give each player a name of their own")
        _check_area(seat.area, f"the seat of {seat.name}")
    if file.common:
        _check_area(file.common, "the common area")
    for one, other in combinations(file.seats, 2):
        common_mm2 = _overlap_mm2(one.area, other.area)
        if common_mm2 > OVERLAP_MM2:
            raise CalibrationError(f"the seats of {one.name} and {other.name} overlap by {common_mm2 / 100:.0f} cm²; draw them apart")


def _check_area(polygon: Polygon, whose: str) -> None:
    if len(polygon) < 3 or not np.isfinite(points(polygon)).all() or area(polygon) < OVERLAP_MM2:
        raise CalibrationError(f"{whose} needs at least three corners that enclose more than a square centimetre")
    if np.ptp(points(polygon), axis=0).max() > WIDEST_MM:
        raise CalibrationError(f"{whose} is wider than {WIDEST_MM / 1000:g} m; corners are in millimetres")


def _overlap_mm2(one: Polygon, other: Polygon) -> float:
    """The common area of two polygons of any shape, to about 1 mm of their borders."""
    low = np.minimum(points(one).min(0), points(other).min(0))
    high = np.maximum(points(one).max(0), points(other).max(0))
    if np.any(np.maximum(points(one).min(0), points(other).min(0)) >= np.minimum(points(one).max(0), points(other).max(0))):
        return 0.0
    mm = max(1.0, float((high - low).max()) / 2000)
    width, height = (int(v) + 2 for v in (high - low) / mm)
    covers = []
    for polygon in (one, other):
        mask = np.zeros((height, width), np.uint8)
        cv2.fillPoly(mask, [np.round((points(polygon) - low) / mm).astype(np.int32)], 1)
        covers.append(cv2.erode(mask, np.ones((3, 3), np.uint8)))   # fillPoly paints the border, too
    return float(np.count_nonzero(cv2.bitwise_and(*covers)) * mm * mm)
