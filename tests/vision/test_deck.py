"""What a deck knows of its photos: in how many places they differ, and which of them lies on the table."""

import itertools
from pathlib import Path

import cv2
import numpy as np
import pytest

from tests.vision.drawn_deck import CARDS, LEFT, RIGHT, SIZE_MM, a_photo, a_table, back, front, numbered_back, truth, write
from vision.deck.deck import Deck, read_deck
from vision.deck.identify import look, name
from vision.deck.pack import PackError, read_pack
from vision.geometry import points, rectangle
from vision.observation import ASSERTED, Side
from vision.pictures import read


@pytest.fixture(scope="module")
def deck(tmp_path_factory: pytest.TempPathFactory) -> Deck:
    """The drawn deck, worked out once."""
    folder = tmp_path_factory.mktemp("deck")
    return read_deck(read_pack(write(folder / "pack")), cache=folder / "cache")


def test_the_deck_knows_in_how_many_places_each_pair_differs(deck: Deck) -> None:
    """A recoloured and a reshaped thing at one place are two looks of it; circles on backs are no difference."""
    for a, b in itertools.combinations(CARDS, 2):
        assert deck.count(a, b) == deck.count(b, a) == truth(a, b), (a, b)
    assert deck.twins("colour") == deck.twins("back") == ()


@pytest.mark.parametrize(("side", "draw"), [("colour", front), ("back", back)])
def test_every_card_is_known_by_either_side(deck: Deck, side: Side, draw: object) -> None:
    """In a webcam's picture, any way up, the outline some mm off."""
    for (a, b), seed in zip(itertools.pairwise(CARDS), range(10), strict=False):
        view = a_table((draw(CARDS[a]), LEFT), (draw(CARDS[b]), RIGHT), seed=seed)   # type: ignore[operator]
        off = np.random.default_rng(seed).normal(0, 1.0, (2, 4, 2))
        photos = [a_photo(points(np.roll(quad, seed, axis=0) + d), side) for quad, d in zip((LEFT, RIGHT), off, strict=True)]
        looks = [look(view, photo, deck) for photo in photos]
        named = name([[each] for each in looks], deck)

        assert [each.id for each in named] == [a, b]
        assert all(each.sure >= 0.9 for each in named)
        assert looks[0] is not None and np.abs(looks[0].quad - LEFT).max() < 0.6


def test_a_card_that_the_pack_lacks_and_another_deck_stay_unknown(deck: Deck) -> None:
    """Nobody is taken for somebody else: not a card with departures of its own, and not a picture of another scene."""
    lacking = {1: 1, 7: 2, 16: 1}
    other = np.rot90(back(CARDS["p1"]), 2)[:, ::-1]
    for picture, side in ((front(lacking), "colour"), (back(lacking), "back"), (np.ascontiguousarray(other), "back")):
        photo = a_photo(LEFT, side)   # type: ignore[arg-type]
        named, = name([[look(a_table((picture, LEFT)), photo, deck)]], deck)
        assert named.sure < ASSERTED


def test_a_lacking_card_is_not_taken_for_its_nearest_kin(tmp_path: Path) -> None:
    """Of cards that depart in many places it departs from one in a single place alone, and there it looks as others do."""
    rng = np.random.default_rng(5)
    cards = {f"p{n}": {int(place): int(rng.integers(1, 3)) for place in rng.permutation(24)[:8]} for n in range(1, 9)}
    deck = read_deck(read_pack(write(tmp_path / "pack", cards)), cache=tmp_path / "cache")
    for card, departures in cards.items():
        place = next(place for place in range(24) if place not in departures and any(other.get(place) == 1 for other in cards.values()))
        view = a_table((front({**departures, place: 1}), LEFT))
        named, = name([[look(view, a_photo(LEFT, "colour"), deck)]], deck)
        assert named.sure < ASSERTED, (card, place)


def test_what_a_hand_hides_is_not_guessed(deck: Deck) -> None:
    """With the places covered that tell two cards apart, both stay possible; what still shows rules out the others."""
    picture = front(CARDS["p7"])
    for x, y in ((350, 50), (250, 350)):      # places 3 and 20: what is left of p7 is the same as of p8
        cv2.rectangle(picture, (x - 55, y - 60), (x + 55, y + 60), (120, 150, 210), -1)
    named, = name([[look(a_table((picture, LEFT)), a_photo(LEFT, "colour"), deck)]], deck)
    assert {card for card, _ in named.likely[:2]} == {"p7", "p8"} and named.sure < ASSERTED


def test_a_photo_is_not_read_from_what_lies_over_its_corner(deck: Deck) -> None:
    """The one above is named as ever; the one below, of which a telling place is hidden, is not taken for a card that looks so there."""
    over = rectangle((-34.958, 36.87), SIZE_MM, 7.644)
    view = a_table((back(CARDS["p5"]), LEFT), (back(CARDS["p7"]), over), seed=87)
    photos = [a_photo(LEFT, "back"), a_photo(over, "back")]
    below, above = name([[look(view, photo, deck, photos)] for photo in photos], deck)
    assert (above.id, above.sure >= ASSERTED) == ("p7", True)
    assert below.id == "p5" or below.sure < ASSERTED


def test_several_looks_are_surer_than_one(deck: Deck) -> None:
    """Looks at one still table, and at both sides of a photo, add up."""
    tables = [a_table((front(CARDS["p2"]), LEFT), seed=n) for n in range(3)]
    looks = [look(view, a_photo(LEFT, "colour"), deck) for view in tables]
    one, = name([looks[:1]], deck)
    all_of_them, = name([looks], deck)
    assert all_of_them.id == one.id == "p2" and all_of_them.sure >= one.sure


