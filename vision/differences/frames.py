"""Two photos on one table: cut out of one frame, or of several frames of the same still table laid over each other."""

from collections.abc import Sequence
from dataclasses import replace as altered
from typing import Any

import cv2
import numpy as np
from msgspec.structs import replace
from numpy.typing import ArrayLike, NDArray

from vision.differences.align import Fit, likeness, turned_deg, warp
from vision.differences.comparison import Comparison, Options, Side, compare, look
from vision.differences.laid import ALIKE, Laid
from vision.geometry import Picture, Points, area, points, transform
from vision.glare import BURNT, hazed
from vision.observation import Alignment, Box, Differences
from vision.topview import View

CUT_PX = 512  # the longer side of a photo cut out of a frame, and of the frame in which two are compared
MOST_FRAMES = 8  # more looks at one still table add nothing: light and bend stay as they are
LARGEST_SHIFT_PX = 4.0  # between two frames of one still table; more is not the same table
MOST_OF_A_PAIR = 10  # differences of two photos of one deck
SAME_SHAPE = 0.12  # of the logarithm of width / height
LEAST_PART = 0.25  # of the textured places that must agree for two photos to be laid on each other by their corners
PLAIN_PART = 0.5  # ... and for that to be beyond doubt
CORNER_ERROR_PX = 1.5
LEAST_OVERLAP_MM2 = 20.0

Mask = NDArray[np.bool_]


def count_in_frame(view: View, quad_a: ArrayLike, quad_b: ArrayLike, *, hidden: Mask | None = None) -> Differences:
    """The differences of two photos in one frame of a table.

    Quads are (4, 2) table mm, clockwise from any corner; `hidden` is (H, W), true where a hand or glare covers the frame.
    Boxes are pixels of the frame.
    """
    return count_in_frames([view], quad_a, quad_b, hidden=None if hidden is None else [hidden])


def count_in_frames(
    views: Sequence[View], quad_a: ArrayLike, quad_b: ArrayLike, *, hidden: Sequence[Mask | None] | None = None
) -> Differences:
    """As `count_in_frame`, over several frames of the same still table: noise averages out, and glare that moves hides less."""
    return compare_in_frames(views, quad_a, quad_b, hidden=hidden).differences


def compare_in_frames(
    views: Sequence[View], quad_a: ArrayLike, quad_b: ArrayLike, *, hidden: Sequence[Mask | None] | None = None
) -> Comparison:
    """As `count_in_frames`, with what the answer rests on; its boxes are pixels of the frame, its pictures the cuts."""
    if not views:
        raise ValueError("no frame to count in; give at least one view")
    which = np.unique(np.linspace(0, len(views) - 1, min(len(views), MOST_FRAMES)).round().astype(int))
    chosen = [views[k] for k in which]
    masks = [None if hidden is None else hidden[k] for k in which]
    sides, back = [], []
    for quad in (points(quad_a), points(quad_b)):
        size, to_mm = _cut_size(quad)
        cuts = [v.cut(quad, *size) for v in chosen]
        covered = [_cut_mask(v, m, quad, size) | hazed(cut) for v, m, cut in zip(chosen, masks, cuts, strict=True)]
        picture, hid = fused(cuts, covered)
        sides.append(Side(picture, hidden=hid if hid.any() else None, detail=_detail(chosen[0], quad)))
        back.append(to_mm)
    said = _compared(sides)
    covered_there = _overlap(points(quad_a), points(quad_b), sides, back)
    if covered_there is not None and said.laid is not None:
        said = _compared(_below(said.laid, sides, covered_there))
    return altered(said, differences=_on_frame(_within_a_deck(said.differences), chosen[0], back[0], back[1]))


