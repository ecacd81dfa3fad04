"""The settings of a game in the five languages, for a page that draws them."""

from __future__ import annotations

from typing import Any

from companion import rules
from companion.voice.grammar import Tongue
from companion.voice.rulings import N_

CHOICES = {
    "italian": N_("Italian"),
    "french": N_("French"),
    "cmon": N_("CMON"),
    "cooperative": N_("All together"),
    "competitive": N_("Everyone for themselves"),
    "none": N_("None"),
    "intuition": N_("Intuition"),
    "wrongly-accused": N_("Wrongly accused"),
}


def settings(game: str, language: str) -> list[dict[str, Any]]:
    """`rules.settings(game)` with title, description and, beside `choices`, their `labels` in this language."""
    tongue = Tongue(language)
    return [
        {
            **setting,
            "title": tongue(setting["title"]),
            "description": tongue(setting["description"]),
            **({"labels": [tongue(CHOICES[choice]) for choice in setting["choices"]]} if isinstance(setting.get("choices"), list) else {}),
        }
        for setting in rules.settings(game)
    ]
