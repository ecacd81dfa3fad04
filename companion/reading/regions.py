"""Where to look again: cells of the small picture in which something happened, as a few boxes of the table.

What has not changed since it was looked at is known; a look at all of the table takes several times as long.
"""

import cv2
import numpy as np

from vision.geometry import points
from vision.stillness import CELL, Glance, Mask
from vision.table import Table
from vision.topview import BoxMm

MARGIN_MM = 40.0       # round what is looked for: the ground on which a piece lies tells it
LEAST_CELLS = 2        # what is smaller is no piece
ONE_LOOK_MM2 = 3e4     # a look at a box costs as much as so much more of the table: boxes this near together are one


def boxes(cells: Mask, glance: Glance, table: Table) -> list[BoxMm]:
    """Boxes (mm) that hold these cells, but for single ones, with a margin."""
    _, _, stats, _ = cv2.connectedComponentsWithStats(cells.astype(np.uint8), connectivity=8)
    found = [_on_table((int(x), int(y), int(x + w), int(y + h)), glance, table) for x, y, w, h, n in stats[1:] if n >= LEAST_CELLS]
    found = [box for box in found if np.isfinite(box).all()]
    while len(found) > 1:
        saved, i, j = max((_area(a) + _area(b) + ONE_LOOK_MM2 - _area(_both(a, b)), i, j)
                          for i, a in enumerate(found) for j, b in enumerate(found[:i]))
        if saved < 0:
            break
        found = [box for k, box in enumerate(found) if k not in (i, j)] + [_both(found[i], found[j])]
    return found


def bounds(cells: Mask, glance: Glance, table: Table) -> BoxMm | None:
    """One box (mm) that holds these cells, with a margin; None where there are none."""
    if not cells.any():
        return None
    rows, columns = np.flatnonzero(cells.any(1)), np.flatnonzero(cells.any(0))
    box = _on_table((int(columns[0]), int(rows[0]), int(columns[-1]) + 1, int(rows[-1]) + 1), glance, table)
    return box if np.isfinite(box).all() else None


def grown(cells: Mask, by: int) -> Mask:
    """The cells and those no more than `by` cells away."""
    return np.asarray(cv2.dilate(cells.astype(np.uint8), np.ones((2 * by + 1, 2 * by + 1), np.uint8)) > 0)


def _on_table(cells: tuple[int, int, int, int], glance: Glance, table: Table) -> BoxMm:
    """The box of a rectangle of cells (left, top, right, bottom), with a margin."""
    x, y = np.linspace(cells[0], cells[2], 3), np.linspace(cells[1], cells[3], 3)
    mm = table.to_mm(points(np.stack(np.meshgrid(x, y), -1)) * CELL / glance.scale)
    (left, top), (right, bottom) = mm.min(0) - MARGIN_MM, mm.max(0) + MARGIN_MM
    return float(left), float(top), float(right), float(bottom)


def _both(a: BoxMm, b: BoxMm) -> BoxMm:
    return min(a[0], b[0]), min(a[1], b[1]), max(a[2], b[2]), max(a[3], b[3])


def _area(box: BoxMm) -> float:
    return (box[2] - box[0]) * (box[3] - box[1])
