"""The line of text that tells a state: what is wrong with it is said in one sentence."""

import pytest

from companion import rules
from companion.rules import notation


@pytest.mark.parametrize(
    "text",
    [
        "idle",
        "sherlook choosing players=[Ada,Bea] round=1 markers={Ada:7} photos_left=38 deadline=44.5",
        "sherlook choosing players=[Ada,Bea] round=1 markers={Ada:7} photos_left=38 deadline=0",
        "sherlock refilling players=[Ada,Bea] settings={circle:5} pawn=1 ring=[null,{},{},{},{}] pile=44",
        "sherlock refilling players=[Ada,Bea] settings={circle:5} pawn=5 ring=[{},{},{},{},null] pile=44",
        'sherlook round players=[Ada,"Bea B","null","O\'Hara \\u2028"]',
        "sherlock placing players=[Ada,Bea] settings={circle:5} ring=[{object:hat,up:true},null,{},{},{}] pile=44",
        "sherlock-2011 pointing players=[Ada,Bea,Cem] settings={mode:competitive} "
        'board="s1+ s1+ . . . ./s2 . . . . ./. . . . . ./. . . . . ./. . . . . ." '
        "up=[[0,0],[0,1]] pointed={Cem:null}",
    ],
)
def test_a_state_is_typed_as_it_is_written(text: str) -> None:
    """What a person reads is what he may paste."""
    assert rules.to_text(rules.from_text(text)) == text


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("chess playing players=[Ada]", "no game is called 'chess'"),
        ("sherlook", "a game, its state and the players are wanted"),
        ("sherlook round round=3", "the players are wanted"),
        ("sherlook round players=[Ada]", "not for 1 players"),
        ("sherlook round players=[Ada,Bea] settings={rounds:11}", "the setting 'rounds' is out of bounds"),
        ("sherlook round players=[Ada,Bea] settings=3", "the settings are wanted"),
        ("sherlook nowhere players=[Ada,Bea]", "no state 'nowhere'"),
        ("sherlook round players=[Ada,Bea] colour=red", "no 'colour'"),
        ("sherlook round players=[Ada,Bea] round=three", "round cannot be three"),
        ("sherlook round players=[Ada,Bea] score={Ada:{points:1}}", "score cannot be {Ada:{points:1}}"),
        ("sherlook round players=[Ada,Bea] tokens={green:9,yellow:-1,red:10}", "tokens cannot be"),
        ("sherlook choosing players=[Ada,Bea] round=1 markers={Ada:7}", "does not fit together"),
        ("sherlook choosing players=[Ada,Bea] round=1 markers={Zoe:7}", "does not fit together"),
        ("sherlock guessed players=[Ada,Bea] pawn=1", "does not fit together"),
        ("sherlock over players=[Ada,Bea] ring=[{}] pile=44", "does not fit together"),
        ("sherlock refilling players=[Ada,Bea] settings={circle:5} pawn=6 ring=[{},{},{},{},null] pile=44", "does not fit together"),
        ("sherlook choosing players=[Ada,Bea] round=1 markers={Ada:7} photos_left=38 deadline=-0.5", "does not fit together"),
        ("sherlock-2011 missions players=[Ada,Bea]", "does not fit together"),
        ("sherlook round players=[Ada,Bea", "wanted at"),
        ("sherlook round players=[Ada Bea]", "',' is wanted at ' Bea]'"),
        ("sherlook round players={Ada}", "':' is wanted"),
        ("sherlook round players=[Ada,Bea] round=]", "a value is wanted at"),
        ("sherlook round players=[Ada,Bea] round 3", "something like round=3 is wanted"),
        ('sherlook round players=["\\x",Bea]', "no text or number"),
        ("sherlook round players={[]:1}", "[] is no key"),
        ("sherlook round players=" + "[" * 5_000, "nested too deep"),
        ('sherlock-2011 hit players=[Ada] board="what"', "does not fit together"),
    ],
)
def test_a_line_that_tells_no_state_is_refused_with_a_reason(text: str, said: str) -> None:
    """One sentence: what is wrong, and where."""
    with pytest.raises(rules.TextError) as refusal:
        rules.from_text(text)

    assert said in str(refusal.value)


def test_words_need_quotes_only_where_they_must() -> None:
    """Plain names stand as they are; what looks like something else is quoted."""
    value = ["Ada", "Zoë", "O'Hara", "two words", "", "null", "3", 3, -2.5, None, True, {"Bea B": []}]

    written = notation.write(value)

    assert written == '[Ada,Zoë,O\'Hara,"two words","","null","3",3,-2.5,null,true,{"Bea B":[]}]'
    assert notation.read(written) == (value, len(written))
