"""`companion replay`: referees a written game."""

import json
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click

from companion import rules


def lines_of(raw: bytes) -> list[bytes]:
    """The lines that are not blank; only a line feed ends a line."""
    return [line for line in raw.split(b"\n") if line.strip()]


def replay(raw: bytes, start: rules.State) -> Iterator[dict[str, Any]]:
    """One ruling a line, then the summary."""
    state = start
    for line in lines_of(raw):
        state, ruling = rules.rule(state, line)
        yield ruling
    yield rules.summary(state)


def read_game(name: str) -> bytes:
    """The bytes of a file, or of standard input for `-`."""
    try:
        return sys.stdin.buffer.read() if name == "-" else Path(name).read_bytes()
    except OSError as e:
        raise click.ClickException(f"{name}: {e.strerror}; give a file of events, one JSON object a line, or - for standard input") from e


@click.command()
@click.argument("events", required=False)
@click.option("--json", "as_json", is_flag=True, help="print one ruling a line, then the summary")
@click.option("--batch", metavar="LIST", help="replay every file that LIST names, one path a line")
def command(events: str | None, as_json: bool, batch: str | None) -> int:
    """Referees a written game: EVENTS has one JSON object a line; - reads standard input.

    Example: companion replay evening.jsonl
    """
    if batch is not None:
        return _batch(batch)
    if events is None:
        raise click.UsageError("no game given: name a file of events, or - for standard input")
    for line in replay(read_game(events), rules.start()):
        _print(line)
    return 0


def _batch(listing: str) -> int:
    status = 0
    for line in read_game(listing).decode("utf-8").splitlines():
        if not line.strip():
            continue
        path = os.path.join(os.path.dirname(listing), line)
        try:
            raw = Path(path).read_bytes()
        except OSError as e:
            _print({"format": 1, "source": line, "error": f"{line}: {e.strerror}"})
            status = 1
            continue
        for ruling in replay(raw, rules.start()):
            _print({**ruling, "source": line})
    return status


def _print(line: dict[str, Any]) -> None:
    click.echo(json.dumps(line, ensure_ascii=False))
