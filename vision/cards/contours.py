"""Beginnings: rectangles of a card's possible sizes among the contours of many thresholds."""

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.geometry import Boxes, Points, points
from vision.thresholds import edge_masks, level_masks
from vision.topview import TopView

PX_PER_MM = 1.0
SHORTEST_MM, LONGEST_MM = 34.0, 125.0   # sides of a card, where nothing tells its size
WIDEST = 1.8            # longer side over the shorter one
INNER, OUTER = 0.76, 1.12   # of a known size: a card's inner frame, and its outline with a shadow
LEVELS = 8              # thresholds a channel
WIDE_MM = 90.0          # what is lighter or darker than its surroundings of this width
FILLED = 0.84           # of the bounding rectangle, by the contour's hull
SOLID = 0.6             # of the bounding rectangle, by the contour itself
SAME_MM = 4.0           # middles and sides nearer than this are one rectangle
SAME_DEG = 6.0


def find_boxes(
    top: TopView,
    *,
    size_mm: tuple[float, float] | None = None,
    sides_mm: tuple[float, float] = (SHORTEST_MM, LONGEST_MM),
    widest: float = WIDEST,
) -> tuple[Boxes, NDArray[np.float64]]:
    """Rectangles (k, 5) and at how many thresholds each stood out (k,), most first.

    `size_mm`: (longer, shorter) where known, else `sides_mm`: from the shortest to the longest that a side may be.
    `widest`: the longer side over the shorter one, at most.
    """
    scale = min(1.0, PX_PER_MM / top.px_per_mm)
    small = cv2.resize(top.picture, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    px_per_mm = top.px_per_mm * scale
    lab = np.asarray(cv2.cvtColor(cv2.medianBlur(small, 3), cv2.COLOR_BGR2Lab), np.uint8)
    low, high = sides_mm if size_mm is None else (INNER * size_mm[1], OUTER * size_mm[0])
    found = []
    for mask in _masks(lab, px_per_mm):
        contours, _ = cv2.findContours(mask, cv2.RETR_LIST, cv2.CHAIN_APPROX_SIMPLE)
        for contour in contours:
            box = _box(np.asarray(contour, np.int32), low * px_per_mm, high * px_per_mm, widest)
            if box is not None:
                found.append(box)
    boxes = np.array(found, np.float64).reshape(-1, 5)
    boxes[:, :2] = boxes[:, :2] / px_per_mm + np.array(top.origin_mm)
    boxes[:, 2:4] /= px_per_mm
    if size_mm is not None:
        longer, shorter = boxes[:, 2:4].max(1), boxes[:, 2:4].min(1)
        fits = [(side > INNER * true) & (side < OUTER * true) for side, true in ((longer, size_mm[0]), (shorter, size_mm[1]))]
        boxes = boxes[fits[0] & fits[1]]
    return _merged(boxes)


def _masks(lab: NDArray[np.uint8], px_per_mm: float) -> list[NDArray[np.uint8]]:
    n = round(WIDE_MM * px_per_mm) | 1
    light = lab[..., 0].astype(np.int16)
    local = np.clip(light - cv2.blur(lab[..., 0], (n, n)).astype(np.int16) + 128, 0, 255).astype(np.uint8)
    levels = level_masks((*cv2.split(lab), local), levels=LEVELS, every=4)
    return levels + edge_masks(lab[..., 0], softness_px=1.0, widths_px=(2, 3))


def _box(contour: NDArray[np.int32], low: float, high: float, widest: float) -> tuple[float, ...] | None:
    _, _, *sides = cv2.boundingRect(contour)
    if min(sides) < low or max(sides) > 1.45 * high:
        return None
    (cx, cy), (w, h), angle = cv2.minAreaRect(contour)
    if min(w, h) < low - 1 or max(w, h) > high + 1 or max(w, h) > widest * min(w, h):
        return None
    if cv2.contourArea(cv2.convexHull(contour)) < FILLED * w * h or cv2.contourArea(contour) < SOLID * w * h:
        return None
    return cx + 0.5, cy + 0.5, w + 1, h + 1, angle


def _merged(boxes: Boxes) -> tuple[Boxes, NDArray[np.float64]]:
    """Boxes that agree are one, of their medians."""
    turned = (boxes[:, 4] + 45) // 90                       # a quarter turn swaps the sides
    odd = turned.astype(int) % 2 == 1
    sides = np.where(odd[:, None], boxes[:, [3, 2]], boxes[:, 2:4])
    turn = boxes[:, 4] - 90 * turned
    key = np.c_[boxes[:, :2] / SAME_MM, sides / SAME_MM]
    left = np.ones(len(boxes), bool)
    out, votes = [], []
    for i in range(len(boxes)):
        if not left[i]:
            continue
        twist = (turn - turn[i] + 45) % 90 - 45
        alike = left & (np.abs(key - key[i]).max(1) < 1) & (np.abs(twist) < SAME_DEG)
        left &= ~alike
        out.append([*np.median(boxes[alike, :2], axis=0), *np.median(sides[alike], axis=0), turn[i] + np.median(twist[alike])])
        votes.append(int(alike.sum()))
    order = np.argsort(-np.array(votes), kind="stable") if votes else np.empty(0, int)
    return np.array(out, np.float64).reshape(-1, 5)[order], np.array(votes, np.float64)[order]


def quads_of(boxes: Boxes) -> NDArray[np.float64]:
    """(k, 4, 2) corners in mm, clockwise."""
    turn = np.radians(boxes[:, 4])
    x = np.stack([np.cos(turn), np.sin(turn)], -1) * boxes[:, 2:3] / 2
    y = np.stack([-np.sin(turn), np.cos(turn)], -1) * boxes[:, 3:4] / 2
    centre = boxes[:, :2]
    return np.stack([centre - x - y, centre + x - y, centre + x + y, centre - x + y], 1)


def box_of(quad: Points) -> NDArray[np.float64]:
    """A rectangle's box (5,), its first side the width."""
    q = points(quad)
    along = q[1] - q[0]
    return np.array([*q.mean(0), np.hypot(*along), np.hypot(*(q[2] - q[1])), np.degrees(np.arctan2(along[1], along[0]))])
