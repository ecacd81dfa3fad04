"""Players who do anything: legal events, fouls, nonsense, undo and correct. For tests that must hold whatever happens."""

import json
from collections.abc import Sequence
from random import Random
from typing import Any

from companion import rules
from companion.rules import Box
from companion.rules.event import Field
from companion.rules.settings import describe

NAMES = ("Ada", "Bea", "Cem", "Dan", "Eva")
NONSENSE: tuple[Any, ...] = (
    None, True, False, 0, 1, -1, 3, 11, 10**30, 2.5, -0.0, 1e300, "", " ", "x", "Ada", "left", "s1", "w9", "café", "\u2028",
    [], [0, 0], [[0, 0]], [None, None], {}, {"event": "undo"}, [[[[]]]], {"place": 1},
)  # fmt: skip
NO_LINES: tuple[bytes, ...] = (
    b"", b"null", b"[]", b"{", b'{"seq":NaN}', b'{"a":"\\ud800"}', b"\xff\xfe", b"\xef\xbb\xbf{}", b"[" * 2_000,
    b'{"format":1}', b"9" * 5_000,
)  # fmt: skip


def start(box: Box, chance: Random) -> dict[str, Any]:
    """A game with some players and some settings, as a `game-started`."""
    names = list(NAMES[: chance.randint(2, 5)])
    wanted: dict[str, Any] = {}
    for setting in describe(box.settings):
        if chance.random() < 0.4:
            choices = setting.get("choices")
            if choices == "players":
                wanted[setting["name"]] = chance.choice(names)
            elif choices:
                wanted[setting["name"]] = chance.choice(choices)
            else:
                least, most = (bound if isinstance(bound, int) else setting["default"] for bound in (setting["least"], setting["most"]))
                wanted[setting["name"]] = chance.randint(least, min(most, least + 8))
    return {"event": "game-started", "by": "host", "game": box.game, "players": names, "settings": wanted}


def legal(state: rules.State, chance: Random, *, ending: float = 0.02) -> dict[str, Any]:
    """An event that is regular now, with values that are no foul."""
    values = rules.legal_values(state)
    names = [name for name in values if name != "game-ended" and (name != "void" or chance.random() < 0.1)]
    if not names or chance.random() < ending:
        return {"event": "game-ended", "by": "host"}
    name = chance.choice(names)
    table = state.table
    assert table is not None
    event: dict[str, Any] = {"event": name, "by": "host"}
    for key, field in table.box.events[name].fields.items():
        if key in values[name]:
            event[key] = chance.choice(values[name][key])
        elif not field.may_be_absent or key in ("object", "arrow", "steps") or chance.random() < 0.5:
            event[key] = sample(state, key, field, chance)
    if table.memory().get("deadline") is not None:
        event["t"] = table.memory()["deadline"]  # the last moment that is in time, and the first that is too late
    return event


def sample(state: rules.State, key: str, field: Field, chance: Random) -> Any:
    """A value that this field may have: what lies there where the rules would refuse anything else."""
    position = rules.position(state)
    number = len(state.steps)
    if key == "photos":
        return [f"p{number}", f"p{number}b"] if chance.random() < 0.8 else [None, None]
    if key == "cards":
        return [{"place": place, **_card(f"c{place}", chance)} for place in range(1, position["settings"]["circle"] + 1)]
    if key in ("card", "object", "arrow", "steps") and position.get("pawn"):
        lies = position["ring"][position["pawn"] - 1]
        return (lies or {}).get(key) or _card(f"c{number + 100}", chance)[key]
    if key == "right":
        return None
    candidates = [value for value in (*range(12), "left", "s1", "w1", "thing", True, [0, 0]) if field.check(value)]
    return chance.choice(candidates)


def _card(card: str, chance: Random) -> dict[str, Any]:
    arrow = chance.choice(["left", "right"])
    return {"card": card, "object": f"thing {chance.randint(1, 9)}", "arrow": arrow, "steps": chance.randint(1, 9)}


def anything(state: rules.State, chance: Random) -> dict[str, Any]:
    """An event of any kind with values of any kind: mostly a foul or refused."""
    name = chance.choice(sorted(state.boxes.kinds))
    players = rules.position(state).get("players", NAMES)
    speakers = ["host", "host", "camera", f"player:{chance.choice(players)}", "player:Zoe"]
    event: dict[str, Any] = {"event": name, "by": chance.choice(speakers)}
    for key, field in state.boxes.kinds[name].fields.items():
        if key == "player":
            event[key] = chance.choice(players)
        elif key == "cell":
            event[key] = chance.choice([[chance.randint(0, 6), chance.randint(0, 6)], None])
        elif chance.random() < 0.15:
            event[key] = chance.choice(NONSENSE)
        elif not field.may_be_absent or chance.random() < 0.3:
            candidates = [value for value in (*range(1, 13), *NONSENSE) if field.check(value)] or [None]
            event[key] = chance.choice(candidates)
    return event


def change(state: rules.State, chance: Random) -> dict[str, Any]:
    """An undo or a correction of something that was played, or of nothing."""
    seqs: Sequence[int] = state.stack()[-8:] or [1]
    if chance.random() < 0.4:
        return {"event": "undo", "by": "host", **({"to": chance.choice(seqs)} if chance.random() < 0.5 else {})}
    steps = [step.seq for step in state.steps] or [1]
    new = None if chance.random() < 0.3 else _replacement(state, chance)
    return {"event": "correct", "by": "host", "replaces": chance.choice([*steps[-6:], steps[0]]), "with": new}


def _replacement(state: rules.State, chance: Random) -> Any:
    """Something like an event that was played, or anything."""
    events = [step.event for step in state.steps[-6:] if step.event]
    if not events or chance.random() < 0.3:
        return anything(state, chance)
    event = chance.choice(events)
    fields = dict(event.fields)
    for key in fields:
        if key in ("value", "count", "place", "steps") and chance.random() < 0.5:
            fields[key] = chance.randint(1, 9)
        if key in ("suspect",) and chance.random() < 0.5:
            fields[key] = chance.choice(["s1", "s2"])
    return {"event": event.name, **fields, **({"t": chance.randint(0, 99)} if chance.random() < 0.3 else {})}


def line(state: rules.State, chance: Random, *, box: Box, wild: float) -> bytes:
    """The next line of a game; `wild` is how often it is not a legal event."""
    roll = chance.random()
    if roll < 0.02 * (wild > 0):
        return chance.choice(NO_LINES)
    if state.table is None and (roll < 0.8 or not wild):
        event = start(box, chance)
    elif roll < wild:
        event = change(state, chance) if chance.random() < 0.4 else anything(state, chance)
    elif state.table is None or rules.legal(state) == []:
        event = change(state, chance)
    else:
        event = legal(state, chance)
    event = {"format": 1, "seq": state.last_seq + chance.choice([1, 1, 1, 2]), "t": len(state.steps), **event}
    return json.dumps(event, ensure_ascii=False).encode()
