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

WEIGHTS = Path(__file__).parent.parent / "weights" / "differences.onnx"
CHANNELS = ("changed", "centre", "inside", "unseen", "ring")
STRIDE = 4  # a map has a value every STRIDE pixels
CORE = 0.6  # of its radius: the inner part of a ring, which the network marks
MULTIPLE = 8  # the network wants sides of a multiple of so many cells
CUES = 22
FINE = 7
CLIP = 3.0
BURNT = 250
TO_LIGHT_AND_HUES = np.array([[1, 1, 1], [0, -3, 3], [3, -1.5, -1.5]], np.float32) / 3  # of blue, green, red
NEAR = np.ones((3, 3), np.uint8)
WIDE = np.ones((5, 5), np.uint8)
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


def map_differences(laid: Laid) -> Maps:
    """What the network says of two laid pictures."""
    seen = cues(laid.a, laid.b, laid.region)
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
    down, right = -a.shape[0] % STRIDE, -a.shape[1] % STRIDE
    if down or right:
        a, b = (np.asarray(cv2.copyMakeBorder(p, 0, down, 0, right, cv2.BORDER_REPLICATE), np.uint8) for p in (a, b))
        region = np.pad(region, ((0, down), (0, right)))
    if not region.any():
        region = np.ones_like(region)
    a_planes, b_planes = _planes(a, region), _planes(b, region)
    grey = [np.ascontiguousarray(p[..., 0]) for p in (a_planes, b_planes)]
    slow = a.shape[1] // 5 | 1
    on = region.astype(np.float32)
    around = cv2.blur(on, (slow, slow)) + 1e-3
    quick = [g - (cv2.blur(g * on, (slow, slow)) + 1e-3 * g) / around for g in grey]  # the table round a print has no say in it
    rest, far = _rest(quick, NEAR), _rest(quick, WIDE)
    usual = float(np.median(rest[region])) + 0.02
    lines = [cv2.morphologyEx(g, f, LINE) for f in (cv2.MORPH_TOPHAT, cv2.MORPH_BLACKHAT) for g in grey]
    burnt = [(p.min(2) >= BURNT).astype(np.float32) for p in (_halved(a), _halved(b))]
    # hues and texture at half the size
    half = [_halved(q) for q in quick]
    hues = [_halved(p)[..., 1:] for p in (a_planes, b_planes)]
    box = (7, 7)
    mean = [cv2.blur(q, box) for q in half]
    spread = [np.maximum(cv2.blur(q * q, box) - m * m, 0) for q, m in zip(half, mean, strict=True)]
    alike = (cv2.blur(half[0] * half[1], box) - mean[0] * mean[1]) / np.sqrt((spread[0] + 0.01) * (spread[1] + 0.01))
    apart = _mean(half[0] - half[1], STRIDE // 2)
    cells = [
        _mean(grey[0], STRIDE),
        _mean(grey[1], STRIDE),
        apart,
        _mean(4 * rest, STRIDE),
        _mean(np.log1p(rest / usual), STRIDE),
        2 * cv2.GaussianBlur(apart, (0, 0), 1.0),
        *(_mean(hues[0][..., k] - hues[1][..., k], STRIDE // 2) for k in (0, 1)),
        *(_mean(np.sqrt(v), STRIDE // 2) for v in (*spread,)),
        _mean(alike, STRIDE // 2),
        *(_mean(v, STRIDE // 2) for v in burnt),
        _largest(rest, STRIDE),
        *(_largest(v, STRIDE) for v in lines),
        *(_largest(np.hypot(h[..., 0], h[..., 1]), STRIDE // 2) for h in hues),
        _mean(4 * far, STRIDE),
        _largest(far, STRIDE),
    ]
    fine = [*half, *(np.ascontiguousarray(h[..., k]) for k in (0, 1) for h in hues), _halved(4 * rest)]
    return Cues(np.stack(cells).astype(np.float32), np.stack(fine).astype(np.float32))


def _rest(quick: list[Map], reach: NDArray[np.uint8]) -> Map:
    """What one side has and the other has nowhere within reach."""
    over, under = [cv2.dilate(q, reach) for q in quick], [cv2.erode(q, reach) for q in quick]
    one, other = np.maximum(quick[0] - over[1], under[1] - quick[0]), np.maximum(quick[1] - over[0], under[0] - quick[1])
    return np.asarray(np.maximum(np.maximum(one, other), 0), np.float32)


def _planes(picture: Picture, region: NDArray[np.bool_]) -> Map:
    """(h, w, 3): lightness and two hues of a picture, each of its channels standardised in the region."""
    mean, spread = cv2.meanStdDev(picture, mask=region.astype(np.uint8))
    table = np.clip((np.arange(256)[:, None] - mean.ravel()) / (spread.ravel() + 4), -CLIP, CLIP).astype(np.float32)
    return np.asarray(cv2.transform(cv2.LUT(picture, table[:, None, :]), TO_LIGHT_AND_HUES), np.float32)


def _halved(plane: Map) -> Map:
    return cv2.resize(plane, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)


def _mean(plane: Map, n: int) -> Map:
    h, w = plane.shape
    return np.asarray(cv2.resize(np.ascontiguousarray(plane, np.float32), (w // n, h // n), interpolation=cv2.INTER_AREA), np.float32)


def _largest(plane: Map, n: int) -> Map:
    h, w = plane.shape
    wide = cv2.dilate(np.ascontiguousarray(plane, np.float32), np.ones((n, n), np.uint8), anchor=(0, 0))
    return np.asarray(wide[:h:n, :w:n], np.float32)


@lru_cache(maxsize=1)
def _network() -> cv2.dnn.Net:
    return cv2.dnn.readNetFromONNX(str(WEIGHTS))
