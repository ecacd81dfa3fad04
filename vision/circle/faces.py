"""What each card of the ring says, as an observation tells it: by a pack, else read off the card."""

import numpy as np

from vision.cards.looks import upright
from vision.cards.pack import FRONT, likeliest
from vision.cards.prints import Match
from vision.circle.arrows import Arrow, read_arrows
from vision.circle.laid import Laid
from vision.circle.ring import Ring
from vision.deck.pack import Pack
from vision.geometry import Points, points
from vision.observation import CircleCard, Sure, quad_of
from vision.topview import View

READ = 0.5                     # less probable values are not told
CLEAR, CLEARING = 0.35, 16.0   # clearness of a card's sides that makes it likely, and its log odds a unit
BEARS = (0.2, 0.95)            # an arrow or a back alone says no more of there being a card
DOUBTED, MISNUMBERED = 0.75, 0.85   # with a less probable card among them, no place's number is surer than this
LAID_OUTWARD = 0.97            # cards are laid arrow outward; one in thirty lies wrongly


def circle_cards(view: View, laid: Laid, *, pack: Pack | None = None) -> tuple[CircleCard, ...]:
    """The cards of the ring, place by place."""
    placed = sorted((place, k) for k, place in enumerate(laid.ring.places) if place is not None)
    named = {k: match for _, k in placed if (match := laid.matches[k]) is not None and match.side == FRONT and match.there >= READ}
    unnamed = [k for _, k in placed if laid.down[k] < 0.5 and k not in named]
    outward = [_outward(laid.cards[k].quad, laid.ring) for k in unnamed]
    arrows = dict(zip(unnamed, read_arrows(view, outward), strict=True))
    found = {k: _found(laid, k, arrows.get(k)) for _, k in placed}
    numbered = laid.ring.sure if min(found.values(), default=1.0) >= DOUBTED else min(laid.ring.sure, MISNUMBERED)
    out = []
    for place, k in placed:
        card, down = laid.cards[k], float(laid.down[k])
        sure = {"found": min(found[k], numbered), "face": max(down, 1 - down)}
        if down >= 0.5:
            out.append(CircleCard(place=place + 1, face="down", quad=quad_of(_outward(card.quad, laid.ring)), sure=sure))
        elif k in named and pack is not None:
            out.append(_named(place + 1, sure, card.quad, named[k], laid.ring, pack))
        else:
            out.append(_read(place + 1, sure, _outward(card.quad, laid.ring), arrows[k], id_asked=pack is not None))
    return tuple(out)


def _found(laid: Laid, k: int, arrow: Arrow | None) -> float:
    """That a card lies there: clear sides, a card's content, and an arrow or a back."""
    clear = 1 / (1 + np.exp(-CLEARING * (laid.cards[k].clear - CLEAR) - laid.cards[k].votes))
    bears = float(np.clip(arrow.there if arrow is not None else max(laid.down[k], 0.5), *BEARS))
    odds = laid.card[k] / max(1 - laid.card[k], 1e-6) * bears / (1 - bears)
    return float(min(clear, odds / (1 + odds)))


def _named(place: int, sure: Sure, quad: Points, match: Match, ring: Ring, pack: Pack) -> CircleCard:
    """What the pack says of a card that lies face up."""
    card_id, surely = likeliest(pack, match, "id")
    arrow, arrow_surely = likeliest(pack, match, "arrow")
    steps, steps_surely = likeliest(pack, match, "steps")
    turned = upright(quad, match.turn)
    return CircleCard(
        place=place,
        face="up",
        quad=quad_of(turned),
        sure=sure | {"id": surely, "arrow": arrow_surely, "steps": steps_surely},
        id=card_id if surely >= READ else None,
        object=pack.card(card_id).object if surely >= READ else None,
        arrow=arrow if arrow_surely >= READ else None,
        steps=steps if steps_surely >= READ else None,
        outward=_points_outward(turned, ring) if surely >= READ else None,
    )


def _read(place: int, sure: Sure, quad: Points, arrow: Arrow, *, id_asked: bool) -> CircleCard:
    """What is read off a card; its quad begins with the outward side."""
    outward = arrow.side == 0
    there = arrow.there * LAID_OUTWARD / (arrow.there * LAID_OUTWARD + (1 - arrow.there) * (1 - LAID_OUTWARD)) if outward else arrow.there
    way, steps = there * arrow.way_sure, there * arrow.steps_sure
    return CircleCard(
        place=place,
        face="up",
        quad=quad_of(upright(quad, arrow.side)),
        sure=sure | {"arrow": way, "steps": steps} | ({"id": READ} if id_asked else {}),
        arrow=arrow.way if way >= READ else None,
        steps=arrow.steps if steps >= READ else None,
        outward=outward if there >= READ else None,
    )


def _points_outward(turned: Points, ring: Ring) -> bool:
    """Whether the first side of a quad lies outward."""
    return float(((turned[0] + turned[1]) / 2 - turned.mean(0)) @ (turned.mean(0) - ring.centre)) > 0


def _outward(quad: Points, ring: Ring) -> Points:
    """The quad from the corner whose next side lies outward."""
    away = quad.mean(0) - ring.centre
    side = [float(((quad[k] + quad[(k + 1) % 4]) / 2 - quad.mean(0)) @ away) for k in range(4)]
    return points(np.roll(quad, -int(np.argmax(side)), axis=0))
