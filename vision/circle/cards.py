"""The cards of the circle: each one's place and face, and what a card that lies face up says."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.cards.contours import box_of, quads_of, told
from vision.cards.groups import SAME, SAYING, alike, linked
from vision.cards.looks import ROOM_PX, cut, inner, look, turns_of, upright
from vision.cards.outlines import Card, Edges, find_cards
from vision.cards.pack import BACK, FRONT, likeliest, prints_of
from vision.cards.prints import Match, Prints, identify
from vision.circle.ring import INSIDE, Ring, find_ring
from vision.deck.pack import Pack
from vision.geometry import Points, iou, points
from vision.observation import CircleCard
from vision.topview import TopView, View

READ = 0.5                # less probable values are not told
USUAL_DOWN = 0.5          # that a card lies face down, where nothing tells
CLEAR, CLEARING = 0.35, 16.0   # clearness of a card's sides that makes it likely, and its log odds a unit
FAINT_CARD = 0.4          # clearness of a card that only its place told of
LAPPED = 0.2
ODDS = (0.02, 0.98)       # no witness alone says more of a face


@dataclass(frozen=True)
class Laid:
    """All cards on the table, those of the ring with their places."""

    cards: tuple[Card, ...]
    size_mm: tuple[float, float]
    ring: Ring
    looks: NDArray[np.float32]
    seen: NDArray[np.bool_]
    down: NDArray[np.float64]             # of each: that it lies face down
    matches: tuple[Match | None, ...]     # by the pack


def find_laid(view: View, top: TopView, *, size_mm: tuple[float, float] | None = None, pack: Pack | None = None) -> Laid | None:
    """The circle's cards; None where fewer than three lie in a ring."""
    cards, size = find_cards(top, size_mm=size_mm)
    if size is None:
        return None
    up = _up(view)
    ring = _ring(view, cards, up)
    if ring is None:
        return None
    more = _second_look(top, cards, ring, size)
    if more:
        cards = (*cards, *more)
        ring = _ring(view, cards, up) or ring
    wide, wide_seen = look([cut(top, c.quad, room=ROOM_PX) for c in cards])
    looks, seen = inner(wide), inner(wide_seen)
    prints = prints_of(pack) if pack is not None else None
    turns = turns_of((pack.size_mm if pack is not None else None) or size)
    matches: list[Match | None] = list(identify(prints, wide, wide_seen, turns)) if prints is not None else [None] * len(cards)
    down = _down(cards, ring, looks, seen, turns_of(size), prints, matches)
    return Laid(cards, size, ring, looks, seen, down, tuple(matches))


def circle_cards(laid: Laid, *, pack: Pack | None = None) -> tuple[CircleCard, ...]:
    """The cards of the ring as an observation tells them, place by place."""
    placed = sorted((place, k) for k, place in enumerate(laid.ring.places) if place is not None)
    return tuple(_told(laid, k, place + 1, pack) for place, k in placed)


def _told(laid: Laid, k: int, place: int, pack: Pack | None) -> CircleCard:
    card, match, down = laid.cards[k], laid.matches[k], float(laid.down[k])
    there = float(1 / (1 + np.exp(-CLEARING * (card.clear - CLEAR) - card.votes)))
    found = min(there, laid.ring.sure)
    sure = {"found": found, "face": max(down, 1 - down)}
    quad = _outward(card.quad, laid.ring)
    if down >= 0.5:
        return CircleCard(place=place, face="down", quad=told(quad), sure=sure)
    if match is None or pack is None or match.side != FRONT:
        return CircleCard(place=place, face="up", quad=told(quad), sure=sure | {"arrow": READ, "steps": READ})
    return _named(place, sure, card.quad, match, laid.ring, pack)


def _named(place: int, sure: dict[str, float], quad: Points, match: Match, ring: Ring, pack: Pack) -> CircleCard:
    """What the pack says of a card that lies face up."""
    card_id, surely = likeliest(pack, match, "id")
    arrow, arrow_surely = likeliest(pack, match, "arrow")
    steps, steps_surely = likeliest(pack, match, "steps")
    turned = upright(quad, match.turn)
    out = float(((turned[0] + turned[1]) / 2 - turned.mean(0)) @ (turned.mean(0) - ring.centre)) > 0
    return CircleCard(
        place=place,
        face="up",
        quad=told(turned),
        sure=sure | {"id": surely, "arrow": arrow_surely, "steps": steps_surely},
        id=card_id if surely >= READ else None,
        object=pack.card(card_id).object if surely >= READ else None,
        arrow=arrow if arrow_surely >= READ else None,
        steps=steps if steps_surely >= READ else None,
        outward=out if surely >= READ else None,
    )


