"""What the deck says of the pair on the table, beside what the pictures and their circles show.

The photos' names give a count, each pair of names with its probability. Both witnesses are joined by probability: where they agree the
count is surer, where they disagree it is less sure, and the range holds what either says.
"""

from collections.abc import Sequence

import cv2
import numpy as np
from msgspec import UNSET, UnsetType
from numpy.typing import ArrayLike, NDArray

from vision.deck.deck import Deck
from vision.deck.identify import Distribution, counts, joint
from vision.differences.frames import MOST_OF_A_PAIR, box_on_frame
from vision.differences.judge import narrowest
from vision.geometry import Points, points
from vision.observation import ASSERTED, Box, Differences, Place
from vision.topview import View

DOUBT = 2e-3           # no witness excludes a count altogether
FAULTS = 0.004         # the pack has faults, too
FAULTS_OF_BACKS = 0.2  # a pack of backs alone: circles and their numbers lie over what differs
WITHIN = 0.95          # of the probability lies in the range


def joined(
    said: Differences | UnsetType, names: Sequence[Distribution], deck: Deck, view: View, quads: Sequence[Points]
) -> Differences | UnsetType:
    """`said`: what the pictures show; `names`: `beliefs` of the two photos; `quads` (mm) begin at the pictures' own top left."""
    by_deck = counts(names[0], names[1], deck)
    known = float(by_deck.sum())
    if known < DOUBT:
        return said
    spread = _spread(said) * (_filled(by_deck) + (1 - known) / (MOST_OF_A_PAIR + 1) + DOUBT)
    doubt = FAULTS if deck.fronts is not None else FAULTS_OF_BACKS
    spread = (1 - doubt) * spread / spread.sum() + doubt / (MOST_OF_A_PAIR + 1)
    count = int(spread.argmax())
    both = joint(names[0], names[1])[:-1, :-1]
    a, b = (int(v) for v in np.unravel_index(int(both.argmax()), both.shape))
    sure = float(both[a, b])
    places = () if said is UNSET else said.places
    if sure >= ASSERTED and count == deck.matrix[a, b]:
        places = _places(a, b, deck, view, quads, sure, places)
    unseen = () if said is UNSET else said.unseen
    within = narrowest(spread, count, holds=WITHIN)
    return Differences(same_picture=True, count=count, probability=float(spread[count]), range=within, places=places, unseen=unseen,
                       alignment=UNSET if said is UNSET else said.alignment)


def _spread(said: Differences | UnsetType) -> Distribution:
    """(MOST_OF_A_PAIR + 1,) what the pictures give each count."""
    out = np.full(MOST_OF_A_PAIR + 1, 1 / (MOST_OF_A_PAIR + 1))
    if said is UNSET or said.count is None:
        return out
    low, high = said.range if isinstance(said.range, tuple) else (0, MOST_OF_A_PAIR)
    out[:] = DOUBT
    within = range(max(0, low), min(MOST_OF_A_PAIR, high) + 1)
    others = [n for n in within if n != said.count] or [n for n in range(MOST_OF_A_PAIR + 1) if abs(n - said.count) == 1]
    out[others] += (1 - said.probability) / len(others)
    if said.count <= MOST_OF_A_PAIR:
        out[said.count] += said.probability
    return np.asarray(out / out.sum())


def _filled(by_deck: Distribution) -> Distribution:
    """With an entry for each count to MOST_OF_A_PAIR; more than that is counted with it."""
    out = np.zeros(MOST_OF_A_PAIR + 1)
    np.add.at(out, np.minimum(np.arange(len(by_deck)), MOST_OF_A_PAIR), by_deck)
    return out


def _places(a: int, b: int, deck: Deck, view: View, quads: Sequence[Points], sure: float, seen: Sequence[Place]) -> tuple[Place, ...]:
    """Where two cards differ, in the frame's pixels; kinds and numbers as the pictures show them."""
    f = deck.fronts or deck.backs
    assert f is not None
    h, w = f.median.shape[:2]
    sites = deck.sites
    out: list[Place] = []
    for s in np.flatnonzero(sites.looks[a] != sites.looks[b]):
        boxes = [_on_frame(sites.boxes[s], w, h, quad, view) for quad in quads]
        same = next((p for p in seen if any(_meet(p.a, box) or _meet(p.b, box) for box in boxes)), None)
        out.append(Place(n=len(out) + 1, a=boxes[0], b=boxes[1], kind=same.kind if same else None, probability=sure,
                         ring=bool(sites.circled[a, s] or sites.circled[b, s]), number=same.number if same else None))
    return tuple(out)


def _on_frame(box: NDArray[np.int32], w: int, h: int, quad: ArrayLike, view: View) -> Box:
    corners = np.array([[0, 0], [w, 0], [w, h], [0, h]], np.float32)
    to_mm = cv2.getPerspectiveTransform(corners, points(quad).astype(np.float32))
    x, y, width, height = (float(v) for v in box)
    return box_on_frame((x, y, width, height), np.asarray(to_mm, np.float64), view)


def _meet(p: Box, q: Box) -> bool:
    cx, cy = p[0] + p[2] / 2, p[1] + p[3] / 2
    return q[0] <= cx <= q[0] + q[2] and q[1] <= cy <= q[1] + q[3]
