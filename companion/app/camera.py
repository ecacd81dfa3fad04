"""The camera as the page knows it: the newest picture, its age, and how the source is doing."""

import threading
from collections.abc import Callable
from typing import Any

from companion.app.reveal import jpeg
from vision.frames import Frame, Health

SHOWN_WIDTH_PX = 1280


class Camera:
    """Filled by the watcher, asked by the routes; from any thread."""

    def __init__(self, *, there: bool, clock: Callable[[], float]) -> None:
        self._there, self._clock = there, clock
        self._frame: Frame | None = None
        self._health = Health("opening", None, 0)
        self._spoilt = 0
        self._coded: tuple[int, bytes] | None = None
        self._coding = threading.Lock()

    def saw(self, frame: Frame) -> None:
        """A new picture has come."""
        self._frame = frame

    def spoilt(self) -> None:
        """A picture has come of which nothing could be made."""
        self._spoilt += 1

    def heard(self, health: Health) -> bool:
        """The feed told its health; whether that changed what people should know."""
        changed = health.state != self._health.state
        self._health = health
        return changed

    @property
    def there(self) -> bool:
        """Whether this table has a camera at all."""
        return self._there

    @property
    def frame(self) -> Frame | None:
        """The newest picture."""
        return self._frame

    def image_size(self) -> tuple[int, int] | None:
        """Width and height of its pictures."""
        frame = self._frame
        return None if frame is None else (frame.picture.shape[1], frame.picture.shape[0])

    def number(self) -> int:
        """The number of the newest picture; -1 before the first."""
        return -1 if self._frame is None else self._frame.number

    def jpeg(self) -> bytes | None:
        """The newest picture, coded once however many ask for it."""
        with self._coding:
            frame = self._frame
            if frame is None:
                return None
            if self._coded is None or self._coded[0] != frame.number:
                self._coded = frame.number, jpeg(frame.picture, width=SHOWN_WIDTH_PX)
            return self._coded[1]

    def status(self) -> dict[str, Any]:
        """`status` of the state document, as far as the source knows it."""
        age = None if self._frame is None else round(self._clock() - self._frame.arrived, 2)
        source = self._health.state if self._there else "none"
        skipped = self._health.skipped + self._spoilt
        return {"source": source, "frame_age_s": age, "skipped_frames": skipped, "reason": self._health.reason}
