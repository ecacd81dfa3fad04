"""Where a photo ends: one rectangle, fitted to the edges of both photos of a pair at once.

The fellow is laid over the photo by their pose, so that the content agrees and the surroundings do not. A true side is an edge in both;
a neighbour's edge, a shadow or a line of the cloth is an edge in one. The rectangle climbs from rough beginnings (contours, the hull of the
matched points) by moving one side or the whole, on the edges' strength along all its sides.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.geometry import Picture, Points, points, rectangle
from vision.photos.selfmatch import Pose
from vision.topview import TopView

HALF_MM = 125.0         # of the patch looked at, from the middle of the matched points
SAMPLES = 24            # along a side
SEGMENTS = 4            # parts of a side; within one the edge must not change its sign
FAINT = 7.0             # Lab steps a pixel that count half
BEAM = 4
STEPS_MM = (6.0, 3.0, 1.5, 0.7, 0.35)
TURNS_DEG = (3.0, 1.5, 0.8, 0.4, 0.2)
SIZES_MM = (55.0, 190.0)
WIDEST = 1.9            # longer side over the shorter one

Boxes = NDArray[np.float64]   # (k, 5): centre x, y, width, height in mm, turn in degrees


@dataclass(frozen=True)
class Outline:
    """A rectangle in mm, from a corner whose next side is the longer one, and how clearly its sides stand out (0..1 each)."""

    quad: Points
    sides: tuple[float, float, float, float]

    @property
    def clear(self) -> float:
        """The mean clearness, the weakest side left out: a hand may lie there."""
        return float(np.mean(sorted(self.sides)[1:]))


class Edges:
    """The edges round a photo and, if there is one, of its fellow laid over it."""

    def __init__(self, top: TopView, middle_mm: NDArray[np.float64], pose: Pose | None = None) -> None:
        self.px_per_mm = top.px_per_mm
        self.origin = middle_mm - HALF_MM
        count = 2 * math.ceil(HALF_MM * top.px_per_mm)
        self.gradients = [_gradient(_patch(top, self.origin, count, None))]
        if pose is not None:
            self.gradients.append(_gradient(_patch(top, self.origin, count, pose)))

    def clearness(self, boxes: Boxes) -> NDArray[np.float64]:
        """(k, 4): how clearly each side of each box stands out, 0..1."""
        along, normal = _sides(boxes)                                      # (k, 4, s, 2), (k, 4, 2)
        xy = np.floor((along - self.origin) * self.px_per_mm).astype(np.intp)
        size = self.gradients[0].shape[0]
        outside = ((xy < 0) | (xy >= size)).any(-1)
        xy = np.clip(xy, 0, size - 1)
        strengths = []
        for gradient in self.gradients:
            g = gradient[xy[..., 1], xy[..., 0]]                           # (k, 4, s, 3 channels, 2)
            across = np.einsum("kfscd,kfd->kfsc", g, normal.astype(np.float32))
            across[outside] = 0
            parts = across.reshape(*across.shape[:2], SEGMENTS, -1, across.shape[-1]).mean(3)
            strength = np.sqrt((parts**2).sum(-1))
            strengths.append(strength / (strength + FAINT))
        if len(strengths) == 1:
            return np.asarray(strengths[0].mean(-1), np.float64)
        one, other = strengths
        return np.asarray((0.25 * (one + other) + 0.5 * np.sqrt(one * other)).mean(-1), np.float64)


def fit(edges: Edges, beginnings: Sequence[Points], size_mm: tuple[float, float] | None = None) -> Outline | None:
    """The clearest rectangle reached from the beginnings (quads in mm); of `size_mm` (longer, shorter) where that is known."""
    boxes = np.array([_box(quad) for quad in beginnings])
    if size_mm is not None:
        boxes = np.concatenate([_resized(boxes, size_mm), _resized(boxes, size_mm[::-1])]) if len(boxes) else boxes
    if not len(boxes):
        return None
    scores = _score(edges, boxes)
    for step, turn in zip(STEPS_MM, TURNS_DEG, strict=True):
        for _ in range(6):
            order = np.argsort(-scores)[:BEAM]
            boxes, scores = boxes[order], scores[order]
            moved = _moves(boxes, step, turn, free=size_mm is None)
            new = _score(edges, moved)
            boxes, scores = np.concatenate([boxes, moved]), np.concatenate([scores, new])
            if new.max() <= scores[0]:
                break
    best = boxes[[int(scores.argmax())]]
    sides = edges.clearness(best)[0]
    return _outline(best[0], sides)


def _score(edges: Edges, boxes: Boxes) -> NDArray[np.float64]:
    clear = np.sort(edges.clearness(boxes), axis=1)
    score = clear[:, 1:].sum(1) + 0.5 * clear[:, 0]
    longer, shorter = boxes[:, 2:4].max(1), boxes[:, 2:4].min(1)
    wrong = (shorter < SIZES_MM[0]) | (longer > SIZES_MM[1]) | (longer > WIDEST * shorter)
    return np.where(wrong, -1.0, score + 0.1 * np.log(longer * shorter / 9600))


def _moves(boxes: Boxes, step: float, turn: float, *, free: bool) -> Boxes:
    """Every box with one side moved (free) or shifted along its axes, and turned, both ways."""
    turned = np.radians(boxes[:, 4])
    axes = np.stack([np.c_[np.cos(turned), np.sin(turned)], np.c_[-np.sin(turned), np.cos(turned)]])
    out = []
    for sign in (-1, 1):
        for axis in (0, 1):
            whole = boxes.copy()
            whole[:, :2] += sign * step * axes[axis]
            out.append(whole)
            if free:
                for end in (-1, 1):
                    side = boxes.copy()
                    side[:, :2] += sign * step / 2 * axes[axis]
                    side[:, 2 + axis] += end * sign * step
                    out.append(side)
        spun = boxes.copy()
        spun[:, 4] += sign * turn
        out.append(spun)
    return np.concatenate(out)


def _sides(boxes: Boxes) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Sample points along the four sides, and the sides' normals."""
    turned = np.radians(boxes[:, 4])
    x = np.c_[np.cos(turned), np.sin(turned)]
    y = np.c_[-np.sin(turned), np.cos(turned)]
    w, h = boxes[:, 2:3] / 2, boxes[:, 3:4] / 2
    t = np.linspace(-0.95, 0.95, SAMPLES)[None, :, None]
    centre = boxes[:, None, :2]
    top, bottom = centre - (y * h)[:, None] + t * (x * w)[:, None], centre + (y * h)[:, None] + t * (x * w)[:, None]
    left, right = centre - (x * w)[:, None] + t * (y * h)[:, None], centre + (x * w)[:, None] + t * (y * h)[:, None]
    return np.stack([top, right, bottom, left], 1), np.stack([y, x, y, x], 1)


