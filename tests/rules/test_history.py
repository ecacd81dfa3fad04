"""Undo and corrections, told as stories: what counts, what is set aside, and whose points move."""

import json
from typing import Any

from companion import rules


class Table:
    """A table at which things happen one after another; seqs are counted from 1."""

    def __init__(self, *players: str, **settings: Any) -> None:
        self.state = rules.start()
        self.ruling: dict[str, Any] = {}
        self.happens("game-started", game="sherlook", players=list(players), settings=settings)

    def happens(self, event: str, **fields: Any) -> "Table":
        line = {"format": 1, "seq": self.state.last_seq + 1, "t": self.state.last_seq, "event": event, "by": "host", **fields}
        self.state, self.ruling = rules.rule(self.state, json.dumps(line))
        return self

    def plays_a_round(self, count: int, **markers: int) -> "Table":
        self.happens("green-turned").happens("photos-laid", photos=[None, None])
        for player, value in markers.items():
            self.happens("marker-taken", player=player, value=value)
        return self.happens("photos-turned").happens("differences-counted", count=count)

    def points(self, player: str) -> int:
        return int(rules.position(self.state)["score"][player]["points"])


def test_a_count_of_an_old_round_is_corrected_and_later_rounds_stand() -> None:
    """What was miscounted two rounds ago moves the points of that round alone."""
    table = Table("Ada", "Bea").plays_a_round(5, Ada=5, Bea=4).plays_a_round(7, Ada=7, Bea=6)
    assert (table.points("Ada"), table.points("Bea")) == (8, 4)

    table.happens("correct", replaces=7, **{"with": {"event": "differences-counted", "count": 4}})

    assert (table.points("Ada"), table.points("Bea")) == (5, 7)
    assert table.ruling["points"] == [
        {"player": "Ada", "points": -3, "for": "correct"},
        {"player": "Bea", "points": 3, "for": "correct"},
    ]


def test_an_event_set_aside_counts_again_when_the_cause_is_taken_back() -> None:
    """Without Bea’s marker nobody could turn the photos; with it again, all that followed counts again."""
    table = Table("Ada", "Bea").plays_a_round(5, Ada=5, Bea=4)

    table.happens("correct", replaces=5, **{"with": None})
    assert table.ruling["params"]["set_aside"] == [7]
    assert table.ruling["state"] == "choosing"

    table.happens("undo")
    assert table.ruling["params"] == {"seqs": [8], "set_aside": []}
    assert table.points("Ada") == 4


def test_a_game_that_is_over_is_opened_again_by_a_correction() -> None:
    """Nothing is too late to put right: a tie found afterwards makes an extra round."""
    table = Table("Ada", "Bea", rounds=2).plays_a_round(5, Ada=4, Bea=6).plays_a_round(5, Ada=4, Bea=6)
    assert (table.ruling["state"], rules.winners(table.state)) == ("over", ["Ada"])

    table.happens("correct", replaces=10, **{"with": {"event": "marker-taken", "player": "Ada", "value": 7}})
    table.happens("correct", replaces=11, **{"with": {"event": "marker-taken", "player": "Bea", "value": 3}})

    assert table.ruling["state"] == "round"
    assert (table.points("Ada"), table.points("Bea")) == (3, 3)
    assert rules.winners(table.state) == []


def test_undo_back_to_an_event_takes_corrections_of_it_along() -> None:
    """Down to a line, that line included, as if none of it had been."""
    table = Table("Ada", "Bea").plays_a_round(5, Ada=5, Bea=4)
    table.happens("correct", replaces=7, **{"with": {"event": "differences-counted", "count": 4}}).happens("green-turned")

    table.happens("undo", to=7)

    assert table.ruling["params"] == {"seqs": [9, 8, 7], "set_aside": []}
    assert table.ruling["state"] == "counting"
    assert {row["player"]: row["points"] for row in table.ruling["points"]} == {"Ada": -1, "Bea": -5}


def test_a_correction_keeps_the_time_unless_it_tells_another() -> None:
    """A marker that was taken in time stays in time when its number is corrected."""
    table = Table("Ada", "Bea").happens("green-turned").happens("photos-laid", photos=[None, None])
    table.happens("marker-taken", player="Ada", value=3, t=10).happens("marker-taken", player="Bea", value=4, t=13)

    table.happens("correct", replaces=5, t=99, **{"with": {"event": "marker-taken", "player": "Bea", "value": 5}})
    assert rules.position(table.state)["markers"] == {"Ada": 3, "Bea": 5}

    table.happens("correct", replaces=5, **{"with": {"event": "marker-taken", "player": "Bea", "value": 5, "t": 13.5}})
    assert rules.position(table.state)["out"] == "Bea"


def test_keeping_an_old_state_costs_nothing_and_changes_nothing() -> None:
    """A state is a value: what happens later happens to another one."""
    table = Table("Ada", "Bea").plays_a_round(5, Ada=5, Bea=4)
    old = table.state
    told = rules.summary(old)

    table.plays_a_round(3, Ada=2, Bea=9).happens("undo", to=1)

    assert rules.summary(old) == told
    assert rules.position(table.state) == {"state": "idle"}
