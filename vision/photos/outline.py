"""Where a photo ends: one rectangle, fitted to the edges of both photos of a pair at once.

The fellow is laid over the photo by their pose, so that the content agrees and the surroundings do not. A true side is an edge in both;
a neighbour's edge, a shadow or a line of the cloth is an edge in one; and the picture is the same up to its sides and no further.
For each likely turn the best span is sought along one axis, then along the other, over all places at once; the winner then climbs by
moving one side, the whole, or its turn.
"""

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.cv import darkest
from vision.geometry import Boxes, Picture, Points, along_sides, points, rectangle
from vision.photos.selfmatch import Pose
from vision.topview import TopView

HALF_MM = 125.0         # of the patch looked at, from the middle of the matched points
SAMPLES = 24            # along a side
SEGMENTS = 4            # parts of a side; within one the edge must not change its sign
FAINT = 7.0             # Lab steps a pixel that count half
STEP = np.array([0.7, 1.4, 1.4], np.float32) / 16   # of L, a, b, from Scharr's sums; colour counts more, for it knows no shadow
USUAL_MM2 = 9600.0
LIKENESS = 2.0          # what a whole photo of agreement counts, in clear sides
GRID = np.stack(np.meshgrid(np.linspace(-0.48, 0.48, 17), np.linspace(-0.48, 0.48, 13)), -1).reshape(-1, 2)
WINDOW_MM = 8.0         # where likeness is measured
BURNT = 242             # the darkest channel, from which a place shows nothing but light
TEXTURED = 5.0          # grey steps of spread that a place needs for its likeness to count half
LAP = 1.0               # what a whole photo of overlap costs: photos overlap, but rarely
MOST_LAPPED = 0.45
SPAN_APART_MM = 6.0     # ends nearer than this are one span
SPAN_STEP = 2           # pixels between the ends that are tried
SPANS = 2               # that are followed up, along either axis
BEAM = 3
STEPS_MM = (3.0, 1.5, 0.7, 0.35)
TURNS_DEG = (1.5, 0.8, 0.4, 0.2)
SIZES_MM = (55.0, 190.0)
WIDEST = 1.9            # longer side over the shorter one
OTHER_AREA = 1.3        # an outline of this times the area is another
TURNS_ALIKE_DEG = 4.0
BEHIND = 0.4            # of a score: a turn whose best beginning lies farther behind another's has never won

Floats = NDArray[np.float32]
Whole = NDArray[np.int16]


@dataclass(frozen=True)
class Gradient:
    """How L, a and b change along x and along y, (H, W, 3) each, in 1/16 of a step a pixel; none at the patch's border."""

    x: Whole
    y: Whole


@dataclass(frozen=True)
class Outline:
    """A rectangle in mm, from a corner whose next side is the longer one."""

    quad: Points
    sides: tuple[float, float, float, float]   # how clearly each stands out, 0..1
    score: float
    lead: float                                # of the score, on the best beginning that encloses far more or less
    alike: float                               # -1..1: how far the fellow shows the same in it

    @property
    def clear(self) -> float:
        """The mean clearness, the weakest side left out: a hand may lie there."""
        return float(np.mean(sorted(self.sides)[1:]))

    def size(self) -> tuple[float, float]:
        """Longer and shorter side, mm."""
        return float(np.hypot(*(self.quad[1] - self.quad[0]))), float(np.hypot(*(self.quad[2] - self.quad[1])))


def fit(
    top: TopView, about: Points, beginnings: Sequence[Points], pose: Pose | None = None, *, size_mm: tuple[float, float] | None = None
) -> Outline | None:
    """The clearest rectangle about the places `about` (n, 2) mm, which a photo is known to show.

    `beginnings`: quads that may be it. `size_mm` (longer, shorter) where that is known.
    """
    middle = (np.percentile(about, 3, axis=0) + np.percentile(about, 97, axis=0)) / 2
    begun: list[tuple[Edges, Boxes, NDArray[np.float64]]] = []
    for turn in _turns(top, about, beginnings, pose, middle):
        edges = Edges(top, middle, turn, pose)
        starts = edges.spanned(about, size_mm)
        for quad in beginnings:
            box = edges.box(quad)
            if abs((box[4] + 45) % 90 - 45) <= 1.5 * TURNS_ALIKE_DEG:
                starts = np.concatenate([starts, [box] if size_mm is None else _resized(box, size_mm)])
        begun.append((edges, starts, edges.score(starts)))
    hope = max(float(scores.max()) for _, _, scores in begun) - BEHIND
    found = [_climbed(edges, starts, scores, free=size_mm is None) for edges, starts, scores in begun if scores.max() >= hope]
    return max((outline for outline in found if outline is not None), key=lambda outline: outline.score, default=None)


