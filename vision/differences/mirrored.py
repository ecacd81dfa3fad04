"""One mirrored thing that left several places: its parts that are their own mirror image agree, those beside them do not."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.differences.candidates import FLAT, Candidate, overlapping
from vision.differences.laid import Laid
from vision.observation import Box

MIRRORED = 0.9  # correlation of one side with the other's mirror image
BETTER = 0.35  # ... and what it lacks is at most so much of what it lacks as it lies
SLACK_PX = 3  # how far off the axis may be
LEAST_PX = 12
ROOM = 1.5  # of the larger part: so wide may be what agrees between two parts


def whole_mirrored(laid: Laid, found: list[Candidate]) -> list[Candidate]:
    """The candidates, those that are parts of one mirrored thing joined.

    What changes where a thing is mirrored lies evenly on both sides of its axis: so the box round its parts has the axis in its middle.
    """
    greys = [np.asarray(cv2.GaussianBlur(cv2.cvtColor(p, cv2.COLOR_BGR2GRAY), (0, 0), 1.0), np.uint8) for p in (laid.a, laid.b)]
    out = list(found)
    while (pair := next((p for p in _near(out) if _is_mirrored(greys[0], greys[1], _round(*p))), None)) is not None:
        first, second = pair
        out = [c for c in out if c is not first and c is not second] + [_as_one(first, second)]
    return out


def _near(found: list[Candidate]) -> Iterator[tuple[Candidate, Candidate]]:
    """Two candidates that may be parts of one thing."""
    return ((p, q) for p, q in combinations(found, 2) if overlapping(p.box, q.box, ROOM * max(*p.box[2:], *q.box[2:])))


def _round(p: Candidate, q: Candidate) -> Box:
    return replace(p, boxes=p.boxes + q.boxes).box


def _is_mirrored(a: NDArray[np.uint8], b: NDArray[np.uint8], box: Box) -> bool:
    x, y, w, h = (round(v) for v in box)
    piece = a[max(0, y) : y + h, max(0, x) : x + w]
    ground = b[max(0, y - SLACK_PX) : y + h + SLACK_PX, max(0, x - SLACK_PX) : x + w + SLACK_PX]
    if min(piece.shape) < LEAST_PX or min(piece.std(), ground.std()) < FLAT:
        return False
    mirrored = _alike(piece[:, ::-1], ground)
    return mirrored > MIRRORED and 1 - mirrored < BETTER * (1 - _alike(piece, ground))


def _alike(piece: NDArray[np.uint8], ground: NDArray[np.uint8]) -> float:
    return float(cv2.matchTemplate(ground, np.ascontiguousarray(piece), cv2.TM_CCOEFF_NORMED).max())


def _as_one(p: Candidate, q: Candidate) -> Candidate:
    likelier = max(p, q, key=lambda c: c.peak)
    return replace(
        likelier,
        boxes=(_round(p, q),),
        centre=max(p.centre, q.centre),
        mean=max(p.mean, q.mean),
        cells=p.cells + q.cells,
        contrast=max(p.contrast, q.contrast),
        unseen=min(p.unseen, q.unseen),
        border=max(p.border, q.border),
        kind="mirrored",
        inside=max(p.inside, q.inside),
        rim=max(p.rim, q.rim),
        certain=p.certain or q.certain,
    )
