"""Our own games as text: regenerated and compared, so that a change of the rules is read as a change of a game."""

from pathlib import Path

import pytest

from companion import rules
from tests.rules import games


@pytest.mark.parametrize("path", games.paths(), ids=lambda path: path.stem)
def test_a_game_is_refereed_as_it_is_written_down(path: Path) -> None:
    """Nothing that the referee says of a written game has changed."""
    written = path.read_text("utf-8")

    assert games.write(*games.read(written)) == written


def test_the_games_show_every_game_setting_and_state() -> None:
    """Each box is played, each setting is used with another value than its default, and each state is reached."""
    played: dict[str, set[str]] = {game: set() for game in rules.BOXES}
    for _, ruling in games.ruled_games():
        if ruling["key"] == "started":
            started = ruling["params"]["settings"]
            defaults = {setting["name"]: setting["default"] for setting in rules.settings(ruling["params"]["game"])}
            first = ruling["params"]["players"][0]
            played[ruling["params"]["game"]] |= {name for name, value in started.items() if value not in (defaults[name], first)}
    states = {ruling["state"] for _, ruling in games.ruled_games()}

    assert played["sherlook"] == {"edition", "rounds", "photos", "last_s"}
    assert played["sherlock"] | played["sherlock-deluxe"] == {"circle", "cards", "target", "memorize_s", "first"}
    assert played["sherlock-2011"] == {"mode", "variant", "pages", "columns"}
    for box in rules.BOXES.values():
        assert {state for kind in box.events.values() for state in kind.regular} <= states


def test_the_state_at_the_end_of_each_game_can_be_played_on_from() -> None:
    """The last line of a game is its state, and can be pasted."""
    for path in games.paths():
        *_, line = path.read_text("utf-8").strip().split("\n")

        state = rules.from_text(line.removeprefix("state "))

        assert f"state {rules.to_text(state)}" == line
