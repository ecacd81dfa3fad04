"""Cards of one size: rough rectangles fitted to the edges of the picture, and the size itself where nothing tells it."""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.cards.contours import find_boxes, quads_of
from vision.geometry import Boxes, Points, along_sides, iou, points
from vision.topview import TopView

PX_PER_MM = 1.5
SAMPLES, SEGMENTS = 20, 4      # along a side; within a segment the edge must not change its sign
FAINT = 6.0                    # Lab steps a pixel that count half
STEPS_MM = (2.0, 1.0, 0.5, 0.25)
TURNS_DEG = (2.0, 1.0, 0.5, 0.25)
LAPPED = 0.25                  # IoU from which two outlines are one card
LEAST = 0.25                   # clearness of the three best sides
SIZE_SPREAD = 0.06             # contours of one size differ by so much of it
MARGINS_MM = np.arange(-3, 9.1, 0.5)   # from a common contour to the card's own edge
SQUARE = 1.07                  # sides that differ less are one: nobody prints nearly square cards
OUTERMOST = 0.72               # of the clearest edge, that the outermost must have


@dataclass(frozen=True)
class Card:
    """Something with a card's outline. `quad` (4, 2) mm, clockwise from any corner whose next side is the longer one (size known)."""

    quad: Points
    clear: float       # 0..1: how clearly it stands out, the weakest side left out
    votes: float       # at how many thresholds its contour was seen

    @property
    def at(self) -> NDArray[np.float64]:
        """Its middle, mm."""
        return np.asarray(self.quad.mean(0), np.float64)


class Edges:
    """The steps of lightness and colour all over a top view."""

    def __init__(self, top: TopView) -> None:
        lab = np.asarray(cv2.cvtColor(top.picture, cv2.COLOR_BGR2Lab), np.float32) * np.array([0.7, 1.4, 1.4], np.float32)
        x = cv2.Scharr(lab, cv2.CV_32F, 1, 0, scale=1 / 16)
        y = cv2.Scharr(lab, cv2.CV_32F, 0, 1, scale=1 / 16)
        self._steps = np.concatenate([x, y], -1)
        self._top = top

    def clearness(self, boxes: Boxes) -> NDArray[np.float32]:
        """(k, 4): how clearly each side (top, right, bottom, left) stands out, 0..1."""
        along, normal = along_sides(boxes, samples=SAMPLES, reach=0.9)
        h, w = self._steps.shape[:2]
        xy = np.floor((along - np.array(self._top.origin_mm)) * self._top.px_per_mm).astype(np.intp)
        x, y = xy[..., 0], xy[..., 1]
        outside = (x < 0) | (y < 0) | (x >= w) | (y >= h)
        g = self._steps[y.clip(0, h - 1), x.clip(0, w - 1)]                 # (k, 4, s, 6)
        n = normal.astype(np.float32)[:, :, None]
        across = g[..., :3] * n[..., :1] + g[..., 3:] * n[..., 1:]
        across[outside] = 0
        parts = across.reshape(*across.shape[:2], SEGMENTS, -1, 3).mean(3)
        strength = np.sqrt((parts**2).sum(-1))
        return np.asarray((strength / (strength + FAINT)).mean(-1), np.float32)

    def fitted(self, boxes: Boxes) -> tuple[Boxes, NDArray[np.float64]]:
        """The best boxes of the same sizes that small moves reach, and their scores."""
        boxes = boxes.copy()
        best = _score(self.clearness(boxes))
        for step, turn in zip(STEPS_MM, TURNS_DEG, strict=True):
            moves = np.array([[step, 0, 0], [-step, 0, 0], [0, step, 0], [0, -step, 0], [0, 0, turn], [0, 0, -turn]])
            for _ in range(4):
                moved = np.repeat(boxes[:, None], len(moves), 1)
                moved[..., [0, 1, 4]] += moves
                scores = _score(self.clearness(moved.reshape(-1, 5))).reshape(len(boxes), -1)
                choice = scores.argmax(1)
                better = np.flatnonzero(scores[np.arange(len(boxes)), choice] > best)
                if not len(better):
                    break
                boxes[better] = moved[better, choice[better]]
                best[better] = scores[better, choice[better]]
        return boxes, best


