"""How one picture lies on the other: features, robust homographies, and a certificate from matches the fit never saw.

Pixels here count from the corner of the first pixel; OpenCV's image functions count from its centre, so `warp` takes half a pixel off.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.cv import brightest
from vision.geometry import Picture, Points, transform

WORK_PX = 640  # features are sought in a copy whose longer side is at most this (SIFT itself doubles it)
FINE_PX = 1100  # ... and in this one where that gave little
FEW_INLIERS = 60
UPSCALE_BELOW_PX = 400  # smaller pictures are enlarged to this first: SIFT needs room
FEATURES = 1500
CELLS = 8  # features are spread over CELLS x CELLS, so that a stony table cannot have them all
RATIO = 0.86
REACH_PX = 2.0  # MAGSAC's upper bound of an inlier's error, in the working copy
HELD_OUT = 4  # every fourth match is kept from the fit and only checks it
LEAST_INLIERS = 16
LEAST_CELLS = 6  # places of the picture (of a 12 x 12 grid) that the inliers must lie in
LEAST_AGREEMENT = 0.40  # part of the textured places, within the inliers' hull, that must look alike
LARGEST_HOLE = 0.15  # part of the inliers' hull in which, all in one piece, nothing agrees: there lie two things, on one ground
HOLE_WINDOW = 0.05  # of the width: in which disagreement is counted
HYPOTHESES = 3
BEND_REACH_PX = 8.0  # matches that lie no further off, in the working copy, tell of a bend
LEAST_FOR_BEND = 60
WORTH_BENDING = 0.85  # of the error without it
LEAST_BEND_PX = 0.15
UNLIKE, MOSTLY = 0.3, 0.6  # a local correlation below which two places do not agree; of the textured places, where hardly any does
ALIKE_LEVELS = 12  # of 255: as good as equal
ALIKE_PART = 0.8

Array = NDArray[Any]


@dataclass(frozen=True)
class Features:
    """What is recognisable in one picture."""

    at: Points  # (n, 2) pixels of the picture itself
    descriptors: NDArray[np.float32]  # (n, 128), unit length
    scale: float  # working copy / picture


@dataclass(frozen=True)
class Bend:
    """What a homography leaves of bent paper: a cubic field of small shifts over A."""

    weights: Array  # (10, 2)
    middle: Array  # (2,) pixels of A
    reach: float  # pixels of A

    def at(self, where: Points) -> Points:
        """How far from (n, 2) pixels of A that which belongs there lies on the laid B, (n, 2)."""
        return np.asarray(cubic((where - self.middle) / self.reach) @ self.weights)


@dataclass(frozen=True)
class Fit:
    """B laid on A."""

    b_to_a: Array  # 3x3, pixels to pixels
    error_px: float  # median error, pixels of A, of matches that were not used for the fit
    inliers: Points  # (n, 2) pixels of A
    agreement: float  # part of the textured places that look alike, 0..1
    mirrored: bool = False
    bend: Bend | None = None

    @property
    def rotated_deg(self) -> float:
        """The turn from B to A at the middle of what they share, clockwise as seen, -180..180."""
        return turned_deg(self.b_to_a, self.inliers.mean(0), mirrored=self.mirrored)


def turned_deg(b_to_a: Array, at: Points, *, mirrored: bool) -> float:
    """By how much what B shows is turned as it comes to lie at the place `at` (2,) of A: degrees clockwise as seen, -180..180."""
    h = b_to_a
    x, y = transform(np.linalg.inv(h), [at])[0]
    w = h[2, 0] * x + h[2, 1] * y + h[2, 2]
    px, py = (h[0, 0] * x + h[0, 1] * y + h[0, 2]) / w, (h[1, 0] * x + h[1, 1] * y + h[1, 2]) / w
    jac = np.array([[h[0, 0] - px * h[2, 0], h[0, 1] - px * h[2, 1]], [h[1, 0] - py * h[2, 0], h[1, 1] - py * h[2, 1]]]) / w
    if mirrored:
        jac = jac @ np.diag([-1.0, 1.0])
    return float(np.degrees(np.arctan2(jac[1, 0] - jac[0, 1], jac[0, 0] + jac[1, 1])))


@dataclass(frozen=True)
class Refusal:
    """Why two pictures cannot be compared."""

    why: str


def features(picture: Picture, *, work_px: int = WORK_PX) -> Features:
    """SIFT features with root descriptors (Arandjelovic and Zisserman 2012), after CLAHE, spread over the picture."""
    h, w = picture.shape[:2]
    scale = min(1.0, work_px / max(h, w)) if max(h, w) >= UPSCALE_BELOW_PX else UPSCALE_BELOW_PX / max(h, w)
    small, real = reduced(picture, scale)
    grey = cv2.cvtColor(small, cv2.COLOR_BGR2GRAY)
    grey = cv2.createCLAHE(2.0, (8, 8)).apply(grey)
    sift = cv2.SIFT_create(contrastThreshold=0.015)  # type: ignore[attr-defined]
    keys = sift.detect(grey)
    if not keys:
        return Features(np.empty((0, 2)), np.empty((0, 128), np.float32), scale)
    at, strength = np.array([k.pt for k in keys]) + 0.5, np.array([k.response for k in keys])
    keep = _spread(at, strength, grey.shape[1], grey.shape[0]) if len(keys) > FEATURES else np.arange(len(keys))
    keys, descriptors = sift.compute(grey, [keys[k] for k in keep])
    at = np.array([k.pt for k in keys]) + 0.5
    d = np.asarray(descriptors, np.float32)
    d = np.sqrt(d / (d.sum(1, keepdims=True) + 1e-7))
    return Features(at / real, d, scale)


def resized(picture: Picture, scale: float) -> Picture:
    """The picture `scale` times as large; an area filter going down."""
    if scale == 1.0:
        return picture
    size = (max(1, round(picture.shape[1] * scale)), max(1, round(picture.shape[0] * scale)))
    return cv2.resize(picture, size, interpolation=cv2.INTER_AREA if scale < 1 else cv2.INTER_CUBIC)  # type: ignore[return-value]


def reduced(picture: Picture, scale: float) -> tuple[Picture, Points]:
    """The picture about `scale` times as large, and how many of its pixels one of the picture's is, (across, down).

    Going far down it is halved first, which takes a tenth of the time; up to a pixel of the result is cut off right and below for that.
    """
    halvings = int(np.log2(max(1.0, 1 / scale)))
    whole = 2**halvings
    small = picture[: picture.shape[0] // whole * whole, : picture.shape[1] // whole * whole]
    if min(small.shape[:2]) == 0:
        halvings, whole, small = 0, 1, picture
    for _ in range(halvings):
        small = np.asarray(cv2.resize(small, (small.shape[1] // 2, small.shape[0] // 2), interpolation=cv2.INTER_AREA), np.uint8)
    out = resized(small, scale * whole)
    return out, np.array([out.shape[1] / small.shape[1], out.shape[0] / small.shape[0]]) / whole


def _spread(at: Points, strength: Array, width: int, height: int) -> NDArray[np.intp]:
    """The strongest of each cell in turn, until FEATURES are taken."""
    column, row = np.clip(at / [width, height] * CELLS, 0, CELLS - 1).astype(int).T
    cell = column + CELLS * row
    order = np.lexsort((-strength, cell))
    rank = np.empty(len(at), int)
    start = np.r_[0, np.flatnonzero(np.diff(cell[order])) + 1]
    rank[order] = np.arange(len(at)) - np.repeat(start, np.diff(np.r_[start, len(at)]))
    return np.sort(np.lexsort((-strength, rank))[:FEATURES])


def match(a: Features, b: Features) -> tuple[Points, Points]:
    """Mutual nearest neighbours that pass the ratio test, each target point used once: (n, 2) of A, (n, 2) of B."""
    if len(a.at) < 4 or len(b.at) < 4:
        return np.empty((0, 2)), np.empty((0, 2))
    close = a.descriptors @ b.descriptors.T
    best_b = close.argmax(1)
    top = close[np.arange(len(best_b)), best_b]
    i = np.flatnonzero(top == close.max(0)[best_b])
    j, top = best_b[i], top[i]
    rows = close[i]
    rows[np.arange(len(i)), j] = -1
    # the runner-up must lie elsewhere: SIFT gives one point several orientations
    for _ in range(2):
        second = rows.argmax(1)
        same = np.abs(b.at[second] - b.at[j]).max(1) * b.scale < 2.0
        rows[same, second[same]] = -1
    runner_up = rows.max(1)
    good = np.sqrt(np.maximum(2 - 2 * top, 0)) < RATIO * np.sqrt(np.maximum(2 - 2 * runner_up, 1e-9))
    return one_to_one(a.at[i[good]], b.at[j[good]], top[good], a.scale, b.scale)


def one_to_one(pa: Points, pb: Points, score: Sequence[float] | Array, scale_a: float, scale_b: float) -> tuple[Points, Points]:
    """Drops matches that share an end: many matches on one target point would fit any homography that maps to it."""
    order = np.argsort(-np.asarray(score), kind="stable")
    taken_a, taken_b, keep = set(), set(), []
    for k in order:
        ka = (round(pa[k, 0] * scale_a), round(pa[k, 1] * scale_a))
        kb = (round(pb[k, 0] * scale_b), round(pb[k, 1] * scale_b))
        if ka not in taken_a and kb not in taken_b:
            taken_a.add(ka)
            taken_b.add(kb)
            keep.append(k)
    keep.sort()
    return pa[keep], pb[keep]


def hypotheses(pa: Points, pb: Points, scale_a: float) -> list[tuple[Array, Points, float]]:
    """Up to HYPOTHESES homographies B to A, each on the matches the earlier ones left: (homography, inliers in A, held-out error)."""
    found = []
    left = np.arange(len(pa))
    for _ in range(HYPOTHESES):
        held = left[np.arange(len(left)) % HELD_OUT == HELD_OUT - 1]
        used = np.setdiff1d(left, held)
        if len(used) < LEAST_INLIERS:
            break
        reach = REACH_PX / scale_a
        h, _ = cv2.findHomography(pb[used], pa[used], cv2.USAC_MAGSAC, reach, maxIters=10000, confidence=0.9999)
        if h is None or not _sound(h, pb[used]):
            break
        # the library's mask is not trusted: residuals are computed anew, on all matches and on those held out
        error = np.hypot(*(transform(h, pb[left]) - pa[left]).T)
        near = error < reach
        check = np.hypot(*(transform(h, pb[held]) - pa[held]).T)
        held_near = check < 2 * reach
        if near.sum() >= LEAST_INLIERS and spread_cells(pa[left[near]]) >= LEAST_CELLS and held_near.sum() >= LEAST_INLIERS // HELD_OUT:
            found.append((h, pa[left[near]], float(np.median(check[held_near]))))
        left = left[~(error < 3 * reach)]
    return found


def spread_cells(at: Points) -> int:
    """In how many places of a 12 x 12 grid over their own extent and over at least 100 pixels the points lie."""
    low, span = at.min(0), np.maximum(np.ptp(at, 0), 100.0)
    return len({(int(x), int(y)) for x, y in np.minimum((at - low) / span * 12, 11)})


def _sound(h: Array, where: Points) -> bool:
    """No fold and no wild scale where the matches are."""
    w = np.c_[where, np.ones(len(where))] @ h[2]
    if not np.isfinite(h).all() or (w <= 1e-9).any():
        return bool(np.isfinite(h).all()) and bool((w < -1e-9).all())
    return bool(1e-3 < abs(np.linalg.det(h)) / float(np.median(w)) ** 3 < 1e3)


def warp(picture: Picture, to_target: Array, width: int, height: int, *, border: int = cv2.BORDER_REPLICATE) -> Picture:
    """The picture carried by a homography between pixels that count from corners, (height, width, 3).

    Going down in size by more than 1.5 the source is blurred first, so that fine texture does not alias.
    """
    half = np.array([[1, 0, 0.5], [0, 1, 0.5], [0, 0, 1.0]])
    from_target = np.linalg.inv(to_target)
    centre = transform(from_target, [[width / 2, height / 2], [width / 2 + 1, height / 2], [width / 2, height / 2 + 1]])
    shrink = float(np.sqrt(abs(np.linalg.det(np.array([centre[1] - centre[0], centre[2] - centre[0]])))))
    if np.isfinite(shrink) and shrink > 1.5:
        left, top, right, bottom = _shown(picture, from_target, width, height, margin=4 * shrink)
        picture, real = reduced(picture[top:bottom, left:right], 1.25 / shrink)
        to_target = to_target @ np.array([[1 / real[0], 0, left], [0, 1 / real[1], top], [0, 0, 1.0]])
    m = np.linalg.inv(half) @ to_target @ half
    return cv2.warpPerspective(picture, m, (width, height), flags=cv2.INTER_CUBIC, borderMode=border)  # type: ignore[return-value]


def _shown(picture: Picture, from_target: Array, width: int, height: int, *, margin: float) -> tuple[int, int, int, int]:
    """The part of a picture (left, top, right, bottom) that a target shows; all of it where the target reaches beyond the horizon."""
    corners = np.array([[0.0, 0, 1], [width, 0, 1], [width, height, 1], [0, height, 1]]) @ from_target.T
    size = np.array(picture.shape[1::-1])
    if not (np.abs(np.sign(corners[:, 2]).sum()) == 4 and np.isfinite(corners).all()):
        return 0, 0, int(size[0]), int(size[1])
    at = np.clip(corners[:, :2] / corners[:, 2:], -1e6, 1e6)
    low, high = np.clip(at.min(0) - margin, 0, size).astype(int), np.clip(at.max(0) + margin + 1, 0, size).astype(int)
    if (high - low).min() < margin:
        return 0, 0, int(size[0]), int(size[1])
    return int(low[0]), int(low[1]), int(high[0]), int(high[1])


def inside(size: tuple[int, int], to_target: Array, width: int, height: int, *, margin: float = 0.0) -> NDArray[np.bool_]:
    """(height, width): where the carried picture of `size` (width, height) has content, `margin` of its pixels from its border."""
    w, h = size
    corners = transform(to_target, [[margin, margin], [w - margin, margin], [w - margin, h - margin], [margin, h - margin]])
    out = np.zeros((height, width), np.uint8)
    if np.isfinite(corners).all():
        cv2.fillConvexPoly(out, np.round((np.clip(corners, -1e5, 1e5) - 0.5) * 64).astype(np.int32), 1, cv2.LINE_8, 6)
    return out.astype(bool)


def likeness(a_grey: NDArray[np.uint8], b_grey: NDArray[np.uint8], *, window: int = 15) -> tuple[Array, NDArray[np.bool_]]:
    """Local correlation (-1..1) of two aligned grey pictures, and where there is texture enough to tell."""
    a, b = a_grey.astype(np.float32), b_grey.astype(np.float32)
    box = (window, window)
    ma, mb = cv2.blur(a, box), cv2.blur(b, box)
    va = np.maximum(cv2.blur(a * a, box) - ma * ma, 0)
    vb = np.maximum(cv2.blur(b * b, box) - mb * mb, 0)
    cov = cv2.blur(a * b, box) - ma * mb
    least = 9.0
    return np.asarray(cov / np.sqrt((va + 4) * (vb + 4)), np.float64), np.asarray((va > least) & (vb > least))


def align(a: Picture, b: Picture, fa: Features, fb: Features, *, mirrored: bool = False) -> Fit | Refusal:
    """Lays B on A by their features; `fb` must be those of B as given (mirrored already, where `mirrored`)."""
    pa, pb = match(fa, fb)
    if len(pa) < LEAST_INLIERS:
        return Refusal("too little in them can be matched")
    tried = [(_agreement(a, b, h, inl), h, inl, err) for h, inl, err in hypotheses(pa, pb, fa.scale)]
    if not tried:
        return Refusal("what matches does not lie in one plane of the same picture")
    whole = [t for t in tried if t[0].hole < LARGEST_HOLE]
    seen, h, inl, err = max(whole or tried, key=lambda t: t[0].area)
    part = seen.part
    if part < LEAST_AGREEMENT:
        return Refusal(f"laid on each other, only {part:.0%} of their details agree")
    if not whole:
        return Refusal(f"only what lies round it agrees: {seen.hole:.0%} of what matches, in one piece, shows something else")
    return Fit(h, err, inl, part, mirrored, bend(pa, pb, h, fa.scale))


def bend(pa: Points, pb: Points, h: Array, scale: float) -> Bend | None:
    """The smooth shifts that bring what the homography left to rest, by iteratively reweighted least squares.

    None where the held-out matches lie hardly nearer with it than without.
    """
    left = transform(h, pb) - pa
    near = np.hypot(*left.T) < BEND_REACH_PX / scale
    if near.sum() < LEAST_FOR_BEND:
        return None
    at, left = pa[near], left[near]
    held = np.arange(len(at)) % HELD_OUT == HELD_OUT - 1
    middle, reach = at.mean(0), float(np.abs(at - at.mean(0)).max())
    basis = cubic((at - middle) / reach)
    weights = smooth_field((at - middle) / reach, left, ~held)
    before, after = (float(np.median(np.hypot(*v[held].T))) for v in (left, left - basis @ weights))
    return Bend(weights, middle, reach) if after < WORTH_BENDING * before and before * scale > LEAST_BEND_PX else None


def smooth_field(at: Points, shifts: Points, used: NDArray[np.bool_] | None = None) -> Array:
    """The cubic field nearest to the shifts (n, 2) seen at places (n, 2) within -1..1, outliers left out (Tukey's weights): (10, 2)."""
    used = np.ones(len(at), bool) if used is None else used
    basis = cubic(at)
    weight = np.ones(len(at))
    weights: Array = np.zeros((basis.shape[1], 2))
    for _ in range(8):
        w = (weight * used)[:, None]
        weights = np.linalg.solve(basis.T @ (w * basis) + 0.5 * np.eye(basis.shape[1]), basis.T @ (w * shifts))
        error = np.hypot(*(shifts - basis @ weights).T)
        spread = 2.5 * float(np.median(error[used])) + 1e-6
        weight = np.clip(1 - (error / (2 * spread)) ** 2, 0, 1) ** 2
    return weights


def cubic(p: Points) -> Array:
    """The ten terms of a cubic field at (n, 2) places."""
    x, y = np.clip(p, -1.2, 1.2).T
    return np.stack([np.ones_like(x), x, y, x * x, x * y, y * y, x**3, x * x * y, x * y * y, y**3], 1)


def as_they_lie(a: Picture, b: Picture) -> Fit | None:
    """Two files of one size that agree nearly everywhere as they are, where there is too little to match: a drawing, a chart."""
    near = brightest(np.asarray(cv2.absdiff(a, b), np.uint8)) <= ALIKE_LEVELS
    plain = a.reshape(-1, 3).std(0).max() < 1 and b.reshape(-1, 3).std(0).max() < 1
    if plain or near.mean() < ALIKE_PART:
        return None
    h, w = near.shape
    return Fit(np.eye(3), 0.0, np.array([[0.0, 0], [w, 0], [w, h], [0, h]]), float(near.mean()))


@dataclass(frozen=True)
class _Agreement:
    """How much of A looks like B."""

    area: float  # share of A
    part: float  # of the textured places within the inliers' hull
    hole: float  # share of that hull: the largest piece in which hardly anything agrees


def _agreement(a: Picture, b: Picture, h: Array, inliers: Points) -> _Agreement:
    k = min(1.0, 480 / max(a.shape[:2]))
    small, real = reduced(a, k)
    sh, sw = small.shape[:2]
    to_small = np.diag([*real, 1.0]) @ h
    laid = warp(b, to_small, sw, sh)
    r, textured = likeness(cv2.cvtColor(small, cv2.COLOR_BGR2GRAY), cv2.cvtColor(laid, cv2.COLOR_BGR2GRAY), window=9)  # type: ignore[arg-type]
    textured &= inside((b.shape[1], b.shape[0]), to_small, sw, sh)
    alike = textured & (r > 0.5)
    hull = np.zeros((sh, sw), np.uint8)
    cv2.fillConvexPoly(hull, cv2.convexHull((inliers * real).astype(np.int32)), 1)
    within = hull.astype(bool) & textured
    n = max(5, round(HOLE_WINDOW * sw)) | 1
    asked, other = (cv2.blur(m.astype(np.float32), (n, n)) for m in (within, within & (r < UNLIKE)))
    unlike = cv2.morphologyEx(((other > MOSTLY * asked) & (asked > 0.1)).astype(np.uint8), cv2.MORPH_OPEN, np.ones((n, n), np.uint8))
    pieces = cv2.connectedComponentsWithStats(unlike)[2][1:, cv2.CC_STAT_AREA]
    hole = float(pieces.max(initial=0) / max(1, hull.sum()))
    return _Agreement(float(alike.mean()), float((alike & within).sum() / max(1, within.sum())), hole)
