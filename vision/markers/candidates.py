"""Places where a marker or token may lie: little blobs of ink on an even ground. Meant to miss none; the network judges.

Two kinds of blob give a place: the numeral itself (dark on pale or pale on dark), and the piece (an even patch of the right size).
"""

from collections.abc import Iterator, Sequence
from typing import Any

import cv2
import numpy as np
from numpy.typing import ArrayLike, NDArray

from vision.geometry import Picture, Points, depth_inside, points
from vision.topview import TopView

PX_PER_MM = 2.0                    # the flat view that crops are cut from
COARSE = 2                         # candidates are sought on a view this many times smaller
INK_MM = 17.0                      # no stroke of a numeral is wider than this
INK_SIZE_MM = (4.0, 24.0)
PIECE_SIZE_MM = (15.0, 56.0)
APART_MM = 5.0
INK_CONTRASTS = (0.14, 0.3)        # of the ground's lightness
NEAR_MM = 11.0                     # round a place, where contrast and evenness are judged
LEAST_CONTRAST, LEAST_COLOUR, LEAST_EVEN = 0.22, 20, 0.42
PHOTO_DEPTH_MM = 14.0              # deeper inside a photo nothing is looked for


def coarse(top: TopView) -> TopView:
    """The flat view COARSE times smaller and a little smoothed."""
    h, w = (round(v / COARSE) for v in top.picture.shape[:2])
    small = cv2.GaussianBlur(cv2.resize(top.picture, (w, h), interpolation=cv2.INTER_AREA), (0, 0), 0.6)
    return TopView(np.asarray(small, np.uint8), top.seen[::COARSE, ::COARSE], top.px_per_mm / COARSE, top.origin_mm)


def find_spots(small: TopView, *, photos: Sequence[ArrayLike] = ()) -> Points:
    """Middles (n, 2) in mm of what could be a piece in a `coarse` view; places inside `photos` (quads in mm) left out."""
    px_per_mm = small.px_per_mm
    lab: Picture = np.asarray(cv2.cvtColor(small.picture, cv2.COLOR_BGR2LAB), np.uint8)
    found = [points(np.empty((0, 2)))]
    for mask, size in _masks(small.picture, lab, px_per_mm):
        _, _, stats, _ = cv2.connectedComponentsWithStats(mask, connectivity=8)
        found.append(_of_size(stats, px_per_mm, size))
    where = _gathered(np.concatenate(found), px_per_mm)
    where = where[_like_a_piece(lab, where, px_per_mm)]
    where = small.to_mm(where)
    for quad in photos:
        deep = np.array([depth_inside(quad, (x, y)) > PHOTO_DEPTH_MM for x, y in where], bool)
        where = where[~deep]
    return where


def _like_a_piece(lab: Picture, at_px: Points, px_per_mm: float) -> NDArray[np.bool_]:
    """Which places show something on an even ground: neither bare table nor a photo's crowd of colours."""
    step = np.arange(-10, 10.1, 2)
    x, y = np.meshgrid(step, step)
    near = np.c_[x[np.hypot(x, y) < NEAR_MM], y[np.hypot(x, y) < NEAR_MM]] * px_per_mm
    h, w = lab.shape[:2]
    where = np.floor(at_px[:, None] + near).astype(np.int64)
    near_lab = lab[where[..., 1].clip(0, h - 1), where[..., 0].clip(0, w - 1)].astype(np.float32)
    middle = np.median(near_lab, axis=1, keepdims=True)
    sorted_lab = np.sort(near_lab, axis=1)
    span = (sorted_lab[:, -4] - sorted_lab[:, 3]).T                       # of L, a, b
    even = (np.abs(near_lab - middle).max(2) < np.maximum(8, 0.25 * span[0])[:, None]).mean(1)
    shows = (span[0] > LEAST_CONTRAST * (middle[:, 0, 0] + 10)) | (span[1:].max(0) > LEAST_COLOUR)
    return np.asarray(shows & (even > LEAST_EVEN), np.bool_)


def _masks(small: Picture, lab: Picture, px_per_mm: float) -> Iterator[tuple[NDArray[np.uint8], tuple[float, float]]]:
    grey = cv2.cvtColor(small, cv2.COLOR_BGR2GRAY)
    n = round(INK_MM * px_per_mm) | 1
    brush = cv2.getStructuringElement(cv2.MORPH_RECT, (n, n))
    dark = (cv2.morphologyEx(grey, cv2.MORPH_CLOSE, brush), grey)
    pale = (255 - cv2.morphologyEx(grey, cv2.MORPH_OPEN, brush), 255 - grey)
    for ground, ink in (dark, pale):
        depth = cv2.subtract(ground, ink)
        for contrast in INK_CONTRASTS:
            yield np.asarray(depth > np.maximum(contrast * ground, 8), np.uint8), INK_SIZE_MM
    n = round(1.3 * PIECE_SIZE_MM[1] * px_per_mm) | 1
    for channel, steps in ((0, (16, 38)), (1, (9,)), (2, (11,))):
        plane = lab[..., channel]
        around = cv2.blur(plane, (n, n))
        for step in steps:
            yield np.asarray(plane > around.astype(np.int16) + step, np.uint8), PIECE_SIZE_MM
            yield np.asarray(plane < around.astype(np.int16) - step, np.uint8), PIECE_SIZE_MM


def _of_size(stats: NDArray[Any], px_per_mm: float, size_mm: tuple[float, float]) -> Points:
    """Middles of the boxes of components that are neither too small, too large, too long nor too thin."""
    low, high = (v * px_per_mm for v in size_mm)
    x, y, w, h, area = (stats[:, k].astype(np.float64) for k in range(5))
    longest, shortest = np.maximum(w, h), np.minimum(w, h)
    fits = (longest >= low) & (longest <= high) & (area > 0.12 * w * h)
    if size_mm is PIECE_SIZE_MM:
        fits &= (shortest > 0.45 * longest) & (area > 0.35 * w * h)
    return points(np.c_[x + w / 2, y + h / 2][fits])


def _gathered(at_px: Points, px_per_mm: float) -> Points:
    """The middles of the boxes, those that share a small square taken as one."""
    if len(at_px) == 0:
        return at_px
    _, of = np.unique(np.floor(at_px / (APART_MM * px_per_mm)).astype(np.int64), axis=0, return_inverse=True)
    of = of.ravel()
    return points(np.c_[np.bincount(of, at_px[:, 0]), np.bincount(of, at_px[:, 1])] / np.bincount(of)[:, None])
