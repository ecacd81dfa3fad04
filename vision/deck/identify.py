"""Which photos of the deck lie on the table: sure, between some, or unknown.

    looks = [look(view, photo, deck, photos) for photo in photos]
    named = name([[look] for look in looks], deck)        # several looks at a photo, of one still table, are told together

Two photos of one frame are two cards, so they are named together. A photo of another deck, or a card the pack lacks, stays unknown.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from msgspec.structs import replace
from numpy.typing import NDArray

from vision.deck.deck import Deck
from vision.deck.decode import Evidence
from vision.deck.faces import Mask
from vision.geometry import Picture, Points, iou, points, transform
from vision.observation import Photo, Side, quad_of
from vision.topview import View

ROOM = 1.08              # a photo is cut out so much larger: its outline may be some mm off
FINER = 1.15             # than the camera sees it, so that nothing is lost
LACKING = 0.004          # a photo is so often one that the pack lacks
AGAIN = 0.4              # weight of further looks at one side: noise is fresh, light and bend are not
SUREST = 0.998           # of a name: packs have faults, too
UNREAD = 0.5             # a guess that is no surer is none
LARGEST_PX = 320         # a photo that the camera sees larger is cut out no larger: it would take longer and tell no more
SHAPE = 0.2              # of the logarithm of width by height: an outline so far from the deck's shape lies the other way
SAME = 0.5               # IoU of two outlines of one photo
LIES_SO = 0.6            # correlation from which the deck tells the outline better than its edges

Distribution = NDArray[np.float64]


@dataclass(frozen=True)
class Look:
    """One look at a photo of the table. `quad` (4, 2) mm begins at the picture's own top left where it is `upright`."""

    side: Side
    evidence: Evidence
    quad: Points

    @property
    def upright(self) -> bool:
        """Whether the deck tells how the picture lies."""
        return _tells_how_it_lies(self.evidence)


@dataclass(frozen=True)
class Named:
    """Who a photo is. `likely`: ids with probabilities, likeliest first; what they lack to 1 is a photo unknown here."""

    likely: tuple[tuple[str, float], ...]

    @property
    def id(self) -> str | None:
        """The likeliest, where it is likelier than all else."""
        return self.likely[0][0] if self.likely and self.likely[0][1] > UNREAD else None

    @property
    def sure(self) -> float:
        """The probability of `id`; of the best guess, at most UNREAD, where there is none."""
        return self.likely[0][1] if self.likely else 0.0


def look(view: View, photo: Photo, deck: Deck, photos: Sequence[Photo] = ()) -> Look | None:
    """A look at a photo; None where its side is unread or the pack has none of that side.

    `photos`: all of the frame. Where another lies over one, nothing is read.
    """
    if photo.side is None or photo.side not in deck.decoders:
        return None
    quad = points(photo.quad)
    decoder = deck.decoders[photo.side]
    px = view.table.to_px(quad)
    width_mm, height_mm = (float(np.hypot(*(quad[i] - quad[0]))) for i in (1, 3))
    longer_px = float(max(np.hypot(*(px[i] - px[j])) for i, j in ((0, 1), (1, 2), (2, 3), (3, 0))))
    scale = min(longer_px, LARGEST_PX) / max(width_mm, height_mm) * FINER * ROOM
    middle = quad.mean(0)
    wide = points(middle + (quad - middle) * ROOM)
    cut = view.cut(wide, max(16, round(width_mm * scale)), max(16, round(height_mm * scale)))
    h, w = decoder.face.median.shape[:2]
    ratio = np.log(width_mm / height_mm)
    turns = [turn for turn in range(4) if abs(ratio - np.log(w / h) * (-1) ** turn) < SHAPE]
    shared = _shared(quad, wide, photos, cut)
    evidence = decoder.read(cut, longer_px=longer_px, turns=turns or range(4), begin=np.diag([1 / ROOM, 1 / ROOM, 1.0]), doubtful=shared)
    corners = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]], np.float64)
    told = quad
    if _tells_how_it_lies(evidence):
        to_mm = cv2.getPerspectiveTransform(corners.astype(np.float32), wide.astype(np.float32))
        told = transform(to_mm, transform(evidence.fit.matrix, corners))
    return Look(photo.side, evidence, told)


