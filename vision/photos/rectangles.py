"""Things with four straight sides: the outline of whatever stands out from the cloth, as rectangles in table mm."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.beside import each
from vision.geometry import Points, begun_like, points
from vision.thresholds import Mask, edge_masks, level_masks
from vision.topview import TopView

PX_PER_MM = 0.75        # enough for a beginning; finer only finds more of the cloth
SHORTEST_MM = 55.0
LONGEST_MM = 190.0
LEVELS = 9              # thresholds a channel
FILLED = 0.86           # of the bounding rectangle, by the contour's hull
SAME_MM = 5.0           # corners nearer than this are one rectangle


@dataclass(frozen=True)
class Rectangle:
    """`quad` (4, 2) in mm, clockwise; `votes`: at how many thresholds it stood out."""

    quad: Points
    votes: int

    def size(self) -> tuple[float, float]:
        """Longer and shorter side, mm."""
        a, b = np.hypot(*(self.quad[1] - self.quad[0])), np.hypot(*(self.quad[2] - self.quad[1]))
        return float(max(a, b)), float(min(a, b))


def find_rectangles(top: TopView) -> tuple[Rectangle, ...]:
    """Rectangles of a photo's possible sizes, most votes first. A photo lends its outline at most thresholds between it and the cloth."""
    scale = min(1.0, PX_PER_MM / top.px_per_mm)
    small = cv2.resize(top.picture, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    px_per_mm = top.px_per_mm * scale
    lab = np.asarray(cv2.cvtColor(cv2.medianBlur(small, 3), cv2.COLOR_BGR2Lab), np.uint8)
    least = SHORTEST_MM * px_per_mm
    origin = np.array(top.origin_mm)

    def outlined(masks: Sequence[Mask]) -> list[Points]:
        large = (contour for mask in masks for contour in _large(cv2.findContours(mask, cv2.RETR_LIST, cv2.CHAIN_APPROX_SIMPLE)[0], least))
        quads = (_rectangle(contour, px_per_mm) for contour in large)
        return [quad / px_per_mm + origin for quad in quads if quad is not None]

    cuts: list[Callable[[], list[Mask]]] = [partial(level_masks, [channel], levels=LEVELS) for channel in cv2.split(lab)]
    cuts.append(partial(edge_masks, lab[..., 0], softness_px=1.2, widths_px=(3, 5)))
    return _merged([quad for quads in each(lambda cut: outlined(cut()), cuts) for quad in quads])


def _large(contours: Sequence[NDArray[Any]], least_px: float) -> list[NDArray[np.int32]]:
    """Those whose upright box has a side that long: one in a hundred, so all are measured at once."""
    if not contours:
        return []
    starts = np.cumsum([0] + [len(contour) for contour in contours[:-1]])
    xy = np.concatenate(contours)[:, 0]
    sides = np.maximum.reduceat(xy, starts) - np.minimum.reduceat(xy, starts) + 1
    return [np.asarray(contours[i], np.int32) for i in np.flatnonzero(sides.max(1) >= least_px).tolist()]


def _rectangle(contour: NDArray[np.int32], px_per_mm: float) -> Points | None:
    hull = cv2.convexHull(contour)
    (cx, cy), (w, h), angle = cv2.minAreaRect(hull)
    if min(w, h) < SHORTEST_MM * px_per_mm or max(w, h) > LONGEST_MM * px_per_mm or cv2.contourArea(hull) < FILLED * w * h:
        return None
    if cv2.contourArea(contour) < 0.6 * w * h:
        return None
    return points(cv2.boxPoints(((cx + 0.5, cy + 0.5), (w + 1, h + 1), angle)))


def _merged(quads: list[Points]) -> tuple[Rectangle, ...]:
    """Rectangles that agree are one, of their median corners."""
    groups: list[list[Points]] = []
    for quad in quads:
        for group in groups:
            if np.abs(quad.mean(0) - group[0].mean(0)).max() >= SAME_MM:
                continue
            aligned = begun_like(quad, group[0])
            if np.abs(aligned - group[0]).max() < SAME_MM:
                group.append(aligned)
                break
        else:
            groups.append([quad])
    merged = [Rectangle(points(np.median(group, axis=0)), len(group)) for group in groups]
    return tuple(sorted(merged, key=lambda r: -r.votes))
