"""The circle of cards: what lies at which place, with a deck pack and without, and where the pawn stands."""

import json
from pathlib import Path

import cv2
import msgspec
import numpy as np
import pytest

from calibration.points import read_points
from calibration.seats import read_seats
from calibration.table import calibrate
from tests.vision import drawn_cards as drawn
from vision.circle.find import find_circle
from vision.deck.pack import Pack, read_pack
from vision.geometry import Points, rectangle
from vision.observation import Circle
from vision.pictures import read
from vision.topview import View

HOURS = (3.0, 48.0, 95.0, 137.0, 182.0, 229.0, 268.0, 315.0)
UP = {1: 4, 3: 7, 4: 1, 6: 10}     # place -> card; the others lie face down
PAWN_MM = (125.0, 118.0)           # behind place 4


@pytest.fixture(scope="module")
def pack(tmp_path_factory: pytest.TempPathFactory) -> Pack:
    return drawn.circle_pack(tmp_path_factory.mktemp("deck"))


def pawn_quad() -> Points:
    return rectangle(PAWN_MM, (30.0, 30.0), 20.0)


def a_table(*, up: dict[int, int] | None = None, gone: frozenset[int] = frozenset(), inward: frozenset[int] = frozenset(),
            strangers: frozenset[int] = frozenset(), pawn: bool = True) -> View:
    """Eight places; the pile in the middle, a card won in front of Ada."""
    laid = []
    for place, hour in enumerate(HOURS, start=1):
        if place in gone:
            continue
        card = (UP if up is None else up).get(place)
        seed = 5000 + place if place in strangers else card
        face = drawn.card_back() if card is None else drawn.object_card(seed or 0, ("left", "right")[card % 2], 1 + card % 8)
        laid.append((face, drawn.in_ring(hour, inward=place in inward)))
    laid.append((drawn.card_back(), rectangle((2.0, -3.0), (64.0, 64.0), 30.0)))
    laid.append((drawn.card_back(), rectangle((-250.0, 20.0), (64.0, 64.0), 8.0)))
    if pawn:
        sack = np.full((100, 100, 3), (70, 40, 190), np.uint8)
        cv2.circle(sack, (50, 50), 20, (40, 20, 120), -1)
        laid.append((sack, pawn_quad()))
    return drawn.frame(drawn.table(), laid)


def circle(view: View, pack: Pack | None) -> Circle:
    found = find_circle(view, size_mm=pack.sizes.photo if pack else None, pack=pack)
    assert found is not msgspec.UNSET
    return found


def test_a_pack_names_every_card_that_lies_face_up(pack: Pack) -> None:
    """Object, arrow and steps come from the pack; what lies face down is not named."""
    seen = circle(a_table(), pack)

    told = {c.place: (c.face, c.object, c.arrow, c.steps, c.outward) for c in seen.places}
    expected = dict.fromkeys(range(1, 9), ("down", None, None, None, None))
    expected |= {p: ("up", f"thing {k}", ("left", "right")[k % 2], 1 + k % 8, True) for p, k in UP.items()}
    assert told == expected
    assert all(c.sure["face"] >= 0.9 for c in seen.places)


def test_faces_arrows_and_numbers_are_read_without_a_pack() -> None:
    """Nothing is known of the cards, not even their size."""
    seen = circle(a_table(), None)

    told = {c.place: (c.face, c.id, c.arrow, c.steps) for c in seen.places}
    expected = dict.fromkeys(range(1, 9), ("down", None, None, None))
    expected |= {p: ("up", None, ("left", "right")[k % 2], 1 + k % 8) for p, k in UP.items()}
    assert told == expected


def test_a_card_with_its_arrow_inward_is_told(pack: Pack) -> None:
    """The referee asks to turn it round."""
    seen = circle(a_table(inward=frozenset({3})), pack)

    assert {c.place: c.outward for c in seen.places if c.face == "up"} == {1: True, 3: False, 4: True, 6: True}


def test_an_empty_place_counts_but_has_no_entry(pack: Pack) -> None:
    """The card at place 5 was won."""
    seen = circle(a_table(gone=frozenset({5})), pack)

    assert [c.place for c in seen.places] == [1, 2, 3, 4, 6, 7, 8]
    assert sum(w.cards for w in seen.won) == 1


def test_a_card_of_another_deck_is_unknown(pack: Pack) -> None:
    """It lies at its place face up, and nobody claims to know it."""
    seen = circle(a_table(strangers=frozenset({3})), pack)

    stranger = next(c for c in seen.places if c.place == 3)
    assert (stranger.face, stranger.id) == ("up", None)
    assert stranger.sure["id"] <= 0.5


def test_the_pawn_stands_behind_its_card(pack: Pack) -> None:
    """Its place is the card in front of which it stands; without a pawn there is none."""
    with_pawn = circle(a_table(), pack)
    without = circle(a_table(pawn=False), pack)

    assert with_pawn.pawn
    assert with_pawn.pawn.place == 4
    assert without.pawn is msgspec.UNSET


def test_a_bare_table_has_no_circle() -> None:
    """Nothing is claimed where nothing lies."""
    assert find_circle(drawn.frame(drawn.table(), [])) is msgspec.UNSET


SHARED = Path(__file__).parents[3] / "shared"


@pytest.mark.skipif(not (SHARED / "frames").exists(), reason="the sample pictures are not there")
@pytest.mark.parametrize("name", ["ring02-3", "ring06-1"])
def test_sample_pictures_are_read_as_they_lie(name: str) -> None:
    """A hand, an empty place and an inward card: every card that must be found has its place, face and name."""
    scene = SHARED / "frames" / name[:6]
    truth = json.loads((scene / f"{name}.json").read_text(encoding="utf-8"))
    must = {thing["name"] for thing in truth["judge"]["things"] if thing["must"]}
    picture = read(scene / f"{name}.jpg")
    table = calibrate(read_points(scene / "points.json"), read_seats(scene / "seats.json")).table
    pack = read_pack(SHARED / "packs" / "things")

    seen = circle(View(picture, table.for_picture(*picture.shape[1::-1])), pack)

    told = {c.place: (c.face, c.id, c.outward) for c in seen.places}
    for card in truth["expected"]["circle"]["places"]:
        if card["name"] in must:
            assert told[card["place"]] == (card["face"], card["id"], card["outward"])
