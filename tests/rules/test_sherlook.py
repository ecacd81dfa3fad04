"""What Sherlook's tokens and points must always add up to."""

from random import Random

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from companion import rules
from companion.rules.sherlook import SHERLOOK, TOKENS_OF_A_COLOUR, WORTH
from tests.rules import players


@given(chance=st.integers(0, 2**32).map(Random))
@settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_tokens_come_out_of_the_box_and_only_once(chance: Random) -> None:
    """A pile and what was won from it are never more than the box holds, but for what the sheet books without a token."""
    state = rules.start([SHERLOOK])
    for _ in range(80):
        state, ruling = rules.rule(state, players.line(state, chance, box=SHERLOOK, wild=0.15))
        if state.table is None:
            continue
        position = rules.position(state)
        for colour in WORTH:
            left, won = position["tokens"][colour], sum(entry[colour] for entry in position["score"].values())
            assert 0 <= left <= TOKENS_OF_A_COLOUR
            assert left + won <= TOKENS_OF_A_COLOUR or left == 0
        for entry in position["score"].values():
            assert entry["points"] == 3 * entry["green"] + 2 * entry["yellow"] + entry["red"]
        if ruling["key"] == "round-scored":
            given_out = {row["for"]: row["points"] for row in ruling["points"]}
            assert len(given_out) == len(ruling["points"]), "a token was given twice"
            assert sum(given_out.values()) <= 6
