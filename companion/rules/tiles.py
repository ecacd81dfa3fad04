"""Sherlock (2011): three tiles of one suspect are a hit; the suspect who remains is Moriarty's accomplice (rules.md §3)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from companion.rules.event import Event, Kind, needed, one_of, optional, or_null, text, whole
from companion.rules.frozen import replace
from companion.rules.outcome import Outcome, Row, accepted, foul, points_row, rejected
from companion.rules.settings import Choice, Number, OnePlayer, Settings
from companion.rules.table import OVER, Box, Score, Short, Table, most_points

FIRST_TILE, SECOND_TILE, POINTING, THIRD_TILE = "first-tile", "second-tile", "pointing", "third-tile"
MISS, HIT, MISSIONS = "miss", "hit", "missions"
TILES, PAGES = "tiles", "pages"
DOWN, UP, GONE = "down", "up", "gone"
FACE_MARKS = {DOWN: "", UP: "+", GONE: "x"}

SUSPECTS = ("s1", "s2", "s3", "s4", "s5")
WITNESSES = ("w1", "w2", "w3", "w4", "w5", "w6")
TILES_ON_THE_BOARD = 30
TILES_OF_A_SUSPECT = 6
TILES_OF_A_HIT = 3
TILES_FOUND_IN_ALL = 27
MISSION_POINTS = {"intuition": 3, "wrongly-accused": 2}

Cell = tuple[int, int]
"""(row, column), from 0."""


@dataclass(frozen=True)
class Tile:
    """A tile of the board: how it lies, and the suspect last seen there."""

    face: str
    suspect: str | None


@dataclass(frozen=True, kw_only=True)
class Tiles(Table):
    """A game of Sherlock (2011). The mappings are never changed in place."""

    active: str
    board: Mapping[Cell, Tile]  # row by row
    up: tuple[Cell, ...]  # in the order turned
    pointed: Mapping[str, Cell | None]  # None: declined
    due: frozenset[str]
    pages: int
    found: Mapping[str, int]
    missions: Mapping[str, str]
    accomplice: str | None
    won: Mapping[str, Mapping[str, int]]  # tiles and mission points by player; nothing in the cooperative game

    @property
    def cooperative(self) -> bool:
        return bool(self.settings["mode"] == "cooperative")

    @property
    def page_is_due(self) -> bool:
        return PAGES in self.due

    def pointers(self) -> list[str]:
        """Who points, in order: from the active player's right-hand neighbour backwards through the players."""
        at = self.players.index(self.active)
        return [self.players[at - back] for back in range(1, len(self.players))]

    def pointer(self) -> str | None:
        """Who points next; None when all have, or no face-down tile is without a finger."""
        if not self.unpointed():
            return None
        return next((player for player in self.pointers() if player not in self.pointed), None)

    def unpointed(self) -> list[Cell]:
        """The face-down tiles without a finger."""
        return [cell for cell, tile in self.board.items() if tile.face == DOWN and cell not in self.pointed.values()]

    def with_tiles(self, cells: Iterable[Cell], **changes: str) -> Mapping[Cell, Tile]:
        """The board with these tiles changed."""
        return {**self.board, **{cell: replace(self.board[cell], **changes) for cell in cells}}

    def score(self) -> Score:
        if self.cooperative:
            return {"team": {"points": sum(self.found.values()), "pages": self.pages}}
        return {player: {"points": won["tiles"] + won["mission"], **won} for player, won in self.won.items()}

    def winners(self) -> list[str]:
        if self.cooperative:
            return list(self.players) if self.accomplice else []
        return most_points(self.score())

    def regular(self) -> list[str]:
        if self.state == MISS:
            return [{TILES: "tiles-back", PAGES: "page-turned"}[thing] for thing in self.due]
        return Table.regular(self)

    def details(self) -> dict[str, Any]:
        columns = self.settings["columns"]
        tiles = [{"face": tile.face, "suspect": tile.suspect} for tile in self.board.values()]
        return {
            "active": self.active,
            "board": [tiles[at : at + columns] for at in range(0, TILES_ON_THE_BOARD, columns)],
            "up": _listed(self.up),
            "pointed": {player: cell and list(cell) for player, cell in self.pointed.items()},
            "due": sorted(self.due),
            "pages": self.pages,
            "found": dict(self.found),
            "missions": dict(self.missions),
            "accomplice": self.accomplice,
        }

    def sound(self) -> bool:
        up = [tile for tile in self.board.values() if tile.face == UP]
        shown = {FIRST_TILE: 0, SECOND_TILE: 1, POINTING: 2, THIRD_TILE: 2, HIT: 3, MISSIONS: 0}
        gone = sum(tile.face == GONE for tile in self.board.values())
        return (
            self.active in self.players
            and self.board.keys() == begin(self.box, self.players, self.settings).board.keys()
            and sorted(self.up) == [cell for cell, tile in self.board.items() if tile.face == UP]
            and all(tile.suspect for tile in up)
            and (self.state not in (THIRD_TILE, POINTING, HIT) or len({tile.suspect for tile in up}) == 1)
            and len(up) == shown.get(self.state, len(up))
            and all(found in (0, TILES_OF_A_HIT, TILES_OF_A_SUSPECT) for found in self.found.values())
            and sum(self.found.values()) - gone in {HIT: (TILES_OF_A_HIT,), OVER: (0, TILES_OF_A_HIT)}.get(self.state, (0,))
            and self.pointed.keys() <= set(self.pointers())
            and all(cell is None or cell in self.board for cell in self.pointed.values())
            and self.due <= {TILES, PAGES}
            and (bool(self.due) or self.state != MISS)
            and (not self.due or self.state in (MISS, OVER))
            and self.missions.keys() <= set(self.players)
            and all(suspect in SUSPECTS for suspect in self.missions.values())
            and self.accomplice in (None, *SUSPECTS)
            and (self.state != POINTING or (not self.cooperative and self.pointer() is not None))
            and (self.state != MISSIONS or (self.settings["variant"] != "none" and self.accomplice is not None))
        )

    def public_details(self) -> dict[str, Any]:
        details = self.details()
        board = [[{**tile, "suspect": None} if tile["face"] == DOWN else tile for tile in row] for row in details["board"]]
        return {**details, "board": board}

    def choices(self, name: str) -> dict[str, list[Any]]:
        match name:
            case "tile-turned":
                gone = [suspect for suspect in SUSPECTS if self.found[suspect] == TILES_OF_A_SUSPECT]
                cells = [cell for cell, tile in self.board.items() if tile.face == DOWN]
                return {"cell": _listed(cells), "suspect": [s for s in SUSPECTS if s not in gone], "player": [self.active]}
            case "pointed":
                return {"player": [self.pointer()], "cell": [*_listed(self.unpointed()), None]}
            case "tiles-back" | "tiles-taken":
                return {"cells": [_listed(sorted(self.up))]}
            case "page-turned":
                return {"page": [self.pages + 1]}
            case "mission-shown":
                return {
                    "player": [player for player in self.players if player not in self.missions],
                    "suspect": [suspect for suspect in SUSPECTS if suspect not in self.missions.values()],
                }
        return {}


