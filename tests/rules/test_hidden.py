"""What lies face down is in nothing that a player gets: two games that differ only in it look the same, byte for byte."""

import json
from dataclasses import replace
from random import Random
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from companion import rules, voice
from companion.rules.circle import Card, Circle
from companion.rules.table import Table
from companion.rules.tiles import DOWN, SUSPECTS, Tile, Tiles
from tests.rules import players

CHANCE = st.integers(0, 2**32).map(Random)
SECRET = "A SECRET"


def _otherwise(table: Table, chance: Random) -> Table:
    """The same table to look at, with other things under what is covered."""
    if isinstance(table, Circle):
        other = Card(SECRET, SECRET, "left", 42, up=False)
        ring = tuple(other if card and not card.up else card for card in table.ring)
        return replace(table, ring=ring, seen=frozenset({SECRET}))
    if isinstance(table, Tiles):
        board = {cell: Tile(DOWN, chance.choice(SUSPECTS)) if tile.face == DOWN else tile for cell, tile in table.board.items()}
        return replace(table, board=board)
    return replace(table, seen=frozenset({SECRET}))  # type: ignore[call-arg]


def _shown(state: rules.State) -> str:
    """All that a player's page gets of a state."""
    seen = rules.view(state, "player:Ada")
    return json.dumps([seen, *(voice.due_sentence(seen, language) for language in voice.LANGUAGES)])


@given(chance=CHANCE, box=st.sampled_from(list(rules.BOXES.values())))
@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_two_games_that_differ_only_in_what_is_hidden_look_the_same(chance: Random, box: rules.Box) -> None:
    """The view, what is due, and every answer to an event that uncovers nothing: refusals and fouls included."""
    state = rules.start([box])
    for _ in range(40):
        state, _ = rules.rule(state, players.line(state, chance, box=box, wild=0.2))
        if state.table is None:
            continue
        other = rules.State(state.boxes, base=_otherwise(state.table, chance))
        same = rules.State(state.boxes, base=state.table)
        assert _shown(other) == _shown(same)
        assert SECRET not in _shown(other)

        event: dict[str, Any] = {"format": 1, "seq": 1, "t": 0, **players.anything(state, chance)}
        if event["event"] not in ("card-turned", "tile-turned", "card-added"):
            (after, ruling), (other_after, other_ruling) = rules.rule(same, event), rules.rule(other, event)
            assert json.dumps(ruling) == json.dumps(other_ruling)
            assert _shown(after) == _shown(other_after)


def test_only_a_host_who_does_not_play_sees_what_is_covered() -> None:
    """The host's view is the whole position; a player's has nulls where a card lies face down."""
    state = rules.from_text("sherlock placing players=[Ada,Bea] settings={circle:5} ring=[{object:hat},{object:cup},{},{},{}]")

    assert rules.view(state, "host")["ring"][0]["object"] == "hat"
    for role in ("player:Ada", "player:Bea", "spectator"):
        assert rules.view(state, role)["ring"][0] == {"card": None, "object": None, "arrow": None, "steps": None, "up": False}