def fused(cuts: Sequence[Picture], covered: Sequence[Mask]) -> tuple[Picture, Mask]:
    """The mean of several looks at one still thing, each shifted onto the first, and what no look shows.

    A look does not count where it is covered, and little where it is burnt out.
    """
    if len(cuts) == 1:
        return cuts[0], covered[0]
    first = cv2.cvtColor(cuts[0], cv2.COLOR_BGR2GRAY).astype(np.float32)
    window = cv2.createHanningWindow((first.shape[1], first.shape[0]), cv2.CV_32F)
    total = np.zeros(cuts[0].shape, np.float64)
    weight = np.zeros(first.shape, np.float64)
    for cut, mask in zip(cuts, covered, strict=True):
        (dx, dy), _ = cv2.phaseCorrelate(first, cv2.cvtColor(cut, cv2.COLOR_BGR2GRAY).astype(np.float32), window)
        if np.hypot(dx, dy) > LARGEST_SHIFT_PX:
            continue
        move = np.array([[1, 0, -dx], [0, 1, -dy]])
        size = (first.shape[1], first.shape[0])
        moved = cv2.warpAffine(cut, move, size, flags=cv2.INTER_CUBIC, borderMode=cv2.BORDER_REPLICATE)
        good = 1e-3 + ~mask * np.where((cut >= BURNT).all(2), 0.05, 1.0)
        total += moved * good[..., None]
        weight += good
    return np.clip(np.rint(total / weight[..., None]), 0, 255).astype(np.uint8), np.all(covered, axis=0)


def _within_a_deck(said: Differences) -> Differences:
    """No two photos of a deck differ in more places than MOST_OF_A_PAIR: the range says no more."""
    if said.count is None or not isinstance(said.range, tuple):
        return said
    low, high = said.range
    return replace(said, range=(low, max(said.count, min(high, MOST_OF_A_PAIR))))


def _compared(sides: Sequence[Side]) -> Comparison:
    """Laid on each other by their corners where that plainly fits, which is quick; else by what is recognisable in them."""
    options = Options(work_px=CUT_PX)
    by_corners = _by_corners(sides[0].picture, sides[1].picture)
    if by_corners is not None and by_corners.agreement > PLAIN_PART:
        return look(sides[0], sides[1], by_corners, options)
    said = compare(sides[0], sides[1], options)
    return look(sides[0], sides[1], by_corners, options) if said.differences.count is None and by_corners is not None else said


