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

import cv2
import numpy as np
import tomlkit
from numpy.typing import ArrayLike, NDArray

from vision.files import replacing
from vision.geometry import Points, area, contains, points, transform

FORMAT = 1
ASPECT_TOLERANCE = 0.01   # a camera's 1366x768 counts as 16:9


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
        raise TableError(f"{path}: cannot be read as a table file ({e}); make one with `companion calibrate`") from e
    try:
        if data["format"] != FORMAT:
            raise TableError(f"{path}: format {data['format']!r}, expected {FORMAT}; update the companion or calibrate again")
        w, h = (int(v) for v in data["image_size"])
        lens = data.get("lens") or {"matrix": [float(w), float(w), w / 2, h / 2], "distortion": [0.0] * 5}
        return Table(
            image_size=(w, h),
            lens=Lens(_numbers(lens["matrix"], 4), _numbers(lens["distortion"], 5)),
            homography=_numbers(data["plane"]["homography"], 9),
            seats=tuple(Seat(str(s["name"]), str(s.get("colour", "")), _polygon(s["area"])) for s in data.get("seat", [])),
            common=_polygon(data["common"]["area"]) if data.get("common") else (),
        )
    except TableError as e:
        raise TableError(str(e) if str(e).startswith(str(path)) else f"{path}: {e}") from e
    except (KeyError, TypeError, ValueError) as e:
        raise TableError(f"{path}: not a table file ({_fault(e)}); make one with `companion calibrate`") from e


def _fault(e: Exception) -> str:
    return f"{e} is missing" if isinstance(e, KeyError) else str(e)


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


def _numbers(values: Sequence[float], n: int) -> tuple:  # type: ignore[type-arg]
    out = tuple(float(v) for v in values)
    if len(out) != n or not all(math.isfinite(v) for v in out):
        raise TableError(f"expected {n} finite numbers, found {list(values)!r}")
    return out


def _polygon(values: Sequence[Sequence[float]]) -> tuple[tuple[float, float], ...]:
    corners = tuple((float(x), float(y)) for x, y in values)
    if len(corners) < 3 or area(corners) == 0 or not all(math.isfinite(v) for c in corners for v in c):
        raise TableError(f"an area needs at least three corners that enclose something, found {corners!r}")
    return corners
