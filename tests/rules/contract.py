"""What every game must keep, whatever happens at the table. A new game needs no test of its own for any of it."""

import json
from random import Random
from typing import Any

from companion import rules
from companion.rules import Box
from companion.rules.settings import choose, describe
from tests.rules import players

Ruling = dict[str, Any]

RULING_KEYS = ["format", "ruling", "of", "key", "params", "state", "points", "score"]


def check_box(box: Box) -> None:
    """The box explains its settings, and its defaults are within their bounds for every number of players that it has."""
    for setting in describe(box.settings):
        assert setting["title"] and setting["description"].endswith(".")
    names = tuple(f"P{n}" for n in range(1, 11))
    settings, bad = choose(box.settings, {}, names)
    assert bad is None and set(settings) == {setting.name for setting in box.settings}
    assert len(box.seats(settings)) > 0


def check_legal_game(box: Box, chance: Random, *, lines: int) -> None:
    """Legal events with the values that are told are accepted, in any game that they can lead to; no other event is."""
    state = rules.start([box])
    for _ in range(lines):
        before, names = state, rules.legal(state)
        assert names == sorted(names)
        line = players.line(state, chance, box=box, wild=0.0)
        state, ruling = rules.rule(state, line)
        if names in (["game-started"], []):
            continue
        assert ruling["ruling"] == "accepted", (line, ruling, rules.to_text(before))
        check_state(state)
        odd = players.anything(state, chance)
        _, ruling = rules.rule(state, {"format": 1, "seq": state.last_seq + 1, "t": 1, **odd})
        assert ruling["ruling"] != "accepted" or odd["event"] in (*rules.legal(state), "undo", "correct"), (odd, ruling)


def check_wild_game(box: Box, chance: Random, *, lines: int) -> None:
    """Whatever is written, the referee answers, and the history keeps its laws."""
    state, written, total = rules.start([box]), [], {}
    rulings: list[Ruling] = []
    for _ in range(lines):
        line = players.line(state, chance, box=box, wild=0.35)
        before = state
        state, ruling = rules.rule(state, line)
        written.append(line)
        rulings.append(ruling)
        assert list(ruling) == RULING_KEYS
        assert json.loads(json.dumps(ruling)) == ruling
        for row in ruling["points"]:
            total[row["player"]] = total.get(row["player"], 0) + row["points"]
        assert {player: points for player, points in total.items() if points} == {
            player: entry["points"] for player, entry in ruling["score"].items() if entry["points"]
        }, "a point was lost or found"
        if ruling["ruling"] == "rejected":
            assert rules.position(state) == rules.position(before) and state.stack() == before.stack()
        elif ruling["key"] != "undone":
            check_undo(before, state)
        check_state(state)
    check_replay(box, written, rulings, state)
    check_history(box, state)


def check_state(state: rules.State) -> None:
    """A state can be written down, read again, and shown; what is hidden changes nothing that players see."""
    text = rules.to_text(state)
    again = rules.from_text(text, state.boxes.values())
    assert "\n" not in text
    assert rules.to_text(again) == text
    assert again.table == state.table
    assert rules.state_hash(again) == rules.state_hash(state)
    assert json.loads(json.dumps(rules.position(state))) == rules.position(state)
    seen = rules.view(state, "spectator")
    assert "seen" not in seen
    assert rules.view(state, "player:Ada") == seen
    for name, values in rules.legal_values(state).items():
        assert name in rules.legal(state) and all(values.values()), (name, values)


def check_undo(before: rules.State, after: rules.State) -> None:
    """To undo the last entry is never to have had it."""
    undone, ruling = rules.rule(after, {"format": 1, "seq": after.last_seq + 1, "t": 0, "event": "undo", "by": "host"})
    assert ruling["key"] == "undone" and ruling["params"]["seqs"] == [after.last_seq]
    assert (undone.corrections, undone.steps, undone.table) == (before.corrections, before.steps, before.table)


def check_replay(box: Box, written: list[bytes], rulings: list[Ruling], state: rules.State) -> None:
    """The same lines give the same rulings and the same state."""
    again = rules.start([box])
    for line, ruling in zip(written, rulings, strict=True):
        again, other = rules.rule(again, line)
        assert other == ruling
    assert rules.summary(again) == rules.summary(state)


def check_history(box: Box, state: rules.State) -> None:
    """A game with its corrections is the game that is played so from the start; what that refuses is what is set aside."""
    anew, aside = rules.start([box]), []
    for step in state.steps:
        if step.event is None:
            continue
        event = step.event
        line = {"format": 1, "seq": event.seq, "t": event.t, "event": event.name, "by": event.by, **event.fields}
        anew, ruling = rules.rule(anew, line)
        if ruling["ruling"] == "rejected":
            aside.append(step.seq)
    assert aside == state.set_aside()
    assert rules.position(anew) == rules.position(state)
