"""Refereeing live: a picture that nobody foresaw costs a look, not the game."""

import threading
import time
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path

from companion.app.camera import Camera
from companion.app.desk import Desk, Plan
from companion.app.refereeing import Refereeing
from companion.app.setting_up import Setup
from tests.reading.drawn import TABLE, Scene, draw
from vision.deck.pack import Sizes
from vision.frames import Frame


class FaultyCamera:
    """A clip whose third picture has two bytes a pixel, as a driver hands it over that forgot to convert it."""

    name, live, skipped, cut_short = "faulty", False, 0, ""

    def __init__(self) -> None:
        self.read_to_its_end = threading.Event()

    def frames(self) -> Iterator[Frame]:
        for number in range(6):
            picture = draw(Scene(), number)
            yield Frame(picture[..., :2] if number == 2 else picture, number, number / 5, 0.0)
        self.read_to_its_end.set()


def test_one_picture_that_nobody_foresaw_is_skipped_counted_and_shown(tmp_path: Path) -> None:
    """The pictures after it are read, and the page tells of one that could not be."""
    clock, camera = time.monotonic, FaultyCamera()
    plan = Plan(game="sherlook", settings={}, language="en", source="faulty", games=tmp_path / "games", tables=tmp_path / "tables")
    desk = Desk(plan, Setup(("Ada", "Ben"), TABLE), Camera(there=True, clock=clock), clock=clock,
                wall_clock=lambda: datetime(2026, 12, 1, 20, 15))
    desk.begin({"players": ["Ada", "Ben"]})
    refereeing = Refereeing(desk, camera, sizes=Sizes(), deck=None, clock=clock)
    refereeing.start()
    try:
        assert camera.read_to_its_end.wait(20)
        assert desk.failure is None
        assert desk.status()["skipped_frames"] == 1
        assert desk.camera.number() == 5
    finally:
        refereeing.close()
        desk.close()
