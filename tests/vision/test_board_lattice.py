"""Rows and columns: every tile gets its cell on a crooked board with gaps, and things beside the board get none."""

from collections.abc import Set
from typing import Any

import numpy as np
import pytest

from vision.board.lattice import find_lattice

SIDE = 60.0
SCREEN = np.array([[1.0, 0.0], [0.0, 1.0]])


def laid(rows: int, columns: int, *, gone: Set[tuple[int, int]] = frozenset(), turn: float = 4.0) -> tuple[Any, Any, Any]:
    """Cells, middles (mm) and turns of tiles laid by hand about the table's middle."""
    rng = np.random.default_rng(1)
    cells = [(r, c) for r in range(rows) for c in range(columns) if (r, c) not in gone]
    grid = np.array([[(c - (columns - 1) / 2) * 64.0, (r - (rows - 1) / 2) * 65.0] for r, c in cells])
    t = np.radians(turn)
    at = grid @ np.array([[np.cos(t), np.sin(t)], [-np.sin(t), np.cos(t)]]) + rng.normal(0, 2, grid.shape)
    return cells, at, turn + rng.normal(0, 2, len(cells))


@pytest.mark.parametrize("shape", [(6, 5), (5, 6)])
@pytest.mark.parametrize("turn", [-12.0, 0.0, 7.0])
def test_each_tile_has_its_cell(shape: tuple[int, int], turn: float) -> None:
    """Row 0 is at the top of the picture, column 0 at the left."""
    cells, at, turns = laid(*shape, turn=turn)

    board = find_lattice(at, turns, SIDE, screen=SCREEN, central=[True] * len(at), centre=np.zeros(2))

    assert board is not None
    assert list(board.cells) == cells


def test_gaps_and_islands_keep_their_cells() -> None:
    """Triples have left; a tile that touches no other still lies in its row and column."""
    gone = {(0, 0), (0, 1), (0, 4), (1, 1), (1, 4), (2, 1), (2, 3), (2, 4), (3, 2), (3, 4), (4, 2), (4, 3)}
    cells, at, turns = laid(5, 6, gone=gone)

    board = find_lattice(at, turns, SIDE, screen=SCREEN, central=[True] * len(at), centre=np.zeros(2))

    assert board is not None
    assert list(board.cells) == cells
    assert set(board.empty()) == gone


def test_tiles_won_beside_the_board_have_no_cell() -> None:
    """A column of won tiles in front of a player is no seventh column."""
    cells, at, turns = laid(5, 6)
    won = np.array([[-258.0, -90.0], [-258.0, -30.0], [-257.0, 40.0]])
    everything = np.concatenate([at, won])

    board = find_lattice(
        everything, [*turns, 1.0, 2.0, 0.0], SIDE, screen=SCREEN, central=[True] * len(at) + [False] * 3, centre=np.zeros(2)
    )

    assert board is not None
    assert list(board.cells) == [*cells, None, None, None]


def test_a_lone_tile_is_no_board() -> None:
    """Without two neighbours nothing tells rows from columns."""
    assert find_lattice(np.zeros((1, 2)), [0.0], SIDE, screen=SCREEN, central=[True], centre=np.zeros(2)) is None
