"""Whether a marker that was seen before still lies where it lay: a quick look at one place, for every frame.

The place is compared with how it looked when the marker was read, and with how the bare table round it looked. Nothing is read here:
another marker of the same make, laid exactly there, may pass for the old one; a settled frame that is read again tells.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.cv import fixed_maps, remap
from vision.geometry import Picture
from vision.observation import Marker
from vision.table import Table
from vision.topview import View

PATCH_PX = 48
PATCH_SIZES = 2.0          # the patch is this many marker sizes wide: the marker and the table round it
TEMPLATE_PX = 28           # the marker's own part of the patch
NUMERAL_FROM, NUMERAL_TO = 6, 22   # of the template: the numeral's own part, which another marker of the make does not share
DEFAULT_SIZE_MM = 28.0
LIKE_BEFORE = 0.72         # correlation at which there and not there are equally likely
LIKE_TABLE = 0.5           # share of bare table at which gone and covered are equally likely
SAME_COLOUR = 22.0         # Lab distance (8-bit) between two looks at the same bare table


@dataclass(frozen=True)
class KnownMarker:
    """A marker read before, and how its place looked then."""

    value: int | None
    at: tuple[float, float]              # mm
    size_mm: float
    template: NDArray[np.float32]        # (TEMPLATE_PX, TEMPLATE_PX, 3) BGR, smoothed
    table: NDArray[np.float32]           # (3,) Lab of the table round it, relative to the patch's light


@dataclass(frozen=True)
class Still:
    """Three probabilities that sum to 1: it lies there still, it is gone (bare table), something covers or replaces it."""

    there: float
    gone: float
    covered: float


def remember(view: View, marker: Marker, *, size_mm: float = DEFAULT_SIZE_MM) -> KnownMarker:
    """What a later frame is compared with. `view`: the frame in which the marker was read, nothing covering it."""
    patch = _patch(view, marker.at, size_mm)
    cut = (PATCH_PX - TEMPLATE_PX) // 2
    return KnownMarker(marker.value, marker.at, size_mm, patch[cut:cut + TEMPLATE_PX, cut:cut + TEMPLATE_PX], _ring(patch))


def still_there(view: View, known: KnownMarker) -> Still:
    """How the place looks now, in about half a millisecond. A shift of up to 8 mm is still there; light may grow or fade evenly."""
    patch = _patch(view, known.at, known.size_mm)
    cut = (PATCH_PX - TEMPLATE_PX) // 2
    whole = cv2.matchTemplate(patch, known.template, cv2.TM_CCOEFF_NORMED)
    _, best, _, (x, y) = cv2.minMaxLoc(whole)
    near = patch[y + NUMERAL_FROM - 1:y + NUMERAL_TO + 1, x + NUMERAL_FROM - 1:x + NUMERAL_TO + 1]
    numeral = cv2.matchTemplate(near, known.template[NUMERAL_FROM:NUMERAL_TO, NUMERAL_FROM:NUMERAL_TO], cv2.TM_CCOEFF_NORMED).max()
    there = 1 / (1 + np.exp(-(min(best, float(numeral)) - LIKE_BEFORE) / 0.05))
    middle = _lab(patch[cut:cut + TEMPLATE_PX, cut:cut + TEMPLATE_PX]).reshape(-1, 3)
    bare = float((np.abs(middle - known.table).max(1) < SAME_COLOUR).mean())
    gone = 1 / (1 + np.exp(-(bare - LIKE_TABLE) / 0.08))
    return Still(float(there), float((1 - there) * gone), float((1 - there) * (1 - gone)))


def all_still_there(view: View, known: Sequence[KnownMarker]) -> tuple[Still, ...]:
    """`still_there` of each."""
    return tuple(still_there(view, k) for k in known)


def _patch(view: View, at: tuple[float, float], size_mm: float) -> NDArray[np.float32]:
    xy, fraction = _place(view.table, (round(at[0], 2), round(at[1], 2)), size_mm)
    return np.asarray(cv2.GaussianBlur(remap(view.frame, xy, fraction, border=cv2.BORDER_REPLICATE), (0, 0), 1.0), np.float32)


@lru_cache(maxsize=256)
def _place(table: Table, at: tuple[float, float], size_mm: float) -> tuple[NDArray[np.int16], NDArray[np.uint16]]:
    """Where in the frame the patch's pixels lie; the same for every frame of a table."""
    reach = PATCH_SIZES * size_mm / 2
    step = (np.arange(PATCH_PX) + 0.5) / PATCH_PX * 2 * reach - reach
    x, y = np.meshgrid(at[0] + step, at[1] + step)
    px = table.to_px(np.stack([x, y], -1).reshape(-1, 2)) - 0.5
    return fixed_maps(px.reshape(PATCH_PX, PATCH_PX, 2).astype(np.float32))


def _ring(patch: NDArray[np.float32]) -> NDArray[np.float32]:
    """The median colour of the patch's border."""
    lab = _lab(patch)
    edge = np.concatenate([lab[:5].reshape(-1, 3), lab[-5:].reshape(-1, 3), lab[:, :5].reshape(-1, 3), lab[:, -5:].reshape(-1, 3)])
    return np.asarray(np.median(edge, axis=0), np.float32)


def _lab(patch: NDArray[np.float32]) -> NDArray[np.float32]:
    byte: Picture = np.asarray(np.clip(patch, 0, 255), np.uint8)
    return np.asarray(cv2.cvtColor(byte, cv2.COLOR_BGR2LAB), np.float32)
