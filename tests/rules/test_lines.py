"""What a line must be: the first rows of the table of refusals, at their edges."""

import json
from typing import Any

import pytest

from companion import rules

STARTS = {
    "sherlook": "sherlook {} players=[Ada,Bea]",
    "sherlock": "sherlock {} players=[Ada,Bea]",
    "sherlock-2011": "sherlock-2011 {} players=[Ada,Bea] settings={{mode:competitive}}",
}


def _key(state: rules.State, line: bytes | dict[str, Any]) -> str:
    return str(rules.rule(state, line)[1]["key"])


@pytest.mark.parametrize(
    ("line", "of", "key"),
    [
        (b"", None, "malformed"),
        (b"{", None, "malformed"),
        (b"[1]", None, "malformed"),
        (b"{}", None, "malformed"),
        (b'{"format":1,"seq":0,"t":0,"event":"undo","by":"host"}', None, "malformed"),
        (b'{"format":1,"seq":1.0,"t":0,"event":"undo","by":"host"}', None, "malformed"),
        (b'{"format":1,"seq":true,"t":0,"event":"undo","by":"host"}', None, "malformed"),
        (b'{"format":1,"seq":1,"t":NaN,"event":"undo","by":"host"}', None, "malformed"),
        (b'{"format":1,"seq":1,"t":0,"event":"undo","by":"host","x":"\\ud83d"}', None, "malformed"),
        (b'{"format":1,"seq":1,"t":0,"event":"undo","by":"host","x":"\\udc00\\ud83d"}', None, "malformed"),
        (b'{"format":1,"seq":1,"t":0,"event":"undo","by":"host","\\uD800":1}', None, "malformed"),
        (b'{"format":1,"seq":1,"t":0,"event":"undo","by":"host","x":"\\ud83d","x":1}', None, "malformed"),
        (b'{"format":1,"seq":1,"t":0,"event":"undo","by":"host","x":"\\uD83D\\ude00 \\\\ud83d"}', 1, "nothing-to-undo"),
        (b'{"format":1,"seq":1,"t":0,"event":"undo","by":"host","x":"\xff"}', None, "malformed"),
        (b'\xef\xbb\xbf{"format":1,"seq":1,"t":0,"event":"undo","by":"host"}', None, "malformed"),
        (b' {"format":1,"seq":1,"t":0,"event":"undo","by":"host"}\r', 1, "nothing-to-undo"),
        (b'{"format":1,"seq":7,"seq":1,"t":0,"event":"undo","by":"host"}', 1, "nothing-to-undo"),
        (b'{"seq":1,"t":0,"event":"undo","by":"host"}', 1, "format"),
        (b'{"format":1.0,"seq":1,"t":0,"event":"undo","by":"host"}', 1, "format"),
        (b'{"format":true,"seq":1,"t":0,"event":"undo","by":"host"}', 1, "format"),
        (b'{"format":1,"seq":1,"event":"undo","by":"host"}', 1, "malformed"),
        (b'{"format":1,"seq":1,"t":-0.1,"event":"undo","by":"host"}', 1, "malformed"),
        (b'{"format":1,"seq":1,"t":1e999,"event":"undo","by":"host"}', 1, "malformed"),
        (b'{"format":1,"seq":1,"t":false,"event":"undo","by":"host"}', 1, "malformed"),
        (b'{"format":1,"seq":1,"t":"0","event":"undo","by":"host"}', 1, "malformed"),
        (b'{"format":1,"seq":1,"t":0,"by":"host"}', 1, "malformed"),
        (b'{"format":1,"seq":1,"t":0,"event":"","by":"host"}', 1, "unknown-event"),
        (b'{"format":1,"seq":1,"t":0,"event":"undo"}', 1, "malformed"),
        (b'{"format":1,"seq":1,"t":0,"event":"undo","by":"player:"}', 1, "malformed"),
        (b'{"format":1,"seq":1,"t":0,"event":"undo","by":"Ada"}', 1, "malformed"),
        (b'{"format":1,"seq":1,"t":0,"event":"undo","by":3}', 1, "malformed"),
        (b'{"format":1,"seq":1,"t":0,"event":"undo","by":"camera"}', 1, "not-allowed"),
        (b'{"format":1,"seq":1,"t":0,"event":"undo","by":"camera","to":0}', 1, "malformed"),
        (b'{"format":1,"seq":1,"t":0,"event":"correct","by":"host","replaces":1}', 1, "malformed"),
        (b'{"format":1,"seq":1,"t":0,"event":"correct","by":"host","replaces":1,"with":null}', 1, "unknown-seq"),
    ],
)
def test_a_line_is_refused_by_the_first_thing_that_is_wrong_with_it(line: bytes, of: int | None, key: str) -> None:
    """No JSON, no number, another version, a common field, the event, its fields, its sender: in this order."""
    _, ruling = rules.rule(rules.start(), line)

    assert (ruling["ruling"], ruling["of"], ruling["key"]) == ("rejected", of, key)


