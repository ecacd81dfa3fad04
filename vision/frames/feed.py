"""Frames for one who works at his own pace: the newest of a live source, or a clip at its own speed. Each feed tells its health."""

import threading
import time
import zlib
from collections.abc import Callable
from dataclasses import dataclass
from itertools import chain
from typing import Literal, Protocol

from vision.frames.source import Frame, Source, SourceError

STALLED_S = 1.5  # without a new picture: said within two seconds
REOPEN_EVERY_S = 1.0
FIRST_S = 3.0  # so long a camera may take to wake up
State = Literal["opening", "running", "stalled", "repeating", "lost", "ended"]


@dataclass(frozen=True, slots=True)
class Health:
    """How a feed is doing."""

    state: State
    age_s: float | None  # of the newest picture; None before the first
    skipped: int  # frames that could not be decoded
    reason: str = ""  # why it is lost, or has ended before its time, for a person


class Feed(Protocol):
    """What the table's loop takes its frames from."""

    def take(self, timeout_s: float) -> Frame | None:
        """The next frame that was not taken yet, or None if none came within `timeout_s`."""
        ...

    def health(self) -> Health:
        """How the source is doing now."""
        ...

    def close(self) -> None:
        """Stop reading."""
        ...


def open_feed(source: Source, *, clock: Callable[[], float] = time.monotonic, begin_s: float = 0.0) -> Feed:
    """The feed that fits the source: the newest frame of a live one, a clip at its own pace from `begin_s` on.

    Raises SourceError if the source cannot be opened, a live one within FIRST_S.
    """
    if not source.live:
        return Paced(source, clock=clock, begin_s=begin_s)
    feed = Newest(source, clock=clock)
    feed.wait_for_first(FIRST_S)
    if feed.health().state == "lost":
        feed.close()
        raise SourceError(feed.health().reason)
    return feed


class Newest:
    """Drains a live source in a thread of its own and keeps the newest frame only; opens it again when it was lost."""

    def __init__(self, source: Source, *, clock: Callable[[], float] = time.monotonic) -> None:
        self._source, self._clock = source, clock
        self._changed = threading.Condition()
        self._frame: Frame | None = None
        self._taken = -1
        self._came = 0
        self._print, self._print_since = 0, clock()
        self._lost: str | None = None
        self._ended = self._closed = False
        self._thread = threading.Thread(target=self._drain, name=f"frames of {source.name}", daemon=True)
        self._thread.start()

    def take(self, timeout_s: float) -> Frame | None:
        with self._changed:
            self._changed.wait_for(lambda: self._closed or self._ended or self._came > self._taken + 1, timeout_s)
            if self._frame is None or self._came <= self._taken + 1:
                return None
            self._taken = self._came - 1
            return self._frame

    def wait_for_first(self, timeout_s: float) -> None:
        """Wait until a frame came or the source turned out to be lost."""
        with self._changed:
            self._changed.wait_for(lambda: self._came > 0 or self._lost is not None, timeout_s)

    def health(self) -> Health:
        with self._changed:
            now = self._clock()
            age = None if self._frame is None else now - self._frame.arrived
            return Health(self._state(now, age), age, self._source.skipped, self._lost or "")

    def close(self) -> None:
        with self._changed:
            self._closed = True
            self._changed.notify_all()
        self._thread.join(timeout=3)

    def _state(self, now: float, age: float | None) -> State:
        if self._ended:
            return "ended"
        if self._lost is not None:
            return "lost"
        if age is None:
            return "opening"
        if age > STALLED_S:
            return "stalled"
        return "repeating" if now - self._print_since > STALLED_S else "running"

    def _drain(self) -> None:
        while not self._closed:
            try:
                for frame in self._source.frames():
                    self._keep(frame)
                    if self._closed:
                        return
                reason = f"{self._source.name}: no more pictures; is it still plugged in?"
            except SourceError as e:
                reason = str(e)
            with self._changed:
                self._ended = not self._source.live
                self._lost = None if self._ended else reason
                self._changed.notify_all()
                if self._ended or self._changed.wait_for(lambda: self._closed, REOPEN_EVERY_S):
                    return

    def _keep(self, frame: Frame) -> None:
        fingerprint = zlib.crc32(frame.picture[::16, ::16].tobytes())  # a camera's noise never repeats; a frozen driver's picture does
        with self._changed:
            if fingerprint != self._print:
                self._print, self._print_since = fingerprint, self._clock()
            self._frame, self._lost = frame, None
            self._came += 1
            self._changed.notify_all()


class Paced:
    """A clip as if it were live: each frame at its time stamp, in order, none left out however slow the taker is.

    begin_s : seconds of the clip that are passed over. Raises SourceError if the clip cannot be opened.
    """

    def __init__(self, source: Source, *, clock: Callable[[], float] = time.monotonic, begin_s: float = 0.0) -> None:
        self._source, self._clock = source, clock
        frames = source.frames()
        first = next(frames, None)
        self._frames = (frame for frame in chain([first] if first else [], frames) if frame.t >= begin_s)
        self._began: float | None = None
        self._next: Frame | None = None
        self._last: float | None = None
        self._ended = False
        self._stop = threading.Event()

    def take(self, timeout_s: float) -> Frame | None:
        if self._next is None:
            self._next = next(self._frames, None)
            self._ended = self._next is None
        if self._next is None:
            self._stop.wait(timeout_s)
            return None
        now = self._clock()
        self._began = now - self._next.t if self._began is None else self._began
        wait = self._began + self._next.t - now
        if wait > 0 and self._stop.wait(min(wait, timeout_s)):
            return None
        if wait > timeout_s:
            return None
        frame = Frame(self._next.picture, self._next.number, self._next.t, self._clock())
        self._next, self._last = None, frame.arrived
        return frame

    def health(self) -> Health:
        age = None if self._last is None else self._clock() - self._last
        reason = self._source.cut_short if self._ended else ""
        return Health("ended" if self._ended else "opening" if age is None else "running", age, self._source.skipped, reason)

    def close(self) -> None:
        self._stop.set()
