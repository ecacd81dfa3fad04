"""Which back belongs to which front of a deck of photos: both show the same scene, and depart from it in the same places."""

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray
from scipy.optimize import linear_sum_assignment

from vision.deck.align import Array, Homography, Reference, warped
from vision.deck.faces import Laid, Mask

WIDTH_PX = 200          # at which departures are compared
SPREAD = 0.012          # of the width, a Gaussian: a circle and what it holds overlap
LEAST = 0.9             # of a likeness from 0 to 2: less is another card
DOUBTED = 0.05          # of a likeness: two pairs that lose less when their backs are swapped may be swapped


@dataclass(frozen=True, slots=True)
class Pair:
    """A front and a back by their numbers. `sure`: no other would do as well."""

    front: int
    back: int
    sure: bool


def pairs(fronts: Laid, backs: Laid) -> tuple[Pair, ...]:
    """The fronts and backs that belong together; what has no fellow is left out."""
    alike = likeness(fronts, backs)
    found = [(int(i), int(j)) for i, j in zip(*linear_sum_assignment(alike, maximize=True), strict=True) if alike[i, j] >= LEAST]
    out = []
    for n, (i, j) in enumerate(found):
        lost = [alike[i, j] + alike[k, m] - alike[i, m] - alike[k, j] for k, m in found[:n] + found[n + 1 :]]    # by swapping two backs
        out.append(Pair(i, j, min(lost, default=DOUBTED) >= DOUBTED))
    return tuple(out)


def likeness(fronts: Laid, backs: Laid) -> NDArray[np.float64]:
    """(fronts, backs): 0 to 2, how alike their departures are in place and in lightness."""
    carry = Reference(fronts.median).fit(backs.median).matrix
    varies = np.asarray(fronts.changed.any(0))      # elsewhere the backs have nothing but their circles
    where_f, what_f = _departures(fronts, np.eye(3), varies)
    where_b, what_b = _departures(backs, carry, varies)
    return np.asarray(where_f @ where_b.T + np.maximum(what_f @ what_b.T, 0), np.float64)


def _departures(laid: Laid, carry: Homography, varies: Mask) -> tuple[Array, Array]:
    """(n, pixels) twice, each row of length 1: where a picture departs, and by how much it is lighter there."""
    height, width = varies.shape
    size = (WIDTH_PX, round(WIDTH_PX * height / width))
    middle = cv2.cvtColor(laid.median, cv2.COLOR_BGR2GRAY).astype(np.float32)
    where, what = [], []
    for picture, changed in zip(laid.stack, laid.changed, strict=True):
        mask = np.asarray(changed, np.float32)
        lighter = (cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY).astype(np.float32) - middle) * mask
        there = cv2.resize(np.asarray(warped(mask, carry, width, height), np.float32), size, interpolation=cv2.INTER_AREA)
        where.append(cv2.GaussianBlur(there, (0, 0), SPREAD * WIDTH_PX).ravel())
        light = np.asarray(warped(lighter, carry, width, height), np.float32) * varies
        what.append(cv2.GaussianBlur(cv2.resize(light, size, interpolation=cv2.INTER_AREA), (0, 0), 0.7).ravel())
    return _unit(where), _unit(what)


def _unit(rows: Sequence[NDArray[np.generic]]) -> Array:
    values = np.asarray(rows, np.float32)
    return np.asarray(values / np.maximum(np.linalg.norm(values, axis=1, keepdims=True), 1e-6), np.float32)
