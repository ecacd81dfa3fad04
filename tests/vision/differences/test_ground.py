"""Prints on cloths: what lies under a print has no say in what it shows."""

import cv2
import numpy as np
import pytest

from tests.vision.differences_pictures import scene, stickers
from vision.differences import Side, compare
from vision.geometry import Picture

SIZE = (1000, 750)
THERE = ((200, 120), (790, 150), (770, 600), (180, 570))
ELSEWHERE = ((230, 140), (800, 110), (820, 580), (210, 610))
CHANGED = [(150, 150), (600, 420), (420, 250)]


def cloth(seed: int) -> Picture:
    """A cloth with a pattern that repeats, woven unevenly."""
    rng = np.random.default_rng(seed)
    motif = cv2.resize(rng.integers(0, 256, (24, 24, 3)).astype(np.uint8), (96, 96), interpolation=cv2.INTER_NEAREST)
    pattern = np.tile(cv2.GaussianBlur(motif, (0, 0), 2), (SIZE[1] // 96 + 1, SIZE[0] // 96 + 1, 1))[: SIZE[1], : SIZE[0]]
    weave = cv2.GaussianBlur(rng.normal(0, 60, (SIZE[1], SIZE[0], 3)).astype(np.float32), (0, 0), 2.5)
    return np.clip(pattern * 0.6 + 60 + weave, 0, 255).astype(np.uint8)


def lying_on(ground: Picture, picture: Picture, corners: tuple[tuple[int, int], ...], *, seed: int) -> Picture:
    """A photograph of a print that lies on a cloth."""
    h, w = picture.shape[:2]
    m = cv2.getPerspectiveTransform(np.array([[0, 0], [w, 0], [w, h], [0, h]], np.float32), np.array(corners, np.float32))
    there = cv2.warpPerspective(np.full((h, w, 3), 1, np.float32), m, SIZE)
    seen = cv2.warpPerspective(picture, m, SIZE, flags=cv2.INTER_CUBIC) * there + ground * (1 - there)
    noisy = np.clip(seen + np.random.default_rng(seed).normal(0, 3, seen.shape), 0, 255).astype(np.uint8)
    return np.asarray(cv2.imdecode(cv2.imencode(".jpg", noisy, [cv2.IMWRITE_JPEG_QUALITY, 88])[1], cv2.IMREAD_COLOR), np.uint8)


@pytest.mark.parametrize("changed", [[], CHANGED])
def test_one_print_on_two_cloths(changed: list[tuple[int, int]]) -> None:
    """The cloths differ everywhere; only what differs in the print counts."""
    print_ = scene(1)

    said = compare(
        Side(lying_on(cloth(1), print_, THERE, seed=1)), Side(lying_on(cloth(2), stickers(print_, changed, 48), ELSEWHERE, seed=2))
    ).differences

    assert said.same_picture and said.count == len(changed)


@pytest.mark.parametrize("corners", [THERE, ELSEWHERE])
def test_two_prints_on_one_cloth_are_not_one_picture(corners: tuple[tuple[int, int], ...]) -> None:
    """The cloth agrees, the prints on it do not: that is no pair, at the same place and elsewhere on it."""
    said = compare(Side(lying_on(cloth(1), scene(1), THERE, seed=1)), Side(lying_on(cloth(1), scene(51), corners, seed=2)))

    assert said.differences.same_picture is False and "round it" in said.why


def test_a_print_that_was_moved_on_its_cloth_is_compared_not_the_cloth() -> None:
    """The camera stands still and the cloth agrees to the pixel; the print has moved on it and is what is compared."""
    print_ = scene(1)

    said = compare(
        Side(lying_on(cloth(1), print_, THERE, seed=1)), Side(lying_on(cloth(1), stickers(print_, CHANGED, 48), ELSEWHERE, seed=2))
    ).differences

    assert said.count == len(CHANGED)


def test_only_a_corner_of_the_print_is_in_b() -> None:
    """What B does not show was not compared; the one change in its corner counts."""
    whole = lying_on(cloth(2), stickers(scene(1), CHANGED, 48), ELSEWHERE, seed=2)

    said = compare(Side(lying_on(cloth(1), scene(1), THERE, seed=1)), Side(whole[330:, 480:].copy())).differences

    assert said.same_picture and said.count == 1


def test_half_a_file_that_shows_nothing_is_not_passed_over() -> None:
    """A file that broke off while it was copied: its rest is grey, and nobody can know what would differ there."""
    whole = stickers(scene(1), CHANGED[:1])
    broken = scene(1)
    broken[300:] = 128

    said = compare(Side(whole), Side(broken))

    assert said.differences.count == 1 and said.differences.probability < 0.95 and said.differences.range[1] > 1
    assert any("not compared" in note for note in said.notes)
