"""Telling the pages: each listener has a short queue of its own; a slow one loses old statuses and pictures, never a ruling."""

import asyncio
import json
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from typing import Any

Message = dict[str, Any]
NEWEST_ONLY = {"state", "status", "observation"}  # of these only the newest matters


class Listener:
    """One page that listens. `role`: whose eyes it has."""

    def __init__(self, role: str) -> None:
        self.role = role
        self._waiting: list[Message] = []
        self._there = asyncio.Event()

    def tell(self, message: Message) -> None:
        """Queue a message; a newer state, status or observation takes the place of an older one."""
        if message["type"] in NEWEST_ONLY:
            self._waiting = [m for m in self._waiting if m["type"] != message["type"]]
        self._waiting.append(message)
        self._there.set()

    async def messages(self) -> AsyncIterator[str]:
        """JSON texts as they come; never ends by itself."""
        while True:
            await self._there.wait()
            waiting, self._waiting = self._waiting, []
            self._there.clear()
            for message in waiting:
                yield json.dumps(message, ensure_ascii=False)


class Hub:
    """All listeners. `tell` may be called from any thread."""

    def __init__(self) -> None:
        self._listeners: set[Listener] = set()
        self._loop: asyncio.AbstractEventLoop | None = None

    @contextmanager
    def listening(self, role: str) -> Iterator[Listener]:
        """A listener for as long as the block runs; to be entered on the server's event loop."""
        self._loop = asyncio.get_running_loop()
        listener = Listener(role)
        self._listeners.add(listener)
        try:
            yield listener
        finally:
            self._listeners.discard(listener)

    def roles(self) -> set[str]:
        """The roles that listen now."""
        return {listener.role for listener in list(self._listeners)}

    def tell(self, message: Message, *, role: str | None = None) -> None:
        """Tell everybody, or those of one role."""
        if self._loop is None or self._loop.is_closed():
            return
        self._loop.call_soon_threadsafe(self._pass_on, message, role)

    def _pass_on(self, message: Message, role: str | None) -> None:
        for listener in self._listeners:
            if role is None or listener.role == role:
                listener.tell(message)
