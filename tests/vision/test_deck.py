"""What a deck knows of its photos: in how many places they differ, and which of them lies on the table."""

import itertools

import cv2
import numpy as np
import pytest

from tests.vision.drawn_deck import CARDS, SIZE_MM, back, front, truth, write
from vision.deck.deck import Deck, read_deck
from vision.deck.identify import look, name
from vision.deck.pack import read_pack
from vision.geometry import Picture, Points, points, rectangle
from vision.observation import Photo, Side
from vision.table import Lens, Table
from vision.topview import View

TABLE = Table((960, 540), Lens((960.0, 960.0, 480.0, 270.0), (0.0,) * 5), (0.5, 0, -240, 0, 0.5, -135, 0, 0, 1.0))   # 2 px/mm
LEFT, RIGHT = rectangle((-75, 0), SIZE_MM, 4), rectangle((75, 5), SIZE_MM, -170)


@pytest.fixture(scope="module")
def deck(tmp_path_factory: pytest.TempPathFactory) -> Deck:
    """The drawn deck, worked out once."""
    folder = tmp_path_factory.mktemp("deck")
    return read_deck(read_pack(write(folder / "pack")), cache=folder / "cache")


def a_table(*laid: tuple[Picture, Points], seed: int = 1) -> View:
    """A table with pictures on it: another lamp, a soft lens, noise."""
    frame = np.full((540, 960, 3), (70, 90, 80), np.uint8)
    for picture, quad in laid:
        h, w = picture.shape[:2]
        corners = np.array([[0, 0], [w, 0], [w, h], [0, h]], np.float32)
        m = cv2.getPerspectiveTransform(corners, (TABLE.to_px(quad) - 0.5).astype(np.float32))
        soft = cv2.GaussianBlur(picture, (0, 0), 1.2)
        cv2.warpPerspective(soft, m, (960, 540), dst=frame, borderMode=cv2.BORDER_TRANSPARENT)
    rng = np.random.default_rng(seed)
    lamp = np.linspace(0.6, 0.95, 960)[None, :, None] * np.array([0.85, 0.95, 1.0])
    return View(np.clip(frame * lamp + rng.normal(0, 4, frame.shape) + 8, 0, 255).astype(np.uint8), TABLE)


def a_photo(quad: Points, side: Side) -> Photo:
    """A photo as a finder tells it."""
    a, b, c, d = ((float(x), float(y)) for x, y in quad)
    return Photo(quad=(a, b, c, d), side=side, sure={"found": 0.99, "side": 0.99})


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
