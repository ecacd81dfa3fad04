"""Who the round's two photos are, by the deck: several looks at each, at either side, told together.

Nothing of this is shown before the photos are turned; it is the deck's word in the count.
"""

from collections.abc import Sequence

import numpy as np

from companion.reading.pair import MOVED_MM, Lying
from vision.deck.deck import Deck
from vision.deck.doubts import of_photos
from vision.deck.identify import Distribution, Look, beliefs, counts, look, name
from vision.deck.witness import joined
from vision.geometry import Points, begun_like
from vision.observation import ASSERTED, Differences, Photo, Side, quad_of
from vision.topview import View

MOST = 4            # looks at one side: more of one light tell nothing new
TWICE = 2           # looks at each photo, before the pack itself is doubted
CERTAIN = 0.995     # so sure, no further look at that side is needed
LIKELY = 0.5        # a count that is no surer is none


class Names:
    """The names of one pair, from `begin` on."""

    def __init__(self, deck: Deck) -> None:
        self.deck = deck
        self._looks: tuple[list[Look], list[Look]] = ([], [])
        self._at: list[Points] = []          # where both lie, (2,) mm

    def begin(self) -> None:
        """Two other photos are laid."""
        self._looks, self._at = ([], []), []

    def look(self, view: View, photos: Sequence[Lying]) -> None:
        """Takes in a settled frame in which both photos show. Photos that lie elsewhere than those known are other photos."""
        middles = [p.quad.mean(0) for p in photos]
        if len(self._at) == 2 and _apart(middles, self._at[::-1]) < _apart(middles, self._at):
            photos, middles = photos[::-1], middles[::-1]
        if len(self._at) == 2 and _apart(middles, self._at) > MOVED_MM:
            self.begin()
        self._at = middles
        both = [_as_photo(lying) for lying in photos]
        seen = [look(view, photo, self.deck, both) for photo in both]
        now, then = name([[each] for each in seen], self.deck), name(self._looks, self.deck)
        if any(a.sure >= ASSERTED and b.sure >= ASSERTED and a.id != b.id for a, b in zip(now, then, strict=True)):
            self.begin()                     # other photos lie where those lay
            self._at = middles
        for new, looks in zip(seen, self._looks, strict=True):
            if new is not None:
                looks.append(new)

    def worth_a_look(self, side: Side) -> bool:
        """Whether another look at that side may tell more."""
        looks = [sum(each.side == side for each in of_one) for of_one in self._looks]
        return min(looks) == 0 or (min(looks) < MOST and min(named.sure for named in name(self._looks, self.deck)) < CERTAIN)

    def ids(self, photos: Sequence[Lying]) -> list[str | None]:
        """The ids of these photos, in their order; None for one that is not told surely."""
        named = [each.id if each.sure >= ASSERTED else None for each in name(self._looks, self.deck)]
        return named[::-1] if self._crossed(photos) else named

    def sure(self, photos: Sequence[Lying]) -> list[float]:
        """The probability of the likeliest name of each."""
        sure = [each.sure for each in name(self._looks, self.deck)]
        return sure[::-1] if self._crossed(photos) else sure

    def doubts(self, photos: Sequence[Lying]) -> tuple[str, ...]:
        """What speaks against the pack, once these photos were looked at twice or lie on a side that it lacks: keys of advice."""
        looks = min(len(of_one) for of_one in self._looks)
        lacking = any(p.side is not None and p.side not in self.deck.decoders for p in photos)
        if len(photos) != 2 or (looks > 0 if lacking else looks < TWICE):   # their other side may have named them
            return ()
        lying = [_as_photo(p) for p in photos]
        return of_photos(lying, self._looks[::-1] if self._crossed(photos) else self._looks, self.deck)

    def count(self) -> int | None:
        """In how many places the deck says that the two differ; None where it is not told more likely than not."""
        a, b = beliefs(self._looks, self.deck)
        spread = counts(a, b, self.deck)
        return int(spread.argmax()) if spread.size and spread.max() > LIKELY else None

    def told(self, said: Differences, view: View, photos: Sequence[Lying]) -> Differences:
        """What the pictures show of two photos as they lie now, joined with the deck's word."""
        crossed = self._crossed(photos)
        order = self._looks[::-1] if crossed else self._looks
        if any(not looks or looks[-1].side != p.side for looks, p in zip(order, photos, strict=True)):
            return said
        both: Sequence[Distribution] = beliefs(order, self.deck)
        fused = joined(said, both, self.deck, view, [looks[-1].quad for looks in order])
        return fused if isinstance(fused, Differences) else said

    def upright(self, photos: Sequence[Lying]) -> list[Points] | None:
        """The photos' quads (mm) as they lie now, each begun at the picture's own top left; None where the deck does not tell."""
        order = self._looks[::-1] if self._crossed(photos) else self._looks
        if not all(looks and looks[-1].upright for looks in order):
            return None
        return [begun_like(p.quad, looks[-1].quad) for looks, p in zip(order, photos, strict=True)]

    def _crossed(self, photos: Sequence[Lying]) -> bool:
        """Whether these photos come in the other order."""
        middles = [p.quad.mean(0) for p in photos]
        return len(self._at) == 2 and _apart(middles, self._at[::-1]) < _apart(middles, self._at)


def _as_photo(lying: Lying) -> Photo:
    return Photo(quad=quad_of(lying.quad), side=lying.side, sure={"found": lying.found, "side": lying.sure})


def _apart(one: Sequence[Points], other: Sequence[Points]) -> float:
    """The farther of both distances, mm."""
    return float(max(np.hypot(*(a - b)) for a, b in zip(one, other, strict=True)))
