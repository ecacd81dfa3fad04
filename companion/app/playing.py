"""Playing: the chosen source, table and players put together with the page and the server, until the game or the people stop."""

import json
import threading
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import Any

import platformdirs
import uvicorn

from calibration import CalibrationError, calibrate, read_points, read_seats
from companion import rules
from companion.app.camera import Camera
from companion.app.desk import Desk, DeskError, Plan
from companion.app.door import local_hosts
from companion.app.refereeing import Refereeing
from companion.app.server import create_app
from companion.app.setting_up import Setup, SetupError, change, remembered
from companion.session import JournalError, games_folder, unfinished
from companion.voice import LANGUAGES
from vision.deck.deck import deck_of
from vision.deck.pack import PackError, Sizes, read_pack
from vision.frames import SourceError, open_source
from vision.pictures import PictureError
from vision.table import Table, TableError, read_table

CTRL_C = 130  # exit status, as shells have it
BY_HAND = "none"  # as a source: no camera, everything is entered on the page


class PlayError(Exception):
    """Playing cannot begin or go on; one line says what, where, and what to do."""


@dataclass(frozen=True)
class Chosen:
    """What the command line asked for."""

    source: str | None
    game: str
    table_file: Path | None
    deck: Path | None
    players: tuple[str, ...]
    settings: dict[str, Any]
    port: int
    language: str


def play(chosen: Chosen, *, say: Callable[[str], None], clock: Callable[[], float], wall_clock: Callable[[], datetime]) -> int:
    """Serve the page and referee until Ctrl-C. Returns the exit status. Raises PlayError."""
    if chosen.game not in rules.BOXES:
        raise PlayError(f"{chosen.game}: no such game; choose one of {', '.join(rules.BOXES)}")
    chosen, table = _with_sample(chosen, say) if chosen.source is None else (chosen, _table(chosen.table_file))
    assert chosen.source is not None
    plan = Plan(
        game=chosen.game,
        settings=chosen.settings,
        language=chosen.language if chosen.language in LANGUAGES else "en",
        source=chosen.source,
        games=games_folder(),
        tables=platformdirs.user_config_path("table-companion"),
    )
    try:
        pack = read_pack(chosen.deck, game=chosen.game) if chosen.deck else None
        deck = deck_of(pack, say=say, progress=say)
        source = open_source(chosen.source, clock=clock) if chosen.source != BY_HAND else None
        desk = Desk(plan, _setup(plan, chosen, table), Camera(there=source is not None, clock=clock), clock=clock, wall_clock=wall_clock,
                    deck=deck)
        _take_up_or_begin(desk, chosen, say)
        refereeing = Refereeing(desk, source, sizes=pack.sizes if pack else Sizes(), deck=deck, clock=clock) if source else None
        if refereeing:
            refereeing.start()
    except (SourceError, JournalError, DeskError, SetupError, PackError, PictureError) as e:
        raise PlayError(str(e)) from e
    try:
        return _serve(desk, chosen.port, say)
    finally:
        if refereeing:
            refereeing.close()
        desk.close()


def _with_sample(chosen: Chosen, say: Callable[[str], None]) -> tuple[Chosen, Table]:
    """The sample game: its clip, its players, and its deck, which is drawn on first use."""
    from sample_frames.clip import sample_clip
    from sample_frames.deck import load

    def drawn(done: int, of: int) -> None:
        if done == 1:
            say(f"Drawing the {of} photos of the sample deck; this is done once")

    deck = load(progress=drawn)
    clip = sample_clip()
    case = json.loads((clip / "case.json").read_text(encoding="utf-8"))
    table = calibrate(read_points(clip / "points.json"), read_seats(clip / "seats.json")).table
    return replace(
        chosen,
        source=str(clip / "clip.mp4"),
        game=case["game"],
        deck=deck.folder,
        players=tuple(case["players"]),
        settings=case.get("settings") or {},
    ), table


def _table(path: Path | None) -> Table | None:
    try:
        return read_table(path) if path else None
    except (TableError, CalibrationError) as e:
        raise PlayError(str(e)) from e


def _setup(plan: Plan, chosen: Chosen, table: Table | None) -> Setup:
    """What the command line says, else what is remembered of this camera."""
    known = Setup(tuple(seat.name for seat in table.seats), table) if table else remembered(plan.tables, plan.source)
    if not chosen.players:
        return known
    if table is not None:
        missing = [name for name in chosen.players if name not in known.players]
        if missing:
            seats = ", ".join(known.players) or "none"
            raise PlayError(
                f"{missing[0]} has no seat at this table; its seats are: {seats}. Name the players as the seats, or calibrate again"
            )
        return replace(known, players=chosen.players)
    return change(known, {"players": list(chosen.players)}, None)


def _take_up_or_begin(desk: Desk, chosen: Chosen, say: Callable[[str], None]) -> None:
    left = unfinished(desk.plan.games, source=desk.plan.source)
    if left is not None:
        names = rules.position(left.state)["players"]
        if chosen.players and set(chosen.players) != set(names):
            say(f"The unfinished game of {', '.join(names)} is kept in {left.journal.path}.")
            left.close()
            left = None
    if left is not None:
        desk.take_up(left)
        say(f"Welcome back: round {rules.position(left.state)['round']}, nothing lost.")
    elif chosen.players and not desk.setup.needs(camera=desk.camera.there):
        ruling = desk.begin({"players": list(chosen.players)})
        if ruling["ruling"] == "rejected":
            raise PlayError(f"the game cannot begin: {ruling['text']}")


def _serve(desk: Desk, port: int, say: Callable[[str], None]) -> int:
    config = uvicorn.Config(
        create_app(desk, hosts=local_hosts(port)),
        host="127.0.0.1",
        port=port,
        log_level="warning",
        ws_per_message_deflate=False,
        timeout_graceful_shutdown=2,
    )
    server = uvicorn.Server(config)
    say(f"The page is at http://127.0.0.1:{port}  (the room's view: /show; Ctrl-C ends)")
    threading.Thread(target=_end_with, args=(desk, server), daemon=True).start()
    server.run()
    if desk.failure is not None:
        raise PlayError(str(desk.failure))
    return CTRL_C  # nothing else ends the page; a Ctrl-C that comes while it is starting or ending may not be raised again


def _end_with(desk: Desk, server: uvicorn.Server) -> None:
    """A broken journal ends the program: nothing may be announced that is not kept."""
    desk.stopped.wait()
    server.should_exit = True
