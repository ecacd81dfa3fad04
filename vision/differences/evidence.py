"""How strongly each place of two laid pictures speaks for a difference: light made equal, then what remains."""

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.differences.laid import Laid

SHIFT_PX = 2
Map = NDArray[np.float32]


def evidence(laid: Laid) -> Map:
    """(h, w) 0..1: strength of the evidence for a difference."""
    a, b = (cv2.cvtColor(p, cv2.COLOR_BGR2GRAY).astype(np.float32) for p in (laid.a, laid.b))
    b = _matched(b, a, laid.region)
    size = (round(laid.width * 0.12) | 1, round(laid.width * 0.12) | 1)
    weight = laid.region.astype(np.float32)
    norm = cv2.GaussianBlur(weight, size, 0) + 1e-3
    b = b + cv2.GaussianBlur((a - b) * weight, size, 0) / norm
    a, b = cv2.GaussianBlur(a, (5, 5), 0), cv2.GaussianBlur(b, (5, 5), 0)
    least = np.full(a.shape, 1e9, np.float32)
    for dy in range(-SHIFT_PX, SHIFT_PX + 1):
        for dx in range(-SHIFT_PX, SHIFT_PX + 1):
            least = np.minimum(least, cv2.blur(np.abs(a - np.roll(b, (dy, dx), (0, 1))), (7, 7)))
    usual = float(np.median(least[laid.region])) + 1e-3
    spread = float(np.percentile(least[laid.region], 90)) + 2
    return np.clip((least - usual) / (4 * spread), 0, 1) * laid.region


def _matched(b: Map, a: Map, where: NDArray[np.bool_]) -> Map:
    q = np.linspace(0, 100, 33)
    qa, qb = np.percentile(a[where], q), np.percentile(b[where], q)
    return np.interp(b, qb + np.arange(33) * 1e-4, qa).astype(np.float32)
