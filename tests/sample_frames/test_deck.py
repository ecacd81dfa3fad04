"""The sample deck keeps the game's law: any two photos differ in one to ten places, and the circles count them."""

from __future__ import annotations

import math
from collections import Counter
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sample_frames.deck import pair_count, trick, truth
from sample_frames.deck.kinds import FAMILIES, KINDS
from sample_frames.deck.scene import SPOTS, Thing
from sample_frames.deck.truth import change

PHOTOS = truth.photos()
PAIRS = list(combinations(PHOTOS, 2))


def test_more_than_a_hundred_things_stand_in_the_scene() -> None:
    """A child can name more than a hundred different things in the picture, and no two families draw the same one."""
    shown = {spot.base.kind for spot in SPOTS.values() if spot.base}

    assert len(shown) > 100
    assert shown <= set(KINDS)
    assert sum(len(family) for family in FAMILIES) == len(KINDS)


def test_every_pair_differs_in_one_to_ten_places_and_every_number_occurs() -> None:
    """Whatever two photos are laid, one of the ten markers is right; each is right for some pair, and none is a safe guess."""
    tally = Counter(pair_count(a, b) for a, b in PAIRS)

    assert list(PHOTOS) == [f"p{i:02d}" for i in range(1, 41)]
    assert set(tally) == set(range(1, 11))
    assert max(tally.values()) <= 0.2 * len(PAIRS)
    assert min(tally.values()) >= 0.01 * len(PAIRS)


def test_no_two_photos_share_what_they_show_instead() -> None:
    """Each photo departs in one to five places of its own."""
    shown = [(spot, thing) for photo in PHOTOS.values() for spot, thing in photo.items()]

    assert {len(photo) for photo in PHOTOS.values()} == {1, 2, 3, 4, 5}
    assert len(set(shown)) == len(shown)
    assert all(thing != SPOTS[spot].base for spot, thing in shown)


def test_the_circles_of_both_backs_together_are_the_differences() -> None:
    """A spot that is ringed on either back, or on both, is one difference; nothing else is."""
    for a, b in PAIRS:
        ringed = {departure.spot for photo in (a, b) for departure in truth.departures(photo)}

        assert {place.spot for place in truth.places(a, b)} == ringed
        assert pair_count(a, b) == pair_count(b, a) == len(ringed)


def test_a_photo_does_not_differ_from_itself() -> None:
    """Compared with itself every photo has no difference."""
    assert all(truth.places(photo, photo) == () for photo in PHOTOS)


def test_every_kind_of_change_occurs_among_the_photos() -> None:
    """Things are added, removed, replaced, recoloured, moved, mirrored and resized, each in several photos."""
    tally = Counter(change(departure.scene, departure.shown) for photo in PHOTOS for departure in truth.departures(photo))

    assert set(tally) == {"added", "removed", "replaced", "recoloured", "moved", "mirrored", "resized"}
    assert min(tally.values()) >= 5


def test_what_changed_is_named_as_the_contract_names_it() -> None:
    """One change has a name that is turned round with the pair; two changes at once have none."""
    cat = Thing("cat")

    assert change(None, cat) == "added"
    assert change(cat, None) == "removed"
    assert change(cat, Thing("dog")) == "replaced"
    assert change(cat, Thing("cat", scale=0.6)) == "resized"
    assert change(Thing("cat", mirrored=True), cat) == "mirrored"
    assert change(Thing("cat", colour="#ffffff"), Thing("cat", shift_mm=(3.0, 0.0))) is None


def test_a_departure_is_small_and_can_still_be_found() -> None:
    """It takes four to ten hundredths of the picture's width and lies within the picture, as does its circle."""
    for photo in PHOTOS:
        for departure in truth.departures(photo):
            x, y, width, height = departure.box_mm
            cx, cy, radius = departure.ring_mm

            assert 4.8 <= max(width, height) <= 12.0
            assert x >= -0.3 and y >= -0.3 and x + width <= 120.3 and y + height <= 80.3
            assert radius < cx < 120 - radius and radius < cy < 80 - radius
            for side in ((x, y + height / 2), (x + width, y + height / 2), (x + width / 2, y), (x + width / 2, y + height)):
                assert math.dist(side, (cx, cy)) < radius + 0.5


def test_circles_of_different_places_never_touch() -> None:
    """On whatever two backs: so two places are never taken for one."""
    rings = {(departure.spot, departure.ring_mm) for photo in PHOTOS for departure in truth.departures(photo)}

    for (spot, (x, y, r)), (other, (u, v, s)) in combinations(rings, 2):
        assert spot == other or math.hypot(x - u, y - v) > r + s


@settings(max_examples=25, deadline=None)
@given(st.integers(14, 30), st.integers(2, 4), st.lists(st.integers(1, 5), min_size=3, max_size=9), st.integers(0, 1000))
def test_the_search_keeps_the_law_on_any_menu(spots: int, variants: int, sizes: list[int], seed: int) -> None:
    """Whatever is offered: every photo has its size, no variant is used twice, every pair differs in 1 to 10 places."""
    menu = {f"s{i}": variants for i in range(spots)}
    if sum(sizes) > sum(menu.values()) // 2:
        return

    photos = trick.search(menu, sizes=sizes, steps=60, seed=seed)

    assert sorted(map(len, photos)) == sorted(sizes)
    assert all(n <= variants for n in Counter(spot for photo in photos for spot in photo).values())
    assert set(trick.counts(photos)) <= set(range(1, 11))


def test_searching_longer_makes_the_counts_more_even() -> None:
    """The search improves on its first try, and gives the same set for the same seed."""
    menu = {f"s{i}": 4 for i in range(45)}
    first, longer = (trick.search(menu, steps=steps, seed=3) for steps in (0, 3000))

    assert trick.unevenness(trick.counts(longer)) < trick.unevenness(trick.counts(first))
    assert trick.search(menu, steps=300, seed=3) == trick.search(menu, steps=300, seed=3)


def test_too_few_variants_are_refused_with_their_number() -> None:
    """A menu that cannot serve all photos is told so, with what it has and what is needed."""
    with pytest.raises(ValueError, match="2 spots with 4 variants are too few for 9 departures"):
        trick.search({"a": 2, "b": 2}, sizes=(3, 3, 3))