def _up(view: View) -> NDArray[np.float64]:
    """The direction on the table (mm) that goes up in the picture."""
    middle = points([view.table.centre_mm()])
    px = view.table.to_px(middle)[0]
    up = view.table.to_mm([px - np.array([0, 40])])[0] - middle[0]
    return np.asarray(up / np.hypot(*up), np.float64)


def _ring(view: View, cards: Sequence[Card], up: NDArray[np.float64]) -> Ring | None:
    at = points([c.at for c in cards])
    central = [not view.table.common or view.table.zone((float(x), float(y))) == "common" for x, y in at]
    turns = [float(box_of(c.quad)[4]) for c in cards]
    return find_ring(at, turns, central=central, centre=points([view.table.centre_mm()])[0], up=up)


def _second_look(top: TopView, cards: Sequence[Card], ring: Ring, size: tuple[float, float]) -> tuple[Card, ...]:
    """Cards at places of the ring where no contour showed one."""
    empty = [n for n in range(ring.count) if n not in ring.places]
    if not empty:
        return ()
    bearing = [np.degrees(np.arctan2(*(ring.at[n] - ring.centre)[::-1])) for n in empty]
    begun = np.array([[*ring.at[n], *size, b + quarter] for n, b in zip(empty, bearing, strict=True) for quarter in (0, 90)])
    edges = Edges(top)
    fitted, scores = edges.fitted(begun)
    sides = np.sort(edges.clearness(fitted), 1)
    out: list[Card] = []
    for i in np.argsort(-scores):
        clear, quad = float(sides[i, 1:].mean()), quads_of(fitted[i : i + 1])[0]
        if clear < FAINT_CARD or sides[i, 0] < 0.5 * FAINT_CARD or any(iou(quad, c.quad) > LAPPED for c in [*cards, *out]):
            continue
        out.append(Card(points(quad), clear, 0.0))
    return tuple(out)


def _down(
    cards: Sequence[Card],
    ring: Ring,
    looks: NDArray[np.float32],
    seen: NDArray[np.bool_],
    turns: Sequence[int],
    prints: Prints | None,
    matches: Sequence[Match | None],
) -> NDArray[np.float64]:
    """How probable it is that each card lies face down: backs are all alike, no two faces are, and the pile shows its back."""
    same = alike(looks, seen, turns)
    middle = [k for k, c in enumerate(cards) if ring.places[k] is None and np.hypot(*(c.at - ring.centre)) < INSIDE * ring.radius_mm]
    groups = linked(same > SAME)
    backs = max(groups, key=lambda g: (len(g) + len(set(g) & set(middle)), -g[0]))
    down = np.full(len(cards), USUAL_DOWN)
    if len(backs) > 1 or set(backs) & set(middle):
        beside = same.copy()
        np.fill_diagonal(beside, -1.0)
        best = beside[:, backs].max(1)
        down = np.clip(1 / (1 + np.exp(-SAYING * (best - SAME))), *ODDS)
    for k, match in enumerate(matches):
        if match is None:
            continue
        back = sum(p for label, p in match.odds.items() if label[0] == BACK)
        by_pack = float(np.clip(match.known * back + (1 - match.known) * USUAL_DOWN, *ODDS))
        odds = by_pack / (1 - by_pack) * down[k] / (1 - down[k])
        down[k] = odds / (1 + odds)
    return down


def _outward(quad: Points, ring: Ring) -> Points:
    """The quad from the corner whose next side lies outward."""
    away = quad.mean(0) - ring.centre
    side = [float(((quad[k] + quad[(k + 1) % 4]) / 2 - quad.mean(0)) @ away) for k in range(4)]
    return points(np.roll(quad, -int(np.argmax(side)), axis=0))
