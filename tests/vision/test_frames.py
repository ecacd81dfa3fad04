"""Frame sources: clips in order, live ones newest first, and an honest word when one ends, stalls, repeats itself or is missing."""

import threading
import time
from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np
import pytest

from vision.frames import Frame, Newest, Paced, SourceError, open_source


def picture(n: int) -> np.ndarray:
    return np.full((48, 64, 3), n, np.uint8)


def write_clip(path: Path, frames: int = 30, fps: float = 15.0) -> Path:
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"mp4v"), fps, (64, 48))
    for n in range(frames):
        writer.write(picture(n * 8))
    writer.release()
    return path


class Camera:
    """A live source whose pictures the test lets through one by one."""

    name, live, cut_short = "test camera", True, ""

    def __init__(self) -> None:
        self.skipped = 0
        self.gate = threading.Semaphore(0)
        self.pictures: list[np.ndarray | None] = []

    def show(self, *pictures: np.ndarray | None) -> None:
        self.pictures += pictures
        for _ in pictures:
            self.gate.release()

    def frames(self) -> Iterator[Frame]:
        number = 0
        while True:
            self.gate.acquire()
            shown = self.pictures.pop(0)
            if shown is None:
                return
            yield Frame(shown, number, number / 30, time.monotonic())
            number += 1


def until(condition, deadline_s: float = 5.0) -> None:
    end = time.monotonic() + deadline_s
    while not condition():
        assert time.monotonic() < end, "it did not come in time"


def test_a_clip_is_read_in_order_at_its_own_time_stamps(tmp_path: Path) -> None:
    """No frame is left out, and times are the clip's own."""
    frames = list(open_source(str(write_clip(tmp_path / "clip.mp4"))).frames())

    assert [f.number for f in frames] == list(range(30))
    assert [round(f.t, 3) for f in frames] == [round(n / 15, 3) for n in range(30)]


@pytest.mark.parametrize(("ending", "codec"), [("avi", "MJPG"), ("mkv", "MJPG")])
def test_a_file_that_was_cut_in_half_is_read_to_there_and_says_so(tmp_path: Path, ending: str, codec: str) -> None:
    """Its frames are good as far as they go; then one line says how much of what its header promises came. A whole file says nothing."""
    whole = tmp_path / f"whole.{ending}"
    writer = cv2.VideoWriter(str(whole), cv2.CAP_FFMPEG, cv2.VideoWriter.fourcc(*codec), 15, (64, 48))
    for n in range(60):
        writer.write(picture(n * 4))
    writer.release()
    cut = tmp_path / f"cut.{ending}"
    cut.write_bytes(whole.read_bytes()[: whole.stat().st_size // 2])
    sources = [open_source(str(path)) for path in (whole, cut)]

    lengths = [len(list(source.frames())) for source in sources]

    assert lengths[0] == 60 and 10 < lengths[1] < 40
    assert sources[0].cut_short == ""
    assert f"cut.{ending}: the file ends after {lengths[1] / 15:.1f} of the 4.0 seconds" in sources[1].cut_short


def test_a_folder_is_read_in_name_order_and_a_broken_picture_is_counted(tmp_path: Path) -> None:
    """A picture that cannot be decoded is skipped and said; the others are read."""
    for n in (2, 0, 3):
        cv2.imwrite(str(tmp_path / f"f{n}.png"), picture(n))
    (tmp_path / "f1.png").write_bytes(b"not a picture")
    (tmp_path / "notes.txt").write_text("no picture either")

    source = open_source(str(tmp_path))
    frames = list(source.frames())

    assert [int(f.picture[0, 0, 0]) for f in frames] == [0, 2, 3]
    assert source.skipped == 1


@pytest.mark.parametrize(
    ("make", "says"),
    [
        (lambda d: d / "nothing.mp4", "no such file, folder or camera"),
        (lambda d: (d / "text.mp4", (d / "text.mp4").write_text("hello"))[0], "not a video"),
        (lambda d: (d / "cut.mp4", (d / "cut.mp4").write_bytes(write_clip(d / "whole.mp4").read_bytes()[:300]))[0], "not a video"),
        (lambda d: d, "no pictures"),
        (lambda d: "97", "camera 97 is not there"),
        (lambda d: "http://127.0.0.1:9/camera", "no picture from this address"),
        (lambda d: "rtsp://127.0.0.1:9/camera", "no picture from this address"),
    ],
)
def test_a_source_that_cannot_be_used_says_so_in_one_line(tmp_path: Path, make, says: str) -> None:
    """What, where, what to do; no decoder noise."""
    with pytest.raises(SourceError, match=says) as said:
        list(open_source(str(make(tmp_path))).frames())

    assert "\n" not in str(said.value)


def test_the_newest_frame_wins() -> None:
    """Whoever was busy sees the newest picture next, not the queue."""
    camera = Camera()
    feed = Newest(camera)
    camera.show(picture(1))
    first = feed.take(5)
    camera.show(*(picture(n) for n in range(2, 9)))
    until(lambda: not camera.pictures)
    until(lambda: feed._came == 8)

    newest = feed.take(5)

    assert first is not None and newest is not None
    assert (int(first.picture[0, 0, 0]), int(newest.picture[0, 0, 0])) == (1, 8)
    assert feed.take(0.01) is None


@pytest.mark.parametrize(("shown", "state"), [([], "stalled"), ([None], "lost")])
def test_a_camera_that_stops_is_named_within_two_seconds(shown: list, state: str) -> None:
    """It stalls when nothing comes, it is lost when it ends; then a new picture makes it run again."""
    camera = Camera()
    feed = Newest(camera)
    camera.show(picture(1))
    assert feed.take(5) is not None
    began = time.monotonic()
    camera.show(*shown)

    until(lambda: feed.health().state == state)
    assert time.monotonic() - began < 2.0

    camera.show(picture(2))
    until(lambda: feed.health().state == "running")


def test_a_frozen_picture_is_no_running_camera() -> None:
    """The same picture again and again is named within two seconds, though frames keep coming."""
    camera = Camera()
    feed = Newest(camera)
    began = time.monotonic()
    while feed.health().state != "repeating":
        camera.show(picture(5))
        feed.take(0.05)
        assert time.monotonic() - began < 2.0

    camera.show(picture(6))
    until(lambda: feed.health().state == "running")


def test_a_clip_that_is_played_keeps_every_frame_and_its_pace(tmp_path: Path) -> None:
    """A slow taker gets each frame all the same, never before its time."""
    feed = Paced(open_source(str(write_clip(tmp_path / "clip.mp4", frames=15, fps=30))))
    began = time.monotonic()
    taken = []
    while feed.health().state != "ended":
        frame = feed.take(0.2)
        if frame:
            taken.append(frame)
            assert frame.arrived - began >= frame.t - 0.02

    assert [f.number for f in taken] == list(range(15))
