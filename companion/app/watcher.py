"""The watcher: a thread that takes frames and hands each to whoever looks at them, and knows how the camera is doing."""

import threading
from collections.abc import Callable

from vision.frames import Feed, Frame, Health

WAIT_S = 0.2


class Watcher:
    """Hands each frame of a feed to `look`, and tells `notice` about the feed's health at least five times a second."""

    def __init__(
        self, feed: Feed, *, look: Callable[[Frame], None], notice: Callable[[Health], None], fail: Callable[[Exception], None]
    ) -> None:
        self._feed, self._look, self._notice, self._fail = feed, look, notice, fail
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._watch, name="watcher", daemon=True)

    def start(self) -> None:
        """Begin to watch."""
        self._thread.start()

    def close(self) -> None:
        """Stop watching and let the source go."""
        self._stop.set()
        self._feed.close()
        if self._thread.is_alive() and threading.current_thread() is not self._thread:
            self._thread.join(timeout=5)

    def _watch(self) -> None:
        try:
            while not self._stop.is_set():
                frame = self._feed.take(WAIT_S)
                if frame is not None:
                    self._look(frame)
                self._notice(self._feed.health())
        except Exception as e:  # whatever happens here must reach a person: a dead thread looks like a still table
            self._fail(e)
