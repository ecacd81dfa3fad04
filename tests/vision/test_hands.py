"""Hands are what moved and reaches in from the edge, whatever their colour."""

import cv2
import numpy as np
import pytest

from vision.geometry import Picture, contains
from vision.hands import RESTS_S, Reach, covered, find_hands
from vision.stillness import Glance, Stillness
from vision.table import Lens, Table

WIDTH, HEIGHT, FPS = 1280, 720, 10
PX_PER_MM = 1.6
# a camera straight above the table, the middle of the picture at (0, 0) mm
LENS = Lens((1200.0, 1200.0, 640.0, 360.0), (0.0, 0.0, 0.0, 0.0, 0.0))
TABLE = Table((WIDTH, HEIGHT), LENS, (1 / PX_PER_MM, 0, -400.0, 0, 1 / PX_PER_MM, -225.0, 0, 0, 1.0))


def table_top() -> Picture:
    rng = np.random.default_rng(5)
    grain = cv2.resize(rng.normal(0, 10, (HEIGHT // 4, 8)).astype(np.float32), (WIDTH, HEIGHT), interpolation=cv2.INTER_CUBIC)
    return np.clip(np.array([70, 110, 150]) + grain[..., None], 0, 255).astype(np.uint8)


def with_arm(picture: Picture, tip: tuple[int, int], skin: tuple[int, int, int], sleeve: tuple[int, int, int], *, x: int = 0) -> Picture:
    """An arm from the lower edge to the tip, in pixels."""
    out = picture.copy()
    cv2.line(out, (tip[0] + x, HEIGHT + 60), (tip[0], tip[1] + 90), sleeve, 80)
    cv2.ellipse(out, (tip[0], tip[1] + 60), (42, 60), 0, 0, 360, skin, -1)
    return out


def watch(*pictures: Picture, eye: Stillness | None = None, begin: int = 0) -> tuple[Stillness, Glance, tuple[Reach, ...]]:
    eye = eye or Stillness()
    for i, picture in enumerate(pictures):
        glance = eye.see(picture, (begin + i) / FPS)
    return eye, glance, find_hands(glance, TABLE)


PALE, BROWN, DARK = (120, 150, 210), (50, 70, 110), (30, 35, 45)
RED, BLUE, WHITE = (30, 30, 160), (150, 90, 20), (240, 240, 240)


@pytest.mark.parametrize(("skin", "sleeve"), [(PALE, RED), (BROWN, BLUE), (DARK, WHITE)])
def test_a_hand_of_any_skin_and_sleeve_is_found_with_its_tip(skin: tuple[int, int, int], sleeve: tuple[int, int, int]) -> None:
    """The tip lies where the fingers are, within 25 mm; the polygon holds the middle of the hand."""
    top = table_top()
    _, _, (reach,) = watch(*[top] * 5, *(with_arm(top, (640, y), skin, sleeve) for y in range(660, 300, -40)))
    assert np.hypot(*(np.array(reach.hand.tip) - TABLE.to_mm([[640, 340]])[0])) < 25
    assert contains(reach.hand.polygon, TABLE.to_mm([[640, 420]])[0])
    assert reach.entry[1] > 200


def test_two_arms_are_two_hands() -> None:
    """Each has its own tip and entry."""
    top = table_top()
    one = [with_arm(top, (300, y), PALE, RED) for y in range(600, 400, -40)]
    pictures = [with_arm(picture, (900, 600 - 40 * i), BROWN, BLUE) for i, picture in enumerate(one)]
    _, glance, hands = watch(*[top] * 5, *pictures)
    assert sorted(round(reach.entry[0]) for reach in hands) == pytest.approx([-212, 162], abs=20)
    assert covered(hands, glance).sum() == sum(reach.cells.sum() for reach in hands)


def test_a_thing_that_is_laid_down_inside_is_no_hand() -> None:
    """What does not reach the edge is a thing."""
    top = table_top()
    laid = top.copy()
    cv2.rectangle(laid, (500, 300), (690, 430), (90, 60, 60), -1)
    _, glance, hands = watch(*[top] * 5, *[laid] * 6)
    assert glance.changed.any() and not hands


def test_a_resting_hand_stays_a_hand_and_leaves_no_ghost() -> None:
    """A hand that rests is a hand for RESTS_S; when one that was taken for a thing leaves, nothing stays behind."""
    top = table_top()
    rests = with_arm(top, (640, 520), PALE, RED)
    eye, _, hands = watch(*[top] * 5, *[rests] * 30)
    assert len(hands) == 1
    eye, glance, hands = watch(*[rests] * int((RESTS_S + 1) * FPS), eye=eye, begin=35)
    assert not hands
    eye.accept(glance, ~glance.moving)
    _, glance, hands = watch(*[top] * 10, eye=eye, begin=200)
    assert glance.changed.any() and not hands


def test_an_empty_table_has_no_hands() -> None:
    """Nothing moved, nothing reaches in."""
    _, _, hands = watch(*[table_top()] * 5)
    assert hands == ()
