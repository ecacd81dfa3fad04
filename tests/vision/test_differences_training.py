"""The drawn pairs that the counting of differences is fitted on, and the fitting."""

import numpy as np
import pytest

from vision.differences.candidates import Candidate
from vision.differences.judge import Look
from vision.training.differences_camera import of_few_colours
from vision.training.differences_measure import Looked, is_right, matched
from vision.training.differences_pairs import Difference, draw_pair
from vision.training.differences_plain import residue, stands_out
from vision.training.differences_scenes import Sources
from vision.training.regression import logistic

LOOK = Look(768, 900.0, 0.0, 0.0)


def place(*boxes: tuple[float, float, float, float]) -> Candidate:
    return Candidate(boxes, 0.9, 0.9, 0.9, 40, 5.0, 0.0, 0.1)


def test_a_pair_comes_from_its_seed_alone() -> None:
    """The same seed draws the same pair; without differences nothing is said to differ."""
    one, again, other = (draw_pair(seed, Sources()) for seed in (3, 3, 4))
    alike = draw_pair(3, Sources(), differences=0)

    assert np.array_equal(one.a, again.a) and np.array_equal(one.b, again.b) and one.differences == again.differences
    assert one.a.shape != other.a.shape or not np.array_equal(one.a, other.a)
    assert not alike.differences and not alike.changed.any()


@pytest.mark.parametrize("seed", range(8))
def test_what_is_said_to_differ_lies_on_the_print(seed: int) -> None:
    """Each difference has boxes on the print, marked as changed; what can hardly be seen is neither right nor wrong."""
    pair = draw_pair(seed, Sources(), differences=5)

    for difference in pair.differences:
        for x, y, w, h in difference.boxes:
            part = np.s_[y : y + h, x : x + w]
            assert pair.inside[part].any() and pair.changed[part].any()
            assert pair.ignore[part].any() or not difference.hidden


def test_a_palette_that_would_take_a_colour_away_is_not_used() -> None:
    """One red berry in a meadow of few reds: with 64 colours it would be gone, and whoever sees that calls it another picture."""
    y, x = np.mgrid[:256, :256]
    meadow = np.dstack([x // 2, 255 - y // 2, 60 + (x + y) // 8]).astype(np.uint8)
    berry = meadow.copy()
    berry[100:110, 60:70] = (30, 40, 230)

    assert np.array_equal(of_few_colours(berry, 64), berry)
    assert len(np.unique(of_few_colours(meadow, 64).reshape(-1, 3), axis=0)) <= 64


def test_what_shows_no_more_than_all_round_it_is_not_found() -> None:
    """A pale spot is plain on calm ground and lost among restless things; a strong one is seen among these, too."""
    rng, everywhere = np.random.default_rng(0), np.ones((240, 320), bool)

    def seen(spot: int, restless: float) -> bool:
        a, b = (np.clip(128 + rng.normal(0, restless, (240, 320, 3)), 0, 255).astype(np.uint8) for _ in range(2))
        a[100:124, 100:124], b[100:124, 100:124] = 128, 128 + spot
        return stands_out(residue(a, b, everywhere), [(100, 100, 24, 24)], [], everywhere)

    assert [seen(20, 1.0), seen(20, 60.0), seen(110, 60.0)] == [True, False, True]


def test_a_hidden_difference_may_be_counted_or_not() -> None:
    """Nobody can be blamed for either."""
    looked = Looked((Difference("added", ((10, 10, 40, 40),), False), Difference("moved", ((300, 10, 40, 40),), True)), (), (), LOOK)

    assert [is_right(looked, n) for n in range(4)] == [False, True, True, False]


def test_each_difference_is_matched_once() -> None:
    """A second place on it is one too many, a place on a hidden one neither right nor wrong, and a moved thing is found at either end."""
    moved, hidden = Difference("moved", ((10, 10, 40, 40), (200, 10, 40, 40)), False), Difference("added", ((500, 300, 40, 40),), True)
    looked = Looked((moved, hidden), (), (), LOOK)

    labels, taken = matched(
        looked, [place((205, 15, 30, 30)), place((12, 12, 30, 30)), place((505, 305, 30, 30)), place((600, 10, 20, 20))]
    )

    assert labels == [1, 0, None, 0] and taken == [True, True]


def test_odds_are_found_again() -> None:
    """Of many samples drawn by a known model, the fit gives that model back."""
    rng = np.random.default_rng(0)
    x = np.c_[np.ones(8000), rng.normal(0, 1, (8000, 2))]
    true = np.array([-0.5, 1.5, 0.0])
    y = (rng.random(8000) < 1 / (1 + np.exp(-x @ true))).astype(float)

    assert logistic(x, y, np.ones(8000)) == pytest.approx(true, abs=0.12)