def find_cards(top: TopView, *, size_mm: tuple[float, float] | None = None) -> tuple[tuple[Card, ...], tuple[float, float] | None]:
    """All that has a card's outline, none covering another, the clearest first; and the cards' size (longer, shorter).

    Without a known size it is the one that most outlines share; None where nothing has an outline.
    """
    boxes, votes = find_boxes(top, size_mm=size_mm)
    if not len(boxes):
        return (), size_mm
    edges = Edges(top)
    size = size_mm or common_size(edges, boxes, votes)
    longer, shorter = boxes[:, 2:4].max(1), boxes[:, 2:4].min(1)
    near = (longer > 0.74 * size[0]) & (longer < 1.13 * size[0]) & (shorter > 0.74 * size[1]) & (shorter < 1.13 * size[1])
    begun = sized(boxes[near], size)
    fitted, scores = edges.fitted(begun)
    return _apart(fitted, scores, edges.clearness(fitted), votes[near]), size


def common_size(edges: Edges, boxes: Boxes, votes: NDArray[np.float64]) -> tuple[float, float]:
    """The size that most rectangles share, grown to the outermost edge that they share."""
    sides = np.c_[boxes[:, 2:4].max(1), boxes[:, 2:4].min(1)]
    ratio = np.log(sides)
    alike = (np.abs(ratio[:, None] - ratio[None]).max(-1) < SIZE_SPREAD).astype(np.float64)
    backing = alike @ np.minimum(votes, 4.0)
    mode = int(backing.argmax())
    members = alike[mode] > 0
    size = np.median(sides[members], axis=0)
    fitted, _ = edges.fitted(sized(boxes[members], (float(size[0]), float(size[1]))))
    clear = np.empty((len(MARGINS_MM), len(fitted)))
    for k, margin in enumerate(MARGINS_MM):
        grown = fitted.copy()
        grown[:, 2:4] += 2 * margin
        clear[k] = _score(edges.clearness(grown))
    curve = clear.mean(1)
    room = _spacing(fitted) - float(size[1])
    curve[max(room, 0.0) < 2 * MARGINS_MM] = 0.0      # the next card begins there
    peaks = [k for k in range(1, len(curve) - 1) if curve[k] >= curve[k - 1] and curve[k] >= curve[k + 1]]
    good = [k for k in peaks if curve[k] >= OUTERMOST * curve.max()]
    margin = MARGINS_MM[good[-1] if good else int(curve.argmax())]
    longer, shorter = float(size[0] + 2 * margin), float(size[1] + 2 * margin)
    return ((longer + shorter) / 2,) * 2 if longer < SQUARE * shorter else (longer, shorter)


def _spacing(boxes: Boxes) -> float:
    """From one middle to the next, mm, for most; infinite for a single one."""
    gap = np.hypot(*(boxes[:, None, :2] - boxes[None, :, :2]).transpose(2, 0, 1))
    gap[gap < boxes[0, 3] * 0.6] = np.inf
    return float(np.median(gap.min(1)))


def sized(boxes: Boxes, size_mm: tuple[float, float]) -> Boxes:
    """The boxes about the same middles with a card's sides, the longer one where theirs is the longer one, as width."""
    out = boxes.copy()
    upright = boxes[:, 3] > boxes[:, 2]
    out[upright, 4] += 90
    out[:, 2:4] = size_mm
    return out


def _apart(boxes: Boxes, scores: NDArray[np.float64], sides: NDArray[np.float32], votes: NDArray[np.float64]) -> tuple[Card, ...]:
    quads = quads_of(boxes)
    cards: list[Card] = []
    for i in np.argsort(-(scores + 0.02 * np.minimum(votes, 10)), kind="stable"):
        clear = float(np.sort(sides[i])[1:].mean())
        if clear < LEAST or any(iou(quads[i], c.quad) > LAPPED for c in cards):
            continue
        cards.append(Card(points(quads[i]), clear, float(votes[i])))
    return tuple(cards)


def _score(sides: NDArray[np.float32]) -> NDArray[np.float64]:
    """(k,) of (k, 4): the weakest side counts half: a hand or a neighbour may lie there."""
    return np.asarray((sides.sum(1) - 0.5 * sides.min(1)) / 3.5, np.float64)
