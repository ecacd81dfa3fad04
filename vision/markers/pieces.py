"""Markers and tokens as the network sees them: each small piece on the table, what it could be, where it lies.

The network looks twice: at each candidate as it is, then, where something was seen, at crops moved, sized and turned as it said.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import ArrayLike, NDArray

from vision.geometry import Picture, Points
from vision.markers.candidates import PX_PER_MM, coarse, deeper_inside, find_spots, outside
from vision.markers.crops import CLASSES, CROP_PX, CROP_SIZES, NONE, TOKEN_NUMBER, cut_crops, normalised, placed
from vision.markers.networks import ask, softmax
from vision.markers.together import weighed_together
from vision.markers.upright import VALUES, read_numerals
from vision.topview import View

USUAL_SIZE_MM = 28.0                       # pieces of 20 to 38 mm are read from crops cut for this
SIZES_MM = (14.0, 56.0)                    # nothing smaller or larger is a piece
WORTH_A_LOOK = 0.7                         # the least that must speak for a piece at a glance
WORTH_ANOTHER_LOOK = 0.2                   # the least that must speak for a piece at first sight
LOOKS = ((0.0, 0.75), (np.pi / 2, 0.88))   # the second time: turns, and sizes to the size that was said: nearer
WORTH_READING = 0.25                       # the least that must speak for a marker
WORTH_CHECKING = 0.02                      # the least that must speak for a 1, 2 or 3
LOOK_WEIGHT = 0.3                          # of what the look says of a value beside the reading
TIMID = 1.1                                # the reader learnt to leave a doubt: its odds are this power of what it says
PHOTO_DEPTH_MM = 6.0                       # a piece lies no deeper in a photo: what looks like one there is printed
SAME_PLACE = 0.6                           # of a piece's size: nearer than this two are one
SAME_GLANCE = 0.4                          # the same of two glances, which do not tell the middle
TOKEN_HUES = {1: (335.0, 375.0), 2: (35.0, 65.0), 3: (90.0, 175.0)}   # degrees, of the token worth so many points
_FAR = np.hypot(*(np.indices((CROP_PX, CROP_PX)) + 0.5 - CROP_PX / 2)) / CROP_PX * CROP_SIZES   # from a crop's middle, in piece sizes
RING, MIDDLE = (_FAR > 0.26) & (_FAR < 0.42), _FAR < 0.25


@dataclass(frozen=True)
class Glimpses:
    """Where something small may lie, photos or not, and what is seen of it at a glance."""

    at: Points                             # (n, 2) mm
    crops: Picture                         # (n, CROP_PX, CROP_PX, 3)
    chance: NDArray[np.float64]            # (n,) that there is any piece


@dataclass(frozen=True)
class Piece:
    """Something small that lies or stands there."""

    classes: NDArray[np.float64]           # (CLASSES,) probabilities, markers.crops, given all the other pieces
    at: tuple[float, float]                # mm, its foot
    seen: tuple[float, float]              # mm, the middle of what is seen, as if it lay flat
    size_mm: float
    turn: float                            # radians, clockwise from upright; means something for numerals only


def glimpse(view: View, *, size_mm: float | None = None) -> Glimpses:
    """The first step of `look_at_pieces`, which needs no photos."""
    small = coarse(view.top(PX_PER_MM))
    at = find_spots(small)
    crops = cut_crops(small, at, np.full(len(at), size_mm or USUAL_SIZE_MM), np.zeros(len(at)))
    return Glimpses(at, crops, glance(crops))


def look_at_pieces(
    view: View, *, size_mm: float | None = None, photos: Sequence[ArrayLike] = (), glimpses: Glimpses | None = None
) -> tuple[Piece, ...]:
    """All small pieces on the table, no two in the same place.

    `size_mm`: of a marker, where known; inside `photos` (quads, mm) none is sought. `glimpses`: what `glimpse` told, if it was asked.
    """
    glimpses = glimpses or glimpse(view, size_mm=size_mm)
    top = view.top(PX_PER_MM)
    size = np.full(len(glimpses.at), size_mm or USUAL_SIZE_MM)
    likely = np.flatnonzero((glimpses.chance > WORTH_A_LOOK) & outside(photos, glimpses.at))
    likely = likely[_one_a_place(glimpses.at[likely], size[likely], glimpses.chance[likely], same=SAME_GLANCE)]
    at, size, turn = glimpses.at[likely], size[likely], np.zeros(len(likely))
    logits, pose = look(glimpses.crops[likely])
    worth = np.flatnonzero(1 - softmax(logits)[:, NONE] > WORTH_ANOTHER_LOOK)
    at, size, turn, _ = _moved(pose[worth], at[worth], size[worth], turn[worth])
    kept = _one_a_place(at, size, 1 - softmax(logits[worth])[:, NONE])
    at, size, turn = at[kept], size[kept], turn[kept]
    said, feet, seen, sizes = [], [], [], []
    for more, grown in LOOKS:
        cut = size * grown
        logits, pose = look(cut_crops(top, at, cut, turn + more))
        middle, large, _, foot = _moved(pose, at, cut, turn + more)
        said.append(logits)
        feet.append(foot)
        seen.append(middle)
        sizes.append(large)
    foot, middle, size = np.mean(feet, 0), np.mean(seen, 0), np.exp(np.mean(np.log(sizes), 0))
    classes = softmax(np.mean(said, 0))
    printed = deeper_inside(photos, middle, PHOTO_DEPTH_MM)
    kept = [i for i in _one_a_place(middle, size, 1 - classes[:, NONE]) if not printed[i]]
    classes, foot, middle, size, turn = classes[kept], foot[kept], middle[kept], size[kept], turn[kept]
    points = np.flatnonzero(classes[:, list(TOKEN_HUES)].max(1, initial=0) > WORTH_CHECKING)
    tokens = np.zeros(classes.shape, np.bool_)
    tokens[points] = _is_points(cut_crops(top, middle[points], size[points], np.zeros(len(points))))
    classes = _points_are_no_evidence(classes, tokens)
    numeral = np.flatnonzero(classes[:, 1:VALUES + 1].sum(1) > WORTH_READING)
    classes[numeral] = _with_reading(classes[numeral], read_numerals(top, middle[numeral], size[numeral]))
    classes = weighed_together(_points_are_no_evidence(classes, tokens), foot, size, size_mm)
    return tuple(Piece(classes[i], _pair(foot[i]), _pair(middle[i]), float(size[i]), float(turn[i])) for i in range(len(classes)))


def _with_reading(classes: NDArray[np.float64], fits: NDArray[np.float64]) -> NDArray[np.float64]:
    """Shares what `look` gives to numerals among the values, by what it and the reading say."""
    out = classes.copy()
    both = ((classes[:, 1:VALUES + 1] + 0.01) ** LOOK_WEIGHT * (fits + 0.003)) ** TIMID
    out[:, 1:VALUES + 1] = both / both.sum(1, keepdims=True) * classes[:, 1:VALUES + 1].sum(1, keepdims=True)
    return out


def _points_are_no_evidence(classes: NDArray[np.float64], tokens: NDArray[np.bool_]) -> NDArray[np.float64]:
    """What speaks for a marker that can only be a token's points speaks for the token. `tokens`: (n, CLASSES), which those are."""
    out = np.where(tokens, 0, classes)
    out[:, TOKEN_NUMBER] += (classes - out).sum(1)
    return out


