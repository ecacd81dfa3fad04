"""The referee's sentences: every ruling in every language, with all it has to say, and grammar that a child would not stumble over."""

import ast
import gettext
import string
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from companion import rules, voice
from companion.voice.grammar import LOCALE, Tongue, catalogue
from companion.voice.rulings import ACCEPTED, FOULS, REJECTED, wording
from tests.rules.games import ruled_games

TRANSLATED = [language for language in voice.LANGUAGES if language != "en"]
MARKERS = {"N_", "_finger", "_tile", "many", "told", "tongue"}

# Parameters that a sentence need not tell: they are for the page's clock, its lists and its pictures.
NOT_TOLD = {
    "started": {"settings"},
    "last-player": {"deadline"},
    "memorize": {"until"},
    "hit": {"cells"},
    "escaped": {"winners"},
    "round-scored": {"above", "below", "exact"},  # told through the points
    "back-shown": {"action"},
}


def _messages(tree: ast.AST) -> Iterator[tuple[str, ...]]:
    """The messages in a module, each with its plural if it has one, written down where they are worded or marked."""
    for call in ast.walk(tree):
        if not isinstance(call, ast.Call):
            continue
        name = call.func.id if isinstance(call.func, ast.Name) else call.func.attr if isinstance(call.func, ast.Attribute) else ""
        texts = [argument.value for argument in call.args if isinstance(argument, ast.Constant) and isinstance(argument.value, str)]
        if name in MARKERS and texts:
            yield tuple(texts)


def _all_messages() -> set[tuple[str, ...]]:
    sources = Path(voice.__file__).parent.glob("*.py")
    found = {message for source in sources for message in _messages(ast.parse(source.read_text("utf-8")))}
    settings = [setting for game in rules.BOXES for setting in rules.settings(game)]
    return found | {(setting[key],) for setting in settings for key in ("title", "description")}


def _placeholders(message: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(message) if name}


@pytest.mark.parametrize("language", TRANSLATED)
def test_every_message_has_a_translation_with_the_same_parameters(language: str) -> None:
    """No sentence falls back to English, and none loses or invents a name or number."""
    words = catalogue(language)
    for message in _all_messages():
        forms = [words.gettext(message[0])] if len(message) == 1 else [words.ngettext(message[0], message[1], n) for n in (1, 2)]
        assert all(forms)
        assert message[0] not in forms or message[0] in ("CMON", "Intuition", "Photos", "Mode", "Pages", "Variant"), message
        for form in forms:
            assert _placeholders(form) - {"n"} == _placeholders(message[-1]) - {"n"}, (message, form)


@pytest.mark.parametrize("language", TRANSLATED)
def test_the_compiled_catalogue_is_the_written_one(language: str) -> None:
    """`companion.mo` was compiled from the `companion.po` beside it."""
    pofile = pytest.importorskip("babel.messages.pofile", reason="reading what was written needs babel, which is not installed")
    folder = LOCALE / language / "LC_MESSAGES"
    with (folder / "companion.po").open("rb") as written, (folder / "companion.mo").open("rb") as compiled:
        texts = {message.id: message.string for message in pofile.read_po(written) if message.id}
        found = gettext.GNUTranslations(compiled)

    for message, text in texts.items():
        if isinstance(message, tuple):
            assert [found.ngettext(message[0], message[1], n) for n in (1, 2)] == list(text)
        else:
            assert found.gettext(message) == text


def test_every_key_of_the_rules_is_worded_and_tells_every_parameter() -> None:
    """Changing what a parameter says, or leaving it out, changes the sentence: nothing that the ruling holds goes unsaid."""
    untold: dict[str, set[str]] = {}
    seen: set[tuple[str, str]] = set()
    for event, ruling in ruled_games():
        key, params = ruling["key"], ruling["params"]
        seen.add((ruling["ruling"], key))
        whole = wording(Tongue("en"), ruling, event)
        assert whole and "{" not in whole and "None" not in whole
        for param in params:
            told = untold.setdefault(f"{ruling['ruling']} {key}", set(params))
            if _without(ruling, event, param) != whole:
                told.discard(param)

    known = {"accepted": ACCEPTED, "foul": FOULS, "rejected": REJECTED}
    missing = {(ruling, key) for ruling, keys in known.items() for key in keys} - seen
    assert not missing
    silent = {key: left - NOT_TOLD.get(key.split()[1], set()) - {"action"} for key, left in untold.items()}
    assert {key: left for key, left in silent.items() if left} == {}


