"""The board of tiles: cells, sides, persons and the booklet, with a deck pack; sides and groups of equals without."""

import msgspec
import numpy as np
import pytest

from tests.vision import drawn_cards as drawn
from vision.board.find import find_board
from vision.deck.pack import Pack
from vision.geometry import rectangle
from vision.observation import Board
from vision.topview import View

GONE = {(0, 1), (2, 3), (4, 5)}
SUSPECTS = {(1, 2): (2, 5), (3, 4): (4, 1)}        # cell -> suspect, witness
HALF_MM = (190.0, 160.0)


@pytest.fixture(scope="module")
def pack(tmp_path_factory: pytest.TempPathFactory) -> Pack:
    return drawn.tile_pack(tmp_path_factory.mktemp("deck"))


def witness_in(cell: tuple[int, int]) -> int:
    return 1 + (7 * cell[0] + 3 * cell[1]) % 6


def a_board(*, page: int | None = None) -> View:
    """Five rows of six, three cells empty, two tiles turned; each tile lies some quarter turn round."""
    laid = []
    for row in range(5):
        for column in range(6):
            cell = row, column
            if cell in GONE:
                continue
            face = drawn.suspect_side(*SUSPECTS[cell]) if cell in SUSPECTS else drawn.witness_side(witness_in(cell))
            laid.append((face, np.roll(drawn.in_cell(*cell), (row + column) % 4, axis=0)))
    if page is not None:
        laid.append((drawn.page(page), rectangle((262.0, 10.0), (126.0, 84.0), 84.0)))
    return drawn.frame(drawn.table(HALF_MM), laid)


def board(view: View, pack: Pack | None) -> Board:
    found = find_board(view, size_mm=pack.sizes.photo if pack else None, pack=pack)
    assert found is not msgspec.UNSET
    return found


def test_a_pack_names_witnesses_and_suspects(pack: Pack) -> None:
    """Each tile has its cell and side; a turned tile tells suspect, witness and which tile it is."""
    seen = board(a_board(), pack)

    told = {t.cell: (t.side, t.witness, t.suspect, t.id) for t in seen.tiles}
    expected = {(r, c): ("witness", f"w{witness_in((r, c))}", None, None) for r in range(5) for c in range(6) if (r, c) not in GONE}
    expected |= {cell: ("suspect", f"w{w}", f"s{s}", f"t{s}{w}") for cell, (s, w) in SUSPECTS.items()}
    assert told == expected


def test_equal_witnesses_are_one_group_without_a_pack() -> None:
    """Nobody knows their names; the same number means the same picture."""
    seen = board(a_board(), None)

    cells = {t.cell: t for t in seen.tiles}
    assert set(cells) == {(r, c) for r in range(5) for c in range(6)} - GONE
    assert {cell for cell, t in cells.items() if t.side == "suspect"} == set(SUSPECTS)
    groups = {cell: t.witness_group for cell, t in cells.items() if t.side == "witness"}
    numbers: dict[int, set[object]] = {}
    for cell, group in groups.items():
        numbers.setdefault(witness_in(cell), set()).add(group)
    assert all(len(each) == 1 for each in numbers.values())
    assert len(set.union(*numbers.values())) == len(numbers)


def test_the_page_at_which_the_booklet_lies_open_is_told(pack: Pack) -> None:
    """The pack's pages differ by their signs only; without a booklet none is claimed."""
    open_at = board(a_board(page=4), pack)
    none = board(a_board(), pack)

    assert open_at.booklet
    assert open_at.booklet.page == 4
    assert not none.booklet or none.booklet.page is None


def test_a_bare_table_has_no_board() -> None:
    """Nothing is claimed where nothing lies."""
    assert find_board(drawn.frame(drawn.table(HALF_MM), [])) is msgspec.UNSET
