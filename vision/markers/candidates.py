"""Places where a marker or token may lie: little blobs of ink on an even ground. Meant to miss none; the network judges.

Two kinds of blob give a place: the numeral itself (dark on pale or pale on dark), and the piece (an even patch of the right size).
"""

from collections.abc import Iterator, Sequence
from typing import Any

import cv2
import numpy as np
from numpy.typing import ArrayLike, NDArray

from vision.geometry import Picture, Points, points
from vision.topview import TopView

PX_PER_MM = 2.0                    # the flat view that crops are cut from
COARSE = 2                         # candidates are sought on a view this many times smaller
INK_MM = 17.0                      # no stroke of a numeral is wider than this
INK_SIZE_MM = (4.0, 24.0)
PIECE_SIZE_MM = (15.0, 56.0)
APART_MM = 5.0
FEW_PIXELS = 4 * 65_000            # of so many no more blobs than 16 bits can number are apart: numbered in half the time
INK_CONTRASTS = (0.14, 0.3)        # of the ground's lightness
NEAR_MM = 11.0                     # round a place, where contrast and evenness are judged
LEAST_CONTRAST, LEAST_COLOUR, LEAST_EVEN = 0.22, 20, 0.42
PHOTO_DEPTH_MM = 14.0              # deeper inside a photo nothing is looked for


def coarse(top: TopView) -> TopView:
    """The flat view COARSE times smaller and a little smoothed."""
    h, w = (v // COARSE for v in top.picture.shape[:2])
    whole = top.picture[:h * COARSE, :w * COARSE]                # whole squares of pixels are averaged in a tenth of the time
    small = cv2.GaussianBlur(cv2.resize(whole, (w, h), interpolation=cv2.INTER_AREA), (0, 0), 0.6)
    return TopView(np.asarray(small, np.uint8), top.seen[:h * COARSE:COARSE, :w * COARSE:COARSE], top.px_per_mm / COARSE, top.origin_mm)


def find_spots(small: TopView) -> Points:
    """Middles (n, 2) in mm of what could be a piece, in a view that `coarse` made."""
    px_per_mm = small.px_per_mm
    lab: Picture = np.asarray(cv2.cvtColor(small.picture, cv2.COLOR_BGR2LAB), np.uint8)
    labels = cv2.CV_16U if small.picture[..., 0].size < FEW_PIXELS else cv2.CV_32S
    found = [points(np.empty((0, 2)))]
    for mask, size in _masks(small.picture, lab, px_per_mm):
        _, _, stats, _ = cv2.connectedComponentsWithStats(mask, connectivity=8, ltype=labels)
        found.append(_of_size(stats, px_per_mm, size))
    where = _gathered(np.concatenate(found), px_per_mm)
    return small.to_mm(where[_like_a_piece(lab, where, px_per_mm)])


def outside(photos: Sequence[ArrayLike], where_mm: Points) -> NDArray[np.bool_]:
    """Which of (n, 2) places lie in no photo (quads in mm), or near its edge, where a piece may lap over it."""
    return ~deeper_inside(photos, where_mm, PHOTO_DEPTH_MM)


def deeper_inside(quads: Sequence[ArrayLike], where: Points, depth: float) -> NDArray[np.bool_]:
    """Which of (n, 2) points lie deeper than that (0 or more, in the points' unit) inside one of the convex quads."""
    found = np.zeros(len(where), np.bool_)
    for quad in quads:
        corners = points(quad)
        along = np.roll(corners, -1, axis=0) - corners
        off = where[:, None] - corners
        side = (along[:, 0] * off[..., 1] - along[:, 1] * off[..., 0]) / np.maximum(np.hypot(*along.T), 1e-9)
        found |= (side.min(1) > depth) | (side.max(1) < -depth)
    return found


def _like_a_piece(lab: Picture, at_px: Points, px_per_mm: float) -> NDArray[np.bool_]:
    """Which places show something on an even ground: neither bare table nor a photo's crowd of colours."""
    step = np.arange(-10, 10.1, 2)
    x, y = np.meshgrid(step, step)
    near = np.c_[x[np.hypot(x, y) < NEAR_MM], y[np.hypot(x, y) < NEAR_MM]] * px_per_mm
    h, w = lab.shape[:2]
    where = np.floor(at_px[:, None] + near).astype(np.int64)
    near_lab = lab[where[..., 1].clip(0, h - 1), where[..., 0].clip(0, w - 1)].astype(np.float32)
    sorted_lab = np.sort(near_lab, axis=1)
    middle = sorted_lab[:, len(near) // 2]                                # the median; np.median sorts once more
    span = (sorted_lab[:, -4] - sorted_lab[:, 3]).T                       # of L, a, b
    off = np.abs(near_lab - middle[:, None])
    even = (np.maximum(np.maximum(off[..., 0], off[..., 1]), off[..., 2]) < np.maximum(8, 0.25 * span[0])[:, None]).mean(1)
    shows = (span[0] > LEAST_CONTRAST * (middle[:, 0] + 10)) | (span[1:].max(0) > LEAST_COLOUR)
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
            least = np.maximum(cv2.convertScaleAbs(ground, alpha=contrast), 8)
            yield np.asarray(cv2.compare(depth, least, cv2.CMP_GT), np.uint8), INK_SIZE_MM
    n = round(1.3 * PIECE_SIZE_MM[1] * px_per_mm) | 1
    for channel, steps in ((0, (16, 38)), (1, (9,)), (2, (11,))):
        plane = np.ascontiguousarray(lab[..., channel])
        around = cv2.blur(plane, (n, n))
        for above in (cv2.subtract(plane, around), cv2.subtract(around, plane)):
            for step in steps:
                yield np.asarray(cv2.threshold(above, step, 255, cv2.THRESH_BINARY)[1], np.uint8), PIECE_SIZE_MM


def _of_size(stats: NDArray[Any], px_per_mm: float, size_mm: tuple[float, float]) -> Points:
    """Middles of the boxes of components that are neither too small, too large, too long nor too thin."""
    low, high = (v * px_per_mm for v in size_mm)
    longest = stats[:, 2:4].max(1)
    x, y, w, h, area = stats[(longest >= low) & (longest <= high)].T.astype(np.float64)     # most blobs are specks
    longest, shortest = np.maximum(w, h), np.minimum(w, h)
    fits = area > 0.12 * w * h
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