def _tells_how_it_lies(evidence: Evidence) -> bool:
    return evidence.ours and evidence.fit.alike >= LIES_SO


def _shared(quad: Points, wide: Points, photos: Sequence[Photo], cut: Picture) -> Mask | None:
    """Where in the cut of `wide` another photo lies over or under the one of `quad`; None where none does."""
    h, w = cut.shape[:2]
    to_cut = cv2.getPerspectiveTransform(wide.astype(np.float32), np.array([[0, 0], [w, 0], [w, h], [0, h]], np.float32))
    mask = np.zeros((h, w), np.uint8)
    for other in photos:
        if other.sure["found"] >= UNREAD and iou(quad, other.quad) < SAME:
            cv2.fillConvexPoly(mask, np.rint(transform(to_cut, other.quad)).astype(np.int32), 1)
    return mask > 0 if mask.any() else None


def beliefs(looks: Sequence[Sequence[Look | None]], deck: Deck) -> list[Distribution]:
    """For each photo the probability of each card and, last, of a photo that the pack lacks; from all its looks."""
    out = []
    for of_one in looks:
        told = [each for each in of_one if each is not None and each.evidence.ours]
        cards = len(deck.ids)
        if not told:
            out.append(np.r_[np.zeros(cards), 1.0])
            continue
        log = np.r_[np.full(cards, np.log((1 - LACKING) / cards)), np.log(LACKING)]
        for side in dict.fromkeys(each.side for each in told):
            ranked = sorted((each.evidence for each in told if each.side == side), key=lambda e: -e.seen)
            for n, evidence in enumerate(ranked):
                mine = np.r_[evidence.cards, evidence.stranger]
                log = log + (1.0 if n == 0 else AGAIN) * (mine - mine.max())
        p = np.exp(log - log.max())
        out.append(p / p.sum())
    return out


def name(looks: Sequence[Sequence[Look | None]], deck: Deck) -> tuple[Named, ...]:
    """Each photo's name, from its looks. Two photos are two cards."""
    each = beliefs(looks, deck)
    if len(each) == 2:
        together = joint(each[0], each[1])
        each = [together.sum(1), together.sum(0)]
    return tuple(_named(p, deck) for p in each)


def joint(a: Distribution, b: Distribution) -> Distribution:
    """(cards + 1, cards + 1): the probability of each two cards, which are never the same; the last row and column: unknown ones."""
    both = np.outer(a, b)
    known = np.arange(len(a) - 1)
    both[known, known] = 0.0
    total = both.sum()
    return np.asarray(both / total if total > 0 else np.full_like(both, 0.0), np.float64)


def counts(a: Distribution, b: Distribution, deck: Deck) -> Distribution:
    """What the deck says of the number of differences: (most + 1,) probabilities. They lack to 1 what is unknown."""
    both = joint(a, b)[:-1, :-1]
    return np.asarray(np.bincount(deck.matrix.ravel(), weights=both.ravel()), np.float64)


def tell(photos: Sequence[Photo], looks: Sequence[Look | None], deck: Deck) -> tuple[Photo, ...]:
    """The photos of one frame with their ids, and with their corners from the picture's own top left."""
    names = name([[each] for each in looks], deck)
    return tuple(_as_told(photo, each, who) for photo, each, who in zip(photos, looks, names, strict=True))


def _as_told(photo: Photo, seen: Look | None, who: Named) -> Photo:
    quad = photo.quad if seen is None else quad_of(seen.quad)
    sure = who.sure if who.id is not None else min(who.sure, UNREAD)
    return replace(photo, quad=quad, id=who.id, sure={**photo.sure, "id": sure * photo.sure["side"]})


def _named(p: Distribution, deck: Deck) -> Named:
    p = np.minimum(p, SUREST)
    order = np.argsort(-p[:-1])[:4]
    return Named(tuple((deck.ids[n], float(p[n])) for n in order if p[n] > 0.005))
