"""Whether a picture is printed in grey, whatever the colour of the lamp over it, of the table round it and of the rings on it.

What has a hue of its own on a grey print and comes in over its edge is no part of it: a finger, a sleeve, a pencil.
"""

from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.geometry import Picture

SHRUNK = 6  # times: the line of a ring becomes thinner than a pixel
THIN = np.ones((3, 3), np.uint8)  # so thin is no thing that has a hue
RIM = 0.12  # of the width: a table may show there
CORE = 0.2  # of what was asked for remains within the rim, or the rim is looked at too
MOST_ALIKE = 75  # per cent of the pixels tell the lamp's colour
ROUNDS = 2
CHROMA = 12.0  # of Lab: what is farther from the lamp's colour shows a hue of its own
FEW = 0.02  # of a grey picture has one: the number discs of rings
PLAINLY = 3.0  # times as much of a picture in colour, beside a grey one
LARGEST_COVER = 0.15  # of the picture: more is the picture itself
ON_BOTH = 0.3  # of what comes in over the edge, on both sides: it is printed there
Mask = NDArray[np.bool_]


@dataclass(frozen=True)
class Hue:
    """Where a picture shows a hue of its own, in masks (rows, columns) of a SHRUNK-th of its size."""

    core: Mask  # what is looked at, without its rim
    coloured: Mask  # the things that have a hue
    comes_in: Mask  # those of them that come in over the edge


def hue_of(picture: Picture, where: Mask) -> Hue:
    """What hue a picture (h, w, 3) shows in a region (h, w) but that of its lamp.

    A lamp gives each lightness another chroma, burnt paper and black ink none: the hue of a grey print is a curve over its lightness.
    """
    size = (max(1, picture.shape[1] // SHRUNK), max(1, picture.shape[0] // SHRUNK))
    small = cv2.resize(picture, size, interpolation=cv2.INTER_AREA).astype(np.float32) / 255
    region = np.asarray(cv2.resize(where.astype(np.uint8), size, interpolation=cv2.INTER_NEAREST), bool)
    none = np.zeros_like(region)
    if not region.any():
        return Hue(region, none, none)
    core = _core(region)
    lab = cv2.cvtColor(small, cv2.COLOR_BGR2LAB)
    apart = np.zeros(core.shape, np.float32)
    apart[region] = _from_the_lamp(lab[region], core[region])
    coloured = np.asarray(cv2.morphologyEx((apart > CHROMA).astype(np.uint8), cv2.MORPH_OPEN, THIN), bool)
    if (coloured & core).sum() > (LARGEST_COVER + FEW) * region.sum():
        return Hue(core, coloured, none)
    return Hue(core, coloured, _from_the_edge(coloured, region, core))


def in_grey(a: Hue, b: Hue) -> tuple[bool, bool]:
    """Whether each of two pictures laid on each other is printed in grey; nearly alike they are so both or neither."""
    shares = [float((h.coloured & h.core & ~cover).sum() / max(1, h.core.sum())) for h, cover in zip((a, b), _covers(a, b), strict=True)]
    if min(shares) < FEW <= max(shares) < PLAINLY * min(shares):
        return False, False
    return shares[0] < FEW, shares[1] < FEW


def covered(a: Hue, b: Hue, like: Mask) -> Mask:
    """What covers one of two grey pictures laid on each other, in the size of a mask (h, w)."""
    either = np.logical_or(*_covers(a, b)).astype(np.uint8)
    return np.asarray(cv2.resize(cv2.dilate(either, THIN), like.shape[::-1], interpolation=cv2.INTER_NEAREST), bool)


def _covers(a: Hue, b: Hue) -> tuple[Mask, Mask]:
    """What comes in over the edge of one, unless it does so on the other: then it is printed there."""
    shared = (a.comes_in & b.comes_in).sum()
    first, second = (h.comes_in & (shared < ON_BOTH * h.comes_in.sum()) for h in (a, b))
    return first, second


def _from_the_lamp(lab: NDArray[Any], core: Mask) -> NDArray[Any]:
    """How far the chroma of each pixel (n, 3) lies from what the lamp gives its lightness, as most of those in the core have it."""
    light, chroma = lab[:, 0] / 100, lab[:, 1:]
    curve = np.stack([light**2, light, np.ones_like(light)], 1)
    alike, apart = core, np.zeros_like(light)
    for _ in range(ROUNDS):
        known = curve[alike]
        lamp = np.linalg.lstsq(known.T @ known, known.T @ chroma[alike], rcond=None)[0]
        apart = np.hypot(*(chroma - curve @ lamp).T)
        alike = core & (apart <= np.percentile(apart[core], MOST_ALIKE))
    return apart


def _core(region: Mask) -> Mask:
    """A region (h, w) without its rim, where enough of it remains."""
    rim = 2 * round(RIM * region.shape[1]) + 1
    core = cv2.erode(region.astype(np.uint8), np.ones((rim, rim), np.uint8), borderType=cv2.BORDER_CONSTANT, borderValue=0) > 0
    return np.asarray(core if core.sum() > CORE * region.sum() else region)


def _from_the_edge(coloured: Mask, region: Mask, core: Mask) -> Mask:
    """The coloured parts that reach from a region's edge into its core."""
    edge = region & ~np.asarray(cv2.erode(region.astype(np.uint8), THIN, borderType=cv2.BORDER_CONSTANT, borderValue=0), bool)
    count, labels = cv2.connectedComponents(coloured.astype(np.uint8))
    if count == 1:
        return np.zeros_like(region)
    found = [k for k in np.intersect1d(labels[edge], labels[core]) if k and (labels == k).sum() < LARGEST_COVER * region.sum()]
    return np.asarray(np.isin(labels, found))