def _listed(cells: Iterable[Cell]) -> list[list[int]]:
    return [list(cell) for cell in cells]


def begin(box: Box, players: tuple[str, ...], settings: Settings) -> Tiles:
    """All tiles lie witness side up."""
    columns = settings["columns"]
    cells = [(row, column) for row in range(TILES_ON_THE_BOARD // columns) for column in range(columns)]
    return Tiles(
        box=box,
        players=players,
        settings=settings,
        state=FIRST_TILE,
        active=settings["first"],
        board={cell: Tile(DOWN, None) for cell in cells},
        up=(),
        pointed={},
        due=frozenset(),
        pages=0,
        found=dict.fromkeys(SUSPECTS, 0),
        missions={},
        accomplice=None,
        won={} if settings["mode"] == "cooperative" else {player: {"tiles": 0, "mission": 0} for player in players},
    )


def restore(table: Tiles, found: Mapping[str, Any]) -> Tiles:
    """The table that has these details."""
    return replace(
        table,
        state=found["state"],
        active=found["active"],
        board={(r, c): Tile(**tile) for r, row in enumerate(found["board"]) for c, tile in enumerate(row)},
        up=tuple((row, column) for row, column in found["up"]),
        pointed={player: cell and (cell[0], cell[1]) for player, cell in found["pointed"].items()},
        due=frozenset(found["due"]),
        pages=found["pages"],
        found=found["found"],
        missions=found["missions"],
        accomplice=found["accomplice"],
        won={player: {key: found["score"][player][key] for key in won} for player, won in table.won.items()},
    )


def _short_board(board: list[list[dict[str, Any]]]) -> str:
    """Rows between slashes; a tile as `s1`, up as `s1+`, gone as `s1x`, `.` where none was ever seen."""
    return "/".join(" ".join((tile["suspect"] or ".") + FACE_MARKS[tile["face"]] for tile in row) for row in board)


def _long_board(board: str) -> list[list[dict[str, Any]]]:
    faces = {mark: face for face, mark in FACE_MARKS.items()}
    tiles = [[re.fullmatch(r"(s[1-5]|\.)([+x]?)", tile) for tile in row.split()] for row in board.split("/")]
    return [[{"face": faces[tile[2]], "suspect": None if tile[1] == "." else tile[1]} for tile in row if tile] for row in tiles]


def tile_turned(table: Tiles, event: Event) -> Outcome:
    """A tile is turned suspect side up."""
    cell, suspect, player = tuple(event["cell"]), event["suspect"], event["player"]
    if table.state == MISSIONS:
        return rejected("wrong-state")
    tile = table.board.get(cell)
    if tile is None or tile.face == GONE:
        return rejected("no-tile")
    if tile.face == UP:
        return rejected("already-up")
    if table.found[suspect] == TILES_OF_A_SUSPECT:
        return rejected("suspect-gone")
    if table.state in (MISS, HIT):
        return foul("peek", {"cell": list(cell)})
    if table.state == POINTING:
        return foul("revealed-early", {"cell": list(cell)}, action="ask")
    if player not in (None, table.active):
        return foul("not-your-turn", {"player": player, "active": table.active})
    warn = ["tile-changed"] if tile.suspect not in (None, suspect) else []
    turned = replace(table, board=table.with_tiles([cell], face=UP, suspect=suspect), up=(*table.up, cell))
    return _turned(turned, {"cell": list(cell), "suspect": suspect}, warn)


def _turned(table: Tiles, shown: dict[str, Any], warn: list[str]) -> Outcome:
    """What the tile turned last means, after one, two or three."""
    if table.state == FIRST_TILE:
        return accepted("turned", replace(table, state=SECOND_TILE), shown, warn=warn)
    if len({table.board[cell].suspect for cell in table.up}) > 1:
        return _miss(table, shown, warn)
    if table.state == THIRD_TILE:
        return _hit(table, shown, warn)
    if table.cooperative:
        return accepted("pair", replace(table, state=THIRD_TILE), {**shown, "pointer": None}, warn=warn)
    return accepted("pair", replace(table, state=POINTING), {**shown, "pointer": table.pointer()}, warn=warn)


def _miss(table: Tiles, shown: dict[str, Any], warn: list[str]) -> Outcome:
    """Two suspects: the tiles go back, and in the cooperative game a page is turned."""
    due = frozenset({TILES, PAGES} if table.cooperative else {TILES})
    follower = table.next_of(table.active)
    after = replace(table, state=MISS, active=follower, pointed={}, due=due)
    return accepted("miss", after, {**shown, "page": after.page_is_due, "next": follower}, warn=warn)


def _hit(table: Tiles, shown: dict[str, Any], warn: list[str]) -> Outcome:
    """Three tiles of one suspect. The ninth hit leaves the accomplice's three, and then nothing is left to turn."""
    suspect, third = shown["suspect"], table.up[-1]
    pointer = next((player for player, cell in table.pointed.items() if cell == third), None)
    follower = table.next_of(table.active)
    won, points = _booked(table, pointer)
    found = {**table.found, suspect: table.found[suspect] + TILES_OF_A_HIT}
    after = replace(table, state=HIT, active=follower, pointed={}, found=found, won=won)
    params = {**shown, "cells": _listed(table.up), "pointer": pointer, "next": follower}
    if sum(found.values()) == TILES_FOUND_IN_ALL:
        [accomplice] = (one for one, tiles in found.items() if tiles < TILES_OF_A_SUSPECT)
        state = OVER if table.settings["variant"] == "none" else MISSIONS
        after = replace(after, state=state, accomplice=accomplice, board=table.with_tiles(table.up, face=GONE), up=())
        params |= {"next": None, "accomplice": accomplice}
        if state == OVER:
            params["winners"] = after.winners()
    return accepted("hit", after, params, points=points, warn=warn)


def _booked(table: Tiles, pointer: str | None) -> tuple[Mapping[str, Mapping[str, int]], list[Row]]:
    """The tiles of a hit: the third is his who had pointed at it."""
    if table.cooperative:
        return table.won, [points_row("team", TILES_OF_A_HIT, "tiles")]
    earned = {table.active: TILES_OF_A_HIT} if pointer is None else {table.active: TILES_OF_A_HIT - 1, pointer: 1}
    won = {player: {**won, "tiles": won["tiles"] + earned.get(player, 0)} for player, won in table.won.items()}
    return won, [points_row(player, tiles, "tiles") for player, tiles in earned.items()]


def pointed(table: Tiles, event: Event) -> Outcome:
    """Another player points at the tile that he thinks is the third; null: he declines."""
    if table.state != POINTING:
        return rejected("wrong-state")
    player, cell = event["player"], event["cell"] and tuple(event["cell"])
    if player == table.active:
        return foul("not-your-turn", {"player": player, "active": table.active})
    if player in table.pointed:
        first = table.pointed[player]
        return foul("binding", {"player": player, "cell": first and list(first)})
    if player != table.pointer():
        return foul("out-of-order", {"player": player, "pointer": table.pointer()})
    if cell is not None:
        refused = _finger_refused(table, player, cell)
        if refused is not None:
            return refused
    after = replace(table, pointed={**table.pointed, player: cell})
    pointer = after.pointer()
    if pointer is None:
        after = replace(after, state=THIRD_TILE)
    return accepted("pointed", after, {"player": player, "cell": event["cell"], "next": pointer})


def _finger_refused(table: Tiles, player: str, cell: Cell) -> Outcome | None:
    """Why this player may not point there, or None."""
    tile = table.board.get(cell)
    if tile is None:
        return rejected("no-tile")
    said = {"player": player, "cell": list(cell)}
    if tile.face == GONE:
        return foul("points-at-nothing", said)
    if tile.face == UP:
        return foul("points-at-turned", said)
    holder = next((name for name, finger in table.pointed.items() if finger == cell), None)
    return foul("already-pointed", {**said, "holder": holder}) if holder else None


def tiles_back(table: Tiles, event: Event) -> Outcome:
    """The tiles of a miss are turned back."""
    if table.state in (SECOND_TILE, POINTING, THIRD_TILE):
        return foul("back-too-soon")
    if TILES not in table.due:
        return rejected("wrong-state")
    if _other_tiles(table, event):
        return foul("wrong-tiles", {"cells": _listed(sorted(table.up))})
    after = _done(replace(table, board=table.with_tiles(table.up, face=DOWN), up=()), TILES)
    return accepted("back", after, {"next": None if after.due else table.active})


def _other_tiles(table: Tiles, event: Event) -> bool:
    return event["cells"] is not None and {tuple(cell) for cell in event["cells"]} != set(table.up)


def _done(table: Tiles, thing: str) -> Tiles:
    """After a miss: this is no longer due, and when nothing is the next turn begins."""
    due = table.due - {thing}
    return replace(table, due=due, state=MISS if due else FIRST_TILE)


def page_turned(table: Tiles, event: Event) -> Outcome:
    """Moriarty's booklet: the last page is his escape."""
    if not table.cooperative:
        return rejected("wrong-state")
    if not table.page_is_due:
        return foul("no-page-due")
    page = table.pages + 1
    if event["page"] not in (None, page):
        return foul("wrong-page", {"page": event["page"], "due": page})
    turned = replace(table, pages=page)
    if page == table.settings["pages"]:
        return accepted("escaped", replace(turned, state=OVER, due=frozenset()), {"pages": page, "winners": []})
    after = _done(turned, PAGES)
    return accepted("page", after, {"pages": page, "left": table.settings["pages"] - page, "next": None if after.due else table.active})


def tiles_taken(table: Tiles, event: Event) -> Outcome:
    """The three tiles of a hit leave the board."""
    if table.state == MISSIONS:
        return rejected("wrong-state")
    if table.state != HIT:
        return foul("not-won")
    if _other_tiles(table, event):
        return foul("wrong-tiles", {"cells": _listed(sorted(table.up))})
    after = replace(table, state=FIRST_TILE, board=table.with_tiles(table.up, face=GONE), up=())
    return accepted("taken", after, {"next": table.active})


def mission_shown(table: Tiles, event: Event) -> Outcome:
    """A player shows his mission; the accomplice makes it worth something, or nothing."""
    player, suspect = event["player"], event["suspect"]
    variant = table.settings["variant"]
    if variant == "none":
        return rejected("wrong-state")
    if table.state != MISSIONS:
        return foul("mission-secret", {"player": player})
    if player in table.missions:
        return rejected("already-shown")
    if suspect in table.missions.values():
        return rejected("mission-taken")
    earns = (suspect == table.accomplice) == (variant == "intuition")
    points = MISSION_POINTS[variant] if earns else 0
    after = replace(
        table,
        missions={**table.missions, player: suspect},
        won={**table.won, player: {**table.won[player], "mission": points}},
    )
    params: dict[str, Any] = {"player": player, "suspect": suspect}
    if len(after.missions) == len(table.players):
        after = replace(after, state=OVER)
        params["winners"] = after.winners()
    return accepted("mission", after, params, points=[points_row(player, points, "mission")] if points else [])


def void(table: Tiles, event: Event) -> Outcome:
    """The turn is played again by the same player: the tiles go back, no page is turned."""
    if table.state not in (SECOND_TILE, POINTING, THIRD_TILE):
        return rejected("wrong-state")
    return accepted("voided", replace(table, state=MISS, pointed={}, due=frozenset({TILES})), {"player": table.active})


_from_zero = whole(0)


def _is_cell(value: Any) -> bool:
    return isinstance(value, list) and len(value) == 2 and all(_from_zero(number) for number in value)


def _different_cells(value: Any) -> bool:
    return isinstance(value, list) and all(_is_cell(cell) for cell in value) and len({tuple(cell) for cell in value}) == len(value)


def _seats(settings: Settings) -> range:
    """Alone or together against the booklet; else against each other, with a variant no more than there are missions."""
    if settings["mode"] == "cooperative":
        return range(1, 11)
    return range(2, 11 if settings["variant"] == "none" else len(SUSPECTS) + 1)


SHERLOCK_2011 = Box(
    game="sherlock-2011",
    settings=(
        Choice(
            name="mode",
            title="Mode",
            description="All together against Moriarty’s booklet, or everyone for themselves.",
            default="cooperative",
            choices=("cooperative", "competitive"),
        ),
        Choice(
            name="variant",
            title="Variant",
            description="Secret missions that count at the end, when everyone plays for themselves.",
            default="none",
            choices=("none", "intuition", "wrongly-accused"),
            only_if=("mode", "competitive"),
        ),
        Number(name="pages", title="Pages", description="How many pages Moriarty’s booklet has.", default=12, least=1, most=60),
        Number(name="columns", title="Columns", description="How many tiles lie side by side.", default=6, least=5, most=6),
        OnePlayer(name="first", title="First player", description="Who begins."),
    ),
    events={
        "tile-turned": Kind(
            tile_turned,
            (FIRST_TILE, SECOND_TILE, THIRD_TILE),
            {
                "cell": needed(_is_cell),
                "suspect": needed(one_of(*SUSPECTS)),
                "witness": optional(one_of(*WITNESSES)),
                "player": optional(text),
            },
        ),
        "pointed": Kind(pointed, (POINTING,), {"player": needed(text), "cell": or_null(_is_cell)}),
        "tiles-back": Kind(tiles_back, (MISS,), {"cells": optional(_different_cells)}),
        "page-turned": Kind(page_turned, (MISS,), {"page": optional(_from_zero)}),
        "tiles-taken": Kind(tiles_taken, (HIT,), {"cells": optional(_different_cells)}),
        "mission-shown": Kind(mission_shown, (MISSIONS,), {"player": needed(text), "suspect": needed(one_of(*SUSPECTS))}),
        "void": Kind(void, (SECOND_TILE, POINTING, THIRD_TILE), host_only=True),
    },
    seats=_seats,
    begin=begin,
    restore=restore,
    short={"board": Short(_short_board, _long_board)},
)
