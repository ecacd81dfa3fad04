"""`companion replay`: written games in, rulings or a score sheet out."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from companion import rules
from companion.cli.replay import command
from tests.rules import games

PICTURE = Path(__file__).parents[2] / "docs" / "screens" / "choosing.host.laptop.jpg"
COMPANION = [sys.executable, "-c", "from companion.cli import main; main()"]


def _game(name: str) -> bytes:
    _, lines = games.read((games.GAMES / f"{name}.game").read_text("utf-8"))
    return "\n".join(lines).encode()


def _run(*arguments: str, given: bytes | None = None) -> Result:
    return CliRunner().invoke(command, arguments, input=given, standalone_mode=False)


def _json(result: Result) -> list[dict[str, Any]]:
    return [json.loads(line) for line in result.stdout_bytes.split(b"\n") if line]


def test_json_prints_a_ruling_a_line_and_the_summary() -> None:
    """What the engine says, and a text beside it."""
    raw = _game("sherlook-extra-round")

    *rulings, summary = _json(_run("-", "--json", given=raw))

    state = rules.start()
    for line, told in zip(raw.split(b"\n"), rulings, strict=True):
        state, ruling = rules.rule(state, line)
        assert {key: value for key, value in told.items() if key != "text"} == ruling
        assert told["text"]
    assert summary == rules.summary(state)


def test_a_file_and_standard_input_give_the_same(tmp_path: Path) -> None:
    """`-` is only another way in; blank lines and carriage returns do not matter."""
    raw = _game("sherlock-example")
    (tmp_path / "evening.jsonl").write_bytes(b"\r\n\n" + raw.replace(b"\n", b"\r\n") + b"\n \n")

    assert _json(_run(str(tmp_path / "evening.jsonl"), "--json")) == _json(_run("-", "--json", given=raw))


def test_a_mark_before_the_text_makes_the_first_line_no_event() -> None:
    """A byte order mark belongs to no JSON text: the line is rejected, as the hand-checked games have it, and the rest is ruled on."""
    first, *others = _json(_run("-", "--json", given=b"\xef\xbb\xbf" + _game("sherlook-italian-example")))

    assert (first["ruling"], first["key"], len(others) > 1) == ("rejected", "malformed", True)


def test_the_score_sheet_tells_rounds_fouls_and_the_winner() -> None:
    """Rounds with markers and points, what was wrong and in which line, and the end."""
    sheet = _run("-", given=_game("sherlook-extra-round")).stdout

    assert "round 2: 5 differences" in sheet
    assert "[7] +4 green red" in sheet
    assert "line 18" in sheet and "not-in-round" in sheet
    assert "Bea wins!" in sheet


@pytest.mark.parametrize("path", games.paths(), ids=lambda path: path.stem)
def test_every_game_has_its_sheet(path: Path) -> None:
    """A sheet for every box, whatever has been corrected, and its last line can be gone on from."""
    sheet = _run("-", given=_game(path.stem)).stdout

    *_, text = sheet.strip().split("\n")
    assert _run("--from", text).stdout.strip().split("\n")[-1] == text


def test_a_game_goes_on_from_a_pasted_state() -> None:
    """Nobody needs the whole evening to show what was wrong in its last minute."""
    text = "sherlook choosing players=[Ada,Bea] round=1 markers={Ada:7} deadline=44.5 photos_left=38 tokens={green:9,yellow:10,red:10}"
    line = b'{"format":1,"seq":9,"t":44.6,"event":"marker-taken","by":"camera","player":"Bea","value":5}'

    foul, summary = _json(_run("--from", text, "-", "--json", given=line))

    assert (foul["key"], foul["params"]["action"]) == ("too-late", "out")
    assert summary["position"]["out"] == "Bea"


def test_sentences_come_in_the_language_that_is_asked_for() -> None:
    """The sheet of a French table is in French where the referee speaks."""
    assert "Ada gagne" in _run("-", "--language", "fr", given=_game("sherlook-ten-rounds-and-one")).stdout
    assert _json(_run("-", "--json", "--language", "de", given=b"no event"))[0]["text"] == "Diesen Eintrag kann ich nicht lesen."


def test_a_batch_goes_on_after_a_file_that_cannot_be_read(tmp_path: Path) -> None:
    """One missing evening costs no other; the exit status tells."""
    (tmp_path / "one.jsonl").write_bytes(_game("sherlook-stopped"))
    (tmp_path / "list.txt").write_text("one.jsonl\n\nmissing.jsonl\r\none.jsonl\n", "utf-8")

    result = _run("--batch", str(tmp_path / "list.txt"), "--json")

    lines = _json(result)
    assert result.return_value == 1
    assert [line["source"] for line in lines if line.get("ruling") == "summary"] == ["one.jsonl", "one.jsonl"]
    [error] = [line for line in lines if "error" in line]
    assert error["source"] == "missing.jsonl" and error["format"] == 1


def test_a_batch_goes_on_after_a_file_that_is_no_game(tmp_path: Path) -> None:
    """A picture among the games is one line on standard error; the games have their sheets."""
    (tmp_path / "one.jsonl").write_bytes(_game("sherlook-stopped"))
    (tmp_path / "list.txt").write_text(f"{PICTURE}\none.jsonl\n", "utf-8")

    result = _run("--batch", str(tmp_path / "list.txt"))

    assert result.return_value == 1 and result.stdout.count("sherlook: Ada, Bea") == 1
    assert result.stderr == f"companion: {PICTURE}: this is no written game: not one line of it is an event; " \
                            "give a file with one JSON object a line\n"


def test_a_line_of_ten_megabytes_is_ruled_on_and_the_game_goes_on() -> None:
    """Size is no reason to stop, nor is nesting without end."""
    huge = b'{"format":1,"seq":1,"t":0,"event":"undo","by":"host","x":"' + b"a" * 10_000_000 + b'"}'
    deep = b'{"format":1,"seq":2,"t":0,"event":"undo","by":"host","x":' + b"[" * 200_000 + b"]" * 200_000 + b"}"

    *rulings, summary = _json(_run("-", "--json", given=huge + b"\n" + deep + b"\n" + b'{"seq":3}'))

    assert [ruling["key"] for ruling in rulings] == ["nothing-to-undo", "malformed", "format"]
    assert summary["events"] == 3


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["no-such-file.jsonl"], "no-such-file.jsonl"),
        (["."], "directory"),
        (["--batch", "no-such-list.txt", "--json"], "no-such-list.txt"),
        (["--from", "sherlook nowhere players=[Ada,Bea]"], "no state 'nowhere'"),
        ([], "no game given"),
        ([str(PICTURE)], "this is no written game"),
        ([__file__], "give a file with one JSON object a line"),
    ],
)
def test_what_cannot_be_read_is_one_line_and_status_2(arguments: list[str], said: str) -> None:
    """One line says what, where and what to do."""
    done = subprocess.run([*COMPANION, "replay", *arguments], capture_output=True, text=True, timeout=60)

    assert done.returncode == 2
    assert done.stdout == ""
    assert said in done.stderr and done.stderr.count("\n") == 1


def test_a_pipe_that_closes_is_a_quiet_end() -> None:
    """`companion replay … | head -1` leaves no trace of an error."""
    line = b'{"format":1,"seq":1,"t":0,"event":"undo","by":"host"}\n'
    pipe = subprocess.PIPE
    with subprocess.Popen([*COMPANION, "replay", "-", "--json"], stdin=pipe, stdout=pipe, stderr=pipe) as running:
        assert running.stdin and running.stdout and running.stderr
        running.stdout.close()
        running.stdin.write(line * 20_000)
        running.stdin.close()

        assert running.stderr.read() == b""