def _is_points(crops: Picture) -> NDArray[np.bool_]:
    """(n, CLASSES): whether that number would be a token's points here: a pale 1 on red, 2 on yellow or 3 on green."""
    found = np.zeros((len(crops), CLASSES), np.bool_)
    for i, crop in enumerate(crops):
        hue, saturation, value = cv2.cvtColor(crop.astype(np.float32) / 255, cv2.COLOR_BGR2HSV).transpose(2, 0, 1)
        ground = np.array([float(np.median(plane[RING])) for plane in (hue, saturation, value)])
        pale = (saturation < 0.5 * ground[1]) & (value > 0.9 * ground[2])
        if ground[1] > 0.35 and pale[MIDDLE].mean() > 0.05:
            for number, (low, high) in TOKEN_HUES.items():
                found[i, number] = (ground[0] - low) % 360 < high - low
    return found


def glance(crops: Picture) -> NDArray[np.float64]:
    """The chance (n,) that there is any piece, by a network ten times as quick as `look`."""
    return np.asarray(1 / (1 + np.exp(-ask("glance", normalised(crops))[:, 0])), np.float64)


def look(crops: Picture) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """What the network says of (n, CROP_PX, CROP_PX, 3) crops: logits (n, CLASSES) and poses (n, POSE)."""
    said = ask("numerals", normalised(crops))
    return said[:, :CLASSES], said[:, CLASSES:]


def _moved(pose: NDArray[np.float64], at: Points, size: NDArray[np.float64],
           turn: NDArray[np.float64]) -> tuple[Points, NDArray[np.float64], NDArray[np.float64], Points]:
    """Middle, size, turn and foot of pieces on the table, from poses said of crops cut at `at` for `size`, turned by `turn`."""
    large = np.clip(size * np.exp(np.clip(pose[:, 2], -0.5, 0.5)), *SIZES_MM)
    return placed(pose[:, :2], at, size, turn), large, turn + np.arctan2(pose[:, 4], pose[:, 3]), placed(pose[:, 5:7], at, size, turn)


def _one_a_place(at: Points, size: NDArray[np.float64], sure: NDArray[np.float64], *, same: float = SAME_PLACE) -> list[int]:
    """Indices, the surest first, without those that lie where a surer one lies."""
    apart = np.hypot(*(at[:, None] - at).transpose(2, 0, 1))
    one = apart <= same * np.minimum(size[:, None], size)
    taken = np.zeros(len(at), bool)
    kept: list[int] = []
    for i in np.argsort(-sure, kind="stable").tolist():
        if not taken[i]:
            kept.append(i)
            taken |= one[i]
    return kept


def _pair(xy: NDArray[np.float64]) -> tuple[float, float]:
    return float(xy[0]), float(xy[1])
