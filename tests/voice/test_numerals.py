"""Numbers in full words."""

import pytest

from companion.voice.numerals import LANGUAGES, in_words


@pytest.mark.parametrize(
    ("language", "form", "words"),
    [
        ("en", "", {0: "zero", 1: "one", 13: "thirteen", 21: "twenty-one", 40: "forty", 99: "ninety-nine"}),
        ("en", "", {100: "one hundred", 142: "one hundred and forty-two"}),
        ("fr", "", {1: "un", 16: "seize", 21: "vingt et un", 60: "soixante", 70: "soixante-dix"}),
        ("fr", "", {71: "soixante et onze", 77: "soixante-dix-sept"}),
        ("fr", "", {80: "quatre-vingts", 81: "quatre-vingt-un", 91: "quatre-vingt-onze", 99: "quatre-vingt-dix-neuf", 101: "cent un"}),
        ("fr", "f", {1: "une", 21: "vingt et une", 61: "soixante et une", 81: "quatre-vingt-une", 2: "deux"}),
        ("es", "", {1: "uno", 16: "dieciséis", 21: "veintiuno", 22: "veintidós", 26: "veintiséis"}),
        ("es", "", {31: "treinta y uno", 100: "cien", 101: "ciento uno"}),
        ("es", "m", {1: "un", 21: "veintiún", 31: "treinta y un"}),
        ("es", "f", {1: "una", 21: "veintiuna", 41: "cuarenta y una"}),
        ("it", "", {1: "uno", 17: "diciassette", 21: "ventuno", 23: "ventitré", 28: "ventotto"}),
        ("it", "", {33: "trentatré", 48: "quarantotto", 120: "centoventi"}),
        ("it", "f", {1: "una", 21: "ventuno"}),
        ("de", "", {1: "eins", 12: "zwölf", 17: "siebzehn", 21: "einundzwanzig", 30: "dreißig", 76: "sechsundsiebzig", 101: "hunderteins"}),
        ("de", "f", {1: "eine", 21: "einundzwanzig"}),
    ],
)
def test_numbers_are_said_as_people_say_them(language: str, form: str, words: dict[int, str]) -> None:
    """With the joints, accents and genders of each language."""
    assert {number: in_words(number, language, form) for number in words} == words


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_two_numbers_sound_alike(language: str) -> None:
    """All from 0 to 199 are different words; what is larger stays digits."""
    said = [in_words(number, language) for number in range(200)]

    assert len(set(said)) == 200
    assert not any(letter.isdigit() for letter in "".join(said))
    assert in_words(200, language) == "200"
