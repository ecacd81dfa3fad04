"""The small game of docs/adding-a-game.md: it runs as it is printed, and keeps the contract without a test of its own."""

import re
import sys
from pathlib import Path
from random import Random
from types import ModuleType

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from companion import rules
from companion.rules import Box
from tests.rules import contract

PAGE = Path(__file__).parents[2] / "docs" / "adding-a-game.md"


def _printed_game() -> Box:
    """The box that the page's code defines, as a module of its own."""
    [code] = re.findall(r"```python\n(.*?)```", PAGE.read_text("utf-8"), re.DOTALL)
    module = ModuleType("race")
    sys.modules["race"] = module
    exec(compile(code, str(PAGE), "exec"), module.__dict__)
    box = module.RACE
    assert isinstance(box, Box)
    return box


RACE = _printed_game()


@given(chance=st.integers(0, 2**32).map(Random))
@settings(max_examples=10, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_the_printed_game_keeps_the_contract(chance: Random) -> None:
    """A fifth game gets undo, corrections, text form and all laws for nothing."""
    contract.check_box(RACE)
    contract.check_legal_game(RACE, chance, lines=40)
    contract.check_wild_game(RACE, chance, lines=40)


def test_the_printed_game_is_played_beside_the_others() -> None:
    """It stands in one list with the four boxes, and refuses their events."""
    state = rules.start([*rules.BOXES.values(), RACE])
    said = []
    for event in (
        {"event": "game-started", "game": "race", "players": ["Ada", "Bea"], "settings": {"target": 7}},
        {"event": "die-rolled", "value": 6},
        {"event": "die-rolled", "value": 5, "player": "Ada"},
        {"event": "green-turned"},
        {"event": "die-rolled", "value": 2, "player": "Bea"},
        {"event": "die-rolled", "value": 1, "player": "Ada"},
    ):
        state, ruling = rules.rule(state, {"format": 1, "seq": state.last_seq + 1, "t": 0, "by": "host", **event})
        said.append(ruling["key"])

    assert said == ["started", "rolled", "not-your-turn", "wrong-game", "rolled", "rolled"]
    assert rules.winners(state) == ["Ada"]


def test_two_games_cannot_mean_different_things_by_one_event() -> None:
    """A name of an event has the same fields in every game that has it."""
    clash = Box(
        game="clash",
        settings=(),
        events={"green-turned": RACE.events["die-rolled"]},
        seats=RACE.seats,
        begin=RACE.begin,
        restore=RACE.restore,
    )

    with pytest.raises(ValueError, match="clash: another game's event 'green-turned' has other fields"):
        rules.start([*rules.BOXES.values(), clash])
