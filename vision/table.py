"""The table file: lens, plane and seats. Pixels in, millimetres out, and back.

Table frame: millimetres, x right and y down as the camera sees the table. Pixels: origin at the top-left corner of the
top-left pixel, so its centre is (0.5, 0.5). OpenCV's image
functions (remap, warpPerspective, findContours) count from that centre: whoever calls them adds or takes off half a pixel.
"""

import math
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import tomlkit
from numpy.typing import ArrayLike, NDArray

from vision.files import reason, replacing
from vision.geometry import Points, area, contains, points, transform

FORMAT = 1
ASPECT_TOLERANCE = 0.01   # a camera's 1366x768 counts as 16:9

# What a table file must keep to: far wider than any camera over any table, so that what lies beyond is a slip of the pen.
SIDE_PX = (16, 30_000)        # of the picture
FOCAL = (0.05, 100.0)         # focal length, of the picture's longer side
AXIS = (-1.0, 2.0)            # where the optical axis meets the picture, of its width or height
PIXEL_MM = (0.001, 100.0)     # a pixel in the middle of the picture, on the table
FARTHEST_MM = 100_000.0       # a corner of an area from the origin
INNER = (0.3, 0.7)            # of width and height: here a lens's distortion can be taken out and put in again
RETURN_PX = 1.0               # so exactly


class TableError(ValueError):
    """A table that cannot be used; the message says what, where, and what to do."""


@dataclass(frozen=True, slots=True)
class Lens:
    """OpenCV's pinhole model."""

    matrix: tuple[float, float, float, float]              # fx, fy, cx, cy in pixels
    distortion: tuple[float, float, float, float, float]   # k1, k2, p1, p2, k3

    def camera_matrix(self) -> NDArray[np.float64]:
        """The 3x3 matrix, in this program's pixels."""
        fx, fy, cx, cy = self.matrix
        return np.array([[fx, 0, cx], [0, fy, cy], [0, 0, 1.0]])

    def scaled(self, factor: float) -> "Lens":
        """The lens of the same picture stored `factor` times as large."""
        fx, fy, cx, cy = self.matrix
        return Lens((fx * factor, fy * factor, cx * factor, cy * factor), self.distortion)

    def undistort(self, where_px: ArrayLike) -> Points:
        """(n, 2) pixels as the pinhole without distortion would show them."""
        p = points(where_px)
        stop = (cv2.TERM_CRITERIA_COUNT | cv2.TERM_CRITERIA_EPS, 40, 1e-8)
        k = self.camera_matrix()
        flat = cv2.undistortPoints(p.reshape(-1, 1, 2), k, np.array(self.distortion), None, None, k, stop)
        return points(flat)

    def distort(self, where_px: ArrayLike) -> Points:
        """(n, 2) undistorted pixels as the camera shows them."""
        p = points(where_px)
        fx, fy, cx, cy = self.matrix
        rays = np.c_[(p[:, 0] - cx) / fx, (p[:, 1] - cy) / fy, np.ones(len(p))]
        seen, _ = cv2.projectPoints(rays.reshape(-1, 1, 3), np.zeros(3), np.zeros(3), self.camera_matrix(), np.array(self.distortion))
        return points(seen)


@dataclass(frozen=True, slots=True)
class Seat:
    """A player's place at the table; what lies in `area` lies in front of that player."""

    name: str
    colour: str
    area: tuple[tuple[float, float], ...]   # polygon, mm


