"""How strongly each place of two laid pictures speaks for a difference: a small network of our own, run by OpenCV.

It was trained by `vision.training.differences_map` on drawn pairs; it marks whole things, not pixels that differ, and tells what is no
difference (the table round a print, printed rings, glare) in maps of their own.
"""

from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.differences.laid import Laid
from vision.geometry import Picture
from vision.glare import BURNT

WEIGHTS = Path(__file__).parent.parent / "weights" / "differences.onnx"
CHANNELS = ("changed", "centre", "inside", "unseen", "ring")
STRIDE = 4  # a map has a value every STRIDE pixels
CORE = 0.6  # of its radius: the inner part of a ring, which the network marks
MULTIPLE = 8  # the network wants sides of a multiple of so many cells
CUES = 22
FINE = 7
CLIP = 3.0
TO_LIGHT_AND_HUES = np.array([[1, 1, 1], [0, -3, 3], [3, -1.5, -1.5]], np.float32) / 3  # of blue, green, red
NEAR = np.ones((3, 3), np.uint8)
WIDE = np.ones((5, 5), np.uint8)
BOX = (7, 7)  # in which texture is compared, at half the size
LINE = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (9, 9))  # thin lines vanish under it
Map = NDArray[Any]


@dataclass(frozen=True)
class Maps:
    """Maps of probabilities, each (h / STRIDE, w / STRIDE)."""

    changed: Map  # inside the outline of a difference
    centre: Map  # in the middle of one
    inside: Map  # on the print, not on the table round it
    unseen: Map  # burnt out or covered on A or B
    ring: Map  # in the inner part of a ring printed on A or B


@dataclass(frozen=True)
class Cues:
    """What the network looks at."""

    cells: Map  # (CUES, ceil(h / STRIDE), ceil(w / STRIDE)) float32
    fine: Map  # (FINE, twice as many rows and columns) float32


@dataclass(frozen=True)
class Share:
    """What one picture of two brings to their cues: in a set it is asked of each picture once."""

    quick: Map  # (h, w): lightness without slow changes of light
    half: Map  # the same at half the size, as the rest
    hues: tuple[Map, Map]
    mean: Map  # of `half` in a box of seven
    spread: Map
    # cells
    light: Map
    texture: Map
    burnt: Map
    lines: tuple[Map, Map]  # bright, dark
    hue: Map  # the strongest


def map_differences(laid: Laid, shares: tuple[Share, Share] | None = None) -> Maps:
    """What the network says of two laid pictures; `shares` of both, where they are known already."""
    seen = cues(laid.a, laid.b, laid.region) if shares is None else common(*shares, laid.region)
    rows, columns = seen.cells.shape[1:]
    down, right = -rows % MULTIPLE, -columns % MULTIPLE
    net = _network()
    net.setInput(np.pad(seen.cells, ((0, 0), (0, down), (0, right)), mode="edge")[None], "cells")
    net.setInput(np.pad(seen.fine, ((0, 0), (0, 2 * down), (0, 2 * right)), mode="edge")[None], "fine")
    planes = 1 / (1 + np.exp(-net.forward()[0]))
    return Maps(*(np.ascontiguousarray(m[:rows, :columns], np.float32) for m in planes))


def cues(a: Picture, b: Picture, region: NDArray[np.bool_]) -> Cues:
    """Two laid pictures as the network looks at them.

    Each channel of each picture has the mean 0 and spread 1 in the region, so that no lamp's colour remains; slow changes of light are
    taken out; what differs is what one side has and the other has nowhere within one or two pixels, also in units of what is usual here.
    """
    return common(share(a, region), share(b, region), region)


