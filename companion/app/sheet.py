"""The score sheet: each round as it stands after all corrections, as a document and as a table."""

import csv
import io
from typing import Any

from companion import rules
from companion.app.documents import without_ids
from companion.session import Session

Document = dict[str, Any]


def sheet(session: Session) -> Document:
    """Rounds with markers, count and points a player, the score, the winners, and the events that they follow from."""
    position = rules.position(session.state)
    return {
        "format": 1,
        "game": position.get("game"),
        "edition": position.get("settings", {}).get("edition"),
        "players": position.get("players", []),
        "rounds": _rounds(session.state),
        "score": position.get("score", {}),
        "winners": rules.winners(session.state),
        "events": _events(session),
    }


def _events(session: Session) -> list[Document]:
    """The events as everybody may see them: which photos lie there is told once they were turned."""
    events = [event for event, _ in session.rulings()]
    steps = [step for step in session.state.steps if not step.set_aside]
    turned = max((step.seq for step in steps if step.event and step.event.name == "photos-turned"), default=0)
    return [event if event["seq"] < turned else without_ids(event) for event in events]


def sheet_csv(document: Document) -> str:
    """A row a round and player; what could be read as a formula by a spreadsheet is quoted."""
    out = io.StringIO()
    table = csv.writer(out)
    table.writerow(["round", "player", "marker", "differences", "points", "total"])
    total: dict[str, int] = {}
    for row in document["rounds"]:
        for player in document["players"]:
            points = row["points"].get(player, 0)
            total[player] = total.get(player, 0) + points
            table.writerow([row["round"], _harmless(player), row["markers"].get(player, ""), row["count"], points, total[player]])
    return out.getvalue()


def _rounds(state: rules.State) -> list[Document]:
    """The rounds that were scored. A count that is set aside has scored nothing."""
    rounds, before = [], state.base
    for step in state.steps:
        if step.event is not None and step.event.name == "differences-counted" and not step.set_aside and before and step.table:
            old, new, played = before.score(), step.table.score(), before.details()
            rounds.append(
                {
                    "round": played["round"],
                    "extra": played["round"] > before.settings["rounds"],
                    "count": step.event["count"],
                    "markers": played["markers"],
                    "out": played["out"],
                    "points": {player: new[player]["points"] - old[player]["points"] for player in new},
                }
            )
        before = step.table
    return rounds


def _harmless(text: str) -> str:
    return f"'{text}" if text[:1] in "=+-@\t\r" else text
