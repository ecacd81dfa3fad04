"""Stillness: which places of the picture move, which look other than the picture last accepted, and since when they look as they do.

All work is done on a small copy of each frame. Two copies are compared with light made equal (one factor a colour) and
with one small pixel of play in every direction, so that neither an exposure that hunts nor a table that trembles counts as motion.
"""

from collections import deque
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.geometry import Picture, Points

SMALL_WIDTH = 320       # pixels of the small copy
CELL = 4                # small pixels: the side of a cell, the unit of motion
DIFFERENT = 6         # grey levels, mean over a cell: it shows something else (a still table stays below 3)
LAG_S = 0.15            # motion is the difference to the picture this much earlier
SETTLE_S = 0.2          # so long after its last motion a cell is still: with the lag, 0.35 s after the thing came to rest
MEMORY_S = 6.0          # so far back `since` can tell
MOVED_PART = 0.02       # where more of the picture differs, the camera may have been moved
MOVED_BY = 1.5          # small pixels: more than the play of one
EXPLAINED = 0.3         # a shift that leaves no more of the differences than this is the camera's

_PLAY = np.ones((3, 3), np.uint8)
Mask = NDArray[np.bool_]
Light = tuple[float, float, float]


@dataclass(frozen=True, slots=True)
class Glance:
    """What one frame shows against those before it. Cells are CELL small pixels square, row by row."""

    t: float
    small: Picture          # (h, SMALL_WIDTH, 3)
    quiet_s: NDArray[np.float64]   # (rows, columns) seconds since each cell moved last
    changed: Mask           # (rows, columns) cells that show something else than the accepted picture
    foreign: Mask           # those of them that do not look as before that picture was accepted, either: something is over them
    scale: float            # small pixels a pixel of the frame

    @property
    def moving(self) -> Mask:
        """(rows, columns) cells that moved lately."""
        return np.asarray(self.quiet_s < SETTLE_S)

    @property
    def still(self) -> bool:
        """Nothing moves anywhere."""
        return not self.moving.any()

    def cells(self, polygon_px: Points, *, margin_px: float = 0.0) -> Mask:
        """The cells that a polygon of the frame touches, grown by a margin in pixels of the frame."""
        return touched(self.small.shape[:2], polygon_px * self.scale, margin_px * self.scale)


class Stillness:
    """Watches a stream of frames of one size. Deterministic: times are those of the frames."""

    def __init__(self) -> None:
        self._past: deque[tuple[float, Picture]] = deque()
        self._accepted: Picture | None = None
        self._before: Picture | None = None     # what each cell showed until something else was accepted there
        self._moved_at: NDArray[np.float64] | None = None

    def see(self, frame: Picture, t: float) -> Glance:
        """Take in the frame of time t (seconds, rising)."""
        small = shrink(frame)
        if self._past and self._past[-1][1].shape != small.shape:
            self._past.clear()
            self._accepted = self._before = self._moved_at = None
        if self._accepted is None or self._before is None or self._moved_at is None:
            self._accepted = self._before = small
            self._moved_at = np.full(_cells(np.zeros(small.shape[:2], np.uint8)).shape, t)
        before = next((p for s, p in reversed(self._past) if s <= t - LAG_S), None)
        if before is not None:
            self._moved_at[cell_difference(small, before) > DIFFERENT] = t
        self._past.append((t, small))
        while self._past[0][0] < t - MEMORY_S:
            self._past.popleft()
        quiet_s = t - self._moved_at
        changed = cell_difference(small, self._accepted) > DIFFERENT
        foreign = changed & (cell_difference(small, self._before) > DIFFERENT) if changed.any() else changed
        return Glance(t, small, quiet_s, changed, foreign, small.shape[1] / frame.shape[1])

    def camera_moved(self, glance: Glance) -> bool:
        """Whether one shift of the whole picture against the accepted one (phase correlation) explains what has changed and is still."""
        changed = glance.changed & ~glance.moving
        if self._accepted is None or changed.mean() < MOVED_PART:
            return False
        now, then = glance.small, self._accepted
        a, b = (cv2.cvtColor(p, cv2.COLOR_BGR2GRAY).astype(np.float32) for p in (then, now))
        (x, y), _ = cv2.phaseCorrelate(a, b, cv2.createHanningWindow((a.shape[1], a.shape[0]), cv2.CV_32F))
        if np.hypot(x, y) <= MOVED_BY:
            return False
        carried = cv2.warpAffine(then, np.array([[1, 0, x], [0, 1, y]]), then.shape[1::-1], borderMode=cv2.BORDER_REPLICATE)
        left = cell_difference(now, np.asarray(carried, np.uint8)) > DIFFERENT
        return bool((left & changed).sum() <= EXPLAINED * changed.sum())

    def accept(self, glance: Glance, cells: Mask) -> None:
        """From now on these cells are compared with how this glance shows them."""
        if self._accepted is None or self._before is None:
            raise ValueError("a picture is accepted after it was seen")
        self._before = patched(self._before, self._accepted, cells & glance.changed)
        self._accepted = patched(self._accepted, glance.small, cells)

    def since(self, glance: Glance, polygon_px: Points, *, margin_px: float = 0.0) -> float:
        """The time from which on this place of the frame has looked as in the glance, at most MEMORY_S ago.

        A hand that has passed over the place, or lain on its margin, has left it by then.
        """
        cells = glance.cells(polygon_px, margin_px=margin_px)
        first = glance.t
        for t, small in reversed(self._past):
            if t > glance.t:
                continue
            if differs(glance.small, small, cells):
                break
            first = t
        return first


