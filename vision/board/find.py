"""The board as an observation tells it: each tile's cell, side and picture, by a pack or by comparing the tiles with one another."""

from collections import Counter
from collections.abc import Sequence

import numpy as np
from msgspec import UNSET, UnsetType
from numpy.typing import NDArray

from vision.board.booklet import find_booklet
from vision.board.lattice import Cell
from vision.board.sides import witness_chances
from vision.board.tiles import Tiles, find_tiles
from vision.cards.groups import linked
from vision.cards.looks import ROOM_PX, cut, inner, look, turned, turns_of, upright, vectors
from vision.cards.outlines import PX_PER_MM, Card
from vision.cards.pack import BACK, likeliest, prints_of
from vision.cards.prints import Match, identify
from vision.deck.pack import Pack
from vision.observation import Board, Tile, WonTiles, quad_of
from vision.topview import View

READ = 0.5                # less probable values are not told
TOLD = 0.5                # tiles less probable than this are not told
SAME_TILE = 0.55          # likeness of what is personal in the middle of two tiles that show the same person
MIDDLE_PX = 10            # of a look, left out all round: frames and grounds of one colour are no persons
ODDS = (0.15, 0.98)       # the tiles' common layout alone says no more of a side: a tile under a finger has not their layout, too
UNKNOWN = 0.3             # the least that speaks for the witness side of a tile that is none of the pack's, for the same reason


def find_board(view: View, *, size_mm: tuple[float, float] | None = None, pack: Pack | None = None) -> Board | UnsetType:
    """The tiles and those won; UNSET where no two tiles lie side by side. `size_mm`: longer and shorter side of a tile where known."""
    top = view.top(PX_PER_MM)
    tiles = find_tiles(view, top, size_mm=size_mm)
    if tiles is None:
        return UNSET
    wide, wide_seen = look([cut(top, card.quad, room=ROOM_PX) for _, card in tiles.placed])
    looks, seen = inner(wide), inner(wide_seen)
    prints = prints_of(pack) if pack is not None else None
    turns = turns_of((pack.size_mm if pack is not None else None) or tiles.size_mm)
    matches = list(identify(prints, wide, wide_seen, turns)) if prints is not None else [None] * len(looks)
    like = _likeness(looks, seen, turns_of(tiles.size_mm))
    found = _found([card for _, card in tiles.placed], looks, like, matches) * tiles.lattice.sure
    there = [k for k in range(len(found)) if found[k] >= TOLD]
    witness = np.full(len(found), 0.5)
    witness[there] = witness_chances(looks[there], like[np.ix_(there, there)])
    groups = _groups(looks, seen, turns_of(tiles.size_mm), witness, there)
    out = []
    for k in there:
        cell, card = tiles.placed[k]
        match = matches[k]
        out.append(_by_group(cell, card, float(found[k]), float(witness[k]), groups[k]) if match is None or pack is None
                    else _by_pack(cell, card, float(found[k]), float(witness[k]), match, pack))
    booklet = find_booklet(view, pack, [tiles.placed[k][1] for k in there]) if pack is not None else None
    return Board(tiles=tuple(out), won=_won(view, tiles), booklet=booklet or UNSET)


def _likeness(looks: NDArray[np.float32], seen: NDArray[np.bool_], turns: Sequence[int]) -> NDArray[np.float32]:
    """(n, n) -1..1, in the turn that suits two tiles best; of itself -1."""
    base = vectors(looks, seen)
    like = np.max([base @ vectors(turned(looks, k)).T for k in turns], axis=0)
    like = np.maximum(like, like.T)
    np.fill_diagonal(like, -1)
    return np.asarray(like, np.float32)


def _found(
    cards: Sequence[Card], looks: NDArray[np.float32], like: NDArray[np.float32], matches: Sequence[Match | None]
) -> NDArray[np.float64]:
    """How probable it is that each is a tile and not bare table between tiles.

    A tile's sides are clear, it is like another tile or one of the pack, and no less detailed than its fellows.
    """
    voted = np.array([c.votes > 0 for c in cards])
    clear = np.array([c.clear for c in cards])
    light = looks[..., 0]
    detail = np.abs(np.diff(light, axis=1)).mean((1, 2)) + np.abs(np.diff(light, axis=2)).mean((1, 2))
    usual = float(np.median(detail[voted])) if voted.any() else float(np.median(detail))
    twin = np.where(voted[None], like, -1.0).max(1) if voted.any() else like.max(1)
    lean = 8 * (clear - 0.75) + 6 * (twin - 0.4) + 3 * (np.minimum(detail / max(usual, 1e-6), 1.5) - 0.6) + 1.5 * voted
    known = np.array([m.known if m is not None else 0.0 for m in matches])
    return np.asarray(1 / (1 + np.exp(-(lean + 4 * np.maximum(0, known - 0.5)))), np.float64)


