"""Whether a pack is that of the deck on the table: what speaks against it, as keys of advice (contract §4).

A wrong pack names nothing; it must not do so silently. What hardly shows, or may be covered, speaks neither for a pack nor against it.
"""

from collections.abc import Mapping, Sequence

from vision.deck.deck import Deck
from vision.deck.identify import Look, beliefs
from vision.observation import ASSERTED, Board, Circle, Photo

ANOTHER_DECK = "another-deck"
NOT_IN_PACK = "card-not-in-pack"
NO_SUCH_SIDE = "side-not-in-pack"
SAID: Mapping[str, str] = {
    ANOTHER_DECK: "what lies there is not of this pack's deck, so the pack names nothing; name the pack of the deck on the table",
    NOT_IN_PACK: "a card that lies there is none of the pack's; add it with `companion deck add`",
    NO_SUCH_SIDE: "the pack has no pictures of the side that lies up, so none is named; scan that side with `companion deck scan`",
}

STRANGE = 0.4       # correlation with the deck's picture: other decks' photos reach 0.36; the deck's own, a third of them covered, have 0.6
HIDDEN = 0.2        # of a photo: with more of it hidden it says nothing of the pack
READ = 0.8          # of a photo's places that vary,
PLAIN = 0.8         # and of correlation: a card that the pack lacks is told of a photo that is covered nowhere
FEWEST = 4          # cards or tiles face up, none of which the pack knows


def of_photos(photos: Sequence[Photo], looks: Sequence[Sequence[Look | None]], deck: Deck) -> tuple[str, ...]:
    """What the photos of one table say, with all `looks` at each; None is a look at a side that the pack lacks."""
    plain = [n for n, p in enumerate(photos) if p.side and min(p.sure["found"], p.sure["side"]) >= ASSERTED and p.hidden <= HIDDEN]
    if any(photos[n].side not in deck.decoders for n in plain):
        return (NO_SUCH_SIDE,)
    told = [[each for each in looks[n] if each is not None] for n in plain]
    if any(told) and all(each.evidence.fit.alike < STRANGE for of_one in told for each in of_one):
        return (ANOTHER_DECK,)
    read = [of_one for of_one in told if any(each.evidence.seen >= READ and each.evidence.fit.alike >= PLAIN for each in of_one)]
    return (NOT_IN_PACK,) if any(p[-1] >= ASSERTED for p in beliefs(read, deck)) else ()


def of_cards(laid: Circle | Board) -> tuple[str, ...]:
    """What a circle's cards, or a board's tiles, that were told by a pack say.

    One is lacking that shows plainly, all that it has in common with others is read, and yet it is none of the pack's.
    """
    if isinstance(laid, Circle):
        up = [p for p in laid.places if p.face == "up" and min(p.sure["found"], p.sure["face"]) >= ASSERTED]
        known = [p.id is not None for p in up]
        lacking = [p.id is None and _told(p.sure, "arrow", "steps") for p in up]
    else:
        there = [t for t in laid.tiles if min(t.sure["found"], t.sure["side"]) >= ASSERTED]
        known = [t.witness is not None for t in there]
        lacking = [t.side == "suspect" and t.id is None and _told(t.sure, "suspect") for t in there]
    if len(known) >= FEWEST and not any(known):
        return (ANOTHER_DECK,)
    return (NOT_IN_PACK,) if any(lacking) else ()


def _told(sure: Mapping[str, float], *what: str) -> bool:
    return all(sure.get(key, 0.0) >= ASSERTED for key in what)
