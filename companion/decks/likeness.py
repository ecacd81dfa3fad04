"""How a front and a back of a deck of photos are compared: by where they depart from their fellows, and by what they show.

Departures tell even where the backs are drawn otherwise than the fronts; but which look is the usual one hangs on the cards that lie there,
and a card that departs nowhere has none. What is shown tells each pair by itself, where the backs are the fronts in grey.
"""

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.deck.align import Array, Homography, Reference, warped
from vision.deck.faces import Laid, Mask
from vision.deck.sites import coloured

WIDTH_PX = 200          # at which departures are compared
SPREAD = 0.012          # of the width, a Gaussian: a circle and what it holds overlap
SOFT_PX = 1.5           # of the common width (640), a Gaussian under which what is shown is compared: half a pixel of shift fades
AROUND_PX = 9           # of the same: what varies, with its soft edge
PLACE_PX = 40           # pixels of a place at least: fewer are noise or an edge
FREE = 0.4              # of a place that coloured ink leaves free


def departing_alike(fronts: Laid, backs: Laid) -> NDArray[np.float64]:
    """(fronts, backs): 0 to 2, how alike their departures are in place and in lightness."""
    carry = Reference(fronts.median).fit(backs.median).matrix
    varies = np.asarray(fronts.changed.any(0))      # elsewhere the backs have nothing but their circles
    where_f, what_f = _departures(fronts, np.eye(3), varies)
    where_b, what_b = _departures(backs, carry, varies)
    return np.asarray(where_f @ where_b.T + np.maximum(what_f @ what_b.T, 0), np.float64)


def shown_unlike(fronts: Laid, backs: Laid) -> NDArray[np.float64]:
    """(fronts, backs): by how many grey levels they differ, at that place of those that vary among the fronts where they differ most.

    How the backs make grey of colours is learned where neither side varies.
    """
    height, width = fronts.median.shape[:2]
    carry = Reference(fronts.median).fit(backs.median).matrix

    def laid(values: NDArray[np.generic]) -> Array:
        return np.asarray(warped(np.asarray(values, np.float32), carry, width, height), np.float32)

    greys = np.stack([laid(_soft(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY))) for picture in backs.stack])
    ink = np.stack([laid(mask) > 0 for mask in coloured(backs)])
    colours = np.stack([_soft(picture) for picture in fronts.stack])
    varies = np.asarray(fronts.changed.any(0))
    around = np.ones((AROUND_PX, AROUND_PX), np.uint8)
    shared = cv2.dilate((varies | (laid(np.asarray(backs.changed.any(0))) > 0)).astype(np.uint8), around) == 0
    usual, grey = np.median(colours, axis=0), np.median(greys, axis=0)
    tone = np.linalg.lstsq(_powers(usual[shared]), grey[shared], rcond=None)[0]
    count, labels = cv2.connectedComponents(cv2.dilate(varies.astype(np.uint8), around))
    out = np.zeros((len(colours), len(greys)))
    for k in range(1, count):
        place = np.nonzero((labels == k) & varies)
        if len(place[0]) < PLACE_PX:
            continue
        expected = np.stack([_powers(picture[place]) @ tone for picture in colours])
        for j, back in enumerate(greys):
            free = ~ink[j][place]
            if free.mean() > FREE:
                out[:, j] = np.maximum(out[:, j], np.median(np.abs(expected - back[place])[:, free], axis=1))
    return out


def _soft(picture: NDArray[np.generic]) -> Array:
    return np.asarray(cv2.GaussianBlur(np.asarray(picture, np.float32), (0, 0), SOFT_PX), np.float32)


def _powers(colours: NDArray[np.floating]) -> NDArray[np.float64]:
    """(n, 10) of (n, 3): what a smooth curve of three channels is made of."""
    c = np.asarray(colours, np.float64) / 255
    return np.column_stack([np.ones(len(c)), c, c * c, c * np.roll(c, 1, axis=1)])


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
