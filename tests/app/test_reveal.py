"""The photos of the reveal: straightened, the same way up, and not on their side."""

import cv2
import numpy as np
import pytest

from companion.app.reveal import Straightened, straighten
from companion.reading import Counted
from tests.reading.drawn import TABLE
from vision.geometry import Picture, Points, rectangle
from vision.observation import Alignment, Differences
from vision.topview import View

PHOTO_MM = (120.0, 80.0)
RED = (40, 40, 220)
QUARTER_TURNS = (0, 90, 180, 270)


def print_with_a_red_corner() -> Picture:
    """A grey print whose own top left is red."""
    out = np.full((200, 300, 3), 120, np.uint8)
    out[:50, :75] = RED
    return out


def laid(a: Points, b: Points) -> View:
    frame = np.full((TABLE.image_size[1], TABLE.image_size[0], 3), 60, np.uint8)
    for quad in (a, b):
        to_frame = cv2.getPerspectiveTransform(np.array([[0, 0], [300, 0], [300, 200], [0, 200]], np.float32),
                                               TABLE.to_px(quad).astype(np.float32))
        cv2.warpPerspective(print_with_a_red_corner(), to_frame, TABLE.image_size, frame, cv2.INTER_AREA, cv2.BORDER_TRANSPARENT)
    return View(frame, TABLE)


def red_corners(shown: Straightened) -> list[int]:
    """In which corner of each the red is: 0 top left, then clockwise."""
    out = []
    for picture in (shown.a, shown.b):
        h, w = picture.shape[:2]
        corners = [picture[y, x] for y, x in ((h // 8, w // 8), (h // 8, -w // 8), (-h // 8, -w // 8), (-h // 8, w // 8))]
        out.append(int(np.argmin([np.abs(c.astype(int) - RED).sum() for c in corners])))
    return out


@pytest.mark.parametrize("turn_b", QUARTER_TURNS)
@pytest.mark.parametrize("turn_a", QUARTER_TURNS)
def test_both_photos_are_shown_the_same_way_up_and_lying(turn_a: int, turn_b: int) -> None:
    """However they lie on the table, and wherever their outlines begin: as the deck knows them, else their longer side across."""
    a, b = rectangle((-80, 5), PHOTO_MM, turn_a + 3), rectangle((80, -10), PHOTO_MM, turn_b - 4)
    view = laid(a, b)
    b_to_a = cv2.getPerspectiveTransform(TABLE.to_px(b).astype(np.float32), TABLE.to_px(a).astype(np.float32))
    said = Differences(same_picture=True, count=0, probability=0.9, range=(0, 1),
                       alignment=Alignment(tuple(float(v) for v in b_to_a.ravel()), 0.1, False, 0.0))

    known = straighten(view, Counted(a, b, said, upright=True))
    assert red_corners(known) == [0, 0]

    shown = straighten(view, Counted(np.roll(a, 1, axis=0), np.roll(b, 2, axis=0), said, upright=False))
    assert shown.a.shape == shown.b.shape and shown.a.shape[1] > shown.a.shape[0]
    one, other = red_corners(shown)
    assert one == other and one in (0, 2)
