"""What counts as motion on a table, and since when a place looks as it does."""

import cv2
import numpy as np
import pytest

from vision.geometry import Picture, points
from vision.stillness import CELL, Stillness

FPS = 15


def wood(width: int = 1280, height: int = 720, seed: int = 3) -> Picture:
    """A table top with grain."""
    rng = np.random.default_rng(seed)
    grain = cv2.resize(rng.normal(0, 12, (height // 4, 8)).astype(np.float32), (width, height), interpolation=cv2.INTER_CUBIC)
    return np.clip(np.array([70, 110, 150]) + grain[..., None], 0, 255).astype(np.uint8)


NOISE = np.random.default_rng(0).normal(0, 4, (1200, 2100, 3)).astype(np.int8)


def camera(picture: Picture, rng: np.random.Generator, *, exposure: float = 1.0, shake: tuple[float, float] = (0.0, 0.0)) -> Picture:
    """The picture as a webcam gives it: trembling, exposed, a little soft, noisy."""
    h, w = picture.shape[:2]
    moved = cv2.warpAffine(picture, np.array([[1, 0, shake[0]], [0, 1, shake[1]]]), (w, h), borderMode=cv2.BORDER_REPLICATE)
    soft = cv2.GaussianBlur(cv2.convertScaleAbs(moved, alpha=exposure), (0, 0), 1.0)
    y, x = rng.integers(0, (100, 100))
    return np.asarray(cv2.add(soft, NOISE[y:y + h, x:x + w], dtype=cv2.CV_8U), np.uint8)


def with_marker(picture: Picture, x: int, y: int) -> Picture:
    out = picture.copy()
    cv2.rectangle(out, (x, y), (x + 36, y + 36), (40, 210, 230), -1)
    cv2.putText(out, "7", (x + 8, y + 29), cv2.FONT_HERSHEY_SIMPLEX, 1.0, (0, 0, 0), 3)
    return out


def test_a_still_table_stays_still_while_the_camera_trembles_and_hunts_for_its_exposure() -> None:
    """Noise, an exposure that swings by a tenth and a shake of a pixel are no motion and no change."""
    rng, eye, table = np.random.default_rng(1), Stillness(), with_marker(wood(), 600, 300)
    for i in range(45):
        glance = eye.see(camera(table, rng, exposure=1 + 0.1 * np.sin(i / 4), shake=tuple(rng.uniform(-1.2, 1.2, 2))), i / FPS)
        assert i < 4 or glance.still, f"moves at frame {i}"
        assert not glance.changed.any()


@pytest.mark.parametrize("size", [(1280, 720), (1920, 1080), (640, 480)])
def test_a_marker_that_comes_to_lie_is_a_change_at_its_place_only(size: tuple[int, int]) -> None:
    """Where something new lies still, cells differ from the accepted picture and are quiet; once accepted they differ no more."""
    rng, eye, table = np.random.default_rng(2), Stillness(), wood(*size)
    x, y = size[0] // 3, size[1] // 2
    for i in range(10):
        eye.see(camera(table, rng), i / FPS)
    for i in range(10, 20):
        glance = eye.see(camera(with_marker(table, x, y), rng), i / FPS)
    rows, columns = np.nonzero(glance.changed & ~glance.moving)
    cell = CELL / glance.scale
    assert rows.size
    assert x - cell <= columns.min() * cell and (columns.max() + 1) * cell <= x + 36 + cell
    assert y - cell <= rows.min() * cell and (rows.max() + 1) * cell <= y + 36 + cell
    eye.accept(glance, ~glance.moving)
    assert not eye.see(camera(with_marker(table, x, y), rng), 20 / FPS).changed.any()


def test_since_tells_when_the_hand_left_the_place() -> None:
    """A place looks as it does from the moment on at which the thing lies there and nothing is over it any more."""
    rng, eye, table = np.random.default_rng(3), Stillness(), wood()
    laid = with_marker(table, 600, 300)
    held = laid.copy()
    cv2.circle(held, (640, 350), 45, (120, 140, 190), -1)
    story = [table] * 15 + [held] * 10 + [laid] * 12
    for i, picture in enumerate(story):
        glance = eye.see(camera(picture, rng), i / FPS)
    place = points([[600, 300], [636, 300], [636, 336], [600, 336]])
    assert eye.since(glance, place, margin_px=18) == pytest.approx(25 / FPS)


def test_the_order_of_two_markers_laid_half_a_second_apart_is_seen() -> None:
    """Two places have times of their own, though both are looked at only later."""
    rng, eye, table = np.random.default_rng(4), Stillness(), wood()
    first = with_marker(table, 300, 100)
    both = with_marker(first, 900, 600)
    for i, picture in enumerate([table] * 10 + [first] * 7 + [both] * 12):
        glance = eye.see(camera(picture, rng), i / FPS)
    times = [eye.since(glance, points([[x, y], [x + 36, y + 36]]), margin_px=18) for x, y in ((300, 100), (900, 600))]
    assert times == pytest.approx([10 / FPS, 17 / FPS])


def test_what_was_there_before_is_not_foreign_when_it_shows_again() -> None:
    """A place that was accepted with something on it and now looks as it did before has changed, but nothing foreign is over it."""
    rng, eye, table = np.random.default_rng(5), Stillness(), wood()
    eye.see(camera(table, rng), 0.0)
    for i in range(1, 12):
        glance = eye.see(camera(with_marker(table, 600, 300), rng), i / FPS)
    assert glance.foreign.any()
    eye.accept(glance, ~glance.moving)
    for i in range(12, 24):
        glance = eye.see(camera(table, rng), i / FPS)
    assert glance.changed.any() and not glance.foreign.any()


def bumped(by: float) -> bool:
    rng, eye, table = np.random.default_rng(6), Stillness(), wood()
    for k in range(12):   # something to see the shift by
        table = with_marker(table, 80 + 95 * k, 80 + 45 * k)
        cv2.rectangle(table, (60 * k, 500), (60 * k + 30, 700), (30 * k % 255, 90, 200), -1)
    for i in range(30):
        glance = eye.see(camera(table, rng, shake=(by if i > 12 else 0.0, 0.0)), i / FPS)
    return eye.camera_moved(glance)


def test_a_camera_that_was_bumped_says_so_and_one_that_trembles_does_not() -> None:
    """A lasting shift of the whole picture is told apart from a shake within a small pixel."""
    assert bumped(40)
    assert not bumped(2)


def test_a_lamp_that_is_switched_moves_no_camera() -> None:
    """The light of half the table changes: a change that is looked at, not a bump."""
    rng, eye, table = np.random.default_rng(7), Stillness(), with_marker(wood(), 600, 300)
    ramp = np.linspace(0.3, 1.3, 1280)[None, :, None]
    for i in range(30):
        picture = table if i < 12 else np.clip(table * ramp, 0, 255).astype(np.uint8)
        glance = eye.see(camera(picture, rng), i / FPS)
    assert glance.changed.any() and not eye.camera_moved(glance)
