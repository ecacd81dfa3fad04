"""The hand-checked games beside this project, where they are at hand: every ruling must be as expected."""

import json
from pathlib import Path
from typing import Any

import pytest

from companion import rules

GIVEN = Path(__file__).parents[2] / "../shared/playthroughs"
GAMES = sorted(GIVEN.glob("*.events.jsonl")) if GIVEN.is_dir() else []


def _rulings(raw: bytes) -> list[dict[str, Any]]:
    state, rulings = rules.start(), []
    for line in raw.split(b"\n"):
        if line.strip():
            state, ruling = rules.rule(state, line)
            rulings.append(ruling)
    return [*rulings, rules.summary(state)]


@pytest.mark.skipif(not GAMES, reason="the hand-checked games are not at hand")
@pytest.mark.parametrize("game", GAMES, ids=lambda path: path.name.split(".")[0])
def test_every_ruling_of_a_hand_checked_game_is_as_expected(game: Path) -> None:
    """The engine says of each event exactly what a person found by the rules."""
    answers = game.with_name(game.name.replace(".events.", ".expected.")).read_text("utf-8")
    expected = [json.loads(line) for line in answers.split("\n") if line]

    rulings = json.loads(json.dumps(_rulings(game.read_bytes())))

    assert rulings == expected
