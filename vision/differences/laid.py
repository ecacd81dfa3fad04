"""Two pictures laid on each other in one working frame: what the comparison looks at, and the way back to each file's pixels."""

from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.differences.align import Array, Fit, cubic, inside, likeness, smooth_field, warp
from vision.geometry import Picture, Points, transform

REGION_PX = 320  # the longer side at which it is told where the print lies
REGION_WINDOW = 7  # pixels of that size, in which two places are found alike
WORK_PX = 768  # the longer side of the working frame
DENSITY_PART = 0.06  # of the width: the window in which agreement is counted
MOSTLY = 0.55  # of the textured places in it agree: there lies the print; at its edge half of the window does
UNLIKE = 0.3
TEXTURE = 16.0  # variance of the grey levels
TABLE_PART = 0.2  # of what lies beyond the print's hull is another texture: that is a table, not a flat border of the print
ALIKE = 0.5  # local correlation from which two places show the same
GRID_PX = 16
HIDDEN_MARGIN = 0.012  # of the width: what lies so near a cover is blurred by it
FLOW_GRID_PX = 6  # where the flow is looked at
FLOW_ROUNDS = 2
CLOSE_PX = 1.0  # after so small a step another finds nothing
FLOW_REACH_PX = 8.0  # what moved farther than this did not move with the paper
FLOW_EDGE = 40.0  # of a gradient, where a flow can be trusted
FLOW_LEAST = 150  # places
WORTH_MOVING_PX = 0.08
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
    la = warp(a, from_a, width, height)
    lb, both, from_b = carried(la, inside((a.shape[1], a.shape[0]), from_a, width, height, margin=0.5), from_a, b, fit)
    hidden = np.zeros((height, width), bool)
    for mask, carry in ((hidden_a, from_a), (hidden_b, from_b)):
        if mask is not None:
            there = warp(np.repeat(mask[..., None].astype(np.uint8) * 255, 3, 2), carry, width, height, border=cv2.BORDER_CONSTANT)
            n = round(HIDDEN_MARGIN * width) * 2 + 1
            hidden |= cv2.dilate(there[..., 0], np.ones((n, n), np.uint8)) > 64
    region = print_region(la, lb, both & ~hidden)
    return Laid(la, lb, both, region, hidden, np.asarray(np.linalg.inv(from_a)), np.asarray(np.linalg.inv(from_b)))


def carried(
    la: Picture, within: NDArray[np.bool_], from_a: Array, b: Picture, fit: Fit
) -> tuple[Picture, NDArray[np.bool_], NDArray[np.float64]]:
    """B carried onto A, where A was carried by `from_a` and is `within`: (B there, where both are, B's way there)."""
    height, width = la.shape[:2]
    from_b = from_a @ fit.b_to_a
    both = within & inside((b.shape[1], b.shape[0]), from_b, width, height, margin=0.5)
    lb = _fitted_on(la, warp(b, from_b, width, height), both, _bend(fit, np.asarray(np.linalg.inv(from_a)), width, height))
    return lb, both, np.asarray(from_b)


def _bend(fit: Fit, to_a: Array, width: int, height: int) -> Array | None:
    """How far from each corner of a coarse grid over the frame that which belongs there lies on the laid B, (rows, columns, 2)."""
    if fit.bend is None:
        return None
    at = _grid(width, height)
    scale = 1 / float(np.sqrt(abs(np.linalg.det(to_a[:2, :2]))))
    return np.asarray(fit.bend.at(transform(to_a, at.reshape(-1, 2))).reshape(at.shape) * scale)


