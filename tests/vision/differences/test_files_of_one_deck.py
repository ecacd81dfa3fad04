"""Files of one deck, equal but for their changes, as a publisher checks them: each changed thing is one difference."""

import pytest

from sample_frames.deck import load
from sample_frames.deck.truth import pair_count
from vision.differences import count_differences


@pytest.mark.parametrize(
    ("a", "b", "shows"),
    [
        ("p01", "p08", "a cat that faces the other way, whose middle looks alike both ways"),
        ("p08", "p09", "the cat again, whose two ends look like one thing that moved"),
        ("p02", "p05", "two things that nearly touch"),
        ("p01", "p02", "a boat moved, and a magnet that came, on shelves that look alike"),
        ("p12", "p16", "one thing that went and another that came, on one shelf"),
        ("p04", "p11", "a hat that came before a plain wall"),
    ],
)
def test_each_changed_thing_is_one_difference(a: str, b: str, shows: str) -> None:
    deck = load()
    assert count_differences(deck.front(a), deck.front(b)).count == pair_count(a, b), shows
