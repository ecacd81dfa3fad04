"""Settings explain themselves, so that a page can draw them without knowing the game."""

import pytest

from companion import rules, voice


def test_a_page_is_told_title_description_default_and_bounds() -> None:
    """Numbers have bounds, which may be another setting; choices are listed; the first player is one of the players."""
    circle = {setting["name"]: setting for setting in rules.settings("sherlock")}
    tiles = {setting["name"]: setting for setting in rules.settings("sherlock-2011")}

    assert list(circle) == ["circle", "cards", "target", "memorize_s", "first"]
    assert circle["cards"] == {
        "name": "cards",
        "title": "Cards in the box",
        "description": "How many cards you play with, those in the circle included.",
        "default": 49,
        "least": "circle",
        "most": 200,
    }
    assert circle["first"]["choices"] == "players" and circle["first"]["default"] is None
    assert tiles["variant"]["choices"] == ["none", "intuition", "wrongly-accused"]
    assert tiles["variant"]["only_if"] == ["mode", "competitive"]
    assert [setting["default"] for setting in rules.settings("sherlook")] == ["italian", 10, 40, 3]
    assert [setting["default"] for setting in rules.settings("sherlock-deluxe")][:2] == [8, 60]


def test_settings_are_drawn_in_every_language() -> None:
    """Titles, descriptions and the labels of choices."""
    [mode] = [setting for setting in voice.settings("sherlock-2011", "de") if setting["name"] == "mode"]

    assert mode["title"] == "Spielart"
    assert mode["choices"] == ["cooperative", "competitive"]
    assert mode["labels"] == ["Alle zusammen", "Jeder für sich"]


@pytest.mark.parametrize(
    ("game", "players", "settings", "refused"),
    [
        ("sherlook", 2, {"photos": 2}, "photos"),
        ("sherlook", 2, {"photos": 3}, None),
        ("sherlook", 10, {"last_s": 60}, None),
        ("sherlook", 11, {}, ""),
        ("sherlock", 2, {"circle": 12, "cards": 12, "target": 12}, None),
        ("sherlock", 2, {"circle": 13}, "circle"),
        ("sherlock", 2, {"circle": 12, "cards": 11}, "cards"),
        ("sherlock", 2, {"cards": 201}, "cards"),
        ("sherlock", 2, {"target": 50}, "target"),
        ("sherlock", 1, {}, ""),
        ("sherlock-deluxe", 2, {"target": 60}, None),
        ("sherlock-2011", 1, {"pages": 60}, None),
        ("sherlock-2011", 1, {"pages": 61}, "pages"),
        ("sherlock-2011", 1, {"mode": "competitive"}, ""),
        ("sherlock-2011", 5, {"mode": "competitive", "variant": "intuition"}, None),
        ("sherlock-2011", 6, {"mode": "competitive", "variant": "intuition"}, ""),
        ("sherlock-2011", 10, {"mode": "competitive"}, None),
        ("sherlock-2011", 10, {"columns": 4}, "columns"),
        ("sherlock-2011", 11, {}, ""),
        ("sherlock-2011", 11, {"mode": "competitive"}, ""),
        ("sherlock", 10, {}, None),
        ("sherlock", 11, {}, ""),
    ],
)
def test_bounds_are_kept_at_both_ends(game: str, players: int, settings: dict[str, object], refused: str | None) -> None:
    """A setting out of bounds is named; too few or too many players are not."""
    names = [f"P{n}" for n in range(1, players + 1)]
    event = {"format": 1, "seq": 1, "t": 0, "event": "game-started", "by": "host", "game": game, "players": names, "settings": settings}

    _, ruling = rules.rule(rules.start(), event)

    expected = "started" if refused is None else "bad-setting" if refused else "bad-players"
    assert ruling["key"] == expected
    assert refused in (None, "") or ruling["params"] == {"setting": refused}