def _patch(top: TopView, origin_mm: NDArray[np.float64], count: int, pose: Pose | None) -> Picture:
    """The square of `count` pixels from `origin_mm` on, or what lies there when the fellow is laid over it."""
    scale = top.px_per_mm
    if pose is None:
        turn, shift = np.eye(2), np.zeros(2)
    else:
        turn, shift = pose.matrix[:, :2], pose.matrix[:, 2]
    # patch pixel p (centre-counted) -> mm (p + .5) / scale + origin -> fellow's mm -> pixel of the view
    start = (turn @ (origin_mm + 0.5 / scale) + shift - np.array(top.origin_mm)) * scale - 0.5
    matrix = np.c_[turn, start]
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    return np.asarray(cv2.warpAffine(top.picture, matrix, (count, count), flags=flags, borderMode=cv2.BORDER_REPLICATE), np.uint8)


def _gradient(patch: Picture) -> NDArray[np.float32]:
    """(H, W, 3, 2): steps of L, a, b a pixel, in x and y; colour counts more, for it knows no shadow."""
    lab = np.asarray(cv2.cvtColor(patch, cv2.COLOR_BGR2Lab), np.float32) * np.array([0.7, 1.4, 1.4], np.float32)
    x = cv2.Scharr(lab, cv2.CV_32F, 1, 0, scale=1 / 16)
    y = cv2.Scharr(lab, cv2.CV_32F, 0, 1, scale=1 / 16)
    return np.stack([x, y], -1)


def _box(quad: Points) -> NDArray[np.float64]:
    (cx, cy), (w, h), angle = cv2.minAreaRect(points(quad).astype(np.float32))
    return np.array([cx, cy, w, h, angle])


def _resized(boxes: Boxes, size_mm: Sequence[float]) -> Boxes:
    """The known size about the same middles, and about each corner."""
    out = []
    grow = np.array(size_mm) - boxes[:, 2:4]
    turned = np.radians(boxes[:, 4:5])
    x, y = np.c_[np.cos(turned), np.sin(turned)], np.c_[-np.sin(turned), np.cos(turned)]
    for sx, sy in ((0, 0), (-1, -1), (1, -1), (1, 1), (-1, 1)):
        sized = boxes.copy()
        sized[:, 2:4] = size_mm
        sized[:, :2] += sx * grow[:, :1] / 2 * x + sy * grow[:, 1:] / 2 * y
        out.append(sized)
    return np.concatenate(out)


def _outline(box: NDArray[np.float64], sides: NDArray[np.float64]) -> Outline:
    cx, cy, w, h, turn = (float(v) for v in box)
    order = [0, 1, 2, 3]
    if h > w:
        w, h, turn, order = h, w, turn + 90, [1, 2, 3, 0]
    return Outline(rectangle((cx, cy), (w, h), turn), tuple(float(sides[n]) for n in order))  # type: ignore[arg-type]
