"""Questions about a state: what is legal, where the game stands, how it ended, and what a player may see of it."""

from __future__ import annotations

import hashlib
import json
from typing import Any

from companion.rules.event import FORMAT
from companion.rules.history import State
from companion.rules.table import OVER, Table

IDLE = "idle"


def legal(state: State) -> list[str]:
    """The names, sorted, of the events that are regular now (§7.4); `undo` and `correct`, always possible, are left out."""
    table = state.table
    if table is None:
        return ["game-started"]
    return [] if table.state == OVER else sorted([*table.regular(), "game-ended"])


def legal_values(state: State) -> dict[str, dict[str, list[Any]]]:
    """The legal events, and by field the values that are neither a foul nor refused: whose turn, which markers are free.

    A field that is not named may have any value within its bounds. Tells nothing that lies face down.
    """
    table = state.table
    return {name: table.choices(name) if table and name != "game-ended" else {} for name in legal(state)}


def position(state: State) -> dict[str, Any]:
    """The whole position (§7.5), ready for JSON: with what lies face down, so not for a player's eyes."""
    return _position(state.table, state.table.details()) if state.table else {"state": IDLE}


def _position(table: Table, details: dict[str, Any]) -> dict[str, Any]:
    return {
        "game": table.box.game,
        "state": table.state,
        "players": list(table.players),
        "settings": dict(table.settings),
        "score": table.score(),
        **details,
    }


def state_hash(state: State) -> str:
    """16 hexadecimal digits that are equal for equal positions."""
    canonical = json.dumps(position(state), sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return hashlib.sha256(canonical.encode()).hexdigest()[:16]


def winners(state: State) -> list[str]:
    """Who has won, in the order of the players; nobody before the game is over."""
    return state.table.winners() if state.table and state.table.state == OVER else []


def summary(state: State) -> dict[str, Any]:
    """The last line of a replay (§7.5), ready for JSON."""
    table = state.table
    return {
        "format": FORMAT,
        "ruling": "summary",
        "events": state.events,
        "rejected": state.rejected,
        "fouls": state.fouls,
        "state": table.state if table else IDLE,
        "score": table.score() if table else {},
        "winners": winners(state),
        "legal": legal(state),
        "position": position(state),
        "state_hash": state_hash(state),
    }


def view(state: State, role: str) -> dict[str, Any]:
    """The position as a role may see it: `host` (one who does not play) sees all of it, `player:NAME` and `spectator` what all see.

    A host who plays too is a player here. With it come `legal`, `legal_values` and `winners`, which hide nothing more.
    """
    table = state.table
    if table is None:
        seen: dict[str, Any] = {"state": IDLE}
    else:
        seen = _position(table, table.details() if role == "host" else table.public_details())
    return {**seen, "legal": legal(state), "legal_values": legal_values(state), "winners": winners(state)}
