"""What may happen now, and with which values: one source for the page and the reader."""

from typing import Any

import pytest

from companion import rules

ALL_MARKERS = list(range(1, 11))


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("idle", {"game-started": {}}),
        ("sherlook round players=[Ada,Bea]", {"game-ended": {}, "green-turned": {}}),
        ("sherlook laying players=[Ada,Bea] settings={edition:french}", {"game-ended": {}, "photos-laid": {"top": ["discard"]}}),
        (
            "sherlook choosing players=[Ada,Bea,Cem] markers={Ada:7}",
            {"game-ended": {}, "marker-taken": {"player": ["Bea", "Cem"], "value": [1, 2, 3, 4, 5, 6, 8, 9, 10]}, "void": {}},
        ),
        (
            "sherlook choosing players=[Ada,Bea] markers={Ada:1} deadline=9",
            {"game-ended": {}, "marker-taken": {"player": ["Bea"], "value": ALL_MARKERS[1:]}, "time-up": {}, "void": {}},
        ),
        (
            "sherlook counting players=[Ada,Bea] markers={Ada:1} out=Bea",
            {"differences-counted": {"count": list(range(100))}, "game-ended": {}, "void": {}},
        ),
        ("sherlook over players=[Ada,Bea]", {}),
        (
            "sherlock placing players=[Ada,Bea,Cem] settings={circle:5} ring=[{},null,{up:true},{},{}]",
            {"game-ended": {}, "pawn-placed": {"place": [1, 4, 5], "player": ["Cem"]}},
        ),
        (
            "sherlock moving players=[Ada,Bea] settings={circle:5} pawn=1 to=3 ring=[{up:true},{},{},{},{}]",
            {"game-ended": {}, "pawn-moved": {"place": [3]}, "void": {}},
        ),
        (
            "sherlock taking players=[Ada,Bea] settings={circle:5} active=Bea pawn=1 ring=[{up:true},{},{},{},{}]",
            {"card-taken": {"place": [1], "player": ["Bea"]}, "game-ended": {}},
        ),
        (
            "sherlock-2011 miss players=[Ada,Bea] active=Bea board='s1+ s2+ . . . ./. . . . . ./. . . . . ./. . . . . ./. . . . . .' "
            "up=[[0,0],[0,1]] due=[pages,tiles]",
            {"game-ended": {}, "page-turned": {"page": [1]}, "tiles-back": {"cells": [[[0, 0], [0, 1]]]}},
        ),
    ],
)
def test_legal_values_tell_whose_turn_it_is_and_what_is_free(text: str, values: dict[str, Any]) -> None:
    """Every legal event, and the values of its fields that are no foul."""
    state = rules.from_text(text.replace("'", '"'))

    assert rules.legal_values(state) == values
    assert rules.legal(state) == list(values)


def test_missions_are_shown_by_those_who_have_not_and_each_once() -> None:
    """Who has shown his mission is done, and nobody else can have the same."""
    gone = "s1x s1x s1x s1x s1x s1x/s2x s2x s2x s2x s2x s2x/s3x s3x s3x s3x s3x s3x/s4x s4x s4x . . ./s5x s5x s5x s5x s5x s5x"
    state = rules.from_text(
        "sherlock-2011 missions players=[Ada,Bea,Cem] settings={mode:competitive,variant:intuition} "
        f'board="{gone}" found={{s1:6,s2:6,s3:6,s4:3,s5:6}} missions={{Bea:s2}} accomplice=s4'
    )

    assert rules.legal_values(state)["mission-shown"] == {"player": ["Ada", "Cem"], "suspect": ["s1", "s3", "s4", "s5"]}
