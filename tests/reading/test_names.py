"""The deck's word in the count: who the two photos are, from looks at both of their sides."""

from dataclasses import replace

import numpy as np
import pytest

from companion.reading.names import Names
from companion.reading.pair import Lying
from tests.vision.drawn_deck import CARDS, LEFT, RIGHT, a_table, back, front, truth, write
from vision.deck.deck import Deck, read_deck
from vision.deck.pack import read_pack
from vision.geometry import Points
from vision.observation import ASSERTED, Differences, Side
from vision.topview import View

SMALL = np.zeros((2, 2, 3), np.uint8)


@pytest.fixture(scope="module")
def deck(tmp_path_factory: pytest.TempPathFactory) -> Deck:
    folder = tmp_path_factory.mktemp("deck")
    return read_deck(read_pack(write(folder / "pack")), cache=folder / "cache")


def lying(quad: Points, side: Side) -> Lying:
    return Lying(quad, side, 0.99, 0.99, None, 0.0, SMALL)


def laid(a: str, b: str, side: Side, seed: int = 1) -> tuple[View, tuple[Lying, Lying]]:
    """A table with two cards, the same side up."""
    draw = front if side == "colour" else back
    return a_table((draw(CARDS[a]), LEFT), (draw(CARDS[b]), RIGHT), seed=seed), (lying(LEFT, side), lying(RIGHT, side))


def test_colour_sides_are_known_before_the_check_and_backs_make_it_surer(deck: Deck) -> None:
    """Looks at either side add up; a side that is known well needs no further look, the other needs one."""
    names = Names(deck)
    view, photos = laid("p3", "p7", "colour")
    assert names.worth_a_look("colour")
    names.look(view, photos)
    assert names.ids(photos) == ["p3", "p7"] and names.count() == truth("p3", "p7")
    assert names.worth_a_look("back")

    view, photos = laid("p3", "p7", "back", seed=2)
    before = min(names.sure(photos))
    names.look(view, photos)
    assert min(names.sure(photos)) >= before and not names.worth_a_look("back")


def test_photos_keep_their_names_in_whatever_order_they_are_found(deck: Deck) -> None:
    """A finder may tell the right photo first."""
    names = Names(deck)
    view, photos = laid("p2", "p5", "colour")
    names.look(view, photos)
    view, photos = laid("p2", "p5", "back")
    names.look(view, photos[::-1])
    assert names.ids(photos) == ["p2", "p5"] and names.ids(photos[::-1]) == ["p5", "p2"]


def test_other_photos_that_are_laid_elsewhere_are_other_photos(deck: Deck) -> None:
    """What was known of the last pair is not told of the next."""
    names = Names(deck)
    names.look(*laid("p2", "p5", "colour"))
    names.begin()
    view, photos = laid("p1", "p6", "colour")
    names.look(view, photos)
    assert names.ids(photos) == ["p1", "p6"]


def test_the_decks_count_joins_what_the_pictures_show(deck: Deck) -> None:
    """Where both say the same the count is surer than by the pictures; where the pictures are sure of another it is asked."""
    names = Names(deck)
    view, photos = laid("p3", "p7", "back")
    names.look(view, photos)
    true = truth("p3", "p7")
    unsure = Differences(True, true, 0.6, (true - 1, true + 1))
    agreed = names.told(unsure, view, photos)
    assert agreed.count == true and agreed.probability >= 0.97 and agreed.range == (true, true)
    assert len(agreed.places) == true and all(place.ring for place in agreed.places)

    disputed = names.told(Differences(True, true - 2, 0.99, (true - 2, true - 2)), view, photos)
    assert disputed.probability < agreed.probability
    assert isinstance(disputed.range, tuple) and disputed.range[0] <= true <= disputed.range[1]


def test_without_a_look_at_the_backs_the_pictures_stand_alone(deck: Deck) -> None:
    """A deck's word needs its photos seen as they lie now; strangers leave the pictures' count as it is."""
    names = Names(deck)
    view, photos = laid("p3", "p7", "colour")
    names.look(view, photos)
    said = Differences(True, 4, 0.7, (3, 5))
    backs = tuple(replace(p, side="back") for p in photos)
    assert names.told(said, view, backs) is said
    noise = np.random.default_rng(1).integers(0, 255, (400, 600, 3)).astype(np.uint8)
    strangers = a_table((noise, LEFT), (noise[::-1], RIGHT))
    names.begin()
    names.look(strangers, (lying(LEFT, "back"), lying(RIGHT, "back")))
    assert names.ids(backs) == [None, None] and names.told(said, strangers, backs) == said
    assert all(sure < ASSERTED for sure in names.sure(backs))