@dataclass(frozen=True, slots=True)
class Table:
    """A camera's view of a table: where each pixel lies on the wood, and whose place that is."""

    image_size: tuple[int, int]                    # width, height in pixels
    lens: Lens
    homography: tuple[float, ...]                  # 9 numbers, row by row: undistorted pixel -> table mm
    seats: tuple[Seat, ...] = ()
    common: tuple[tuple[float, float], ...] = ()   # polygon of the middle, mm; empty if not given

    def to_mm(self, where_px: ArrayLike) -> Points:
        """(n, 2) pixels of the frame -> (n, 2) table mm."""
        return transform(self.homography, self.lens.undistort(where_px))

    def to_px(self, where_mm: ArrayLike) -> Points:
        """(n, 2) table mm -> (n, 2) pixels of the frame."""
        inverse = np.linalg.inv(np.array(self.homography).reshape(3, 3))
        return self.lens.distort(transform(inverse, where_mm))

    def zone(self, at_mm: Sequence[float]) -> str | None:
        """Whose area holds the point: a seat's name, `common`, or None."""
        for seat in self.seats:
            if contains(seat.area, at_mm):
                return seat.name
        return "common" if self.common and contains(self.common, at_mm) else None

    def centre_mm(self) -> tuple[float, float]:
        """The middle of the common area, else of what the camera sees."""
        if self.common:
            m = cv2.moments(np.asarray(self.common, np.float32))
            if m["m00"]:
                return m["m10"] / m["m00"], m["m01"] / m["m00"]
        w, h = self.image_size
        x, y = self.to_mm([[w / 2, h / 2]])[0]
        return float(x), float(y)

    def visible_mm(self) -> tuple[Points, Points]:
        """Top-left and bottom-right (mm) of what the camera sees of the table's plane."""
        w, h = self.image_size
        seen = self.to_mm([[w * a, h * b] for a in np.linspace(0, 1, 9) for b in np.linspace(0, 1, 9)])
        seen = seen[np.isfinite(seen).all(1)]
        return seen.min(0), seen.max(0)

    def corners_mm(self) -> Points:
        """(n, 2): the corners of all areas that are named."""
        return points([p for area in (*(seat.area for seat in self.seats), self.common) for p in area])

    def for_picture(self, width: int, height: int) -> "Table":
        """The table as a picture of another size but the same shape shows it.

        Raises TableError if the aspect ratio differs.
        """
        w, h = self.image_size
        if (w, h) == (width, height):
            return self
        if abs(width * h / (height * w) - 1) > ASPECT_TOLERANCE:
            raise TableError(f"the picture is {width}x{height} but the table file was made for {w}x{h}: "
                             "another shape; calibrate again with this camera")
        scale = width / w
        grow = np.array(self.homography).reshape(3, 3) @ np.diag([1 / scale, 1 / scale, 1])
        return replace(self, image_size=(width, height), lens=self.lens.scaled(scale), homography=tuple(float(v) for v in grow.ravel()))


def read_table(path: Path) -> Table:
    """The table of a file (contract §2). Raises TableError with one line for a person."""
    try:
        data = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as e:
        raise TableError(f"{path}: cannot be read as a table file ({reason(e)}); make one with `companion calibrate`") from e
    try:
        if _value(data, "format") != FORMAT:
            raise TableError(f"{path}: format {data['format']!r}, expected {FORMAT}; update the companion or calibrate again")
        table = _table(data)
        with np.errstate(all="ignore"):
            _check(table)
    except _Fault as e:
        raise TableError(f"{path}: {e}; correct it, or make the file anew with `companion calibrate`") from e
    return table


class _Fault(ValueError):
    """A value that makes no table: its key, and what is wrong with it."""


def _table(data: dict[str, Any]) -> Table:
    width, height = (int(v) for v in _numbers(data, "image_size", 2))
    lens = Lens((float(width), float(width), width / 2, height / 2), (0.0, 0.0, 0.0, 0.0, 0.0))
    if data.get("lens") not in (None, {}):
        lens = Lens(_numbers(data, "lens.matrix", 4), _numbers(data, "lens.distortion", 5))
    seats = data.get("seat", [])
    if not isinstance(seats, list):
        raise _Fault("seat: each is to begin with [[seat]]")
    return Table(
        image_size=(width, height),
        lens=lens,
        homography=_numbers(data, "plane.homography", 9),
        seats=tuple(_seat(n, seat) for n, seat in enumerate(seats, 1)),
        common=_polygon(data, "common.area", "") if data.get("common") else (),
    )


def _seat(n: int, data: object) -> Seat:
    name = str(_value(data, "name", f"seat {n}: "))
    return Seat(name, str(_value(data, "colour", f"seat {n}: ", default="")), _polygon(data, "area", f"seat {n} ({name}): "))


def _value(data: object, key: str, where: str = "", default: object = None) -> Any:
    """What stands under a key such as `lens.matrix`. `where` is said before it."""
    for part in key.split("."):
        if not isinstance(data, dict):
            raise _Fault(f"{where}{key} was expected, found {_shown(data)}")
        if part not in data and default is None:
            raise _Fault(f"{where}{key} is missing")
        data = data.get(part, default)
    return data


