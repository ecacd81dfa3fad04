"""The cards that the arrow network learns from: drawn from a seed, their truth known."""

import cv2
import numpy as np

from vision.circle.bands import DEPTH_PX, SIDE_PX, bands, normalised
from vision.circle.numbers import number_chances
from vision.training.arrow_cards import draw_bands
from vision.training.fonts import GLYPH_PX, OTHERS, Face


def a_face() -> Face:
    """A typeface whose every sign is a bar: drawing needs no font file."""
    ink = np.full((GLYPH_PX, GLYPH_PX // 2), 255, np.uint8)
    return Face("bars", dict.fromkeys((*map(str, range(1, 11)), *OTHERS, "?"), ink))


def test_equal_seeds_draw_equal_cards() -> None:
    """Training can be repeated; the first band may bear an arrow, the second never does."""
    first, again = (draw_bands(np.random.default_rng(7), [a_face()]) for _ in range(2))

    assert all(np.array_equal(a.shown, b.shown) for a, b in zip(first, again, strict=True))
    assert first[1].steps == 0
    assert first[0].shown.shape == (DEPTH_PX, SIDE_PX, 3)


def test_each_side_of_a_card_is_shown_with_that_side_up() -> None:
    """The band along the right side is the card turned so that its right side is up."""
    card = np.zeros((SIDE_PX, SIDE_PX, 3), np.uint8)
    card[:, -5:] = 255

    top, right, bottom, left = bands(card)

    assert right[:5].min() == 255
    assert max(int(b[:5, 6:-6].max()) for b in (top, bottom, left)) == 0


def test_a_band_without_contrast_is_normalised_too() -> None:
    """A burnt-out card is no division by nought."""
    assert np.isfinite(normalised(np.full((2, DEPTH_PX, SIDE_PX, 3), 255, np.uint8))).all()


def test_a_numeral_of_ink_is_read_wherever_it_stands_in_the_band() -> None:
    """Dark on pale, at the left or right."""
    for x in (30, 130):
        band = np.full((2 * DEPTH_PX, 2 * SIDE_PX, 3), 240, np.uint8)
        cv2.putText(band, "4", (x, 32), cv2.FONT_HERSHEY_DUPLEX, 0.8, (30, 30, 30), 2, cv2.LINE_AA)

        chances = number_chances(band)

        assert int(chances.argmax()) + 1 == 4
    assert number_chances(np.full((2 * DEPTH_PX, 2 * SIDE_PX, 3), 240, np.uint8)).max() == 0