class Edges:
    """What surrounds a photo, and its fellow laid over it, in axes turned by `turn` about `middle` (mm)."""

    def __init__(
        self, top: TopView, middle: NDArray[np.float64], turn: float, pose: Pose | None = None, *, half_mm: float = HALF_MM
    ) -> None:
        self.px_per_mm, self.middle, self.turn = top.px_per_mm, middle, turn
        count = 2 * math.ceil(half_mm * top.px_per_mm)
        self.half = count / 2
        self.patches = [_patch(top, middle, turn, count, p) for p in ((None,) if pose is None else (None, pose))]
        self.pose = pose

    @cached_property
    def gradients(self) -> list[Gradient]:
        """Of the photo and of its fellow."""
        return [_gradient(np.asarray(cv2.cvtColor(patch, cv2.COLOR_BGR2Lab), np.uint8)) for patch in self.patches]

    @cached_property
    def light(self) -> list[Gradient]:
        """The same of lightness alone, (H, W)."""
        return [_gradient(np.asarray(cv2.extractChannel(cv2.cvtColor(patch, cv2.COLOR_BGR2Lab), 0), np.uint8)) for patch in self.patches]

    @cached_property
    def steps(self) -> Whole:
        """(H * W, 6 * photos): the gradients of each pixel side by side, so that one look-up finds all."""
        merged = cv2.merge([side for g in self.gradients for side in (g.x, g.y)])
        return np.asarray(merged, np.int16).reshape(-1, 6 * len(self.gradients))

    @cached_property
    def lines(self) -> list[tuple[Whole, Whole]]:
        """The gradients across either axis, (size, size * 3), each line what a side lies along: sums run through memory in order."""
        return [(g.x.reshape(len(g.x), -1), np.asarray(cv2.transpose(g.y), np.int16).reshape(len(g.y), -1)) for g in self.gradients]

    @cached_property
    def alike(self) -> Floats:
        """(H, W) -1..1: whether the fellow shows the same there."""
        if self.pose is None:
            return np.zeros(self.patches[0].shape[:2], np.float32)
        return _alike(*self.patches, px=round(WINDOW_MM * self.px_per_mm))

    def local(self, where_mm: Points) -> Points:
        """Table mm -> the patch's own axes, mm from its middle."""
        return points((points(where_mm) - self.middle) @ _turn(self.turn))

    def box(self, quad: Points) -> NDArray[np.float64]:
        """A quad of the table as a box."""
        (cx, cy), (w, h), angle = cv2.minAreaRect(self.local(quad).astype(np.float32))
        quarter = round(angle / 90)
        return np.array([cx, cy, *((h, w) if quarter % 2 else (w, h)), angle - 90 * quarter])

    def outline(self, box: NDArray[np.float64], score: float, lead: float) -> Outline:
        """A box as an outline on the table."""
        sides, alike = self.clearness(box[None])[0][0], self.likeness(box[None])[0] / (box[2] * box[3] / USUAL_MM2)
        cx, cy, w, h, turn = (float(v) for v in box)
        order = [0, 1, 2, 3]
        if h > w:
            w, h, turn, order = h, w, turn + 90, [1, 2, 3, 0]
        centre = _turn(self.turn) @ np.array([cx, cy]) + self.middle
        quad = rectangle((float(centre[0]), float(centre[1])), (w, h), turn + self.turn)
        s = [float(sides[n]) for n in order]
        return Outline(quad, (s[0], s[1], s[2], s[3]), score, lead, float(alike))

    def clearness(self, boxes: Boxes) -> tuple[NDArray[np.float32], list[NDArray[np.float32]]]:
        """(k, 4): how clearly each side of each box stands out, 0..1, in both photos together; and the same in each alone."""
        along, normal = along_sides(boxes, samples=SAMPLES, reach=0.95)                                      # (k, 4, s, 2), (k, 4, 2)
        parts = self._pixels(along[..., 0], along[..., 1]).reshape(len(boxes), 4, SEGMENTS, -1)
        sums = sum(self.steps.take(parts[..., n], axis=0) for n in range(parts.shape[-1]))   # whole numbers: no sum of a part overflows
        mean = (sums * np.tile(STEP / parts.shape[-1], 2 * len(self.gradients))).reshape(*parts.shape[:3], -1, 2, 3)
        across = np.einsum("kspgdc,ksd->gkspc", mean, normal.astype(np.float32))
        strengths = [_strength(photo) for photo in across]
        return _together(strengths).mean(-1), [s.mean(-1) for s in strengths]

    def likeness(self, boxes: Boxes) -> NDArray[np.float64]:
        """(k,): how much of the same picture each box holds, less what differs in it, in areas of a usual photo."""
        turned = np.radians(boxes[:, 4])[:, None]
        u, v = boxes[:, 2:3] * GRID[:, 0], boxes[:, 3:4] * GRID[:, 1]
        x = boxes[:, :1] + np.cos(turned) * u - np.sin(turned) * v
        y = boxes[:, 1:2] + np.sin(turned) * u + np.cos(turned) * v
        return np.asarray(self.alike.ravel().take(self._pixels(x, y)).mean(1) * boxes[:, 2] * boxes[:, 3] / USUAL_MM2, np.float64)

    def lapped(self, boxes: Boxes) -> NDArray[np.float64]:
        """(k,): the part of each box that its fellow would cover."""
        if self.pose is None:
            return np.zeros(len(boxes))
        turned = np.radians(boxes[:, 4])
        c, s = np.cos(turned)[:, None], np.sin(turned)[:, None]                           # a box's axes in the patch's
        back = _turn(self.turn).T @ self.pose.matrix[:, :2].T @ _turn(self.turn)          # fellow's place -> ours, in the patch's axes
        centre = boxes[:, :2] @ back.T + self.local(self.pose.to_a(self.middle[None]))[0] - boxes[:, :2]
        if (np.hypot(*centre.T) > np.hypot(*boxes[:, 2:4].T)).all():                      # a diagonal apart: none can reach its fellow
            return np.zeros(len(boxes))
        u, v = boxes[:, 2:3] * GRID[:, 0], boxes[:, 3:4] * GRID[:, 1]
        x, y = c * u - s * v, s * u + c * v
        x, y = back[0, 0] * x + back[0, 1] * y + centre[:, :1], back[1, 0] * x + back[1, 1] * y + centre[:, 1:]
        within = (np.abs(c * x + s * y) < boxes[:, 2:3] / 2) & (np.abs(c * y - s * x) < boxes[:, 3:4] / 2)
        return np.asarray(within.mean(1), np.float64)

    def score(self, boxes: Boxes) -> NDArray[np.float64]:
        """(k,): the clearness of the sides in both photos and in the clearer one (a hand may lie on the other), and the likeness."""
        together, alone = self.clearness(boxes)
        clear = 0.5 * _summed(together) + 0.5 * np.max([_summed(sides) for sides in alone], axis=0)
        longer, shorter = boxes[:, 2:4].max(1), boxes[:, 2:4].min(1)
        wrong = (shorter < SIZES_MM[0]) | (longer > SIZES_MM[1]) | (longer > WIDEST * shorter)
        lapped = self.lapped(boxes)
        worth = clear + LIKENESS * self.likeness(boxes) - LAP * lapped
        return np.where(wrong | (lapped > MOST_LAPPED), -1.0, worth)

    def spanned(self, about: Points, size_mm: tuple[float, float] | None) -> Boxes:
        """Boxes found by seeking the best span along one axis, then along the other, beginning with either."""
        inside = self.local(about)
        low, high = np.percentile(inside, 8, axis=0), np.percentile(inside, 92, axis=0)
        sizes = ((None, None),) if size_mm is None else (size_mm, size_mm[::-1])
        out = []
        for size in sizes:
            for first in (0, 1):
                second = 1 - first
                for one in self._spans(first, (low[second], high[second]), size[first]):
                    for other in self._spans(second, one, size[second]):
                        (x0, x1), (y0, y1) = (one, other) if first == 0 else (other, one)
                        out.append([(x0 + x1) / 2, (y0 + y1) / 2, x1 - x0, y1 - y0, 0.0])
        return np.array(out)

    def _spans(self, axis: int, across: Sequence[float], length: float | None) -> list[tuple[float, float]]:
        """From where to where along the axis (mm), the best first: two clear edges with the same picture between them.

        `across`: where to look on the other axis.
        """
        size = len(self.alike)
        r0, r1 = (int(np.clip(v * self.px_per_mm + self.half, 0, size)) for v in across)
        r1 = max(r1, r0 + SEGMENTS)
        r0 = min(r0, size - SEGMENTS)
        cuts = np.linspace(r0, r1, SEGMENTS + 1).astype(int)
        strengths = []
        for lines in self.lines:
            means = [cv2.reduce(lines[axis][i:j], 0, cv2.REDUCE_AVG, dtype=cv2.CV_32F) for i, j in itertools.pairwise(cuts)]
            parts = np.asarray(cv2.blur(np.concatenate(means).reshape(SEGMENTS, size, 3), (5, 1)), np.float32)
            strengths.append(_strength((parts[:, ::SPAN_STEP] * STEP).transpose(1, 0, 2)))
        edge = 0.5 * _together(strengths).mean(-1) + 0.5 * np.max([s.mean(-1) for s in strengths], axis=0)
        alike = cv2.reduce(self.alike[r0:r1], 0, cv2.REDUCE_SUM) if axis == 0 else cv2.reduce(self.alike[:, r0:r1], 1, cv2.REDUCE_SUM)
        within = np.cumsum(alike)[::SPAN_STEP] * np.float32(LIKENESS / USUAL_MM2 / self.px_per_mm**2)
        at, gap, usual = self._ends
        allowed = usual if length is None else np.abs(gap - length) < 0.6 * SPAN_STEP / self.px_per_mm
        worth = np.where(allowed, (edge - within)[:, None] + (edge + within), np.float32(-9))
        out = []
        near = round(SPAN_APART_MM * self.px_per_mm / SPAN_STEP)
        for _ in range(SPANS):
            i, j = (int(v) for v in np.unravel_index(int(worth.argmax()), worth.shape))
            out.append((float(at[i]), float(at[j])))
            worth[max(0, i - near) : i + near, max(0, j - near) : j + near] = -9
        return out

    @cached_property
    def _ends(self) -> tuple[Floats, Floats, NDArray[np.bool_]]:
        """Where a span may end (mm), how far from each end to each, and whether that is a photo's side."""
        at = np.asarray((np.arange(0, len(self.alike), SPAN_STEP) + 0.5 - self.half) / self.px_per_mm, np.float32)
        gap = at[None, :] - at[:, None]
        return at, gap, (gap > SIZES_MM[0]) & (gap < SIZES_MM[1])

    def _pixels(self, x_mm: NDArray[np.float64], y_mm: NDArray[np.float64]) -> NDArray[np.intp]:
        """The numbers, row by row, of the pixels at places in the patch's axes; those outside are taken to its border."""
        size = len(self.alike)
        x, y = (np.clip(v * self.px_per_mm + self.half, 0, size - 1).astype(np.intp) for v in (x_mm, y_mm))
        return np.asarray(y * size + x, np.intp)