def shrink(frame: Picture) -> Picture:
    """The small copy: SMALL_WIDTH wide, whole cells high."""
    h, w = frame.shape[:2]
    height = max(CELL, CELL * round(SMALL_WIDTH * h / w / CELL))
    every = max(1, h // (2 * height))   # rows left out cost nothing: what is left is averaged still
    return np.asarray(cv2.resize(frame[::every], (SMALL_WIDTH, height), interpolation=cv2.INTER_AREA), np.uint8)


def light(now: Picture, then: Picture) -> Light:
    """By which factor `now` is brighter than `then`, for blue, green and red: medians, deaf to what covers less than half."""
    a, b = (p[::8, ::8].reshape(-1, 3).astype(np.float32) + 1 for p in (now, then))
    blue, green, red = np.median(a / b, axis=0)
    return float(blue), float(green), float(red)


def difference(now: Picture, then: Picture, *, factor: Light | None = None) -> NDArray[np.uint8]:
    """(h, w) grey levels by which `now` lies outside of what `then` shows within one pixel, the largest of the three channels.

    `then` is first made as bright as `now`, or `factor` times as bright.
    """
    scalar: Any = (*(factor or light(now, then)), 0.0)   # OpenCV takes a scalar where its stubs say that an array must stand
    then = np.asarray(cv2.multiply(then, scalar), np.uint8)
    outside = cv2.max(cv2.subtract(now, cv2.dilate(then, _PLAY)), cv2.subtract(cv2.erode(then, _PLAY), now))
    blue, green, red = cv2.split(outside)
    return np.asarray(cv2.max(cv2.max(blue, green), red), np.uint8)


def cell_difference(now: Picture, then: Picture, *, factor: Light | None = None) -> NDArray[np.uint8]:
    """(rows, columns) mean difference of two small copies in each cell; more than DIFFERENT is something else."""
    return _cells(difference(now, then, factor=factor))


def differs(now: Picture, then: Picture, cells: Mask) -> bool:
    """Whether any of these cells shows something else in the one small copy than in the other. They alone are compared."""
    rows, columns = np.flatnonzero(cells.any(1)), np.flatnonzero(cells.any(0))
    if not rows.size:
        return False
    box = np.s_[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1]
    place = np.s_[rows[0] * CELL : (rows[-1] + 1) * CELL, columns[0] * CELL : (columns[-1] + 1) * CELL]
    return bool((cell_difference(now[place], then[place], factor=light(now, then)) > DIFFERENT)[cells[box]].any())


def touched(shape: tuple[int, int], polygon: Points, margin: float = 0.0) -> Mask:
    """The cells of a small copy of that shape (height, width) that a polygon of it touches, grown by a margin; all in its pixels."""
    mask = np.zeros(shape, np.uint8)
    corners = np.round(polygon - 0.5).astype(np.int32)
    cv2.fillConvexPoly(mask, cv2.convexHull(corners.reshape(-1, 1, 2)), (1.0,))
    grow = 2 * int(np.ceil(margin)) + 1
    return _any_in_cell(np.asarray(cv2.dilate(mask, np.ones((grow, grow), np.uint8)) > 0))


def patched(picture: Picture, patch: Picture, cells: Mask) -> Picture:
    """A small copy with these cells as `patch` shows them."""
    there = np.kron(cells, np.ones((CELL, CELL), bool))
    return np.asarray(np.where(there[..., None], patch, picture), np.uint8)


def _cells(values: NDArray[np.uint8]) -> NDArray[np.uint8]:
    h, w = values.shape
    return np.asarray(cv2.resize(values, (w // CELL, h // CELL), interpolation=cv2.INTER_AREA), np.uint8)


def _any_in_cell(mask: Mask) -> Mask:
    h, w = mask.shape
    return np.asarray(mask.reshape(h // CELL, CELL, w // CELL, CELL).any((1, 3)), bool)
