"""`companion replay`: referees a written game."""

import json
import sys
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import click

from companion import rules, voice

Line = tuple[int, bytes]
"""A line of a file that is not blank: its number, from 1, and what stands there."""


def lines_of(raw: bytes) -> list[Line]:
    """The lines that are not blank; only a line feed ends a line."""
    return [(number, line) for number, line in enumerate(raw.split(b"\n"), start=1) if line.strip()]


def event_of(line: bytes) -> Mapping[str, Any]:
    """The object that a line holds, {} where it holds none: what a sentence about it may look at."""
    try:
        event = json.loads(line)
    except (ValueError, RecursionError):
        return {}
    return event if isinstance(event, dict) else {}


def referee(state: rules.State, lines: Iterable[Line], language: str) -> Iterator[tuple[int, rules.State, rules.Ruling]]:
    """Each line's number, the state after it, and the ruling with its text."""
    for number, line in lines:
        was_over = rules.position(state)["state"] == "over"
        state, ruling = rules.rule(state, line)
        yield number, state, {**ruling, "text": voice.word(event_of(line), ruling, language, was_over=was_over)}


@click.command(epilog="Example: companion replay evening.jsonl")
@click.argument("events", required=False)
@click.option("--json", "as_json", is_flag=True, help="print one ruling a line, then a summary")
@click.option("--batch", metavar="LIST", help="replay every file that LIST names, one path a line, relative to LIST")
@click.option("--from", "start", metavar="STATE", help="go on from a state in one line, as it stands at the end of a score sheet")
@click.option("--language", type=click.Choice(voice.LANGUAGES), default="en", help="the language of the sentences")
def command(events: str | None, as_json: bool, batch: str | None, start: str | None, language: str) -> int:
    """Referees a written game and prints its score sheet.

    EVENTS has one JSON object a line; - reads standard input. Lines that are no events, or that the rules refuse, are said
    and skipped.

    Example: companion replay evening.jsonl
    """
    if batch is not None and (events is not None or start is not None):
        raise click.UsageError("--batch takes its games from LIST: leave out EVENTS and --from")
    if batch is None and events is None and start is None:
        raise click.UsageError("no game given: name a file of events, or - for standard input")
    if batch is not None:
        return _batch(batch, as_json=as_json, language=language)
    state = _start(start)
    raw = _read(events) if events is not None else b""
    if not as_json and (why := _no_game(raw)):   # a program is told of each line all the same
        raise click.ClickException(f"{events}: {why}")
    _print(state, raw, as_json=as_json, language=language)
    return 0


def _no_game(raw: bytes) -> str:
    """Why a file is none of events: not one of its lines holds any. Empty where it is one."""
    lines = lines_of(raw)
    if not lines or any(event_of(line) for _, line in lines):
        return ""
    return "this is no written game: not one line of it is an event; give a file with one JSON object a line"


def _start(line: str | None) -> rules.State:
    if line is None:
        return rules.start()
    try:
        return rules.from_text(line)
    except rules.TextError as e:
        raise click.ClickException(f"--from: {e}") from e


def _read(name: str) -> bytes:
    """The bytes of a file, or of standard input for `-`."""
    try:
        return sys.stdin.buffer.read() if name == "-" else Path(name).read_bytes()
    except (OSError, ValueError) as e:
        raise click.ClickException(f"{_why(name, e)}; give a file with one JSON object a line, or - for standard input") from e


def _why(name: str, error: Exception) -> str:
    return f"{name}: {getattr(error, 'strerror', None) or error}"


def _batch(listing: str, *, as_json: bool, language: str) -> int:
    """All games that a list names; one that cannot be read is said, and the others go on."""
    try:
        names = _read(listing).decode("utf-8").split("\n")
    except UnicodeDecodeError as e:
        raise click.ClickException(f"{listing}: not UTF-8 at byte {e.start}; give a list with one path a line") from e
    status = 0
    for name in (name.removesuffix("\r") for name in names if name.strip()):
        try:
            raw = (Path(listing).parent / name).read_bytes()
        except (OSError, ValueError) as e:
            status = 1
            if as_json:
                _print_json({"format": 1, "source": name, "error": _why(name, e)})
            else:
                click.echo(f"companion: {_why(name, e)}", err=True)
            continue
        if not as_json and (why := _no_game(raw)):
            status = 1
            click.echo(f"companion: {name}: {why}", err=True)
            continue
        _print(rules.start(), raw, as_json=as_json, language=language, source=name)
    return status


def _print(state: rules.State, raw: bytes, *, as_json: bool, language: str, source: str | None = None) -> None:
    lines = lines_of(raw)
    if not as_json:
        from companion.cli.scoresheet import print_sheet  # rich takes its time, and only people need it

        print_sheet(state, list(referee(state, lines, language)), language=language, title=source)
        return
    extra = {} if source is None else {"source": source}
    for _, after, ruling in referee(state, lines, language):
        state = after
        _print_json({**ruling, **extra})
    _print_json({**rules.summary(state), **extra})
    sys.stdout.flush()


def _print_json(line: Mapping[str, Any]) -> None:
    """One line, in UTF-8 whatever the terminal's own encoding is."""
    sys.stdout.buffer.write(json.dumps(line, ensure_ascii=False).encode() + b"\n")
