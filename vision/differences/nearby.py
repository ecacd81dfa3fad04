"""What two laid pictures show at a place and round it, pixel by pixel: finer evidence than the cells of the map hold.

The light at a place is made equal by what lies round it, on both sides: a shadow, a lamp or another white balance changes both alike.
"""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.differences.laid import Laid
from vision.geometry import Picture
from vision.observation import Box

AROUND = 0.35  # of the place's longer side: how far round it is looked
AROUND_PX = 4.0  # ... at least
MOST_PX = 72  # larger pieces are reduced
LEAST_PX = 8  # a smaller piece of the frame shows nothing
SHIFT_PX = 1  # what is displaced by less is no residue
SEARCH_PX = 3  # how far off the other side's piece is sought
GAIN = 2.5  # one side's contrast may be so many times the other's
PLAIN = 1.5  # levels: the spread of a piece that shows nothing
LOG_LIGHT = np.log(np.arange(256) + 8.0).astype(np.float32)
Plane = NDArray[np.float32]


@dataclass(frozen=True)
class Nearby:
    """Logarithms of levels, of A's where the two sides' light differs, unless said otherwise."""

    rest: float = 0.0  # what one side has and the other lacks within SHIFT_PX: the place's strongest tenth
    rest_around: float = 0.0  # ... and that round it
    rest_more: float = 0.0  # the mean in the place above that round it
    alike: float = 0.5  # correlation of one side's piece with the other's, at the best shift
    mirrored: float = 0.0  # by how much the mirrored piece correlates better
    texture: float = 0.0  # spread of the livelier side
    texture_apart: float = 0.0
    light_apart: float = 0.0  # how differently the place stands out from what is round it, in light
    hue_apart: float = 0.0  # ... and in hue
    gain: float = 0.0  # by how much the contrast round it differs
    busy: float = 0.0  # the contrast round it on the flatter side
    sharper: float = 0.0  # by how much one side is sharper


def nearby(laid: Laid, boxes: tuple[Box, ...]) -> Nearby:
    """The evidence at the largest of the boxes, in pixels of the working frame."""
    x, y, w, h = max(boxes, key=lambda b: b[2] * b[3])
    margin = max(AROUND_PX, AROUND * max(w, h))
    rows, columns = laid.a.shape[:2]
    left, top = int(max(0, x - margin)), int(max(0, y - margin))
    right, bottom = int(min(columns, x + w + margin)), int(min(rows, y + h + margin))
    k = min(1.0, MOST_PX / max(right - left, bottom - top, 1))
    size = (round(k * (right - left)), round(k * (bottom - top)))
    if min(size) < LEAST_PX:
        return Nearby()
    pieces = [p[top:bottom, left:right] for p in (laid.a, laid.b)]
    if k < 1:
        pieces = [np.asarray(cv2.resize(p, size, interpolation=cv2.INTER_AREA), np.uint8) for p in pieces]
    x0, y0 = min(int(k * max(0, x - left)), size[0] - 1), min(int(k * max(0, y - top)), size[1] - 1)
    x1, y1 = int(k * (x + w - left)), int(k * (y + h - top))
    return _between(pieces[0], pieces[1], np.s_[y0 : max(y1, y0 + 1), x0 : max(x1, x0 + 1)])


def _between(a: Picture, b: Picture, place: tuple[slice, slice]) -> Nearby:
    within = np.zeros(a.shape[:2], np.uint8)
    within[place] = 1
    round_it = 1 - within if not within.all() else within
    grey_a, grey_b = (cv2.cvtColor(p, cv2.COLOR_BGR2GRAY).astype(np.float32) for p in (a, b))
    (mean_a, spread_a), (mean_b, spread_b) = (_mean_and_spread(g, round_it) for g in (grey_a, grey_b))
    gain = float(np.clip((spread_a + 2) / (spread_b + 2), 1 / GAIN, GAIN))
    even_b = (grey_b - mean_b) * gain + mean_a
    rest = _rest(grey_a, even_b)
    strong, strong_around = (float(np.log(np.percentile(rest[m > 0], 90) + 1)) for m in (within, round_it))
    soft_a, soft_b = (np.asarray(cv2.GaussianBlur(g, (0, 0), 1.0), np.float32) for g in (grey_a, grey_b))
    textures = [np.log(_mean_and_spread(s, within)[1] + 1) for s in (soft_a, soft_b)]
    alike, mirrored = _correlations(soft_a, soft_b, place)
    logs = [cv2.LUT(p, LOG_LIGHT) for p in (a, b)]
    stands = [np.subtract(cv2.mean(p, within)[:3], cv2.mean(p, round_it)[:3]) for p in logs]
    apart = stands[0] - stands[1]
    sharp = [np.log(cv2.norm(cv2.Laplacian(g, cv2.CV_32F), cv2.NORM_L1) / g.size + 1) for g in (grey_a, even_b)]
    return Nearby(
        strong,
        strong_around,
        float(np.log(cv2.mean(rest, within)[0] + 1) - np.log(cv2.mean(rest, round_it)[0] + 1)),
        alike,
        mirrored - alike,
        float(max(textures)),
        float(abs(textures[0] - textures[1])),
        abs(float(apart.mean())),
        float(np.abs(apart - apart.mean()).max()),
        abs(float(np.log((spread_a + 2) / (spread_b + 2)))),
        float(np.log(min(spread_a, spread_b) + 2)),
        float(abs(sharp[0] - sharp[1])),
    )


def _mean_and_spread(plane: Plane, where: NDArray[np.uint8]) -> tuple[float, float]:
    mean, spread = cv2.meanStdDev(plane, mask=where)
    return float(mean[0, 0]), float(spread[0, 0])


def _rest(one: Plane, other: Plane) -> Plane:
    """How far the two differ at each pixel, the best of SHIFT_PX shifts."""
    n = SHIFT_PX
    wide = cv2.copyMakeBorder(other, n, n, n, n, cv2.BORDER_REPLICATE)
    rows, columns = one.shape
    best = cv2.absdiff(one, other)
    for i in range(2 * n + 1):
        for j in range(2 * n + 1):
            cv2.min(best, cv2.absdiff(one, wide[i : i + rows, j : j + columns]), best)
    return np.asarray(best, np.float32)


def _correlations(a: Plane, b: Plane, place: tuple[slice, slice]) -> tuple[float, float]:
    """Of A's piece with B, as it is and mirrored, at the best shift up to SEARCH_PX; 0.5 where either shows nothing."""
    piece = a[place]
    rows, columns = (slice(max(0, s.start - SEARCH_PX), s.stop + SEARCH_PX) for s in place)
    ground = b[rows, columns]
    if min(piece.shape) < LEAST_PX // 2 or piece.std() < PLAIN or ground.std() < PLAIN:
        return 0.5, 0.5
    found = [float(cv2.matchTemplate(ground, np.ascontiguousarray(p), cv2.TM_CCOEFF_NORMED).max()) for p in (piece, piece[:, ::-1])]
    return found[0], found[1]
