"""Two pictures laid on each other in one working frame: what the comparison looks at, and the way back to each file's pixels."""

from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.differences.align import Array, Fit, inside, likeness, warp
from vision.geometry import Picture, Points, transform

WORK_PX = 768  # the longer side of the working frame
ALIKE = 0.5  # local correlation from which two places show the same
WHOLE = 0.85  # a region this full is the whole overlap: no table round it


@dataclass(frozen=True)
class Laid:
    """A and B in the working frame. Pixels count from corners, as everywhere."""

    a: Picture  # (h, w, 3)
    b: Picture  # (h, w, 3), carried onto A
    both: NDArray[np.bool_]  # (h, w): within both pictures
    region: NDArray[np.bool_]  # (h, w): both show the print here, roughly
    hidden: NDArray[np.bool_]  # (h, w): covered on one side
    to_a: Array  # 3x3: working frame -> A's pixels
    to_b: Array  # 3x3: working frame -> B's pixels

    @property
    def width(self) -> int:
        return int(self.a.shape[1])

    def exchanged(self) -> "Laid":
        """The same with A and B exchanged."""
        return replace(self, a=self.b, b=self.a, to_a=self.to_b, to_b=self.to_a)

    def moved(self, a: tuple[float, float], b: tuple[float, float]) -> "Laid":
        """The same where A's and B's pixels are counted from other corners: each lies `a` and `b` (x, y) further in."""
        shift_a, shift_b = (np.array([[1, 0, x], [0, 1, y], [0, 0, 1.0]]) for x, y in (a, b))
        return replace(self, to_a=shift_a @ self.to_a, to_b=shift_b @ self.to_b)

    def in_grey(self) -> "Laid":
        """Both sides without colour: a grey side can only be compared so."""
        a, b = (np.asarray(cv2.cvtColor(cv2.cvtColor(p, cv2.COLOR_BGR2GRAY), cv2.COLOR_GRAY2BGR), np.uint8) for p in (self.a, self.b))
        return replace(self, a=a, b=b)


def lay(
    a: Picture,
    b: Picture,
    fit: Fit,
    *,
    hidden_a: NDArray[np.bool_] | None = None,
    hidden_b: NDArray[np.bool_] | None = None,
    work_px: int = WORK_PX,
) -> Laid:
    """Carries both pictures into the frame of the part they share. Hidden masks are in the pixels of A and of B."""
    x, y, w, h = _extent(a, b, fit)
    scale = work_px / max(w, h)
    width, height = max(16, round(w * scale)), max(16, round(h * scale))
    from_a = np.array([[width / w, 0, -x * width / w], [0, height / h, -y * height / h], [0, 0, 1]], np.float64)
    from_b = from_a @ fit.b_to_a
    la, lb = warp(a, from_a, width, height), warp(b, from_b, width, height)
    both = np.ones((height, width), bool)
    for picture, carry in ((a, from_a), (b, from_b)):
        both &= inside((picture.shape[1], picture.shape[0]), carry, width, height, margin=0.5)
    hidden = np.zeros((height, width), bool)
    for mask, carry in ((hidden_a, from_a), (hidden_b, from_b)):
        if mask is not None:
            carried = warp(np.repeat(mask[..., None].astype(np.uint8) * 255, 3, 2), carry, width, height, border=cv2.BORDER_CONSTANT)
            hidden |= carried[..., 0] > 64
    region = print_region(la, lb, both & ~hidden)
    return Laid(la, lb, both, region, hidden, np.asarray(np.linalg.inv(from_a)), np.asarray(np.linalg.inv(from_b)))


def _extent(a: Picture, b: Picture, fit: Fit) -> tuple[int, int, int, int]:
    """The part of A (x, y, w, h) in which the print lies: the region found at a coarse size, with a margin, within both pictures."""
    k = min(1.0, 480 / max(a.shape[:2]))
    sw, sh = max(1, round(a.shape[1] * k)), max(1, round(a.shape[0] * k))
    small = np.diag([sw / a.shape[1], sh / a.shape[0], 1.0])
    sa, sb = warp(a, small, sw, sh), warp(b, small @ fit.b_to_a, sw, sh)
    both = inside((b.shape[1], b.shape[0]), small @ fit.b_to_a, sw, sh)
    x, y, w, h = cv2.boundingRect(print_region(sa, sb, both).astype(np.uint8))
    m = 0.03 * max(w, h)
    x0, y0 = max(0.0, (x - m) / sw * a.shape[1]), max(0.0, (y - m) / sh * a.shape[0])
    x1, y1 = min(float(a.shape[1]), (x + w + m) / sw * a.shape[1]), min(float(a.shape[0]), (y + h + m) / sh * a.shape[0])
    return int(x0), int(y0), max(1, round(x1) - int(x0)), max(1, round(y1) - int(y0))


def print_region(a: Picture, b: Picture, both: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Where both show the print: the convex hull of what looks alike, or all that both show where nearly all does."""
    r, textured = likeness(cv2.cvtColor(a, cv2.COLOR_BGR2GRAY), cv2.cvtColor(b, cv2.COLOR_BGR2GRAY), window=11)  # type: ignore[arg-type]
    size = max(a.shape[:2])
    alike = (textured & (r > ALIKE) & both).astype(np.uint8)
    n = max(3, round(size * 0.015)) | 1
    alike = cv2.morphologyEx(alike, cv2.MORPH_OPEN, np.ones((3, 3), np.uint8)).astype(np.uint8)
    closed = cv2.morphologyEx(alike, cv2.MORPH_CLOSE, np.ones((3 * n, 3 * n), np.uint8))
    closed = cv2.morphologyEx(closed, cv2.MORPH_OPEN, np.ones((n, n), np.uint8))
    count, labels, stats, _ = cv2.connectedComponentsWithStats(closed)
    if count < 2:
        return both
    largest = int(stats[1:, cv2.CC_STAT_AREA].max())
    keep = [i for i in range(1, count) if stats[i, cv2.CC_STAT_AREA] > 0.1 * largest]
    where = np.argwhere(np.isin(labels, keep))[:, ::-1].astype(np.int32)
    hull = np.zeros(both.shape, np.uint8)
    cv2.fillConvexPoly(hull, cv2.convexHull(where), 1)
    region = hull.astype(bool) & both
    return both if region.sum() > WHOLE * both.sum() else region


def box_in(laid_box: tuple[float, float, float, float], carry: Array) -> tuple[float, float, float, float]:
    """The box (x, y, w, h) round a box of the working frame, carried into a picture's pixels."""
    x, y, w, h = laid_box
    q: Points = transform(carry, [[x, y], [x + w, y], [x + w, y + h], [x, y + h]])
    low, high = q.min(0), q.max(0)
    return float(low[0]), float(low[1]), float(high[0] - low[0]), float(high[1] - low[1])