def _without(ruling: dict[str, Any], event: dict[str, Any], param: str) -> str | None:
    """The sentence if this parameter were another; None if there is none without it."""
    other = {key: value for key, value in ruling["params"].items() if key != param}
    try:
        return wording(Tongue("en"), {**ruling, "params": other}, event)
    except (KeyError, TypeError):
        return None


@pytest.mark.parametrize("language", voice.LANGUAGES)
def test_every_ruling_and_every_state_has_its_sentence(language: str) -> None:
    """Whole games with all keys can be told, shown and said in each language."""
    state = rules.start()
    for event, ruling in ruled_games():
        assert voice.word(event, ruling, language)
        said = voice.say(event, ruling, language)
        assert said is None or not any(letter.isdigit() for letter in said.replace("2011", "").replace("s1", "")), said
    assert voice.due_sentence(rules.view(state, "spectator"), language)


def test_a_language_that_we_do_not_have_is_english() -> None:
    """Nobody is left without a sentence."""
    assert voice.due_sentence({"state": "idle"}, "nl") == "Who is playing today?"


@pytest.mark.parametrize(
    ("language", "players", "said"),
    [
        ("en", ["Ada"], "Ada wins!"),
        ("en", ["Ada", "Bea"], "Ada and Bea win!"),
        ("fr", ["Ada"], "Ada gagne\u202f!"),
        ("fr", ["Ada", "Bea", "Cem"], "Ada, Bea et Cem gagnent\u202f!"),
        ("es", ["Ana", "Inés"], "¡Ganan Ana e Inés!"),
        ("es", ["Ana", "Hierro"], "¡Ganan Ana y Hierro!"),
        ("it", ["Ada", "Elena"], "Vincono Ada ed Elena!"),
        ("de", ["Ada", "Bea"], "Ada und Bea gewinnen!"),
    ],
)
def test_winners_are_listed_as_each_language_does(language: str, players: list[str], said: str) -> None:
    """One wins, several win; “and” changes before some names."""
    assert Tongue(language).many("{winners} wins!", "{winners} win!", n=len(players), winners=players) == said


@pytest.mark.parametrize(
    ("language", "player", "said"),
    [("it", "Ada", "Tocca ad Ada."), ("it", "Bea", "Tocca a Bea."), ("fr", "Ada", "C’est à Ada."), ("de", "Bea", "Bea ist dran.")],
)
def test_whose_turn_it_is(language: str, player: str, said: str) -> None:
    """Italian says “ad” before an a."""
    assert Tongue(language)("{next} is next.", next=player) == said


@pytest.mark.parametrize(
    ("language", "points", "said"),
    [
        ("fr", 0, "Ada a maintenant zéro point."),
        ("fr", 1, "Ada a maintenant un point."),
        ("fr", 2, "Ada a maintenant deux points."),
        ("es", 0, "Ada tiene ahora cero puntos."),
        ("es", 21, "Ada tiene ahora veintiún puntos."),
        ("it", 1, "Ada ora ha un punto."),
        ("de", 1, "Ada hat jetzt einen Punkt."),
        ("en", 0, "Ada now has zero points."),
    ],
)
def test_nothing_and_one_are_counted_as_each_language_does(language: str, points: int, said: str) -> None:
    """French has no plural at zero; Spanish shortens before a noun."""
    one, more = "{player} now has one point.", "{player} now has {n:m} points."

    assert Tongue(language, spoken=True).many(one, more, n=points, player="Ada") == said


def test_a_name_is_never_read_as_a_pattern() -> None:
    """Braces in a name, or in what a child guesses, are only braces."""
    assert Tongue("en")("{player} takes {value}.", player="{value}", value=3) == "{value} takes 3."
