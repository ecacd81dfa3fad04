"""The circle as an observation tells it."""

from collections import Counter

from msgspec import UNSET, UnsetType

from vision.cards.outlines import PX_PER_MM
from vision.circle.faces import circle_cards
from vision.circle.laid import Laid, find_laid
from vision.circle.pawn import find_pawn
from vision.deck.pack import Pack
from vision.observation import Circle, WonCards
from vision.topview import View


def find_circle(view: View, *, size_mm: tuple[float, float] | None = None, pack: Pack | None = None) -> Circle | UnsetType:
    """The ring, the pawn and the cards won; UNSET where no ring lies. `size_mm`: longer and shorter side of a card where known."""
    laid = find_laid(view, view.top(PX_PER_MM), size_mm=size_mm, pack=pack)
    if laid is None:
        return UNSET
    x, y = laid.ring.centre
    return Circle(
        centre=(float(x), float(y)),
        places=circle_cards(view, laid, pack=pack),
        won=_won(view, laid),
        pawn=find_pawn(view, laid) or UNSET,
    )


def _won(view: View, laid: Laid) -> tuple[WonCards, ...]:
    """Cards in the players' areas: those whose whole outline is seen."""
    others = [c for c, place in zip(laid.cards, laid.ring.places, strict=True) if place is None]
    zones = Counter(view.table.zone((float(c.at[0]), float(c.at[1]))) for c in others)
    seats = [seat.name for seat in view.table.seats]
    return tuple(WonCards(zone, zones[zone]) for zone in seats if zones[zone])
