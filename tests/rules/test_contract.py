"""Every game keeps the contract, in games that nobody has thought of."""

from random import Random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from companion import rules
from tests.rules import contract

BOXES = list(rules.BOXES.values())
CHANCE = st.integers(0, 2**32).map(Random)
some_games = settings(max_examples=10, deadline=None, suppress_health_check=[HealthCheck.too_slow])


@pytest.mark.parametrize("box", BOXES, ids=lambda box: box.game)
def test_a_box_explains_itself(box: rules.Box) -> None:
    """Titles, descriptions, and defaults that keep their own bounds."""
    contract.check_box(box)


@pytest.mark.parametrize("box", BOXES, ids=lambda box: box.game)
@given(chance=CHANCE)
@some_games
def test_legal_events_are_accepted_and_no_others(box: rules.Box, chance: Random) -> None:
    """`legal` and `legal_values` tell what may happen now, no more and no less."""
    contract.check_legal_game(box, chance, lines=60)


@pytest.mark.parametrize("box", BOXES, ids=lambda box: box.game)
@given(chance=CHANCE)
@some_games
def test_a_wild_game_keeps_every_law(box: rules.Box, chance: Random) -> None:
    """Fouls, nonsense, undo and corrections: never an error, never a point lost, and all of it can be played again."""
    contract.check_wild_game(box, chance, lines=50)
