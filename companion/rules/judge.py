"""One event at one table: the checks that all games share (events.md §7.2), then the game's own."""

from __future__ import annotations

from companion.rules.event import Event
from companion.rules.frozen import replace
from companion.rules.outcome import Outcome, accepted, rejected
from companion.rules.settings import choose
from companion.rules.table import OVER, Box, Boxes, Table

NAMES_OF_NOBODY = ("common", "team")


def judge(table: Table | None, event: Event, boxes: Boxes) -> Outcome:
    """What a well-formed event means at this table (None: no game has been started). `undo` and `correct` are not for here."""
    if event.name == "game-started":
        return rejected("already-started") if table else _begin(event, boxes)
    if table is None:
        return rejected("not-started")
    if table.state == OVER:
        return rejected("game-over")
    if event.name != "game-ended" and event.name not in table.box.events:
        return rejected("wrong-game")
    speaker, player = event.speaker, event.fields.get("player")
    if any(name is not None and name not in table.players for name in (speaker, player)):
        return rejected("unknown-player")
    if speaker is not None and player is not None and speaker != player:
        return rejected("not-allowed")
    if event.name == "game-ended":
        stopped = replace(table, state=OVER)
        return accepted("stopped", stopped, {"winners": stopped.winners()})
    return table.play(event)


def _begin(event: Event, boxes: Boxes) -> Outcome:
    """Opens the box: the game, the names, the settings, then how many may play."""
    box = boxes.get(event["game"])
    if box is None:
        return rejected("unknown-game")
    players = tuple(event["players"])
    if not players or not all(_is_name(name) for name in players) or len(set(players)) < len(players):
        return rejected("bad-players")
    table, bad = open_box(box, players, event["settings"] or {})
    if bad is not None:
        return rejected("bad-setting", {"setting": bad})
    if table is None:
        return rejected("bad-players")
    return accepted("started", table, {"game": box.game, "players": list(players), "settings": dict(table.settings)})


def open_box(box: Box, players: tuple[str, ...], wanted: dict[str, object]) -> tuple[Table | None, str | None]:
    """The first table, and the name of the first bad setting; no table if that is bad or the number of players is."""
    settings, bad = choose(box.settings, wanted, players)
    if bad is not None or len(players) not in box.seats(settings):
        return None, bad
    return box.begin(box, players, settings), None


def _is_name(name: str) -> bool:
    return 1 <= len(name) <= 40 and name == name.strip() and name not in NAMES_OF_NOBODY