def _numbers(data: object, key: str, n: int) -> tuple:  # type: ignore[type-arg]
    values = _value(data, key)
    if not isinstance(values, list) or len(values) != n:
        raise _Fault(f"{key}: {n} numbers were expected, found {len(values) if isinstance(values, list) else _shown(values)}")
    wrong = next((v for v in values if not _is_number(v)), None)
    if wrong is not None:
        raise _Fault(f"{key}: {n} finite numbers were expected, found {_shown(wrong)} among them")
    return tuple(float(v) for v in values)


def _polygon(data: object, key: str, where: str) -> tuple[tuple[float, float], ...]:
    values = _value(data, key, where)
    if not isinstance(values, list) or not all(isinstance(c, list) and len(c) == 2 and all(map(_is_number, c)) for c in values):
        raise _Fault(f"{where}{key}: corners [[x, y], ...] in mm were expected, found {_shown(values)}")
    corners = tuple((float(x), float(y)) for x, y in values)
    if any(abs(v) > FARTHEST_MM for c in corners for v in c):
        raise _Fault(f"{where}{key}: a corner lies more than {FARTHEST_MM / 1000:g} m away")
    if len(corners) < 3 or area(corners) == 0:
        raise _Fault(f"{where}{key}: at least three corners that enclose something were expected, found {_shown(values)}")
    return corners


def _is_number(value: object) -> bool:
    try:
        return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)
    except OverflowError:   # a whole number of hundreds of digits
        return False


def _shown(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 80 else f"{text[:77]}..."


def _check(table: Table) -> None:
    """Raises _Fault where the numbers are no camera's above a table."""
    w, h = table.image_size
    fx, fy, cx, cy = table.lens.matrix
    if not all(SIDE_PX[0] <= v <= SIDE_PX[1] for v in (w, h)):
        raise _Fault(f"image_size: {w}x{h} pixels are no camera's picture")
    if not all(FOCAL[0] <= f / max(w, h) <= FOCAL[1] for f in (fx, fy)):
        raise _Fault(f"lens.matrix: focal lengths (its first two) of {fx:g} and {fy:g} pixels are no lens's for a picture of {w}x{h}")
    if not all(AXIS[0] <= v <= AXIS[1] for v in (cx / w, cy / h)):
        raise _Fault(f"lens.matrix: the optical axis (its last two) at {cx:g}, {cy:g} lies far outside a picture of {w}x{h}")
    inner = points([[w * a, h * b] for a in INNER for b in INNER])
    straight = table.lens.undistort([*inner, [0, 0], [w, 0], [w, h], [0, h]])
    again = table.lens.distort(straight[:len(inner)])
    if not (np.isfinite(straight).all() and (np.abs(again - inner) <= RETURN_PX).all()):
        raise _Fault(f"lens.distortion: {_shown(list(table.lens.distortion))} bends the picture beyond measure")
    middle = table.to_mm([[w / 2, h / 2], [w / 2 + 1, h / 2], [w / 2, h / 2 + 1]])
    (ax, ay), (bx, by) = middle[1:] - middle[0]
    pixel_mm = math.sqrt(abs(ax * by - ay * bx))
    if not PIXEL_MM[0] <= pixel_mm <= PIXEL_MM[1]:   # which no NaN does
        size = f"be {pixel_mm:g} mm wide" if math.isfinite(pixel_mm) else "lie nowhere"
        raise _Fault(f"plane.homography: a pixel in the middle of the picture would {size} on the table")
    named, (low, high) = table.corners_mm(), table.visible_mm()
    if len(named) and ((named.min(0) >= high) | (named.max(0) <= low)).any():
        raise _Fault("seat, common: no area lies where the camera sees the table; image_size, plane and areas do not go together")


def write_table(table: Table, path: Path) -> None:
    """Write the table as a file of contract §2, whole or not at all. Raises OSError."""
    doc = tomlkit.document()
    doc["format"] = FORMAT
    doc["image_size"] = list(table.image_size)
    doc["lens"] = {"matrix": list(table.lens.matrix), "distortion": list(table.lens.distortion)}
    doc["plane"] = {"homography": list(table.homography)}
    seats = tomlkit.aot()
    for seat in table.seats:
        seats.append(tomlkit.item({"name": seat.name, "colour": seat.colour, "area": [list(p) for p in seat.area]}))
    if table.seats:
        doc["seat"] = seats
    if table.common:
        doc["common"] = {"area": [list(p) for p in table.common]}
    with replacing(path) as out:
        out.write(tomlkit.dumps(doc).encode())
