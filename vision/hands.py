"""Hands: what moved and reaches in from the edge of the picture, whatever the colour of skin and sleeve."""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.geometry import Points, points
from vision.observation import Hand
from vision.stillness import CELL, Glance, Mask
from vision.table import Table

RESTS_S = 10.0           # what has not stirred for so long is taken for a thing that was laid down
SMALLEST_MM2 = 2500.0    # larger than a marker that lies at the edge of the picture
EDGE = 2                 # cells: what comes so near to the edge of the picture reaches in from there
BRIDGE = 3               # cells: a sleeve of the table's own colour does not cut the hand from the edge
ENDS = 0.05              # the tip is the middle of so much of the hand, farthest from where it comes in


@dataclass(frozen=True)
class Reach:
    """A hand or arm over the table."""

    hand: Hand                        # polygon and tip in mm
    entry: tuple[float, float]        # mm: where it comes in
    cells: Mask                       # the cells that it covers (vision.stillness)


def find_hands(glance: Glance, table: Table) -> tuple[Reach, ...]:
    """All hands in a glance, the largest first. `table` is made for the frame's size (Table.for_picture).

    A hand is a connected place that shows what it never showed before, touches the edge and has moved in the last RESTS_S.
    Shadows count with the hand that throws them, and so does what it holds.
    """
    joined = cv2.morphologyEx(glance.foreign.astype(np.uint8), cv2.MORPH_CLOSE, np.ones((BRIDGE, BRIDGE), np.uint8))
    n, labels = cv2.connectedComponents(joined, connectivity=8)
    found = [_reach(np.asarray(labels == i), glance, table) for i in range(1, n)]
    return tuple(sorted((r for r in found if r is not None), key=lambda r: -int(r.cells.sum())))


def covered(hands: tuple[Reach, ...], glance: Glance) -> Mask:
    """The cells that any hand covers."""
    out = np.zeros(glance.changed.shape, bool)
    for reach in hands:
        out |= reach.cells
    return out


def _reach(cells: Mask, glance: Glance, table: Table) -> Reach | None:
    edge = _edge(cells)
    quiet_s = float(glance.quiet_s[cells].min())
    if not edge.any() or quiet_s > RESTS_S:
        return None
    outline = _outline(cells, glance.scale)
    polygon = table.to_mm(outline)
    if not np.isfinite(polygon).all() or cv2.contourArea(polygon.astype(np.float32)) < SMALLEST_MM2:
        return None
    entry = table.to_mm(_middles(edge, glance.scale)).mean(0)
    inside = table.to_mm(_middles(cells, glance.scale))
    far = np.argsort(np.hypot(*(inside - entry).T))[-max(1, int(ENDS * len(inside))):]
    tip = inside[far].mean(0)
    sure = 0.95 if quiet_s < 1.0 else 0.7
    return Reach(Hand(tuple(_pair(p) for p in polygon), _pair(tip), sure), _pair(entry), cells)


def _edge(cells: Mask) -> Mask:
    out = np.zeros_like(cells)
    for border in (np.s_[:EDGE], np.s_[-EDGE:], np.s_[:, :EDGE], np.s_[:, -EDGE:]):
        out[border] = cells[border]
    return out


def _outline(cells: Mask, scale: float) -> Points:
    """The outer outline of the cells, (n, 2) pixels of the frame."""
    fine = np.kron(cells, np.ones((CELL, CELL), bool)).astype(np.uint8)
    contours, _ = cv2.findContours(fine, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
    longest = max(contours, key=cv2.contourArea)
    return points((cv2.approxPolyDP(longest, 1.5, True) + 0.5) / scale)


def _middles(cells: Mask, scale: float) -> Points:
    rows, columns = np.nonzero(cells)
    return points((np.c_[columns, rows] + 0.5) * CELL / scale)


def _pair(p: NDArray[np.float64]) -> tuple[float, float]:
    return float(p[0]), float(p[1])
