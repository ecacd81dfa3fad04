"""A frame laid flat: the table seen from straight above, at a known number of pixels a millimetre."""

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import ArrayLike, NDArray

from vision.cv import fixed_maps, remap
from vision.geometry import Picture, Points, points, transform
from vision.table import Table

MARGIN_MM = 40.0        # beyond the seats' areas, for what lies at their outer edge
LARGEST_PX = 4000       # a side of a top view, whatever the table file says
LEAST_PX = 32           # a side of a part of a view: less shows nothing
NODE_PX = 8             # between two of its pixels whose place in the frame is reckoned; straight lines between are right to 0.05 pixel

BoxMm = tuple[float, float, float, float]   # left, top, right, bottom on the table


@dataclass(frozen=True)
class TopView:
    """The table from above. Pixels as everywhere: (0, 0) is the corner of the first pixel, its centre (0.5, 0.5)."""

    picture: Picture                 # (H, W, 3) uint8, BGR
    seen: NDArray[np.bool_]          # (H, W): the camera sees this place
    px_per_mm: float
    origin_mm: tuple[float, float]   # where the corner of the first pixel lies on the table

    def to_mm(self, where_px: ArrayLike) -> Points:
        """(n, 2) pixels of this view -> (n, 2) table mm."""
        return points(points(where_px) / self.px_per_mm + np.array(self.origin_mm))

    def to_px(self, where_mm: ArrayLike) -> Points:
        """(n, 2) table mm -> (n, 2) pixels of this view."""
        return points((points(where_mm) - np.array(self.origin_mm)) * self.px_per_mm)


@dataclass(frozen=True)
class View:
    """One frame of a table: the picture as the camera gave it and flat views of it, each made once."""

    frame: Picture                   # (H, W, 3) uint8, BGR
    table: Table                     # made for this frame's size: Table.for_picture
    only: BoxMm | None = None        # of the table nothing else is laid flat
    _made: dict[float, TopView] = field(default_factory=dict, repr=False)

    def top(self, px_per_mm: float) -> TopView:
        """The table from above, bounded to LARGEST_PX a side."""
        if px_per_mm not in self._made:
            m = _map(self.table, px_per_mm)
            m = m if self.only is None else m.part(self.only)
            self._made[px_per_mm] = TopView(remap(self.frame, m.xy, m.fraction), m.seen, m.px_per_mm, m.origin_mm)
        return self._made[px_per_mm]

    def within(self, box_mm: BoxMm) -> "View":
        """The same frame, of which finders see what lies in a box of the table only: so much less is to be looked at."""
        x0, y0, x1, y1 = self.only or box_mm
        left, top, right, bottom = box_mm
        return View(self.frame, self.table, (max(x0, left), max(y0, top), min(x1, right), min(y1, bottom)))

    def cut(self, quad_mm: ArrayLike, width: int, height: int) -> Picture:
        """A rectangle of the table (quad (4, 2) in mm, from its own top left clockwise) as a (height, width, 3) picture."""
        q = points(quad_mm)
        corners = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32)
        to_mm = cv2.getPerspectiveTransform(corners, q.astype(np.float32))
        xy = _mapped(lambda at: self.table.to_px(transform(to_mm, at)), width, height)
        return remap(self.frame, xy, border=cv2.BORDER_REPLICATE)


@dataclass(frozen=True)
class _Map:
    xy: NDArray[np.int16]
    fraction: NDArray[np.uint16]
    seen: NDArray[np.bool_]
    px_per_mm: float
    origin_mm: tuple[float, float]

    def part(self, box_mm: BoxMm) -> "_Map":
        """What a box covers, in whole pixels, and some pixels where it covers none."""
        (left, top), (right, bottom) = (points(box_mm) - np.array(self.origin_mm)) * self.px_per_mm
        rows, columns = (_within(*ends, n) for ends, n in zip(((top, bottom), (left, right)), self.seen.shape, strict=True))
        origin = self.origin_mm[0] + columns.start / self.px_per_mm, self.origin_mm[1] + rows.start / self.px_per_mm
        return _Map(self.xy[rows, columns], self.fraction[rows, columns], self.seen[rows, columns], self.px_per_mm, origin)


@lru_cache(maxsize=16)
def _map(table: Table, px_per_mm: float) -> _Map:
    (x0, y0), (x1, y1) = _extent(table)
    px_per_mm = min(px_per_mm, LARGEST_PX / max(x1 - x0, y1 - y0))
    w, h = max(1, round((x1 - x0) * px_per_mm)), max(1, round((y1 - y0) * px_per_mm))
    px = _mapped(lambda at: table.to_px(np.array([x0, y0]) + at / px_per_mm), w, h)
    fw, fh = table.image_size
    seen = (px[..., 0] >= 0) & (px[..., 0] <= fw - 1) & (px[..., 1] >= 0) & (px[..., 1] <= fh - 1)
    return _Map(*fixed_maps(px), seen, px_per_mm, (float(x0), float(y0)))


def _within(low: float, high: float, n: int) -> slice:
    """The pixels from `low` to `high`, of `n`; LEAST_PX at least."""
    start = int(np.clip(math.floor(low), 0, max(0, n - LEAST_PX)))
    return slice(start, int(np.clip(math.ceil(high), min(n, start + LEAST_PX), n)))


def _mapped(to_frame: Callable[[Points], Points], width: int, height: int) -> NDArray[np.float32]:
    """(height, width, 2): where the centre of each pixel of a view lies in the frame, in OpenCV's pixels, for `remap`.

    `to_frame` : (n, 2) pixels of the view -> pixels of the frame. It is asked at nodes only.
    """
    across, down = (np.arange(-1, math.ceil(n / NODE_PX) + 1) * NODE_PX + NODE_PX / 2 for n in (width, height))
    nodes = to_frame(points(np.stack(np.meshgrid(across, down), -1))) - 0.5
    laid = nodes.reshape(len(down), len(across), 2).astype(np.float32)
    between = cv2.resize(laid, None, fx=NODE_PX, fy=NODE_PX, interpolation=cv2.INTER_LINEAR)
    return np.asarray(between[NODE_PX : NODE_PX + height, NODE_PX : NODE_PX + width], np.float32)


def _extent(table: Table) -> tuple[Points, Points]:
    """Top-left and bottom-right (mm) of what is worth looking at: the areas with a margin, within what the camera sees."""
    low, high = table.visible_mm()
    named = table.corners_mm()
    if len(named):
        low = np.maximum(low, named.min(0) - MARGIN_MM)
        high = np.minimum(high, named.max(0) + MARGIN_MM)
    return low, high
