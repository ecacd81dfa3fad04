"""Backs are printed in grey: seen so under any lamp and on any table, and a hand over them is a hand."""

import cv2
import numpy as np
import pytest

from tests.vision.differences_pictures import greyed, jpeg, scene
from vision.differences import Side, compare
from vision.differences.hue import hue_of, in_grey
from vision.geometry import Picture

SKIN = (120, 150, 215)


def back() -> Picture:
    """A back with red circles on it."""
    picture = greyed(scene(4))
    for at in ((150, 150), (400, 320), (620, 200)):
        cv2.circle(picture, at, 40, (40, 40, 200), 3, cv2.LINE_AA)
    return picture


def under(lamp: tuple[float, float, float], picture: Picture) -> Picture:
    return np.clip(picture * np.array(lamp), 0, 255).astype(np.uint8)


def with_finger(picture: Picture) -> Picture:
    out = picture.copy()
    cv2.line(out, (790, 420), (560, 360), SKIN, 46, cv2.LINE_AA)
    return out


@pytest.mark.parametrize("lamp", [(1.0, 1.0, 1.0), (0.7, 1.0, 1.25), (1.3, 1.0, 0.85)], ids=["white", "warm", "cold and bright"])
def test_a_back_is_grey_under_any_lamp_and_a_front_is_not(lamp: tuple[float, float, float]) -> None:
    whole = np.ones((600, 800), bool)

    assert in_grey(hue_of(under(lamp, back()), whole), hue_of(under(lamp, scene(4)), whole)) == (True, False)


def test_a_back_on_a_green_table_is_grey() -> None:
    on_table = cv2.copyMakeBorder(back(), 60, 60, 60, 60, cv2.BORDER_CONSTANT, value=(60, 140, 40))

    seen = hue_of(np.asarray(on_table, np.uint8), np.ones(on_table.shape[:2], bool))

    assert in_grey(seen, seen) == (True, True)


def test_a_finger_on_a_back_hides_what_lies_beneath_it() -> None:
    """It is no difference; what it covers is unseen, and the count not sure."""
    said = compare(Side(jpeg(back(), 90)), Side(jpeg(with_finger(back()), 90))).differences

    assert said.count == 0 and said.probability < 0.95
    assert any(x < 700 < x + w and y < 400 < y + h for x, y, w, h in (u.a for u in said.unseen))


def test_the_same_finger_on_both_is_printed_there() -> None:
    said = compare(Side(jpeg(with_finger(back()), 90)), Side(with_finger(back()))).differences

    assert said.count == 0 and not said.unseen


def test_a_blue_sky_with_a_mast_is_no_grey_picture() -> None:
    """What stands on both pictures is printed there, also where it comes in over the edge."""
    sky = np.full((600, 800, 3), (190, 150, 120), np.uint8)
    cv2.rectangle(sky, (300, 100), (360, 600), (30, 160, 220), -1)
    seen = hue_of(sky, np.ones((600, 800), bool))

    assert in_grey(seen, seen) == (False, False)