def _groups(
    looks: NDArray[np.float32], seen: NDArray[np.bool_], turns: Sequence[int], witness: NDArray[np.float64], there: Sequence[int]
) -> dict[int, int]:
    """A number for each tile, shared by those that show the same side with the same person."""
    out: dict[int, int] = {}
    for side in (True, False):
        mine = [k for k in there if (witness[k] >= 0.5) == side]
        if mine:
            middle = np.s_[:, MIDDLE_PX:-MIDDLE_PX, MIDDLE_PX:-MIDDLE_PX]
            same = _likeness(_personal(looks[mine])[middle], seen[mine][middle], turns) > SAME_TILE
            out |= {mine[k]: n for n, group in enumerate(linked(same), start=len(set(out.values())) + 1) for k in group}
    return out


def _personal(looks: NDArray[np.float32]) -> NDArray[np.float32]:
    """The looks without what all have in common, whichever way up: frame and layout."""
    centred = looks - looks.mean((1, 2), keepdims=True)
    usual = np.median(centred, axis=0)
    usual = np.mean([np.rot90(usual, k) for k in range(4)], axis=0)
    usual = (usual + usual[:, ::-1]) / 2
    strength = np.maximum((centred * usual).sum((1, 2, 3)) / max(float((usual**2).sum()), 1e-6), 0.0)
    return np.asarray(centred - strength[:, None, None, None] * usual, np.float32)


def _by_group(cell: Cell, card: Card, found: float, witness: float, group: int) -> Tile:
    chance = float(np.clip(witness, *ODDS))
    shows_witness = chance >= 0.5
    sure = {"found": found, "side": max(chance, 1 - chance), "witness": READ, "suspect": READ}
    quad = quad_of(card.quad)
    if shows_witness:
        return Tile(cell=cell, side="witness", quad=quad, sure=sure, witness_group=group)
    return Tile(cell=cell, side="suspect", quad=quad, sure=sure, suspect_group=group)


def _by_pack(cell: Cell, card: Card, found: float, witness: float, match: Match, pack: Pack) -> Tile:
    back = sum(p for (side, _), p in match.odds.items() if side == BACK)
    by_pack = float(np.clip(match.known * back + (1 - match.known) * 0.5, 1e-3, 1 - 1e-3))
    by_layout = float(np.clip(witness, ODDS[0] if match.known > 0.5 else UNKNOWN, ODDS[1]))
    odds = by_pack / (1 - by_pack) * by_layout / (1 - by_layout)
    shows_witness = odds / (1 + odds)
    sure = {"found": found, "side": max(shows_witness, 1 - shows_witness)}
    quad = quad_of(upright(card.quad, match.turn))
    if shows_witness >= 0.5:
        backs = {who: p for (side, who), p in match.odds.items() if side == BACK}
        who = max(backs, key=lambda b: backs[b], default=None)
        chance = backs.get(who, 0.0) * match.there
        return Tile(cell=cell, side="witness", quad=quad, sure=sure | {"witness": chance}, witness=who if chance >= READ else None)
    suspect, suspect_surely = likeliest(pack, match, "suspect", whole=False)
    name, name_surely = likeliest(pack, match, "witness")
    tile, tile_surely = likeliest(pack, match, "id")
    return Tile(
        cell=cell, side="suspect", quad=quad,
        sure=sure | {"witness": name_surely, "suspect": suspect_surely, "id": tile_surely},
        id=tile if tile_surely >= READ else None,
        witness=name if name_surely >= READ else None,
        suspect=suspect if suspect_surely >= READ else None,
    )


def _won(view: View, tiles: Tiles) -> tuple[WonTiles, ...]:
    """Tiles in the players' areas: those whose whole outline is seen."""
    zones = Counter(view.table.zone((float(c.at[0]), float(c.at[1]))) for c in tiles.elsewhere)
    return tuple(WonTiles(seat.name, zones[seat.name]) for seat in view.table.seats if zones[seat.name])
