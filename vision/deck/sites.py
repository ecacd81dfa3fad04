"""In how many places two photos of a deck differ: each photo's departures from the common picture, gathered to sites of the deck.

A departure is what hangs together, what one printed circle holds, or a thing that left one place for another. Departures of
several photos at the same place are one site; photos that look alike there do not differ there.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.deck.align import Reference, warped
from vision.deck.faces import Laid, Mask, differ, distance, lab
from vision.geometry import Picture

CLOSE = 0.012            # of the width: parts of one thing lie no farther apart
CIRCLE = 0.85            # of the smallest circle around it that a printed circle fills, with what it holds
HOLLOW = 0.8             # of which a circle's line and what changed in it cover no more, as a rule
SAME_PLACE = 0.35        # of the smaller departure that another covers: they are at one site
MOVED = 0.9              # correlation of what left one place with what came to another
MOVED_PATTERN = 0.75     # the same of their patterns, each colour's mean taken out
SAME_OUTLINE = 0.6       # IoU of their outlines
CIRCLE_LINE = 0.012      # of the width: the thickest line of a printed circle
GREY = 4.0               # Lab: a side whose colours lie no farther from grey, as a rule, is a grey one
COLOUR = 10.0            # Lab: what lies so far from grey on such a side is coloured ink,
INK_EDGE_PX = 5          # with its soft edge
SAME_FRAME = 0.5         # correlation of backs with fronts from which they are one picture


@dataclass(frozen=True)
class Sites:
    """`boxes` (sites, 4): x, y, width, height in the common frame's pixels.

    `looks` (cards, sites): which look a card has there, 0 the common one.
    """

    boxes: NDArray[np.int32]
    looks: NDArray[np.int16]
    circled: NDArray[np.bool_]    # (cards, sites): the card's back has a circle there

    def matrix(self) -> NDArray[np.int16]:
        """(cards, cards): in how many sites two cards differ."""
        return np.asarray((self.looks[:, None] != self.looks[None]).sum(2), np.int16)


@dataclass(frozen=True)
class _Departure:
    card: int
    mask: Mask                   # (H, W)


def find_sites(content: Laid, backs: Laid | None = None, *, circles_are_ink: bool = False) -> Sites:
    """The sites of a deck. `content`: the side that is compared; `backs`: the other one, whose circles tell what belongs together.

    `circles_are_ink`: `content` itself bears the circles.
    """
    circles = _circles(content.changed) if circles_are_ink else _carried(backs, content.median) if backs is not None else None
    ink = coloured(content) if circles_are_ink else np.zeros_like(content.changed)
    departures = [d for n in range(len(content.stack))
                  for d in _departures(n, content, circles[n] if circles else [], ink[n] if circles_are_ink else None)]
    groups = _gathered(departures)
    shape = (len(content.stack), len(groups))
    boxes, looks, circled = np.zeros((len(groups), 4), np.int32), np.zeros(shape, np.int16), np.zeros(shape, bool)
    for s, group in enumerate(groups):
        whole = np.any([d.mask for d in group], axis=0)
        x, y, w, h = cv2.boundingRect(whole.astype(np.uint8))
        boxes[s] = x, y, w, h
        box = (slice(y, y + h), slice(x, x + w))
        looks[:, s] = _looks_at(content, group, box, ink)
        for n, rings in enumerate(circles or []):
            circled[n, s] = any((ring & whole).any() and _covers(ring, whole) for ring in rings)
    return Sites(boxes, looks, circled)


def coloured(content: Laid) -> NDArray[np.bool_]:
    """(cards, H, W): what is printed in colour on a grey side: circles and their numbers, which are no differences."""
    grey = lab(content.median)[..., 1:]
    tint = np.median(grey.reshape(-1, 2), axis=0)
    if float(np.median(distance(grey, tint))) > GREY:
        return np.zeros_like(content.changed)
    around = np.ones((INK_EDGE_PX, INK_EDGE_PX), np.uint8)
    inked = (distance(lab(np.asarray(picture, np.uint8))[..., 1:], tint) > COLOUR for picture in content.stack)
    return np.stack([cv2.dilate(mask.astype(np.uint8), around) > 0 for mask in inked])


def _departures(n: int, content: Laid, circles: Sequence[Mask], ink: Mask | None) -> list[_Departure]:
    """`ink` (H, W): what is printed in colour on a side that bears the circles itself; None of one that does not."""
    mask = content.changed[n].copy()
    if ink is not None:
        for circle in circles:
            mask &= ~(circle & ~_eroded(circle, content.median.shape[1]))
        mask &= ~ink
    size = max(1, round(CLOSE * mask.shape[1])) * 2 + 1
    closed = cv2.morphologyEx(mask.astype(np.uint8), cv2.MORPH_CLOSE, cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (size, size)))
    count, labels = cv2.connectedComponents(closed, connectivity=8)
    parts = [part for k in range(1, count) if (part := np.asarray((labels == k) & mask)).any()]   # closing may fill a spot of its own
    parent = list(range(len(parts)))
    for i in range(len(parts)):
        for j in range(i):
            together = any(_covers(c, parts[i]) and _covers(c, parts[j]) for c in circles)
            if together or _moved(content.median, np.asarray(content.stack[n]), parts[i], parts[j]):
                parent = [parent[i] if p == parent[j] else p for p in parent]
    return [_Departure(n, np.any([parts[i] for i in range(len(parts)) if parent[i] == p], axis=0)) for p in dict.fromkeys(parent)]


def _gathered(departures: Sequence[_Departure]) -> list[list[_Departure]]:
    """Departures at one place together."""
    areas = [np.count_nonzero(d.mask) for d in departures]
    rects = [cv2.boundingRect(d.mask.astype(np.uint8)) for d in departures]
    group = list(range(len(departures)))
    for i in range(len(departures)):
        for j in range(i):
            if group[i] == group[j] or not _touch(rects[i], rects[j]):
                continue
            common = np.count_nonzero(departures[i].mask & departures[j].mask)
            if common > SAME_PLACE * min(areas[i], areas[j]):
                group = [group[j] if g == group[i] else g for g in group]
    return [[d for d, g in zip(departures, group, strict=True) if g == name] for name in dict.fromkeys(group)]


def _looks_at(content: Laid, group: Sequence[_Departure], box: tuple[slice, slice], ink: NDArray[np.bool_]) -> NDArray[np.int16]:
    index = np.zeros(len(content.stack), np.int16)
    masks: dict[int, Mask] = {}
    for d in group:
        masks[d.card] = masks.get(d.card, np.zeros(d.mask[box].shape, bool)) | d.mask[box]
    kinds: list[int] = []      # a card of each look
    for card, mask in masks.items():
        for k, other in enumerate(kinds, 1):
            both = np.asarray((mask | masks[other]) & ~ink[card][box] & ~ink[other][box])
            if not differ(content.stack[card][box], content.stack[other][box], both, content.noise[box]):
                index[card] = k
                break
        else:
            kinds.append(card)
            index[card] = len(kinds)
    return index


def _circles(changed: NDArray[np.bool_]) -> list[list[Mask]]:
    """Of each card: the printed circles with what they hold, (H, W) each."""
    return [_circles_of(np.asarray(mask)) for mask in changed]


def _circles_of(mask: Mask) -> list[Mask]:
    out: list[Mask] = []
    contours, _ = cv2.findContours(mask.astype(np.uint8), cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    for contour in contours:
        _, radius = cv2.minEnclosingCircle(contour)
        area = cv2.contourArea(contour)
        if radius < 0.02 * mask.shape[1] or area < CIRCLE * np.pi * radius**2:
            continue
        filled = np.zeros(mask.shape, np.uint8)
        cv2.drawContours(filled, [contour], -1, 1, cv2.FILLED)
        if np.count_nonzero(mask & (filled > 0)) < HOLLOW * np.count_nonzero(filled) or radius > 0.03 * mask.shape[1]:
            out.append(filled > 0)
    return out


def _carried(backs: Laid, front: Picture) -> list[list[Mask]] | None:
    """The circles of the backs as they lie on the fronts; None where the backs show another picture."""
    fit = Reference(front).fit(backs.median)
    if fit.alike < SAME_FRAME:
        return None
    h, w = front.shape[:2]
    carried = [np.asarray(warped(mask.astype(np.float32), fit.matrix, w, h)) > 0.5 for mask in backs.changed]
    return [_circles_of(np.asarray(mask)) for mask in carried]


def _covers(circle: Mask, part: Mask) -> bool:
    return bool(np.count_nonzero(circle & part) > 0.6 * np.count_nonzero(part))


def _eroded(circle: Mask, width: int) -> Mask:
    n = 2 * round(CIRCLE_LINE * width) + 1
    return np.asarray(cv2.erode(circle.astype(np.uint8), np.ones((n, n)))) > 0


def _moved(common: Picture, card: Picture, one: Mask, other: Mask) -> bool:
    """Whether the common picture's thing at one place is the card's thing at the other: the same outline, filled alike.

    A bare ground that shows where a thing is gone is like a bare ground elsewhere: what moved shows more than what is there without it.
    """
    for here, there in ((one, other), (other, one)):
        if _spread(common, here) <= _spread(card, here) or _spread(card, there) <= _spread(common, there):
            continue
        x, y, w, h = cv2.boundingRect(here.astype(np.uint8))
        u, v, p, q = cv2.boundingRect(there.astype(np.uint8))
        mx, my = max(0, w - p) // 2 + 3, max(0, h - q) // 2 + 3
        left, top = max(0, u - mx), max(0, v - my)
        window = card[top : v + q + my, left : u + p + mx]
        if window.shape[0] < h or window.shape[1] < w:
            continue
        thing, outline = common[y : y + h, x : x + w], here[y : y + h, x : x + w]
        mask = np.repeat(outline[..., None].astype(np.float32), 3, 2)
        likeness = cv2.matchTemplate(window.astype(np.float32), thing.astype(np.float32), cv2.TM_CCOEFF_NORMED, mask=mask)
        likeness = np.where(np.isfinite(likeness), likeness, -1)
        i, j = (int(k) for k in np.unravel_index(int(likeness.argmax()), likeness.shape))
        if likeness[i, j] < MOVED:
            continue
        came = there[top + i : top + i + h, left + j : left + j + w]
        same = int((came & outline).sum()) > SAME_OUTLINE * int((came | outline).sum())
        if same and _filled_alike(thing, window[i : i + h, j : j + w], outline):
            return True
    return False


def _spread(picture: Picture, where: Mask) -> float:
    return float(picture[where].astype(np.float32).std(0).sum())


def _filled_alike(one: Picture, other: Picture, where: Mask) -> bool:
    """Whether two things have the same pattern, and not only the same colours."""
    a, b = (v[where].astype(np.float64) for v in (one, other))
    a, b = a - a.mean(0), b - b.mean(0)
    return float((a * b).sum()) > MOVED_PATTERN * float(np.sqrt((a * a).sum() * (b * b).sum()))


def _touch(a: Sequence[int], b: Sequence[int]) -> bool:
    return a[0] < b[0] + b[2] and b[0] < a[0] + a[2] and a[1] < b[1] + b[3] and b[1] < a[1] + a[3]
