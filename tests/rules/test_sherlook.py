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


def test_where_all_are_below_nobody_is_nearest_above() -> None:
    """Not the holder of the 1 either, who is farthest below; and the other way round with the 10."""
    for markers, count, won in (({"Ada": 1, "Bea": 3}, 5, {"Bea": "yellow"}), ({"Ada": 10, "Bea": 8}, 5, {"Bea": "red"})):
        state = rules.start()
        told = [{"event": "game-started", "game": "sherlook", "players": list(markers)}, {"event": "green-turned"},
                {"event": "photos-laid", "photos": [None, None]},
                *({"event": "marker-taken", "player": player, "value": value} for player, value in markers.items()),
                {"event": "photos-turned"}, {"event": "differences-counted", "count": count}]
        ruling: dict[str, object] = {}
        for seq, event in enumerate(told, 1):
            state, ruling = rules.rule(state, {"format": 1, "seq": seq, "t": seq, "by": "host", **event})
        assert ruling["key"] == "round-scored"
        assert {row["player"]: row["for"] for row in ruling["points"]} == won   # type: ignore[attr-defined]
