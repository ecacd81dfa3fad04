"""Clean pairs: what a codec leaves round edges is no difference, what somebody changed in an otherwise equal file is one."""

import cv2
import numpy as np

from tests.vision.differences_pictures import sticker
from vision.differences import Side, compare
from vision.differences.fine import specks
from vision.geometry import Picture

COLOURS = [(40, 220, 250), (200, 60, 30), (30, 30, 200), (90, 200, 60), (220, 60, 200), (250, 250, 250), (10, 10, 10)]


def few_things_on_a_plain_ground() -> Picture:
    """Most of such a picture is left as it was by any codec."""
    picture = np.full((540, 768, 3), (128, 128, 128), np.uint8)
    for k, colour in enumerate(COLOURS):
        picture = sticker(picture, 90 + 100 * k, 120 + 60 * (k % 4), 44, colour)
    return picture


def test_the_traces_of_a_codec_round_things_are_no_differences() -> None:
    """Nine tenths of the pixels are equal, and those that are not lie round the things."""
    a = few_things_on_a_plain_ground()
    b = np.asarray(cv2.imdecode(cv2.imencode(".jpg", a, [cv2.IMWRITE_JPEG_QUALITY, 92])[1], cv2.IMREAD_COLOR), np.uint8)

    look = specks(a, b, np.eye(3))

    assert look is not None and (a == b).all(2).mean() > 0.8 and not look.lossless
    assert compare(Side(a), Side(b)).differences.count == 0


def test_one_pale_thing_in_an_otherwise_equal_file_is_one_difference() -> None:
    """Five levels darker on a disc of twenty pixels: a codec has no part in it."""
    a = few_things_on_a_plain_ground()
    b = a.copy()
    cv2.circle(b, (340, 130), 10, (123, 123, 123), -1)

    look = specks(a, b, np.eye(3))

    assert look is not None and look.lossless and len(look.specks) == 1
    assert compare(Side(a), Side(b)).differences.count == 1


def test_a_frame_round_a_picture_is_no_difference() -> None:
    """Two files of one print, one with the edge of the table in it; a thing that went away counts beside it."""
    a = few_things_on_a_plain_ground()
    framed = np.asarray(cv2.copyMakeBorder(a[9:-9, 9:-9], 9, 9, 9, 9, cv2.BORDER_CONSTANT, value=(20, 60, 90)), np.uint8)
    without = framed.copy()
    cv2.rectangle(without, (360, 250), (420, 330), (128, 128, 128), -1)
    assert (without != framed).any()

    assert compare(Side(a), Side(framed)).differences.count == 0
    assert compare(Side(a), Side(without)).differences.count == 1
