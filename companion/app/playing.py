"""Playing: the chosen source, table and players put together with the page and the server, until the game or the people stop."""

import json
import shlex
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
from companion.session import JournalError, Session, games_folder, kept, unfinished
from companion.voice import LANGUAGES
from vision.deck.deck import deck_of
from vision.deck.pack import PackError, Sizes, read_pack
from vision.files import reason
from vision.frames import SourceError, open_source
from vision.pictures import PictureError
from vision.table import Table, TableError, read_table

DEFAULT_GAME = "sherlook"  # which the page has buttons for
CTRL_C = 130  # exit status, as shells have it
BY_HAND = "none"  # as a source: no camera, everything is entered on the page


class PlayError(Exception):
    """Playing cannot begin or go on; one line says what, where, and what to do."""


@dataclass(frozen=True)
class Chosen:
    """What the command line asked for."""

    source: str | None
    game: str | None
    table_file: Path | None
    deck: Path | None
    players: tuple[str, ...]
    settings: dict[str, Any]
    port: int
    language: str


def play(chosen: Chosen, *, say: Callable[[str], None], clock: Callable[[], float], wall_clock: Callable[[], datetime]) -> int:
    """Serve the page and referee until Ctrl-C. Returns the exit status. Raises PlayError."""
    if chosen.game is not None and chosen.game not in rules.BOXES:
        raise PlayError(f"{chosen.game}: no such game; choose one of {', '.join(rules.BOXES)}")
    table = _table(chosen.table_file)
    of_its_own = chosen.source is not None   # not the sample game
    try:
        if not of_its_own:
            chosen, table = _with_sample(chosen, say)
        left = _left_in_the_middle(chosen, say)
        if left is not None:
            if of_its_own and chosen.settings:
                say("The game that is gone on with keeps the settings with which it began; those of --settings are for the next.")
            chosen = _as_it_was(chosen, left)
        assert chosen.source is not None
        plan = Plan(
            game=chosen.game or DEFAULT_GAME,
            settings=chosen.settings,
            language=chosen.language if chosen.language in LANGUAGES else "en",
            source=chosen.source,
            games=games_folder(),
            tables=platformdirs.user_config_path("table-companion"),
        )
        pack = read_pack(chosen.deck, game=plan.game) if chosen.deck else None
        deck = deck_of(pack, say=say, progress=say)
        source = open_source(chosen.source, clock=clock) if chosen.source != BY_HAND else None
        desk = Desk(plan, _setup(plan, chosen, table), Camera(there=source is not None, clock=clock), clock=clock, wall_clock=wall_clock,
                    deck=deck)
        if left is not None:
            desk.take_up(left)
            round_ = rules.position(left.state).get("round")  # not every box has rounds
            say(f"Welcome back: {f'round {round_}, ' if round_ else ''}nothing lost.")
        else:
            _begin(desk, chosen)
        refereeing = Refereeing(desk, source, sizes=pack.sizes if pack else Sizes(), deck=deck, clock=clock) if source else None
        if plan.game != DEFAULT_GAME:
            say(f"The page has no buttons for {plan.game} yet; what happens is entered by the interface that docs/api.md describes.")
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
    """The sample game: its clip, its players, and its deck, which is drawn on first use. Raises PackError, PlayError."""
    from sample_frames.clip import EncodeError, sample_clip
    from sample_frames.deck import load

    if chosen.deck is not None:
        read_pack(chosen.deck, game=chosen.game)
    given = {"--game": chosen.game, "--table": chosen.table_file, "--players": chosen.players, "--settings": chosen.settings,
             "--deck": chosen.deck}
    idle = [option for option, value in given.items() if value]
    if idle:
        say(f"The sample game is played with its own table, players and deck, not with {', '.join(idle)}. "
            "For a game of your own name a SOURCE too, such as 0 for the first webcam.")

    def drawn(done: int, of: int) -> None:
        if done == 1:
            say(f"Drawing the {of} photos of the sample deck; this is done once")

    try:
        deck, clip = load(progress=drawn), sample_clip()
    except (OSError, EncodeError) as e:
        raise PlayError(f"{platformdirs.user_cache_path('table-companion')}: the sample game cannot be made there ({reason(e)}); "
                        "free some room, or name another folder with XDG_CACHE_HOME") from e
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


def _left_in_the_middle(chosen: Chosen, say: Callable[[str], None]) -> Session | None:
    """The game to go on with. Where there is none, but others left one here in the middle, says where it is and how they go on."""
    assert chosen.source is not None
    left = unfinished(games_folder(), source=chosen.source, players=chosen.players, game=chosen.game)
    newest = next(kept(games_folder(), source=chosen.source), None) if left is None else None
    if newest is not None and not newest.over:
        again = ["companion", "play", chosen.source, "--game", newest.game, "--players", ",".join(newest.players)]
        say(f"The unfinished game of {', '.join(newest.players)} is kept in {newest.path}; {shlex.join(again)} goes on with it.")
    return left


def _as_it_was(chosen: Chosen, left: Session) -> Chosen:
    """The choice with the players and the box of the game that is gone on with; its settings stay what they were."""
    position = rules.position(left.state)
    return replace(chosen, game=position["game"], players=chosen.players or tuple(position["players"]))


def _begin(desk: Desk, chosen: Chosen) -> None:
    """Begins the game where everything is known; else the page asks."""
    if chosen.players and not desk.setup.needs(camera=desk.camera.there):
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
