"""What went wrong for people with other score keepers (public report 15): a score taken back left what no game can be. 8: tests/app."""

import random

import pytest

from companion import rules
from tests.rules.test_history import Table

Event = tuple[str, dict[str, object]]


def whole_game(seed: int) -> tuple[Table, list[Event]]:
    """A game of two rounds and what its ties need, played to its end by three who choose at random, and all that happened in it."""
    chance, table, played = random.Random(seed), Table("Ada", "Bea", "Cem", rounds=2), []

    def happens(event: str, **fields: object) -> None:
        played.append((event, fields))
        table.happens(event, **fields)

    while rules.position(table.state)["state"] != "over":
        happens("green-turned")
        happens("photos-laid", photos=[None, None])
        playing = rules.position(table.state)["playing"]
        for player, value in zip(playing, chance.sample(range(1, 11), len(playing)), strict=True):
            happens("marker-taken", player=player, value=value)
        happens("photos-turned")
        happens("differences-counted", count=chance.randint(1, 10))
    return table, played


@pytest.mark.parametrize("seed", range(6))
def test_a_score_taken_back_and_entered_again_is_a_score_entered_once(seed: int) -> None:
    """Each count of a whole game, the one that ended it too: undone and told again, with what followed it, it is the game as played."""
    straight, played = whole_game(seed)
    table = Table("Ada", "Bea", "Cem", rounds=2)

    for event, fields in played:
        table.happens(event, **fields)
        if event == "differences-counted":
            table.happens("undo")
            assert (table.ruling["state"], rules.winners(table.state)) == ("counting", [])
            table.happens(event, **fields)
    assert rules.position(table.state)["score"] == rules.position(straight.state)["score"]

    for back in (k for k, (event, _) in enumerate(played) if event == "differences-counted"):
        again, _ = whole_game(seed)
        again.happens("undo", to=back + 2)      # the first line is the game's start
        assert (again.ruling["state"], rules.winners(again.state)) == ("counting", [])
        for event, fields in played[back:]:
            again.happens(event, **fields)
        assert rules.summary(again.state)["score"] == rules.summary(straight.state)["score"]
        assert rules.winners(again.state) == rules.winners(straight.state) != []
