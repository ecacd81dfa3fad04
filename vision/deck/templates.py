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
MANY = 150              # pixels of an area: of more every other one is looked at, for neighbours err together and tell little by themselves
SAME = 0.5              # grey levels: where a look is so near to the common one no camera tells them apart

Box = tuple[slice, slice]


@dataclass(frozen=True)
class Templates:
    """All looks of all areas at one size and blur: the pixels of the areas' masks, area after area, P in all, as the common look has them;
    then those that any other look has otherwise, one look after the other, Q in all."""

    rows: NDArray[np.intp]          # (P,) in the sized frame
    columns: NDArray[np.intp]
    common: Array                   # (P, 3)
    slope: Array                    # (P,): grey levels a pixel
    weight: Array                   # (P,): for how many pixels each stands
    areas: tuple[tuple[int, slice], ...]   # the face's area, and its looks but the common one; an area without a pixel is left out
    area_begins: NDArray[np.intp]   # (areas,): where among the P each begins
    place: NDArray[np.intp]         # (Q,): which of the P it is
    looks: Array                    # (Q, 3)
    look_slope: Array               # (Q,)
    look_begins: NDArray[np.intp]   # (looks,): where among the Q each begins


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
    places, looks, slopes = [], [], []
    areas: list[tuple[int, slice]] = []
    begins, area_begins = [0], [0]
    for n, y, _, of_looks, of_slopes, _ in parts:
        other = (np.abs(of_looks[1:] - of_looks[0]).max(2) > SAME) | (np.abs(of_slopes[1:] - of_slopes[0]) > SAME)
        other[~other.any(1), 0] = True      # none of a look's would be no sum
        which, pixel = np.nonzero(other)
        areas.append((n, slice(len(begins) - 1, len(begins) - 1 + len(other))))
        begins += [begins[-1] + int(k) for k in np.cumsum(other.sum(1))]
        places.append(area_begins[-1] + pixel)
        looks.append(of_looks[1:][which, pixel])
        slopes.append(of_slopes[1:][which, pixel])
        area_begins.append(area_begins[-1] + len(y))
    flat, whole = np.zeros(0, np.float32), np.zeros(0, np.intp)
    return Templates(
        rows=np.concatenate([whole, *(part[1] for part in parts)]), columns=np.concatenate([whole, *(part[2] for part in parts)]),
        common=np.concatenate([flat.reshape(0, 3), *(part[3][0] for part in parts)]),
        slope=np.concatenate([flat, *(part[4][0] for part in parts)]), weight=np.concatenate([flat, *(part[5] for part in parts)]),
        areas=tuple(areas), area_begins=np.array(area_begins[:-1], np.intp),
        place=np.concatenate([whole, *places]), looks=np.concatenate([flat.reshape(0, 3), *looks]),
        look_slope=np.concatenate([flat, *slopes]), look_begins=np.array(begins[:-1], np.intp),
    )


def _looks(s: Sized, area: Area, blur: float) -> tuple[NDArray[np.intp], NDArray[np.intp], Array, Array, Array]:
    """The area's n pixels (rows, columns), its looks (k, n, 3) and their slopes (k, n), and for how many pixels each stands (n,)."""
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
    all_of_them = np.count_nonzero(mask)
    if all_of_them > MANY:
        mask = np.asarray(mask & (np.indices(mask.shape).sum(0) % 2 == 0))
    looks, slopes = [], []
    for look in area.looks:
        whole = part.copy()
        whole[inside] = np.where(area.mask[..., None], look, whole[inside])
        soft = _sampled(np.asarray(whole, np.uint8), (left, top), (kx, ky), box, blur)
        looks.append(soft[mask])
        slopes.append(_slope(soft)[mask])
    y, x = np.nonzero(mask)
    return y + y0, x + x0, np.stack(looks), np.stack(slopes), np.full(len(y), all_of_them / max(len(y), 1), np.float32)


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