def _by_corners(a: Picture, b: Picture) -> Fit | None:
    """B laid on A corner on corner, in the turn in which they agree best; None where they agree in none."""
    (h, w), (bh, bw) = a.shape[:2], b.shape[:2]
    corners = np.array([[0, 0], [w, 0], [w, h], [0, h]], np.float32)
    of_b = np.array([[0, 0], [bw, 0], [bw, bh], [0, bh]], np.float32)
    small = np.diag([0.5, 0.5, 1.0])
    grey = cv2.cvtColor(warp(a, small, w // 2, h // 2), cv2.COLOR_BGR2GRAY)
    best: Fit | None = None
    for turn in range(4):
        if abs(np.log((bw / bh if turn % 2 == 0 else bh / bw) / (w / h))) > SAME_SHAPE:
            continue
        b_to_a = np.asarray(cv2.getPerspectiveTransform(of_b, np.roll(corners, -turn, axis=0)), np.float64)
        r, textured = likeness(grey, cv2.cvtColor(warp(b, small @ b_to_a, w // 2, h // 2), cv2.COLOR_BGR2GRAY))  # type: ignore[arg-type]
        part = float((r[textured] > ALIKE).mean()) if textured.any() else 0.0
        if part > LEAST_PART and (best is None or part > best.agreement):
            best = Fit(b_to_a, CORNER_ERROR_PX, corners.astype(np.float64), part)
    return best


def _overlap(quad_a: Points, quad_b: Points, sides: Sequence[Side], back: Sequence[NDArray[Any]]) -> tuple[Mask, Mask] | None:
    """Where one photo lies over the other, in the pixels of both cuts; None where they lie apart."""
    area, common = cv2.intersectConvexConvex(quad_a.astype(np.float32), quad_b.astype(np.float32))
    if area < LEAST_OVERLAP_MM2:
        return None
    masks = []
    for side, to_mm in zip(sides, back, strict=True):
        mask = np.zeros(side.picture.shape[:2], np.uint8)
        corners = transform(np.linalg.inv(to_mm), common.reshape(-1, 2))
        cv2.fillConvexPoly(mask, cv2.convexHull(np.round(corners).astype(np.int32)), 1)
        masks.append(mask > 0)
    return masks[0], masks[1]


def _below(laid: Laid, sides: Sequence[Side], overlap: tuple[Mask, Mask]) -> list[Side]:
    """The sides with the overlap hidden on the one that lies below: there it shows the other photo, which does not agree."""
    r, textured = likeness(*(cv2.cvtColor(p, cv2.COLOR_BGR2GRAY) for p in (laid.a, laid.b)))  # type: ignore[arg-type]
    agreement = []
    for mask, carry in zip(overlap, (laid.to_a, laid.to_b), strict=True):
        there = warp(np.repeat(mask[..., None].astype(np.uint8) * 255, 3, 2), np.linalg.inv(carry), *laid.a.shape[1::-1])[..., 0] > 127
        agreement.append(float(r[there & textured].mean()) if (there & textured).any() else 1.0)
    below = int(agreement[1] < agreement[0])
    out = list(sides)
    known = out[below].hidden
    out[below] = altered(out[below], hidden=overlap[below] if known is None else known | overlap[below])
    return out


def _cut_size(quad: Points) -> tuple[tuple[int, int], NDArray[np.float64]]:
    """(width, height) in which a photo is cut out, and the homography from there to table mm."""
    across, down = (float(np.hypot(*(quad[i] - quad[j]))) for i, j in ((0, 1), (0, 3)))
    k = CUT_PX / max(across, down, 1e-6)
    width, height = max(16, round(across * k)), max(16, round(down * k))
    corners = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32)
    return (width, height), np.asarray(cv2.getPerspectiveTransform(corners, quad.astype(np.float32)), np.float64)


def _detail(view: View, quad: Points) -> float:
    """Pixels of the frame that lie across one pixel of the cut, at most 1."""
    px = view.table.to_px(quad)
    return min(1.0, max(float(np.hypot(*(px[k] - px[k - 1]))) for k in range(4)) / CUT_PX)


def _cut_mask(view: View, mask: Mask | None, quad: Points, size: tuple[int, int]) -> Mask:
    if mask is None or not mask.any():
        return np.zeros((size[1], size[0]), bool)
    as_picture = np.repeat(mask[..., None].astype(np.uint8) * 255, 3, 2)
    return np.asarray(View(as_picture, view.table).cut(quad, *size)[..., 0] > 64)


def box_on_frame(box: Box, to_mm: NDArray[np.float64], view: View) -> Box:
    """A box of a photo's picture in the pixels of the frame. `to_mm`: (3, 3), pixels of that picture -> table mm."""
    x, y, w, h = (float(v) for v in box)
    px = view.table.to_px(transform(to_mm, [[x, y], [x + w, y], [x + w, y + h], [x, y + h]]))
    low, high = px.min(0), px.max(0)
    return float(low[0]), float(low[1]), float(high[0] - low[0]), float(high[1] - low[1])


def _on_frame(said: Differences, view: View, a_to_mm: NDArray[np.float64], b_to_mm: NDArray[np.float64]) -> Differences:
    """The answer with its boxes and its alignment carried from the cuts into the frame."""
    return replace(
        said,
        alignment=_alignment_on_frame(said.alignment, view, a_to_mm, b_to_mm) if said.alignment else said.alignment,
        places=tuple(replace(p, a=box_on_frame(p.a, a_to_mm, view), b=box_on_frame(p.b, b_to_mm, view)) for p in said.places),
        unseen=tuple(replace(u, a=box_on_frame(u.a, a_to_mm, view)) for u in said.unseen),
    )


def _alignment_on_frame(cuts: Alignment, view: View, a_to_mm: NDArray[np.float64], b_to_mm: NDArray[np.float64]) -> Alignment:
    """How B lies on A in the pixels of the frame; what the lens bends between the corners is left out."""
    corners = np.array([[0, 0], [CUT_PX, 0], [CUT_PX, CUT_PX], [0, CUT_PX]], np.float64)
    in_b = view.table.to_px(transform(b_to_mm, corners))
    in_a = view.table.to_px(transform(a_to_mm, transform(np.array(cuts.b_to_a).reshape(3, 3), corners)))
    h = np.asarray(cv2.getPerspectiveTransform(in_b.astype(np.float32), in_a.astype(np.float32)), np.float64)
    scale = float(np.sqrt(area(in_a) / area(corners)))
    return replace(cuts, b_to_a=tuple(float(v) for v in h.ravel()), error_px=cuts.error_px * scale,
                   rotated_deg=turned_deg(h, in_a.mean(0), mirrored=cuts.mirrored))
