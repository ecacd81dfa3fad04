"""Counting differences: the laws that hold for any two pictures."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.vision.differences_pictures import jpeg, scene, sticker, stickers
from vision.differences import Options, Side, compare, compare_sheet, count_differences

PLACES = ((150, 150), (420, 300), (640, 460))
BASE = scene(3)
CHANGED = stickers(BASE, PLACES)


@given(seed=st.integers(0, 2**32 - 1), width=st.integers(1, 90), height=st.integers(1, 90), blank=st.booleans())
@settings(max_examples=40, deadline=None)
def test_identical_pictures_have_no_difference(seed: int, width: int, height: int, blank: bool) -> None:
    """Identity is exactly zero, for a blank picture too."""
    rng = np.random.default_rng(seed)
    picture = np.full((height, width, 3), seed % 256, np.uint8) if blank else rng.integers(0, 256, (height, width, 3), np.uint8)

    said = count_differences(picture, picture.copy())

    assert (said.count, said.probability, said.same_picture) == (0, 1.0, True)


@given(places=st.lists(st.tuples(st.integers(60, 740), st.integers(60, 540)), max_size=5), seed=st.integers(0, 10**6))
@settings(max_examples=4, deadline=None)
def test_the_order_of_the_pictures_changes_nothing(places: list[tuple[int, int]], seed: int) -> None:
    """The places swap sides, `added` and `removed` swap names; all else is the same to the last digit."""
    a, b = jpeg(scene(seed), 92), stickers(scene(seed), places)

    one, other = count_differences(a, b), count_differences(b, a)

    assert (one.count, one.probability, one.range) == (other.count, other.probability, other.range)
    assert [(p.a, p.b) for p in one.places] == [(p.b, p.a) for p in other.places]
    names = {"added": "removed", "removed": "added"}
    assert [p.kind for p in one.places] == [names.get(p.kind or "", p.kind) for p in other.places]


def test_the_turn_is_told() -> None:
    """By how much B was turned stands in the alignment, clockwise."""
    for turns in range(4):
        said = count_differences(BASE, np.ascontiguousarray(np.rot90(CHANGED, turns)))
        assert said.alignment and abs((said.alignment.rotated_deg - 90 * turns + 180) % 360 - 180) < 1


def test_a_mirrored_copy_is_told_and_its_places_counted() -> None:
    """`mirrored` says so; nothing is guessed away."""
    said = count_differences(BASE, np.ascontiguousarray(CHANGED[:, ::-1]))

    assert said.alignment and said.alignment.mirrored
    assert said.count == len(PLACES)


def test_other_pictures_are_refused() -> None:
    """Two pictures of different scenes are not counted, and the reason is given."""
    said = compare(Side(scene(1)), Side(scene(2)))

    assert (said.differences.same_picture, said.differences.count) == (False, None)
    assert said.why


def test_two_different_blanks_are_refused() -> None:
    """Nothing in them says that they show the same."""
    assert count_differences(np.full((90, 120, 3), 40, np.uint8), np.full((90, 120, 3), 200, np.uint8)).count is None


@pytest.mark.parametrize("axis", [0, 1], ids=["one above the other", "side by side"])
def test_both_pictures_in_one_file(axis: int) -> None:
    """A sheet as puzzle books print it is parted, and its boxes are pixels of the sheet."""
    gap = np.full((24, 800, 3), 250, np.uint8) if axis == 0 else np.full((600, 24, 3), 250, np.uint8)
    sheet = np.concatenate([BASE, gap, CHANGED], axis)

    said = compare_sheet(np.pad(sheet, ((15, 15), (15, 15), (0, 0)), constant_values=250)).differences

    assert said.count == len(PLACES)
    for x, y in PLACES:
        bx, by = (x + 15, y + 639) if axis == 0 else (x + 839, y + 15)
        assert any(p.b[0] <= bx <= p.b[0] + p.b[2] and p.b[1] <= by <= p.b[1] + p.b[3] for p in said.places)


def test_differences_at_the_border_count() -> None:
    """A thing that the picture's border cuts is a difference like any other."""
    changed = stickers(BASE, [(400, 8), (792, 300), (14, 590)], 56)

    assert count_differences(BASE, jpeg(changed, 92)).count == 3


def test_what_is_ignored_or_too_small_does_not_count() -> None:
    """A mask takes places out, a least size too, and the rest stays."""
    ignore = np.zeros(BASE.shape[:2], bool)
    ignore[100:200, 100:200] = True
    small = sticker(CHANGED, 560, 120, 24)

    assert compare(Side(BASE, ignore=ignore), Side(CHANGED)).differences.count == len(PLACES) - 1
    assert compare(Side(BASE), Side(small)).differences.count == len(PLACES) + 1
    assert compare(Side(BASE), Side(small), Options(least_px=34)).differences.count == len(PLACES)


def test_what_a_hand_hides_is_unseen_and_widens_the_range() -> None:
    """A place under a cover is not counted; the range says that there may be more."""
    hidden = np.zeros(BASE.shape[:2], bool)
    hidden[:, 500:] = True
    said = compare(Side(BASE, hidden=hidden), Side(CHANGED)).differences

    assert said.count == 2 and isinstance(said.range, tuple)
    assert said.range[1] >= 3 and said.probability < 0.9
    assert any(u.a[0] > 450 for u in said.unseen)


