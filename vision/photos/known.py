"""A cheap second look at photos that are known to lie somewhere: still there, shifted, turned over, covered, or gone?

    known = tuple(remember(view, p) for p in photos)      # once, of a settled picture
    recheck(later_view, known)                            # as often as wanted: a few milliseconds a photo
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.geometry import Picture, Points, points, rectangle
from vision.observation import Photo, Side
from vision.photos.inside import side_of
from vision.topview import View

PX_PER_MM = 0.6
ROOM_MM = 12.0        # a photo pushed no farther is followed
MOVED_MM = 2.5        # less is a nudge of the camera
BLOCKS = (6, 4)       # along and across: what of it is seen is counted in these
ALIKE = 0.5           # correlation from which a block shows what it showed; either side of a photo does
SEEN, LOST = 0.6, 0.2


@dataclass(frozen=True)
class KnownPhoto:
    """A photo as it was seen: where it lies, and its lightness then."""

    photo: Photo
    grey: NDArray[np.float32]


@dataclass(frozen=True)
class Recheck:
    """`state`: `there`; `moved` by a little; `covered` in part; `gone`, or wholly covered: who knows of hands can tell which.

    `side` and its probability `sure` are of what is seen now: another than before means that it was turned over in place.
    """

    state: Literal["there", "moved", "covered", "gone"]
    quad: Points                 # (4, 2) mm, where it lies now
    side: Side | None
    sure: float
    seen: float                  # 0..1: the part that shows what it showed


def remember(view: View, photo: Photo) -> KnownPhoto:
    """The photo as it looks in a settled picture."""
    return KnownPhoto(photo, _grey(_cut(view, points(photo.quad), 0.0)))


def recheck(view: View, known: Sequence[KnownPhoto]) -> tuple[Recheck, ...]:
    """How each known photo looks in this view."""
    return tuple(_recheck(view, k) for k in known)


def _recheck(view: View, known: KnownPhoto) -> Recheck:
    quad = points(known.photo.quad)
    wide = _cut(view, quad, ROOM_MM)
    fits = np.asarray(cv2.matchTemplate(_grey(wide), known.grey, cv2.TM_CCOEFF_NORMED))
    _, _, _, (x, y) = cv2.minMaxLoc(fits)
    h, w = known.grey.shape
    now = wide[y : y + h, x : x + w]
    seen = _blocks_alike(known.grey, _grey(now))
    room = (wide.shape[1] - w) / 2, (wide.shape[0] - h) / 2
    along, down = (quad[1] - quad[0]) / w, (quad[3] - quad[0]) / h
    shift = (x - room[0]) * along + (y - room[1]) * down
    part = float(seen.mean())
    if part < LOST:
        return Recheck("gone", quad, None, 0.5, part)
    shown = np.kron(seen, np.ones((h // BLOCKS[1] + 1, w // BLOCKS[0] + 1), bool))[:h, :w]
    side, sure = side_of(now, shown)
    moved = part >= SEEN and float(np.hypot(*shift)) > MOVED_MM
    state: Literal["there", "moved", "covered"] = "covered" if part < SEEN else "moved" if moved else "there"
    return Recheck(state, points(quad + shift) if moved else quad, side, sure, part)


def _cut(view: View, quad: Points, room_mm: float) -> Picture:
    """The photo and `room_mm` round it, upright."""
    w, h = (float(np.hypot(*(quad[k + 1] - quad[k]))) for k in (0, 1))
    turn = float(np.degrees(np.arctan2(*(quad[1] - quad[0])[::-1])))
    size = (w + 2 * room_mm, h + 2 * room_mm)
    middle = quad.mean(0)
    pixels = [round(v * PX_PER_MM) + 2 * round(room_mm * PX_PER_MM) for v in (w, h)]
    return view.cut(rectangle((float(middle[0]), float(middle[1])), size, turn), *pixels)


def _grey(picture: Picture) -> NDArray[np.float32]:
    return np.asarray(cv2.GaussianBlur(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), (0, 0), 0.8), np.float32)


def _blocks_alike(then: NDArray[np.float32], now: NDArray[np.float32]) -> NDArray[np.bool_]:
    """(rows, columns): which blocks show what they showed, whatever the light."""
    out = []
    for a_row, b_row in zip(np.array_split(then, BLOCKS[1], 0), np.array_split(now, BLOCKS[1], 0), strict=True):
        pairs = zip(np.array_split(a_row, BLOCKS[0], 1), np.array_split(b_row, BLOCKS[0], 1), strict=True)
        out.append([_correlation(a, b) > ALIKE for a, b in pairs])
    return np.array(out)


def _correlation(a: NDArray[np.float32], b: NDArray[np.float32]) -> float:
    p, q = a - a.mean(), b - b.mean()
    return float((p * q).sum() / max(float(np.sqrt((p * p).sum() * (q * q).sum())), 1e-6))
