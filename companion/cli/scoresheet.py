"""The score sheet of a replayed game, for people: rounds or points as they fell, remarks of the referee, and the end."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table as Grid
from rich.text import Text

from companion import rules, voice
from companion.rules.history import Step
from companion.rules.table import Table

Told = tuple[int, rules.State, rules.Ruling]
"""A line's number, the state after it, and the ruling with its text."""

STYLES = {"foul": "yellow", "rejected": "red", "accepted": "cyan"}
REMARKED = ("undone", "corrected", "voided")
COLOURS = ("green", "yellow", "red")


def print_sheet(start: rules.State, told: Sequence[Told], *, language: str, title: str | None) -> None:
    """Prints the game as it stands after all corrections, then what the referee had to say on the way."""
    console = Console(file=sys.stdout, highlight=False, width=None if sys.stdout.isatty() else 120)
    state = told[-1][1] if told else start
    if title is not None:
        console.print(Text(title, style="bold"))
    if state.table is not None:
        console.print(_points(state, state.table))
    if told:
        console.print(_remarks(told))
    console.print(Text(voice.due_sentence(rules.view(state, "host"), language), style="bold"))
    console.print(Text(f"{state.events} events, {state.fouls} fouls, {state.rejected} refused."))
    console.print(Text(rules.to_text(state), style="dim"), soft_wrap=True)


def _points(state: rules.State, table: Table) -> Grid:
    """A row for each event that changed the score, and the total."""
    score = table.score()
    grid = Grid(box=SIMPLE_HEAD, title=Text(f"{table.box.game}: {', '.join(table.players)}"), title_justify="left")
    grid.add_column("")
    for player in score:
        grid.add_column(Text(player), justify="right")
    before = state.base
    for step in state.steps:
        if before is not None and step.table is not None and before.players == step.table.players and before.score() != step.table.score():
            grid.add_row(_label(before, step), *(_cell(before, step.table, player) for player in score))
        before = step.table
    grid.add_section()
    grid.add_row(Text("total", style="bold"), *(_total(entry) for entry in score.values()))
    return grid


def _label(before: Table, step: Step) -> Text:
    """What it was that changed the score."""
    event = step.event
    assert event is not None
    match event.name:
        case "differences-counted":
            return Text(f"round {before.details()['round']}: {event['count']} differences")
        case "tile-turned" | "mission-shown":
            return Text(f"{event.name.split('-')[0]} {event['suspect']}")
        case "pawn-moved":
            card = before.details()["ring"][event["place"] - 1]
            return Text(f"card {event['place']} {card['object'] or ''}".rstrip())
    return Text(event.name)


def _cell(before: Table, after: Table, player: str) -> Text:
    """Which marker the player had, where there are markers, and what came of it."""
    old, new = before.score()[player], after.score()[player]
    marker = before.details().get("markers", {}).get(player)
    cell = Text("" if marker is None else f"[{marker}]")
    if new["points"] != old["points"]:
        cell.append(f" {new['points'] - old['points']:+}", style="bold")
    for colour in COLOURS:
        if new.get(colour, 0) > old.get(colour, 0):
            cell.append(f" {colour}", style=colour)
    return cell


def _total(entry: dict[str, int]) -> Text:
    """The points, and what they are made of."""
    parts = ", ".join(f"{number} {part}" for part, number in entry.items() if part != "points")
    return Text.assemble((str(entry["points"]), "bold"), f" ({parts})" if parts else "")


def _remarks(told: Sequence[Told]) -> Grid:
    """Fouls, refused lines, and what was taken back or put right, each with the number of its line."""
    grid = Grid(box=None, show_header=False, padding=(0, 1))
    grid.add_column(justify="right")
    grid.add_column()
    grid.add_column()
    for number, _, ruling in told:
        if ruling["ruling"] != "accepted" or ruling["key"] in REMARKED:
            name = {"foul": "foul", "rejected": "refused"}.get(str(ruling["ruling"]), str(ruling["key"]))
            grid.add_row(f"line {number}", Text(name, style=STYLES[ruling["ruling"]]), Text(f"{ruling['text']} ({ruling['key']})"))
    return grid