@pytest.mark.parametrize("ink", [(40, 40, 220), (200, 90, 20)])
def test_backs_alone_tell_the_counts_though_their_circles_are_numbered(tmp_path: Path, ink: tuple[int, int, int]) -> None:
    """Coloured circles and their numbers are ink, whatever number each card has there."""
    folder = write(tmp_path / "pack", backs=False)
    toml = folder / "deck.toml"
    toml.write_text(toml.read_text().replace("front = ", "back = "))
    for card, departures in CARDS.items():
        cv2.imwrite(str(folder / "cards" / f"{card}-front.png"), numbered_back(departures, ink))
    deck = read_deck(read_pack(folder), cache=tmp_path / "cache")
    assert all(deck.count(a, b) == truth(a, b) for a, b in itertools.combinations(CARDS, 2))


def test_scans_that_differ_by_noise_a_pixel_and_a_lamp_give_the_same_truth(tmp_path: Path) -> None:
    """A pack of photographs saved as JPEG, each a little shifted and turned, half of them under a warmer lamp."""
    folder = write(tmp_path / "pack")
    rng = np.random.default_rng(3)
    for n, path in enumerate(sorted((folder / "cards").glob("*.png"))):
        picture = cv2.imread(str(path))
        assert picture is not None
        h, w = picture.shape[:2]
        turn = cv2.getRotationMatrix2D((w / 2, h / 2), float(rng.uniform(-0.2, 0.2)), 1.0)
        turn[:, 2] += rng.uniform(-1, 1, 2)
        moved = cv2.warpAffine(picture, turn, (w, h), borderMode=cv2.BORDER_REPLICATE).astype(np.float32)
        lamp = np.array([0.9, 0.97, 1.0]) if n % 2 else np.ones(3)
        noisy = np.clip(moved * lamp + rng.normal(0, 2, moved.shape), 0, 255).astype(np.uint8)
        path.write_bytes(cv2.imencode(".jpg", noisy, [cv2.IMWRITE_JPEG_QUALITY, 88])[1].tobytes())
    deck = read_deck(read_pack(folder), cache=tmp_path / "cache")
    for a, b in itertools.combinations(CARDS, 2):
        assert deck.count(a, b) == truth(a, b), (a, b)


def test_twins_are_said(tmp_path: Path) -> None:
    """Two cards that look alike everywhere cannot be told apart by any camera; a card scanned twice is such a pair."""
    deck = read_deck(read_pack(write(tmp_path / "pack", {**CARDS, "p9": CARDS["p3"]}, backs=False)), cache=tmp_path / "cache")
    assert deck.twins("colour") == (("p3", "p9"),)
    assert deck.twins("back") == () and deck.face("back") is None


def test_an_older_truth_is_never_used_for_a_changed_pack(tmp_path: Path) -> None:
    """What is kept belongs to these very pictures; broken, it is worked out again; where nothing can be kept it still works."""
    told: list[str] = []
    folder = write(tmp_path / "pack", backs=False)
    read_deck(read_pack(folder), cache=tmp_path / "cache", say=told.append)
    assert len(told) == 1
    assert read_deck(read_pack(folder), cache=tmp_path / "cache", say=told.append).count("p1", "p2") == truth("p1", "p2")
    assert len(told) == 1

    cv2.imwrite(str(folder / "cards" / "p1-front.png"), front({4: 1, 11: 1}))
    changed = read_deck(read_pack(folder), cache=tmp_path / "cache", say=told.append)
    assert len(told) == 2 and changed.count("p1", "p6") == 3

    for kept in (tmp_path / "cache").glob("*.npz"):
        kept.write_bytes(b"broken")
    (tmp_path / "no folder").write_text("")
    for cache in (tmp_path / "cache", tmp_path / "no folder"):
        assert read_deck(read_pack(folder), cache=cache).count("p1", "p6") == 3


def test_a_card_of_another_deck_among_the_pictures_harms_no_other(tmp_path: Path) -> None:
    """Be it the first: it is known as nobody, and the others' counts stand."""
    folder = write(tmp_path / "pack", {"p0": {}, **CARDS}, backs=False)
    rng = np.random.default_rng(4)
    stranger = cv2.resize(rng.integers(0, 255, (20, 30, 3)).astype(np.uint8), (600, 400), interpolation=cv2.INTER_CUBIC)
    cv2.imwrite(str(folder / "cards" / "p0-front.png"), stranger)
    deck = read_deck(read_pack(folder), cache=tmp_path / "cache")
    for a, b in itertools.combinations(CARDS, 2):
        assert deck.count(a, b) == truth(a, b), (a, b)
    named, = name([[look(a_table((front(CARDS["p4"]), LEFT)), a_photo(LEFT, "colour"), deck)]], deck)
    assert named.id == "p4" and deck.fronts is not None and not deck.fronts.known[0]


def test_too_few_photos_are_said(tmp_path: Path) -> None:
    """Two photos tell what differs between them, not what a deck has in common."""
    with pytest.raises(PackError, match="fewer than 3"):
        read_deck(read_pack(write(tmp_path / "pack", {"p1": {}, "p2": {1: 1}})))


@pytest.mark.skipif(not Path("../shared/packs").is_dir(), reason="no sample packs beside the project")
def test_the_wrong_pack_names_nobody(deck: Deck) -> None:
    """A photo of another deck is unknown, whatever it shows."""
    picture = read(Path("../shared/packs/attic/cards/p05-front.webp"))
    seen = look(a_table((picture, LEFT)), a_photo(LEFT, "colour"), deck)
    assert seen is not None and not seen.evidence.ours
    assert name([[seen]], deck)[0].id is None
