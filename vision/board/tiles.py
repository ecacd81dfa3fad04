"""The tiles of the board: outlines, their lattice, and a second look at cells where none was seen."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.board.lattice import Cell, Lattice, find_lattice
from vision.cards.contours import box_of, quads_of
from vision.cards.outlines import Card, Edges, find_cards
from vision.geometry import iou, points
from vision.topview import TopView, View

FAINT_TILE = 0.32         # clearness of the sides of a tile that only its cell told of
LAPPED = 0.2


@dataclass(frozen=True)
class Tiles:
    """What lies on the board, and what has a tile's outline elsewhere."""

    lattice: Lattice
    placed: tuple[tuple[Cell, Card], ...]
    elsewhere: tuple[Card, ...]
    size_mm: tuple[float, float]


def find_tiles(view: View, top: TopView, *, size_mm: tuple[float, float] | None = None) -> Tiles | None:
    """The board; None where there are not even two tiles side by side."""
    cards, size = find_cards(top, size_mm=size_mm)
    if size is None or len(cards) < 2:
        return None
    lattice = _lattice(view, cards, size)
    if lattice is None:
        return None
    placed = [(cell, card) for cell, card in zip(lattice.cells, cards, strict=True) if cell is not None]
    placed += _second_look(top, lattice, [card for _, card in placed], size)
    used = [card for _, card in placed]
    elsewhere = tuple(c for c in cards if not any(iou(c.quad, u.quad) > LAPPED for u in used))
    return Tiles(lattice, tuple(sorted(placed, key=lambda p: p[0])), elsewhere, size)


def _lattice(view: View, cards: tuple[Card, ...], size: tuple[float, float]) -> Lattice | None:
    table = view.table
    at = points([c.at for c in cards])
    turns = [float(box_of(c.quad)[4]) for c in cards]
    middle = points([table.centre_mm()])
    px = table.to_px(middle)[0]
    across, beneath = table.to_mm(px + np.array([[40, 0], [0, 40]])) - table.to_mm([px])
    screen = np.array([across / np.hypot(*across), beneath / np.hypot(*beneath)])
    central = [not table.common or table.zone((float(x), float(y))) == "common" for x, y in at]
    return find_lattice(at, turns, float(np.mean(size)), screen=screen, central=central, centre=middle[0])


def _second_look(top: TopView, lattice: Lattice, seen: list[Card], size: tuple[float, float]) -> list[tuple[Cell, Card]]:
    """Tiles in cells where no contour showed one, fitted from where their neighbours say that they lie."""
    cells = lattice.empty()
    if not cells or not seen:
        return []
    turn = _turn_of_most(seen)
    begun = np.array([[*lattice.middle(cell), *size, turn] for cell in cells])
    edges = Edges(top)
    fitted, _ = edges.fitted(begun)
    sides = np.sort(edges.clearness(fitted), 1)
    out: list[tuple[Cell, Card]] = []
    for cell, box, start, side, quad in zip(cells, fitted, begun, sides, quads_of(fitted), strict=True):
        if float(side[1:].mean()) < FAINT_TILE or float(np.abs(box[:2] - start[:2]).max()) > 0.16 * size[0]:
            continue
        if any(iou(quad, c.quad) > LAPPED for c in [*seen, *(c for _, c in out)]):
            continue
        out.append((cell, Card(points(quad), float(side[1:].mean()), 0.0)))
    return out


def _turn_of_most(cards: list[Card]) -> float:
    turns: NDArray[np.float64] = np.array([box_of(c.quad)[4] for c in cards])
    tried = np.arange(0, 180, 1.0)
    near = np.exp(-0.5 * (((turns[None] - tried[:, None] + 90) % 180 - 90) / 4) ** 2).sum(1)
    return float(tried[int(near.argmax())])
