"""A real browser before the real server, on a table without a camera unless a story says otherwise."""

import socket
import threading
import time
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
import uvicorn
from playwright.sync_api import Page

from companion.app.camera import Camera
from companion.app.desk import Desk, Plan
from companion.app.door import local_hosts
from companion.app.server import create_app
from companion.app.setting_up import Setup
from tests.page.browser import VOICE
from vision.frames import Frame, Health
from vision.geometry import Picture


class Table:
    """One table's desk and its server, which can be stopped and started again on the same port."""

    def __init__(
        self, folder: Path, *, players: tuple[str, ...] = (), rounds: int = 2, language: str = "en", picture: Picture | None = None
    ) -> None:
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port: int = probe.getsockname()[1]
        plan = Plan(
            game="sherlook",
            settings={"rounds": rounds},
            language=language,
            source="none" if picture is None else "0",
            games=folder / "games",
            tables=folder / "tables",
        )
        camera = Camera(there=picture is not None, clock=time.monotonic)
        if picture is not None:
            camera.saw(Frame(picture, t=0.0, number=0, arrived=time.monotonic()))
            camera.heard(Health("running", 0.1, 0))
        self.desk = Desk(plan, Setup(players), camera, clock=time.monotonic, wall_clock=datetime.now)
        self.address = f"http://127.0.0.1:{self.port}"
        self._app = create_app(self.desk, hosts=local_hosts(self.port))
        self.open()

    def open(self) -> None:
        config = uvicorn.Config(
            self._app,
            host="127.0.0.1",
            port=self.port,
            log_level="warning",
            ws_per_message_deflate=False,
            timeout_graceful_shutdown=1,
            lifespan="off",
        )
        self._server = uvicorn.Server(config)
        self._thread = threading.Thread(target=self._server.run, daemon=True)
        self._thread.start()
        deadline = time.monotonic() + 20
        while not self._server.started:
            assert time.monotonic() < deadline, "the server does not start"
            self._thread.join(0.02)

    def close(self) -> None:
        self._server.should_exit = True
        self._thread.join(10)

    def post(self, event: str, **fields: Any) -> dict[str, Any]:
        """What somebody else enters."""
        return self.desk.post({"event": event, **fields})

    def play_to_the_count(self, markers: dict[str, int], photos: tuple[str | None, str | None] = (None, None)) -> None:
        self.post("green-turned")
        self.post("photos-laid", photos=list(photos))
        for player, value in markers.items():
            self.post("marker-taken", player=player, value=value)
        self.post("photos-turned")


@pytest.fixture(scope="session")
def browser_context_args() -> dict[str, Any]:
    return {"locale": "en-GB", "viewport": {"width": 1280, "height": 800}, "reduced_motion": "reduce"}


@pytest.fixture
def context(context: Any) -> Any:
    context.set_default_timeout(60_000)
    context.add_init_script(VOICE)
    return context


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    """Ada, Bea and Carla have sat down; their game of two rounds has begun."""
    table = Table(tmp_path, players=("Ada", "Bea", "Carla"))
    table.desk.begin({})
    yield table
    table.close()
    table.desk.close()


@pytest.fixture
def empty_table(tmp_path: Path) -> Iterator[Table]:
    """Nobody has sat down yet."""
    table = Table(tmp_path)
    yield table
    table.close()
    table.desk.close()


@pytest.fixture
def host(page: Page, table: Table) -> Page:
    """The host's page, open."""
    page.goto(table.address)
    page.get_by_role("heading", level=1).wait_for()
    return page