def _climbed(edges: Edges, boxes: Boxes, scores: NDArray[np.float64], *, free: bool) -> Outline | None:
    """The best box that small moves reach from the given ones, which have these scores."""
    begun, begun_scores = boxes, scores
    for step, turn in zip(STEPS_MM, TURNS_DEG, strict=True):
        for _ in range(5):
            order = np.argsort(-scores)[:BEAM]
            boxes, scores = boxes[order], scores[order]
            moved = _moves(boxes, step, turn, free=free)
            new = edges.score(moved)
            boxes, scores = np.concatenate([boxes, moved]), np.concatenate([scores, new])
            if new.max() <= scores[0]:
                break
    best = int(scores.argmax())
    if scores[best] <= 0:
        return None
    area, other = boxes[best, 2] * boxes[best, 3], begun[:, 2] * begun[:, 3]
    rivals = begun_scores[np.maximum(area / other, other / area) > OTHER_AREA]
    return edges.outline(boxes[best], float(scores[best]), float(scores[best] - rivals.max(initial=0.0)))


def _turns(top: TopView, about: Points, beginnings: Sequence[Points], pose: Pose | None, middle: NDArray[np.float64]) -> list[float]:
    """Turns (degrees, -45..45) that the photo may have: of most of its own lines, of the beginnings, of the hull of its points."""
    edges = Edges(top, middle, 0.0, pose, half_mm=min(HALF_MM, float(np.abs(about - middle).max()) + 1))
    local = edges.local(about)
    size = round(2 * edges.half)
    x0, y0, x1, y1 = (int(v) for v in np.clip((np.r_[local.min(0), local.max(0)]) * top.px_per_mm + edges.half, 0, size))
    x0, y0 = min(x0, size - 1), min(y0, size - 1)
    x1, y1 = max(x1, x0 + 1), max(y1, y0 + 1)  # the places may lie on one line
    xs, ys = [g.x for g in edges.light], [g.y for g in edges.light]
    x, y = (np.concatenate([g[y0:y1, x0:x1].ravel() for g in each], dtype=np.float32) for each in (xs, ys))
    direction = (cv2.phase(x, y, angleInDegrees=True).ravel() % 90).astype(np.intp)
    histogram = np.bincount(direction, x * x + y * y, 90)
    smooth = np.convolve(np.tile(histogram, 3), np.hanning(7), "same")[90:180]
    told = [float(smooth.argmax()) + 0.5] + [edges.box(q)[4] for q in beginnings] + [edges.box(about)[4]]
    turns: list[float] = []
    for t in told:
        if all(abs((t - u + 45) % 90 - 45) > TURNS_ALIKE_DEG for u in turns):
            turns.append((t + 45) % 90 - 45)
    return turns[:3]


