"""The sample deck keeps the game's law, and shows what its truth says."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

from sample_frames.deck import pair_count, truth
from sample_frames.deck.kinds import FAMILIES, KINDS
from sample_frames.deck.scene import SPOTS


def test_more_than_a_hundred_things_stand_in_the_scene() -> None:
    """A child can name more than a hundred different things in the picture, and no two families draw the same one."""
    shown = {spot.base.kind for spot in SPOTS.values() if spot.base}

    assert len(shown) > 100
    assert shown <= set(KINDS)
    assert sum(len(family) for family in FAMILIES) == len(KINDS)


def test_every_pair_differs_in_one_to_ten_places_and_every_number_occurs() -> None:
    """Whatever two photos are laid, one of the ten markers is right, and each is right for some pair."""
    tally = Counter(pair_count(a, b) for a, b in combinations(truth.photos(), 2))

    assert len(truth.photos()) == 40
    assert set(tally) == set(range(1, 11))
    assert max(tally.values()) < 0.2 * sum(tally.values())


def test_each_photo_departs_in_one_to_five_places_of_its_own() -> None:
    """No two photos show the same thing at a varying spot, so the circles of both backs together are the differences."""
    shown = [(spot, thing) for photo in truth.photos().values() for spot, thing in photo.items()]

    assert all(1 <= len(photo) <= 5 for photo in truth.photos().values())
    assert len(set(shown)) == len(shown)
    for a, b in combinations(truth.photos(), 2):
        ringed = {departure.spot for photo in (a, b) for departure in truth.departures(photo)}
        assert {place.spot for place in truth.places(a, b)} == ringed
