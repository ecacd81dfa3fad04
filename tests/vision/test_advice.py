"""What hinders is named, with the photo that it hinders; a picture's own whites are no glare."""

import cv2
import numpy as np
import pytest

from tests.reading.drawn import TABLE, Scene, draw, px
from vision.advice import TOO_DARK, advice, brightness
from vision.geometry import Picture, rectangle
from vision.observation import to_dict
from vision.observe import observe
from vision.topview import View

LEFT, RIGHT = (-70.0, 20.0), (70.0, 20.0)
SIZE_MM = (120.0, 80.0)


def shine(frame: Picture, at: tuple[float, float], radius_px: int) -> Picture:
    """A lamp mirrored in something glossy there: its middle is burnt out."""
    spot = cv2.GaussianBlur(cv2.circle(np.zeros(frame.shape[:2], np.float32), px(at), radius_px, (700.0,), -1), (0, 0), radius_px / 3)
    return np.clip(frame + spot[..., None], 0, 255).astype(np.uint8)


def said(frame: Picture, *middles: tuple[float, float]) -> tuple[str, ...]:
    return advice(View(frame, TABLE), [rectangle(at, SIZE_MM) for at in middles])


@pytest.fixture(name="table")
def a_table() -> Picture:
    return draw(Scene(photos=((LEFT, "colour"), (RIGHT, "back"))), 3)


def test_a_table_in_good_light_needs_no_advice(table: Picture) -> None:
    """Nor does one at half its light."""
    assert said(table, LEFT, RIGHT) == ()
    assert said((table * 0.55).astype(np.uint8), LEFT, RIGHT) == ()


@pytest.mark.parametrize(("at", "key"), [(LEFT, "glare-left-photo"), (RIGHT, "glare-right-photo")])
@pytest.mark.parametrize("order", [(LEFT, RIGHT), (RIGHT, LEFT)])
def test_a_lamp_on_a_photo_is_named_by_where_it_lies(
    table: Picture, at: tuple[float, float], key: str, order: tuple[tuple[float, float], tuple[float, float]]
) -> None:
    """Left is left in the picture, whichever photo was found first."""
    assert said(shine(table, at, 10), *order) == (key,)


def test_a_lamp_on_the_table_beside_the_photos_hinders_nothing(table: Picture) -> None:
    """What it burns out there is not needed."""
    assert said(shine(table, (0.0, -60.0), 10), LEFT, RIGHT) == ()


def test_white_things_in_a_photo_are_no_glare(table: Picture) -> None:
    """Bright, but not beyond what the sensor can tell."""
    x, y = px(LEFT)
    table[y - 20 : y + 20, x - 30 : x + 30] = 244
    assert said(table, LEFT, RIGHT) == ()


def test_a_photo_that_lies_on_the_other_is_told() -> None:
    """A corner is enough; two that touch are well."""
    table = draw(Scene(), 3)
    assert said(table, (-50.0, 20.0), (50.0, 60.0)) == ("photos-overlap",)
    assert said(table, (-60.0, 20.0), (60.0, 20.0)) == ()


def test_a_table_in_the_dark_is_told(table: Picture) -> None:
    """First that it is rather dark, and far below that no more is ruled."""
    assert said((table * 0.25).astype(np.uint8), LEFT, RIGHT) == ("dark",)
    assert brightness((table * 0.25).astype(np.uint8)) > TOO_DARK > brightness((table * 0.06).astype(np.uint8))


def test_a_table_that_burns_out_is_told(table: Picture) -> None:
    """Four times the light that the camera can take; one and a half times is no matter."""
    assert "bright" in said(np.clip(table * 4.0, 0, 255).astype(np.uint8), LEFT, RIGHT)
    assert said(np.clip(table * 1.5, 0, 255).astype(np.uint8), LEFT, RIGHT) == ()


def test_an_observation_carries_the_advice() -> None:
    """A table in the dark, and none in good light, where the key is absent."""
    bare = draw(Scene(), 3)
    assert to_dict(observe(View((bare * 0.25).astype(np.uint8), TABLE), game="sherlook"))["advice"] == ["dark"]
    assert "advice" not in to_dict(observe(View(bare, TABLE), game="sherlook"))