def _summed(sides: NDArray[np.float32]) -> NDArray[np.float64]:
    """(k,) of (k, 4): the weakest side counts half."""
    return np.asarray(sides.sum(1) - 0.5 * sides.min(1), np.float64)


def _strength(parts: NDArray[np.floating[Any]]) -> NDArray[np.float32]:
    """0..1 from mean steps of the channels (last axis)."""
    strength = np.sqrt((parts**2).sum(-1))
    return np.asarray(strength / (strength + FAINT), np.float32)


def _together(strengths: list[NDArray[np.float32]]) -> NDArray[np.float32]:
    """An edge in both photos counts more than twice one in a single photo; a hand may hide it in one."""
    if len(strengths) == 1:
        return strengths[0]
    one, other = strengths
    return np.asarray(0.25 * (one + other) + 0.5 * np.sqrt(one * other), np.float32)


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


def _turn(degrees: float) -> NDArray[np.float64]:
    c, s = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    return np.array([[c, -s], [s, c]])


def _patch(top: TopView, middle: NDArray[np.float64], turn: float, count: int, pose: Pose | None) -> Picture:
    """The square of `count` pixels about `middle`, its axes turned; with a pose, what the fellow shows there."""
    matrix, start = _turn(turn), middle + _turn(turn) @ np.full(2, (0.5 - count / 2) / top.px_per_mm)   # of the first pixel's centre
    if pose is not None:
        matrix, start = pose.matrix[:, :2] @ matrix, pose.to_b(start[None])[0]
    shift = (start - np.array(top.origin_mm)) * top.px_per_mm - 0.5
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    flat = cv2.warpAffine(top.picture, np.c_[matrix, shift], (count, count), flags=flags, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(flat, np.uint8)


def _gradient(planes: NDArray[np.uint8]) -> Gradient:
    """The steps of one or more planes (H, W, …)."""
    x, y = (np.asarray(cv2.Scharr(planes, cv2.CV_16S, *along), np.int16) for along in ((1, 0), (0, 1)))
    for steps in (x, y):
        steps[[0, -1]], steps[:, [0, -1]] = 0, 0
    return Gradient(x, y)


def _alike(one: Picture, other: Picture, *, px: int) -> NDArray[np.float32]:
    """(H, W) -1..1: whether two patches show the same: their local correlation, as far as there is anything to see."""
    a, b = (np.asarray(cv2.cvtColor(p, cv2.COLOR_BGR2GRAY), np.float32) for p in (one, other))

    def mean(v: NDArray[np.float32]) -> NDArray[np.float32]:
        return np.asarray(cv2.boxFilter(v, cv2.CV_32F, (px, px)), np.float32)

    ma, mb = mean(a), mean(b)
    va, vb = np.maximum(mean(a * a) - ma * ma, 0), np.maximum(mean(b * b) - mb * mb, 0)
    correlation = (mean(a * b) - ma * mb) / np.sqrt((va + 4) * (vb + 4))
    spread = np.sqrt(np.maximum(va, vb))
    burnt = mean((np.maximum(darkest(one), darkest(other)) > BURNT).astype(np.float32))
    return np.asarray((2 * np.clip(correlation, 0.3, 1) - 0.9) * (burnt < 0.3) * spread / (spread + TEXTURED), np.float32)


def _resized(box: NDArray[np.float64], size_mm: Sequence[float]) -> Boxes:
    """The known size, upright and lying, about the box's middle."""
    out = np.repeat(box[None], 2, 0)
    out[:, 2:4] = [size_mm, size_mm[::-1]]
    return out
