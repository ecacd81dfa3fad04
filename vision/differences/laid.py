"""Two pictures laid on each other in one working frame: what the comparison looks at, and the way back to each file's pixels."""

from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.differences.align import Array, Fit, inside, likeness, warp
from vision.geometry import Picture, Points, transform

WORK_PX = 768  # the longer side of the working frame
DENSITY_PART = 0.06  # of the width: the window in which agreement is counted
MOSTLY = 0.55  # of the textured places in it agree: there lies the print; at its edge half of the window does
UNLIKE = 0.3
TEXTURE = 16.0  # variance of the grey levels
TABLE_PART = 0.2  # of what lies beyond the print's hull is another texture: that is a table, not a flat border of the print
ALIKE = 0.5  # local correlation from which two places show the same
GRID_PX = 16
HIDDEN_MARGIN = 0.012  # of the width: what lies so near a cover is blurred by it
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
    if fit.bend is not None:
        lb = _unbent(lb, fit, np.asarray(np.linalg.inv(from_a)), float(width / w))
    both = np.ones((height, width), bool)
    for picture, carry in ((a, from_a), (b, from_b)):
        both &= inside((picture.shape[1], picture.shape[0]), carry, width, height, margin=0.5)
    hidden = np.zeros((height, width), bool)
    for mask, carry in ((hidden_a, from_a), (hidden_b, from_b)):
        if mask is not None:
            carried = warp(np.repeat(mask[..., None].astype(np.uint8) * 255, 3, 2), carry, width, height, border=cv2.BORDER_CONSTANT)
            n = round(HIDDEN_MARGIN * width) * 2 + 1
            hidden |= cv2.dilate(carried[..., 0], np.ones((n, n), np.uint8)) > 64
    region = print_region(la, lb, both & ~hidden)
    return Laid(la, lb, both, region, hidden, np.asarray(np.linalg.inv(from_a)), np.asarray(np.linalg.inv(from_b)))


def _unbent(laid: Picture, fit: Fit, to_a: Array, scale: float) -> Picture:
    """The laid B with the bend of its paper taken out. The field is smooth, so it is worked out on a coarse grid."""
    assert fit.bend is not None
    h, w = laid.shape[:2]
    columns, rows = -(-w // GRID_PX) + 1, -(-h // GRID_PX) + 1
    x, y = np.meshgrid(np.arange(columns) * GRID_PX + 0.5, np.arange(rows) * GRID_PX + 0.5)
    shift = fit.bend.at(transform(to_a, np.c_[x.ravel(), y.ravel()])) * scale
    coarse = shift.reshape(rows, columns, 2).astype(np.float32)
    m = np.array([[1 / GRID_PX, 0, 0], [0, 1 / GRID_PX, 0]])
    field = cv2.warpAffine(coarse, m, (w, h), flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP, borderMode=cv2.BORDER_REPLICATE)
    px, py = np.meshgrid(np.arange(w, dtype=np.float32), np.arange(h, dtype=np.float32))
    return cv2.remap(laid, px + field[..., 0], py + field[..., 1], cv2.INTER_CUBIC, borderMode=cv2.BORDER_REPLICATE)  # type: ignore[return-value]


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
    n = max(5, round(size * DENSITY_PART)) | 1
    asked = cv2.blur((textured & both).astype(np.float32), (n, n))
    agreeing = cv2.blur((textured & (r > ALIKE) & both).astype(np.float32), (n, n))
    dense = ((agreeing > MOSTLY * asked) & (asked > 0.05)).astype(np.uint8)
    k = max(3, round(size * 0.015)) | 1
    closed = cv2.morphologyEx(dense, cv2.MORPH_CLOSE, np.ones((3 * k, 3 * k), np.uint8))
    closed = cv2.morphologyEx(closed, cv2.MORPH_OPEN, np.ones((k, k), np.uint8))
    count, labels, stats, _ = cv2.connectedComponentsWithStats(closed)
    if count < 2:
        return both
    largest = int(stats[1:, cv2.CC_STAT_AREA].max())
    keep = [i for i in range(1, count) if stats[i, cv2.CC_STAT_AREA] > 0.1 * largest]
    where = np.argwhere(np.isin(labels, keep))[:, ::-1].astype(np.int32)
    hull = np.zeros(both.shape, np.uint8)
    cv2.fillConvexPoly(hull, cv2.convexHull(where), 1)
    region = hull.astype(bool) & both
    beyond = both & ~region
    other = beyond & (r < UNLIKE) & (_textured(a) | _textured(b))
    return both if region.sum() > WHOLE * both.sum() and other.sum() < TABLE_PART * beyond.sum() else region


def _textured(picture: Picture) -> NDArray[np.bool_]:
    """Where one picture has texture."""
    grey = cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY).astype(np.float32)
    mean = cv2.blur(grey, (11, 11))
    return np.asarray(cv2.blur(grey * grey, (11, 11)) - mean * mean > TEXTURE)


def box_in(laid_box: tuple[float, float, float, float], carry: Array) -> tuple[float, float, float, float]:
    """The box (x, y, w, h) round a box of the working frame, carried into a picture's pixels."""
    x, y, w, h = laid_box
    q: Points = transform(carry, [[x, y], [x + w, y], [x + w, y + h], [x, y + h]])
    low, high = q.min(0), q.max(0)
    return float(low[0]), float(low[1]), float(high[0] - low[0]), float(high[1] - low[1])