def test_numbers_only_grow_also_over_refused_lines() -> None:
    """A refused line has used its number, unless it had none."""
    state = rules.start()
    told = []
    for line in (b'{"seq":5}', b'{"seq":5}', b'{"seq":4,"format":1}', b"nothing", b'{"seq":6}'):
        state, ruling = rules.rule(state, line)
        told.append((ruling["of"], ruling["key"]))

    assert told == [(5, "format"), (5, "seq"), (4, "seq"), (None, "malformed"), (6, "format")]
    assert (state.events, state.rejected, state.fouls) == (5, 5, 0)


@pytest.mark.parametrize(
    ("game", "standing", "event", "good", "bad"),
    [
        ("sherlook", "round", {"event": "green-turned"}, {"token": [1, 10, None]}, {"token": [0, 11, "1", 1.0, True]}),
        ("sherlook", "round", {"event": "marker-taken", "player": "Ada", "value": 1}, {"value": [1, 10]}, {"value": [0, 11, None]}),
        ("sherlook", "round", {"event": "differences-counted", "count": 0}, {"count": [0, 99]}, {"count": [-1, 100, None, 7.0]}),
        (
            "sherlook",
            "laying",
            {"event": "photos-laid", "photos": ["a", "b"]},
            {"photos": [[None, None], ["a", None]], "top": ["bottom", "discard", None]},
            {"photos": [["a"], ["a", "b", "c"], ["a", ""], [1, 2], "ab", None], "top": ["", "side"]},
        ),
        (
            "sherlock",
            "dealing",
            {"event": "card-turned", "place": 1},
            {"place": [1, 99], "steps": [1, 99, None], "arrow": ["left", "right"], "object": ["x"], "card": [" "], "right": [True, None]},
            {"place": [0, None], "steps": [0, 100], "arrow": ["up", ""], "object": ["", " \u3000"], "card": ["", 3], "right": ["yes", 1]},
        ),
        (
            "sherlock",
            "dealing",
            {"event": "circle-laid", "cards": [{"place": 1}]},
            {"cards": [[{"place": 2}, {"place": 1, "steps": None}]]},
            {"cards": [[], [{"place": 2}], [{"place": 1}, {"place": 1}], [{"place": 1, "steps": 0}], [1], {}, [{}], None]},
        ),
        ("sherlock", "dealing", {"event": "guess", "player": "Ada", "object": "x"}, {"object": [None, "hat"]}, {"object": [" ", 3, ""]}),
        (
            "sherlock-2011",
            "first-tile",
            {"event": "tile-turned", "cell": [0, 0], "suspect": "s1"},
            {"cell": [[0, 0], [5, 5], [9, 0]], "suspect": ["s5"], "witness": ["w1", "w6", None]},
            {"cell": [[0], [0, -1], [0, 0, 0], [0.0, 0], None, "a1"], "suspect": ["s0", "s6", ""], "witness": ["w7", "s1"]},
        ),
        (
            "sherlock-2011",
            "first-tile",
            {"event": "tiles-back"},
            {"cells": [[], [[0, 0], [0, 1]], None]},
            {"cells": [[[0, 0], [0, 0]], [[0]], {}]},
        ),
        ("sherlock-2011", "first-tile", {"event": "page-turned"}, {"page": [0, 99, None]}, {"page": [-1, 1.0, "1"]}),
        ("sherlock-2011", "first-tile", {"event": "pointed", "player": "Ada", "cell": None}, {"cell": [[0, 0]]}, {"cell": [[], "none"]}),
    ],
)
def test_fields_have_their_types_and_bounds(
    game: str, standing: str, event: dict[str, Any], good: dict[str, list[Any]], bad: dict[str, list[Any]]
) -> None:
    """What is within bounds is looked at further, what is not is malformed, whatever the state."""
    state = rules.from_text(STARTS[game].format(standing))
    line = {"format": 1, "seq": 1, "t": 0, "by": "host", **event}
    for key, values in good.items():
        for value in values:
            assert _key(state, {**line, key: value}) != "malformed", (key, value)
    for key, values in bad.items():
        for value in values:
            assert _key(state, {**line, key: value}) == "malformed", (key, value)


@pytest.mark.parametrize("event", [{"seq": {1: 2}}, {"seq": 1, "x": float("nan")}, {"seq": 1, "x": b"bytes"}, {"seq": 1, "x": "\ud800"}])
def test_an_object_that_no_line_could_hold_is_malformed(event: dict[str, Any]) -> None:
    """An event given as an object goes through the same door as a line of the file."""
    assert _key(rules.start(), event) == "malformed"
    assert _key(rules.start(), json.dumps({"seq": 1})[:-1].encode()) == "malformed"
