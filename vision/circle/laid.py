"""The cards on the table: which lie in the ring at which place, and which lie face down."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.cards.contours import box_of, quads_of
from vision.cards.groups import SAME, SAYING, alike, linked
from vision.cards.looks import ROOM_PX, cut, inner, look, turns_of
from vision.cards.outlines import Card, Edges, find_cards
from vision.cards.pack import BACK, prints_of
from vision.cards.prints import Match, Prints, identify
from vision.circle.ring import INSIDE, Ring, find_ring
from vision.deck.pack import Pack
from vision.geometry import iou, points
from vision.topview import TopView, View

USUAL_DOWN = 0.5          # that a card lies face down, where nothing tells
FAINT_CARD = 0.4          # clearness of a card that only its place told of
LAPPED = 0.2
TOUCHING = 0.06           # IoU from which two cards cannot both lie there
BORDER_PX = 4             # of a look, left out where its content is measured
SHOWS, SHOWING = 5.5, 1.2 # Lab steps of content that make a card as likely as not, and its log odds a step
SHOWN = -4.0, 2.1         # log odds: no content alone makes anything surely a card
KNOWING, STRANGE = 6.0, -1.5   # log odds by how surely the pack knows it; at least: it may be of another deck
PILE = 2                  # cards of the ring, as many as which a pile counts where backs are told from faces
ODDS = (0.02, 0.98)       # no witness alone says more of a face


@dataclass(frozen=True)
class Laid:
    """All cards on the table, those of the ring with their places."""

    cards: tuple[Card, ...]
    card: NDArray[np.float64]             # of each: that it is a card
    size_mm: tuple[float, float]
    ring: Ring
    down: NDArray[np.float64]             # of each: that it lies face down
    matches: tuple[Match | None, ...]     # by the pack


@dataclass(frozen=True)
class _Seen:
    """What has a card's outline, and how it looks."""

    cards: tuple[Card, ...]
    looks: NDArray[np.float32]
    seen: NDArray[np.bool_]
    matches: tuple[Match | None, ...]
    card: NDArray[np.float64]

    def only(self, which: Sequence[int]) -> "_Seen":
        """Some of them."""
        kept = list(which)
        cards, matches = tuple(self.cards[k] for k in kept), tuple(self.matches[k] for k in kept)
        return _Seen(cards, self.looks[kept], self.seen[kept], matches, self.card[kept])

    def likely(self) -> "_Seen":
        """Those that are likelier a card than not and do not lap over a likelier one."""
        kept: list[int] = []
        for k in np.argsort(-self.card, kind="stable"):
            if self.card[k] >= 0.5 and not any(iou(self.cards[k].quad, self.cards[j].quad) > TOUCHING for j in kept):
                kept.append(int(k))
        return self.only(sorted(kept))


def find_laid(view: View, top: TopView, *, size_mm: tuple[float, float] | None = None, pack: Pack | None = None) -> Laid | None:
    """The circle's cards; None where fewer than three lie in a ring."""
    cards, size = find_cards(top, size_mm=size_mm)
    if size is None:
        return None
    prints = prints_of(pack) if pack is not None else None
    turns = turns_of((pack.size_mm if pack is not None else None) or size)
    up = _up(view)
    seen = _look_at(top, cards, prints, turns).likely()
    ring = _ring(view, seen.cards, up)
    if ring is None:
        return None
    more = _look_at(top, _second_look(top, seen.cards, ring, size), prints, turns).likely()
    if more.cards:
        seen = _joined(seen, more)
        ring = _ring(view, seen.cards, up) or ring
    down = _down(seen, ring, turns_of(size))
    return Laid(seen.cards, seen.card, size, ring, down, seen.matches)


def _look_at(top: TopView, cards: Sequence[Card], prints: Prints | None, turns: Sequence[int]) -> _Seen:
    wide, wide_seen = look([cut(top, c.quad, room=ROOM_PX) for c in cards])
    looks, seen = inner(wide), inner(wide_seen)
    matches: list[Match | None] = list(identify(prints, wide, wide_seen, turns)) if prints is not None else [None] * len(cards)
    lean = np.clip(SHOWING * (_shows(looks) - SHOWS), *SHOWN)
    if prints is not None:
        known = np.array([m.known for m in matches if m is not None])
        lean = lean + np.clip(KNOWING * (known - 0.5), STRANGE, None)
    burnt = ~seen.any((1, 2)) if len(cards) else np.zeros(0, bool)
    return _Seen(tuple(cards), looks, seen, tuple(matches), np.where(burnt, 0.5, 1 / (1 + np.exp(-lean))))


def _joined(one: _Seen, other: _Seen) -> _Seen:
    return _Seen(
        (*one.cards, *other.cards),
        np.concatenate([one.looks, other.looks]),
        np.concatenate([one.seen, other.seen]),
        (*one.matches, *other.matches),
        np.concatenate([one.card, other.card]),
    )


def _shows(looks: NDArray[np.float32]) -> NDArray[np.float64]:
    """(n,): how much there is to see on each, in Lab steps beside an even slope of light: a cell of a chequered cloth is bare."""
    part = looks[:, BORDER_PX:-BORDER_PX, BORDER_PX:-BORDER_PX]
    n = part.shape[1]
    y, x = np.mgrid[:n, :n] / n - 0.5
    slope = np.c_[np.ones(n * n), x.ravel(), y.ravel()]
    flat = part.reshape(len(part), n * n, 3)
    rest = flat - slope @ (np.linalg.pinv(slope) @ flat)
    return np.asarray(np.sqrt((rest**2).sum(-1).mean(-1)), np.float64)


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


def _down(found: _Seen, ring: Ring, turns: Sequence[int]) -> NDArray[np.float64]:
    """How probable it is that each card lies face down: backs are all alike, no two faces are, and the pile shows its back."""
    cards, matches = found.cards, found.matches
    same = alike(found.looks, found.seen, turns)
    middle = [k for k, c in enumerate(cards) if ring.places[k] is None and np.hypot(*(c.at - ring.centre)) < INSIDE * ring.radius_mm]
    groups = linked(same > SAME)
    backs = max(groups, key=lambda g: (len(g) + PILE * len(set(g) & set(middle)), -g[0]))
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