def share(picture: Picture, region: NDArray[np.bool_]) -> Share:
    """What a picture, (h, w, 3), brings to its cues with any other in the same frame and region."""
    picture, region = _in_cells(picture, region)
    planes = _planes(picture, region)
    grey = cv2.extractChannel(planes, 0)
    slow = picture.shape[1] // 5 | 1
    on = region.astype(np.float32)
    around = cv2.blur(on, (slow, slow)) + 1e-3
    quick = grey - (cv2.blur(grey * on, (slow, slow)) + 1e-3 * grey) / around  # the table round a print has no say in it
    half = _halved(quick)
    mean = cv2.blur(half, BOX)
    spread = np.maximum(cv2.blur(half * half, BOX) - mean * mean, 0)
    hues = _halved(cv2.extractChannel(planes, 1)), _halved(cv2.extractChannel(planes, 2))
    lines = [cv2.morphologyEx(grey, f, LINE) for f in (cv2.MORPH_TOPHAT, cv2.MORPH_BLACKHAT)]
    blue, green, red = cv2.split(_halved(picture))
    burnt = (np.minimum(np.minimum(blue, green), red) >= BURNT).astype(np.float32)
    return Share(
        quick,
        half,
        hues,
        mean,
        spread,
        _halved(_halved(grey)),
        _halved(np.sqrt(spread)),
        _halved(burnt),
        (_largest(lines[0], STRIDE), _largest(lines[1], STRIDE)),
        _largest(cv2.magnitude(*hues), STRIDE // 2),
    )


def common(a: Share, b: Share, region: NDArray[np.bool_]) -> Cues:
    """The cues of two pictures in one frame, by the share that each has in them. Texture and hues are compared at half the size."""
    quick = [a.quick, b.quick]
    rest, far = _rest(quick, NEAR), _rest(quick, WIDE)
    usual = _median(rest, region) + 0.02
    fine_rest = _halved(4 * rest)
    covariance = cv2.blur(a.half * b.half, BOX) - a.mean * b.mean
    alike = covariance / np.sqrt((a.spread + 0.01) * (b.spread + 0.01))
    apart = _halved(a.half - b.half)
    cells = [
        a.light,
        b.light,
        apart,
        _halved(fine_rest),
        _halved(_halved(cv2.log(1 + rest / usual))),
        2 * cv2.GaussianBlur(apart, (0, 0), 1.0),
        *(_halved(one - other) for one, other in zip(a.hues, b.hues, strict=True)),
        a.texture,
        b.texture,
        _halved(alike),
        a.burnt,
        b.burnt,
        _largest(rest, STRIDE),
        *(line for pair in zip(a.lines, b.lines, strict=True) for line in pair),
        a.hue,
        b.hue,
        _halved(_halved(4 * far)),
        _largest(far, STRIDE),
    ]
    fine = [a.half, b.half, *(hue for pair in zip(a.hues, b.hues, strict=True) for hue in pair), fine_rest]
    return Cues(np.stack(cells).astype(np.float32, copy=False), np.stack(fine).astype(np.float32, copy=False))


def _in_cells(picture: Picture, region: NDArray[np.bool_]) -> tuple[Picture, NDArray[np.bool_]]:
    """Both grown to whole cells; a region without anything in it is all there is."""
    down, right = -picture.shape[0] % STRIDE, -picture.shape[1] % STRIDE
    if down or right:
        picture = np.asarray(cv2.copyMakeBorder(picture, 0, down, 0, right, cv2.BORDER_REPLICATE), np.uint8)
        region = np.pad(region, ((0, down), (0, right)))
    return picture, region if region.any() else np.ones_like(region)


def _median(plane: Map, region: NDArray[np.bool_]) -> float:
    """The median in the region (in all there is, where that is empty) of a plane without negative values, which may reach beyond it."""
    part = plane[: region.shape[0], : region.shape[1]]
    values = part[region] if region.any() else plane.ravel()
    some = values[values > 0]  # many equal values would take the partition long
    zeros = len(values) - len(some)
    lower, upper = (len(values) - 1) // 2 - zeros, len(values) // 2 - zeros
    if upper < 0:
        return 0.0
    ordered = np.partition(some, upper)
    below = ordered[upper] if lower == upper else ordered[:upper].max() if upper else 0.0
    return float(below + ordered[upper]) / 2


def _rest(quick: list[Map], reach: NDArray[np.uint8]) -> Map:
    """What one side has and the other has nowhere within reach."""
    rest = np.zeros_like(quick[0])
    for one, other in (quick, quick[::-1]):
        np.maximum(rest, one - cv2.dilate(other, reach), out=rest)
        np.maximum(rest, cv2.erode(other, reach) - one, out=rest)
    return rest


def _planes(picture: Picture, region: NDArray[np.bool_]) -> Map:
    """(h, w, 3): lightness and two hues of a picture, each of its channels standardised in the region."""
    mean, spread = cv2.meanStdDev(picture, mask=region.astype(np.uint8))
    table = np.clip((np.arange(256)[:, None] - mean.ravel()) / (spread.ravel() + 4), -CLIP, CLIP).astype(np.float32)
    return np.asarray(cv2.transform(cv2.LUT(picture, table[:, None, :]), TO_LIGHT_AND_HUES), np.float32)


def _halved(plane: Map) -> Map:
    return cv2.resize(plane, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)


def _largest(plane: Map, n: int) -> Map:
    return cv2.dilate(plane, np.ones((n, n), np.uint8), anchor=(0, 0))[::n, ::n]


@lru_cache(maxsize=1)
def _network() -> cv2.dnn.Net:
    return cv2.dnn.readNetFromONNX(str(WEIGHTS))
