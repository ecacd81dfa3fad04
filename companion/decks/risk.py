"""Which photos of a deck a camera confuses, and from which distance on.

What two photos differ in is softened as a camera does it, and weighed against its noise as `vision.deck.decode` weighs it: the sum is the
margin between them, in natural logarithms. Below ASKED the companion has to ask.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.deck.align import Array
from vision.deck.decode import INK, INK_SPREAD, LEAST_DOUBT, SOLID, TOGETHER
from vision.deck.faces import Area, Face

BLUR_PX = 1.0                  # sigma of a usual webcam's picture, in its pixels
NOISE = 60.0                   # variance of a pixel, squared grey levels: sensor, JPEG and a fraction of a pixel's shift
ASKED = 2.2                    # nats: with less the likelier of two has no 0.9
MM_A_PX = (0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.85, 1.0, 1.2)
WIDE_AT_1 = 1.41               # what a usual webcam (78 degrees across corners, 16:9) sees, by its distance
FRAME_PX = 1920

Margins = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Confused:
    """Two photos that a camera tells apart only up to `mm_a_px`; None: at none of MM_A_PX."""

    a: str
    b: str
    mm_a_px: float | None


def distance_cm(mm_a_px: float) -> int:
    """How far above the table a usual 1080p webcam sees so many millimetres a pixel."""
    return round(mm_a_px * FRAME_PX / WIDE_AT_1 / 10)


def margins(face: Face, *, width_mm: float, mm_a_px: float) -> Margins:
    """(cards, cards): how clearly each two cards' pictures of that side differ, in nats; NaN where one lacks this side."""
    px_per_camera_px = face.median.shape[1] / width_mm * mm_a_px
    cards = len(face.looks)
    out = np.zeros((cards, cards))
    for n, area in enumerate(face.areas):
        of_looks = _between_looks(face, area, px_per_camera_px)
        index = np.maximum(face.looks[:, n], 0)
        out += of_looks[index[:, None], index[None]]
    lacking = ~face.known
    out[lacking] = out[:, lacking] = np.nan
    return out


def confused(face: Face, ids: Sequence[str], *, width_mm: float) -> tuple[Confused, ...]:
    """The pairs that some distance makes one, the worst first."""
    at = [margins(face, width_mm=width_mm, mm_a_px=mm) for mm in MM_A_PX]
    out = []
    for i, j in combinations(range(len(ids)), 2):
        told = [mm for mm, margin in zip(MM_A_PX, at, strict=True) if not margin[i, j] < ASKED]
        if len(told) < len(MM_A_PX):
            out.append(Confused(ids[i], ids[j], max(told) if told else None))
    return tuple(sorted(out, key=lambda c: c.mm_a_px or 0.0))


def _between_looks(face: Face, area: Area, px: float) -> Margins:
    """(looks, looks): the margin between each two looks of an area. `px`: of the common frame, a camera's pixel."""
    room = int(np.ceil(3 * BLUR_PX * px))
    rows, columns = area.box
    h, w = face.median.shape[:2]
    y0, x0, y1, x1 = max(0, rows.start - room), max(0, columns.start - room), min(h, rows.stop + room), min(w, columns.stop + room)
    inner = (slice(rows.start - y0, rows.stop - y0), slice(columns.start - x0, columns.stop - x0))
    size = max(1, round((x1 - x0) / px)), max(1, round((y1 - y0) / px))
    soft: list[Array] = []
    for look in area.looks:
        whole = face.median[y0:y1, x0:x1].astype(np.float32)
        whole[inner][area.mask] = look[area.mask]
        blurred = cv2.GaussianBlur(whole, (0, 0), BLUR_PX * px)
        soft.append(np.asarray(cv2.resize(blurred, size, interpolation=cv2.INTER_AREA), np.float32))
    return np.array([[0.0 if p == q else min(_margin(soft, p, q), _margin(soft, q, p)) for q in range(len(soft))]
                     for p in range(len(soft))])


def _margin(soft: Sequence[Array], shown: int, other: int) -> float:
    """How much likelier the look that is shown is than another one, which ink and lamp may make stronger or weaker."""
    together = TOGETHER * (0.5 + BLUR_PX)
    seen, added = soft[shown] - soft[0], soft[other] - soft[0]
    noise = NOISE + (SOLID * added) ** 2
    pull = together / INK_SPREAD**2
    strength = np.clip(((added * seen / noise).sum((0, 1)) + pull) / ((added**2 / noise).sum((0, 1)) + pull), *INK)
    off = ((seen - added * strength) ** 2 / noise).sum()
    return float(min(LEAST_DOUBT, 0.5 * off / together + 0.5 * ((strength - 1) ** 2).sum() / INK_SPREAD**2))
