"""What happened so far, and the one way in: `rule(state, event)` gives the state after it and a ruling.

The state of a game is the fold of its events, each as it was last corrected (events.md §6.6). A correction
changes an event where it stands and plays all later ones again; one that has become illegal is set aside: it changes
nothing, stays, and counts again when a later change makes it legal. No game knows anything of this.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from companion.rules.event import FORMAT, Event, is_seq, parse, read
from companion.rules.frozen import replace
from companion.rules.judge import judge
from companion.rules.outcome import ACCEPTED, FOUL, REJECTED, Outcome, Row, points_row, rejected
from companion.rules.table import Boxes, Score, Table

Ruling = dict[str, Any]
"""events.md §7, ready for JSON, without the free `text`."""


@dataclass(frozen=True)
class Step:
    """An event of the fold: as it now stands (None: struck out), and the table after it.

    `t` outlives a strike-out, since the next correction takes it over.
    """

    seq: int
    t: float
    event: Event | None
    set_aside: bool
    table: Table | None


@dataclass(frozen=True, slots=True)
class Correction:
    """A correction that still stands, and the steps as they were before it."""

    seq: int
    before: tuple[Step, ...]


@dataclass(frozen=True)
class State:
    """All there is to know of a game, past and present. It never changes; keeping an old one costs nothing."""

    boxes: Boxes
    base: Table | None = None
    last_seq: int = 0
    steps: tuple[Step, ...] = ()
    corrections: tuple[Correction, ...] = ()
    events: int = 0
    rejected: int = 0
    fouls: int = 0

    @property
    def table(self) -> Table | None:
        """The table as it stands; None before a game."""
        return self.steps[-1].table if self.steps else self.base

    def stack(self) -> list[int]:
        """The seqs of all that an undo can take back, events and corrections, as they came."""
        return sorted([step.seq for step in self.steps] + [correction.seq for correction in self.corrections])

    def set_aside(self) -> list[int]:
        """The seqs of the events that are set aside, rising."""
        return [step.seq for step in self.steps if step.set_aside]


def rule(state: State, line: bytes | str | Mapping[str, Any]) -> tuple[State, Ruling]:
    """The state after one event, which is a line of JSON or the object that it holds, and the ruling on it. Never raises."""
    said = read(line)
    if said is None or not is_seq(said.get("seq")):
        return _told(state, state, None, rejected("malformed"))
    seq: int = said["seq"]
    if seq <= state.last_seq:
        return _told(state, state, seq, rejected("seq"))
    event = parse(said, state.boxes.kinds)
    if isinstance(event, str):
        return _told(state, state, seq, rejected(event))
    if event.name == "undo":
        after, outcome = _undo(state, event)
    elif event.name == "correct":
        after, outcome = _correct(state, event)
    else:
        after, outcome = _happen(state, event)
    return _told(state, after, seq, outcome)


def _told(before: State, after: State, seq: int | None, outcome: Outcome) -> tuple[State, Ruling]:
    """Counts the line and frames the ruling."""
    after = replace(
        after,
        last_seq=before.last_seq if seq is None else max(seq, before.last_seq),
        events=before.events + 1,
        rejected=before.rejected + (outcome.ruling == REJECTED),
        fouls=before.fouls + (outcome.ruling == FOUL),
    )
    table = after.table
    return after, {
        "format": FORMAT,
        "ruling": outcome.ruling,
        "of": seq,
        "key": outcome.key,
        "params": outcome.params,
        "state": table.state if table else "idle",
        "points": outcome.points,
        "score": table.score() if table else {},
    }


def _happen(state: State, event: Event) -> tuple[State, Outcome]:
    """An event of the table: it is kept unless it is rejected."""
    outcome = judge(state.table, event, state.boxes)
    if outcome.ruling == REJECTED:
        return state, outcome
    step = Step(event.seq, event.t, event, False, outcome.table or state.table)
    return replace(state, steps=(*state.steps, step)), outcome


def _undo(state: State, event: Event) -> tuple[State, Outcome]:
    """Takes back the last that happened, or all down to a seq. The undo itself leaves no trace."""
    stack = state.stack()
    if not stack:
        return state, rejected("nothing-to-undo")
    to = stack[-1] if event["to"] is None else event["to"]
    if to not in stack:
        return state, rejected("unknown-seq")
    # The earliest correction that goes knows the steps as they were.
    steps = next((correction.before for correction in state.corrections if correction.seq >= to), state.steps)
    after = replace(
        state,
        steps=tuple(step for step in steps if step.seq < to),
        corrections=tuple(correction for correction in state.corrections if correction.seq < to),
    )
    params = {"seqs": [seq for seq in reversed(stack) if seq >= to], "set_aside": after.set_aside()}
    return after, Outcome(ACCEPTED, "undone", params, points=_changes(state.table, after.table, "undo"))


def _correct(state: State, event: Event) -> tuple[State, Outcome]:
    """Puts another event, or none, in the place of one that happened, and plays all later ones again."""
    at = next((at for at, step in enumerate(state.steps) if step.seq == event["replaces"]), None)
    if at is None:
        return state, rejected("unknown-seq")
    table = state.steps[at - 1].table if at else state.base
    new = _replacement(state, state.steps[at], event["with"])
    if isinstance(new, Event):
        reason = judge(table, new, state.boxes)
        if reason.ruling == REJECTED:
            new = reason.key
    if isinstance(new, str):
        return state, rejected("correction-refused", {"reason": new})
    changed = replace(state.steps[at], event=new, t=new.t if new else state.steps[at].t)
    steps = state.steps[:at] + fold(table, (changed, *state.steps[at + 1 :]), state.boxes)
    after = replace(state, steps=steps, corrections=(*state.corrections, Correction(event.seq, state.steps)))
    params = {"replaces": event["replaces"], "set_aside": after.set_aside()}
    return after, Outcome(ACCEPTED, "corrected", params, points=_changes(state.table, after.table, "correct"))


def _replacement(state: State, step: Step, said: Mapping[str, Any] | None) -> Event | str | None:
    """The event that a correction's `with` tells, by the host and, if it says no other, at the old time; or why it tells none."""
    if said is None:
        return None
    t = step.t if said.get("t") is None else said["t"]
    kinds = {name: kind for name, kind in state.boxes.kinds.items() if name not in ("undo", "correct")}
    return parse({**said, "format": FORMAT, "seq": step.seq, "by": "host", "t": t}, kinds)


def fold(table: Table | None, steps: tuple[Step, ...], boxes: Boxes) -> tuple[Step, ...]:
    """The steps played anew from this table, those that are now illegal set aside."""
    played = []
    for step in steps:
        outcome = judge(table, step.event, boxes) if step.event else None
        if outcome is not None and outcome.table is not None:
            table = outcome.table
        played.append(Step(step.seq, step.t, step.event, outcome is not None and outcome.ruling == REJECTED, table))
    return tuple(played)


def _changes(before: Table | None, after: Table | None, reason: str) -> list[Row]:
    """One row a player whose points an undo or a correction has changed: those of the game as it is now, then of the old one."""
    old: Score = before.score() if before else {}
    new: Score = after.score() if after else {}
    gains = {player: _points(new, player) - _points(old, player) for player in (*new, *old)}
    return [points_row(player, gain, reason) for player, gain in gains.items() if gain]


def _points(score: Score, player: str) -> int:
    return score[player]["points"] if player in score else 0