def _grid(width: int, height: int) -> Array:
    columns, rows = -(-width // GRID_PX) + 1, -(-height // GRID_PX) + 1
    return np.stack(np.meshgrid(np.arange(columns) * GRID_PX + 0.5, np.arange(rows) * GRID_PX + 0.5), -1)


def _fitted_on(la: Picture, lb: Picture, both: NDArray[np.bool_], coarse: Array | None) -> Picture:
    """The laid B with the bend of its paper taken out, and with it what the features left of shifts.

    The optical flow (DIS, Kroeger et al. 2016) of what has edges tells how B still lies off; only a cubic field is fitted to it, which
    follows the paper and never a thing on it.
    """
    shifted = lb if coarse is None else _shifted(lb, coarse)
    for _ in range(FLOW_ROUNDS):
        more = _left(la, shifted, both)
        if more is None:
            break
        coarse = more if coarse is None else coarse + more
        shifted = _shifted(lb, coarse)
        if float(np.median(np.hypot(more[..., 0], more[..., 1]))) < CLOSE_PX:
            break
    return shifted


def _left(la: Picture, lb: Picture, both: NDArray[np.bool_]) -> Array | None:
    """How B still lies off, on the coarse grid; None where it is next to nothing or too little tells."""
    h, w = la.shape[:2]
    even = [cv2.createCLAHE(2.0, (8, 8)).apply(cv2.cvtColor(p, cv2.COLOR_BGR2GRAY)) for p in (la, lb)]
    flow = cv2.DISOpticalFlow_create(cv2.DISOPTICAL_FLOW_PRESET_FAST).calc(even[0], even[1], None)  # type: ignore[attr-defined]
    part = (slice(FLOW_GRID_PX // 2, None, FLOW_GRID_PX),) * 2
    flow = cv2.blur(flow, (5, 5))[part]
    edge = cv2.morphologyEx(cv2.blur(even[0], (3, 3)), cv2.MORPH_GRADIENT, np.ones((5, 5), np.uint8))[part]
    good = (edge > FLOW_EDGE) & both[part] & (np.hypot(flow[..., 0], flow[..., 1]) < FLOW_REACH_PX)
    if good.sum() < FLOW_LEAST:
        return None
    at = np.argwhere(good)[:, ::-1] * FLOW_GRID_PX + FLOW_GRID_PX / 2
    middle, reach = np.array([w / 2, h / 2]), max(w, h) / 2
    weights = smooth_field((at - middle) / reach, flow[good].astype(np.float64))
    if float(np.median(np.hypot(*(cubic((at - middle) / reach) @ weights).T))) < WORTH_MOVING_PX:
        return None
    grid = _grid(w, h)
    return np.asarray((cubic((grid.reshape(-1, 2) - middle) / reach) @ weights).reshape(grid.shape))


def _shifted(laid: Picture, coarse: Array) -> Picture:
    """The picture with each pixel taken from as far off as a coarse grid of shifts says."""
    h, w = laid.shape[:2]
    m = np.array([[1 / GRID_PX, 0, 0], [0, 1 / GRID_PX, 0]])
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    field = cv2.warpAffine(coarse.astype(np.float32), m, (w, h), flags=flags, borderMode=cv2.BORDER_REPLICATE)
    px, py = np.meshgrid(np.arange(w, dtype=np.float32), np.arange(h, dtype=np.float32))
    return cv2.remap(laid, px + field[..., 0], py + field[..., 1], cv2.INTER_CUBIC, borderMode=cv2.BORDER_REPLICATE)  # type: ignore[return-value]


def _extent(a: Picture, b: Picture, fit: Fit) -> tuple[int, int, int, int]:
    """The part of A (x, y, w, h) in which the print lies: the region found at a coarse size, with a margin, within both pictures."""
    k = min(1.0, REGION_PX / max(a.shape[:2]))
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
    h, w = both.shape
    k = REGION_PX / max(h, w)
    if k >= 1:
        return _where_alike(a, b, both)
    size = max(1, round(w * k)), max(1, round(h * k))
    little = [np.asarray(cv2.resize(p, size, interpolation=cv2.INTER_AREA), np.uint8) for p in (a, b)]
    there = cv2.resize(both.astype(np.uint8), size, interpolation=cv2.INTER_NEAREST) > 0
    region = _where_alike(little[0], little[1], there)
    if region is there:
        return both
    return np.asarray((cv2.resize(region.astype(np.float32), (w, h)) > 0.5) & both)


def _where_alike(a: Picture, b: Picture, both: NDArray[np.bool_]) -> NDArray[np.bool_]:
    grey_a, grey_b = (np.asarray(cv2.cvtColor(p, cv2.COLOR_BGR2GRAY), np.uint8) for p in (a, b))
    r, textured = likeness(grey_a, grey_b, window=REGION_WINDOW)
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
    region = filled_hull(np.isin(np.arange(count), keep)[labels]) & both
    beyond = both & ~region
    other = beyond & (r < UNLIKE) & (_textured(a) | _textured(b))
    of_both, of_region, of_beyond, of_other = (np.count_nonzero(mask) for mask in (both, region, beyond, other))
    return both if of_region > WHOLE * of_both and of_other < TABLE_PART * of_beyond else region


def filled_hull(mask: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """The convex hull of a mask's true cells, as a mask; of none, none."""
    rows = np.flatnonzero(mask.any(1))
    out = np.zeros(mask.shape, np.uint8)
    if len(rows):
        first, last = mask[rows].argmax(1), mask.shape[1] - 1 - mask[rows][:, ::-1].argmax(1)
        ends = np.r_[np.c_[first, rows], np.c_[last, rows]].astype(np.int32)
        cv2.fillConvexPoly(out, cv2.convexHull(ends), 1)
    return out.astype(bool)


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
