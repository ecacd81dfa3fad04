"""Whole games as text: `tests/games/NAME.game`, readable without the code, regenerated and compared.

    A title that says what the game shows
    -------------------------------------
      7 41.5s camera marker-taken player=Ada value=4
          accepted marker-taken player=Ada value=4 -> choosing
          "Ada takes 4."

An event has its seq, its time, who says so, its name and its fields; what follows, indented, is what the referee answers: the
key with its parameters, the state, points, and the sentence. A line after `raw` is given to the referee as it stands. At the end
stand the score, what is legal, and the state in one line. To write all of them anew, after looking at the difference that a
change of the rules makes: `python -m tests.rules.games`.
"""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from companion import rules, voice
from companion.rules import notation

GAMES = Path(__file__).parents[1] / "games"

_EVENT = re.compile(r" *(\d+) +([\d.]+)s +(.*)")
_FIELD = re.compile(r" +(\w+)=")


def paths() -> list[Path]:
    """All games, in the order of their names."""
    return sorted(GAMES.glob("*.game"))


def read(text: str) -> tuple[str, list[str]]:
    """The title of a game, and its lines as the referee gets them."""
    title, _, *rest = text.split("\n")
    lines = []
    for line in rest:
        event = _EVENT.fullmatch(line)
        if event:
            lines.append(json.dumps(_event(int(event[1]), event[2], event[3]), ensure_ascii=False))
        elif line.startswith("raw "):
            lines.append(line[len("raw ") :])
    return title, lines


def _event(seq: int, t: str, told: str) -> dict[str, Any]:
    by, at = notation.read(told.replace("player:", "player_", 1) if told.startswith("player:") else told)
    name, at = notation.read(told, at + 1)
    event = {"format": 1, "seq": seq, "t": json.loads(t), "event": name, "by": by.replace("player_", "player:", 1)}
    while at < len(told):
        field = _FIELD.match(told, at)
        assert field, told[at:]
        event[field[1]], at = notation.read(told, field.end())
    return event


def write(title: str, lines: list[str]) -> str:
    """The game with all that the referee says."""
    out, state = [title, "-" * len(title)], rules.start()
    for line in lines:
        state, ruling = rules.rule(state, line)
        event = event_of(line)
        if event.get("format") == 1 and "seq" in event:
            fields = {key: value for key, value in event.items() if key not in ("format", "seq", "t", "event", "by")}
            out.append(f"{event['seq']:3} {json.dumps(event['t'])}s {event['by']} {event['event']}{_pairs(fields)}")
        else:
            out.append(f"raw {line}")
        out.append(f"        {ruling['ruling']} {ruling['key']}{_pairs(ruling['params'])} -> {ruling['state']}")
        if ruling["points"]:
            out.append("        points " + ", ".join(f"{row['player']} {row['points']:+} for {row['for']}" for row in ruling["points"]))
        out.append(f"        “{voice.word(event, ruling, 'en')}”")
    summary = rules.summary(state)
    counted = f"{summary['events']} events, {summary['rejected']} refused, {summary['fouls']} fouls"
    out += ["", counted, f"score {notation.write(summary['score'])}", f"legal {' '.join(summary['legal'])}".rstrip()]
    if summary["winners"]:
        out.append(f"winners {notation.write(summary['winners'])}")
    return "\n".join([*out, f"state {rules.to_text(state)}", ""])


def _pairs(fields: dict[str, Any]) -> str:
    return "".join(f" {key}={notation.write(value)}" for key, value in fields.items())


def event_of(line: str) -> dict[str, Any]:
    """The object that a line holds, {} where it holds none."""
    try:
        event = json.loads(line)
    except ValueError:
        return {}
    return event if isinstance(event, dict) else {}


def ruled_games() -> Iterator[tuple[dict[str, Any], dict[str, Any]]]:
    """Each event of all games with its ruling."""
    for path in paths():
        state = rules.start()
        for line in read(path.read_text("utf-8"))[1]:
            state, ruling = rules.rule(state, line)
            yield event_of(line), ruling


if __name__ == "__main__":
    for path in paths():
        path.write_text(write(*read(path.read_text("utf-8"))), "utf-8")
