"""Two pictures in one file, side by side or one above the other, or two prints on one table: where the one ends and the other begins."""

from dataclasses import dataclass
from dataclasses import replace as altered

import cv2
import numpy as np
from msgspec.structs import replace
from numpy.typing import NDArray

from vision.differences.align import LEAST_INLIERS, RATIO, REACH_PX, Features, Refusal, features, one_to_one, spread_cells
from vision.differences.comparison import Comparison, Options, Side, compare
from vision.geometry import Picture, Points, transform
from vision.observation import Alignment, Differences

LEAST_APART = 0.2  # of the longer side: how far apart a thing and its copy lie at least
PLAIN = 8.0  # spread of the grey levels along a line that lies in a plain strip


@dataclass(frozen=True)
class Halves:
    """The two parts of a sheet, as boxes (x, y, w, h) of its pixels; A is the left or upper one."""

    a: tuple[int, int, int, int]
    b: tuple[int, int, int, int]

    def cut(self, sheet: Picture) -> tuple[Picture, Picture]:
        """Both parts as pictures of their own."""
        (ax, ay, aw, ah), (bx, by, bw, bh) = self.a, self.b
        return np.ascontiguousarray(sheet[ay : ay + ah, ax : ax + aw]), np.ascontiguousarray(sheet[by : by + bh, bx : bx + bw])


def split(sheet: Picture) -> Halves | Refusal:
    """Finds the picture that the sheet shows twice, by matching the sheet with itself."""
    f = features(sheet)
    height, width = sheet.shape[:2]
    p, q = _copies(f, LEAST_APART * max(height, width))
    if len(p) < 2 * LEAST_INLIERS:
        return Refusal("it does not show one picture twice")
    step = q - p
    for axis in _axes(step):
        first = step[:, axis] > 0
        a, b = p[first], q[first]
        fit = _largest_plane(a, b, f.scale)
        if fit is None:
            continue
        ends, begins = np.percentile(a[fit][:, axis], 99), np.percentile(b[fit][:, axis], 1)
        if ends > begins + 0.02 * max(height, width):
            continue
        at = int(np.clip(round((ends + begins) / 2), 1, (width, height)[axis] - 1))
        gutter = _gutter(sheet, axis, at, int(max(2, (begins - ends) / 2)))
        # without a plain strip between them (prints tossed on a table) both halves get the space between
        a_ends, b_begins = (gutter, gutter) if gutter is not None else (max(at, int(begins)), min(at, int(ends)))
        if axis == 0:
            return Halves((0, 0, a_ends, height), (b_begins, 0, width - b_begins, height))
        return Halves((0, 0, width, a_ends), (0, b_begins, width, height - b_begins))
    return Refusal("the two copies of the picture in it cannot be parted")


def compare_sheet(sheet: Picture, options: Options = Options(), *, ignore: NDArray[np.bool_] | None = None) -> Comparison:  # noqa: B008
    """As `compare`, of the two pictures in one; all boxes are pixels of the sheet."""
    halves = split(sheet)
    if isinstance(halves, Refusal):
        return Comparison(Differences(False, None, 0.0), halves.why)
    a, b = halves.cut(sheet)
    parts = (None, None) if ignore is None else tuple(ignore[y : y + h, x : x + w] for x, y, w, h in (halves.a, halves.b))
    return _on_sheet(compare(Side(a, ignore=parts[0]), Side(b, ignore=parts[1]), options), halves)


def _on_sheet(said: Comparison, halves: Halves) -> Comparison:
    """The comparison with its boxes moved from the halves onto the sheet."""
    (ax, ay), (bx, by) = halves.a[:2], halves.b[:2]
    d = said.differences
    places = tuple(replace(p, a=(p.a[0] + ax, p.a[1] + ay, *p.a[2:]), b=(p.b[0] + bx, p.b[1] + by, *p.b[2:])) for p in d.places)
    unseen = tuple(replace(u, a=(u.a[0] + ax, u.a[1] + ay, *u.a[2:])) for u in d.unseen)
    alignment = d.alignment
    if isinstance(alignment, Alignment):
        to_sheet, from_sheet = np.array([[1, 0, ax], [0, 1, ay], [0, 0, 1.0]]), np.array([[1, 0, -bx], [0, 1, -by], [0, 0, 1.0]])
        h = to_sheet @ np.array(alignment.b_to_a).reshape(3, 3) @ from_sheet
        alignment = replace(alignment, b_to_a=tuple(float(v) for v in (h / h[2, 2]).ravel()))
    laid = said.laid and said.laid.moved((ax, ay), (bx, by))
    return altered(said, differences=replace(d, places=places, unseen=unseen, alignment=alignment), laid=laid)


def _axes(step: Points) -> tuple[int, int]:
    """0 for side by side, 1 for one above the other, likelier first."""
    across, down = np.median(np.abs(step), axis=0)
    return (0, 1) if across >= down else (1, 0)


def _copies(f: Features, least: float) -> tuple[Points, Points]:
    """Matches of the sheet with itself, at least so far apart; each pair comes in both directions."""
    if len(f.at) < 8:
        return np.empty((0, 2)), np.empty((0, 2))
    close = f.descriptors @ f.descriptors.T
    far = np.hypot(f.at[:, None, 0] - f.at[None, :, 0], f.at[:, None, 1] - f.at[None, :, 1]) >= least
    close[~far] = -1
    best = close.argmax(1)
    i = np.flatnonzero(best[best] == np.arange(len(best)))
    j = best[i]
    top = close[i, j]
    rows = close[i]
    near = np.hypot(f.at[j][:, None, 0] - f.at[None, :, 0], f.at[j][:, None, 1] - f.at[None, :, 1]) * f.scale < 2
    rows[near] = -1
    good = np.sqrt(np.maximum(2 - 2 * top, 0)) < RATIO * np.sqrt(np.maximum(2 - 2 * rows.max(1), 1e-9))
    return one_to_one(f.at[i[good]], f.at[j[good]], top[good], f.scale, f.scale)


def _largest_plane(a: Points, b: Points, scale: float) -> np.ndarray | None:
    if len(a) < LEAST_INLIERS:
        return None
    h, _ = cv2.findHomography(b, a, cv2.USAC_MAGSAC, REACH_PX / scale, maxIters=10000, confidence=0.9999)
    if h is None:
        return None
    near = np.hypot(*(transform(h, b) - a).T) < 2 * REACH_PX / scale
    return near if near.sum() >= LEAST_INLIERS and spread_cells(a[near]) >= 5 else None


def _gutter(sheet: Picture, axis: int, at: int, reach: int) -> int | None:
    """The middle of the plain strip near `at` that printed pictures have between them; None where all is busy."""
    grey = cv2.cvtColor(sheet, cv2.COLOR_BGR2GRAY).astype(np.float32)
    low, high = max(1, at - reach), min(grey.shape[1 - axis] - 1, at + reach + 1)
    busy = np.array([grey[:, k].std() if axis == 0 else grey[k].std() for k in range(low, high)])
    if not len(busy) or busy.min() > PLAIN:
        return None
    quiet = np.flatnonzero(busy <= busy.min() + 1.0) + low
    return int(quiet[np.abs(quiet - np.median(quiet)).argmin()])
