"""A deck's face at the size and softness in which a camera sees it."""

from dataclasses import dataclass, field

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.deck.align import Array, evened
from vision.deck.faces import Area, Face, Mask
from vision.geometry import Picture

BLURS = (0.5, 0.8, 1.1, 1.5, 2.1, 3.0)  # sigma of a Gaussian, in pixels of the size asked for
PIXEL = 0.29            # a pixel's own softness, likewise
ROOM_PX = 8             # round a look, so that blur knows what lies there
RIM = 0.03              # of the width: round corners, worn edges and the table under a rim that lies a pixel off
IN_MASK = 0.25          # of a pixel that lies in an area: it is one of its pixels

Box = tuple[slice, slice]


@dataclass(frozen=True)
class Templates:
    """All looks of all areas at one size and blur: the pixels of their masks, one look after the other, P in all."""

    rows: NDArray[np.intp]          # (P,) in the sized frame
    columns: NDArray[np.intp]
    looks: Array                    # (P, 3)
    slope: Array                    # (P,): grey levels a pixel
    common: NDArray[np.intp]        # (P,): which of the P is the same pixel in its area's common look
    begins: NDArray[np.intp]        # (looks,): where each look begins
    areas: tuple[tuple[int, slice], ...]   # the face's area, and its looks; an area without a pixel at this size is left out


@dataclass
class Sized:
    """The deck at one size: its median at each blur, and the areas' templates, made when first asked for."""

    face: Face
    width: int
    height: int
    medians: list[Array]                 # one of each blur
    slopes: list[Array]                  # (h, w) of each
    common: Mask                         # (h, w): no photo departs here
    evened: Array                        # (blurs, pixels of common)
    _templates: dict[int, Templates] = field(default_factory=dict)

    def templates(self, blur: int) -> Templates:
        """Of all areas, for one of the blurs."""
        if blur not in self._templates:
            self._templates[blur] = _templates(self, BLURS[blur])
        return self._templates[blur]


def sized(face: Face, longer_px: int) -> Sized:
    """The face with a longer side of so many pixels."""
    h, w = face.median.shape[:2]
    k = longer_px / max(h, w)
    width, height = round(w * k), round(h * k)
    whole = (slice(0, height), slice(0, width))
    scale = (width / w, height / h)
    medians = [_sampled(face.median, (0, 0), scale, whole, blur) for blur in BLURS]
    common = np.zeros((h, w), np.uint8)
    rim = round(RIM * w)
    common[rim:-rim, rim:-rim] = 255
    for area in face.areas:
        common[area.box][area.mask] = 0
    little = cv2.resize(common, (width, height), interpolation=cv2.INTER_AREA) > 250
    evenly = np.stack([evened(m.astype(np.uint8))[little] for m in medians])
    return Sized(face, width, height, medians, [_slope(m) for m in medians], np.asarray(little), evenly)


def _templates(s: Sized, blur: float) -> Templates:
    parts = [(n, *_looks(s, area, blur)) for n, area in enumerate(s.face.areas)]
    parts = [part for part in parts if len(part[1])]
    rows, columns, looks, slopes, common = [], [], [], [], []
    begins: list[int] = []
    areas: list[tuple[int, slice]] = []
    before = 0
    for n, y, x, of_looks, of_slopes in parts:
        count, pixels = of_slopes.shape
        rows.append(np.tile(y, count))
        columns.append(np.tile(x, count))
        looks.append(of_looks.reshape(-1, 3))
        slopes.append(of_slopes.ravel())
        common.append(before + np.tile(np.arange(pixels), count))
        areas.append((n, slice(len(begins), len(begins) + count)))
        begins += [before + k * pixels for k in range(count)]
        before += count * pixels
    empty = np.zeros(0, np.float32)
    return Templates(
        np.concatenate([empty.astype(np.intp), *rows]), np.concatenate([empty.astype(np.intp), *columns]),
        np.concatenate([empty.reshape(0, 3), *looks]), np.concatenate([empty, *slopes]),
        np.concatenate([empty.astype(np.intp), *common]), np.array(begins, np.intp), tuple(areas),
    )


def _looks(s: Sized, area: Area, blur: float) -> tuple[NDArray[np.intp], NDArray[np.intp], Array, Array]:
    """The area's n pixels (rows, columns), its looks (k, n, 3) and their slopes (k, n)."""
    h, w = s.face.median.shape[:2]
    kx, ky = s.width / w, s.height / h
    rows, columns = area.box
    y0, y1 = max(0, int(rows.start * ky) - 1), min(s.height, int(np.ceil(rows.stop * ky)) + 1)
    x0, x1 = max(0, int(columns.start * kx) - 1), min(s.width, int(np.ceil(columns.stop * kx)) + 1)
    box = (slice(y0, y1), slice(x0, x1))
    around = round(ROOM_PX / min(kx, ky))
    top, left = max(0, rows.start - around), max(0, columns.start - around)
    part = s.face.median[top : rows.stop + around, left : columns.stop + around]
    inside = (slice(rows.start - top, rows.stop - top), slice(columns.start - left, columns.stop - left))
    mask = _sampled(area.mask.astype(np.float32), (columns.start, rows.start), (kx, ky), box, 0.0, border=cv2.BORDER_CONSTANT) > IN_MASK
    looks, slopes = [], []
    for look in area.looks:
        whole = part.copy()
        whole[inside] = np.where(area.mask[..., None], look, whole[inside])
        soft = _sampled(np.asarray(whole, np.uint8), (left, top), (kx, ky), box, blur)
        looks.append(soft[mask])
        slopes.append(_slope(soft)[mask])
    y, x = np.nonzero(mask)
    return y + y0, x + x0, np.stack(looks), np.stack(slopes)


def _sampled(
    picture: Picture | Array,
    corner: tuple[int, int],
    scale: tuple[float, float],
    box: Box,
    blur: float,
    *,
    border: int = cv2.BORDER_REPLICATE,
) -> Array:
    """Those rows and columns of the deck's frame made `scale` (x, y) times as large and as soft as the camera has it.

    `picture` is the part of the full frame that begins at `corner` (x, y).
    """
    kx, ky = scale
    sigma = [max(float(np.hypot(blur, PIXEL)) / k, 0.3) for k in (kx, ky)]
    soft = cv2.GaussianBlur(picture, (0, 0), sigma[0], sigmaY=sigma[1], borderType=border)
    rows, columns = box
    m = np.array([[1 / kx, 0, (columns.start + 0.5) / kx - 0.5 - corner[0]], [0, 1 / ky, (rows.start + 0.5) / ky - 0.5 - corner[1]]])
    size = (columns.stop - columns.start, rows.stop - rows.start)
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    return np.asarray(cv2.warpAffine(soft.astype(np.float32), m, size, flags=flags, borderMode=border), np.float32)


def _slope(picture: Array) -> Array:
    """(h, w): grey levels a pixel, of the steepest channel."""
    x, y = (cv2.Scharr(picture, cv2.CV_32F, *d, scale=1 / 32) for d in ((1, 0), (0, 1)))
    steep = x * x + y * y
    return np.asarray(np.sqrt(np.maximum(np.maximum(steep[..., 0], steep[..., 1]), steep[..., 2])), np.float32)
