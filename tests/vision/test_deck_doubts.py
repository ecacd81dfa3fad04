"""A wrong or incomplete pack is said, and only that: what hardly shows speaks neither for a pack nor against it."""

from pathlib import Path

import cv2
import numpy as np
import pytest
from msgspec.structs import replace

from tests.vision.drawn_deck import CARDS, LEFT, RIGHT, a_photo, a_table, back, front, write
from vision.deck.deck import Deck, deck_of, read_deck
from vision.deck.doubts import ANOTHER_DECK, NO_SUCH_SIDE, NOT_IN_PACK, of_cards, of_photos
from vision.deck.identify import look
from vision.deck.pack import read_pack
from vision.geometry import Picture
from vision.observation import Board, Circle, CircleCard, Side, Tile, quad_of

HAND = (120, 150, 210)


@pytest.fixture(scope="module")
def deck(tmp_path_factory: pytest.TempPathFactory) -> Deck:
    """The drawn deck."""
    folder = tmp_path_factory.mktemp("deck")
    return read_deck(read_pack(write(folder / "pack")), cache=folder / "cache")


def said(deck: Deck, left: Picture, right: Picture, side: Side) -> tuple[str, ...]:
    """Of two photos on a table."""
    view = a_table((left, LEFT), (right, RIGHT))
    photos = [a_photo(LEFT, side), a_photo(RIGHT, side)]
    return of_photos(photos, [[look(view, photo, deck)] for photo in photos], deck)


@pytest.mark.parametrize(("side", "draw"), [("colour", front), ("back", back)])
def test_the_decks_own_photos_raise_no_doubt(deck: Deck, side: Side, draw: object) -> None:
    """Neither side by side nor under a hand that covers the half of one."""
    left, right = draw(CARDS["p3"]), draw(CARDS["p6"])   # type: ignore[operator]
    assert said(deck, left, right, side) == ()
    cv2.rectangle(left, (0, 0), (300, 400), HAND, -1)
    assert said(deck, left, right, side) == ()


def test_photos_of_another_deck_are_said(deck: Deck) -> None:
    """The pack names neither, and that is told."""
    others = [np.ascontiguousarray(front(CARDS[card])[::-1]) for card in ("p3", "p6")]
    assert said(deck, others[0], others[1], "colour") == (ANOTHER_DECK,)


def test_a_card_that_the_pack_lacks_is_said(deck: Deck) -> None:
    """It is of this deck, but departs as no card of the pack does."""
    assert said(deck, front({1: 1, 7: 2, 16: 1}), front(CARDS["p6"]), "colour") == (NOT_IN_PACK,)


def test_a_side_that_the_pack_lacks_is_said(tmp_path: Path) -> None:
    """Of a pack of fronts alone, when the backs lie up; and what lacks is said when the pack is loaded, in one line."""
    told: list[str] = []
    deck = deck_of(read_pack(write(tmp_path / "pack", backs=False)), say=told.append)
    assert deck is not None and "p1 has no back" in told[0] and "8 such things" in told[0] and "\n" not in told[0]
    assert said(deck, back(CARDS["p3"]), back(CARDS["p6"]), "back") == (NO_SUCH_SIDE,)
    assert said(deck, front(CARDS["p3"]), front(CARDS["p6"]), "colour") == ()


def test_a_circle_none_of_whose_cards_the_pack_knows_is_of_another_deck() -> None:
    """Four cards face up, all unknown; one that is known, or a card that hardly shows, speaks for the pack or not at all."""
    unknown = CircleCard(place=1, face="up", quad=quad_of(LEFT), sure={"found": 0.99, "face": 0.99, "id": 0.1})
    assert of_cards(Circle(centre=(0.0, 0.0), places=(unknown,) * 4)) == (ANOTHER_DECK,)
    assert of_cards(Circle(centre=(0.0, 0.0), places=(unknown,) * 3)) == ()
    assert of_cards(Circle(centre=(0.0, 0.0), places=(unknown,) * 3 + (replace(unknown, id="c1"),))) == ()
    assert of_cards(Circle(centre=(0.0, 0.0), places=(replace(unknown, sure={"found": 0.6, "face": 0.99}),) * 4)) == ()


def test_a_card_of_the_circle_that_the_pack_lacks_is_said() -> None:
    """Its arrow and steps are read, so it shows plainly; one of which not even these are read may be covered."""
    plain = {"found": 0.99, "face": 0.99, "arrow": 0.99, "steps": 0.97, "id": 0.4}
    known = CircleCard(place=1, face="up", id="c1", quad=quad_of(LEFT), sure={**plain, "id": 0.99})
    lacking = CircleCard(place=2, face="up", quad=quad_of(LEFT), sure=plain)
    covered = replace(lacking, sure={**plain, "steps": 0.5})
    assert of_cards(Circle(centre=(0.0, 0.0), places=(known, lacking))) == (NOT_IN_PACK,)
    assert of_cards(Circle(centre=(0.0, 0.0), places=(known, covered))) == ()
    assert of_cards(Circle(centre=(0.0, 0.0), places=(lacking,))) == (NOT_IN_PACK,)


def test_a_tile_that_the_pack_lacks_is_said() -> None:
    """Its suspect is told, but no tile of the pack's has its little picture; one that is half covered, or a witness, says nothing."""
    plain = {"found": 0.99, "side": 0.99, "suspect": 0.99, "witness": 0.2, "id": 0.2}
    witness = Tile(cell=(0, 0), side="witness", quad=quad_of(LEFT), witness="w1", sure={"found": 0.99, "side": 0.99, "witness": 0.99})
    lacking = Tile(cell=(0, 1), side="suspect", quad=quad_of(LEFT), suspect="s1", sure=plain)
    covered = replace(lacking, suspect=None, sure={**plain, "suspect": 0.5})
    assert of_cards(Board(tiles=(witness, lacking))) == (NOT_IN_PACK,)
    assert of_cards(Board(tiles=(witness, covered))) == ()
