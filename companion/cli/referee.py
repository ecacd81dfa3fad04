"""`companion referee`: referees a clip at full speed and prints the rulings."""

import contextlib
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path
from typing import Any, BinaryIO

import click

from companion import rules
from companion.cli import tell_progress
from companion.cli.outputs import spare, unwritable, write_picture
from companion.cli.settings import read_settings
from companion.reading import Post, Question, Reader, Reading
from companion.voice import word
from vision.deck.deck import deck_of
from vision.deck.doubts import SAID
from vision.deck.pack import Pack, PackError, read_pack
from vision.draw import draw
from vision.files import replacing
from vision.frames import Frame, SourceError, open_source
from vision.pictures import PictureError
from vision.table import Table, TableError, read_table

FORMAT = 1
WATCHED = ("sherlook",)   # games that can be read from pictures


@dataclass
class Game:
    """A game that is refereed without anybody to ask: its state, its events, its questions."""

    state: rules.State = field(default_factory=rules.start)
    events: list[dict[str, Any]] = field(default_factory=list)
    asked: int = 0

    def rule(self, event: dict[str, Any]) -> dict[str, Any]:
        """The ruling on an event without `seq`, with its `t`."""
        whole = {"format": FORMAT, "seq": len(self.events) + 1, **{k: v for k, v in event.items() if k != "format"}}
        self.state, ruling = rules.rule(self.state, whole)
        self.events.append(whole)
        return {**ruling, "t": whole["t"], "text": word(whole, ruling, "en")}

    def watch(self, reader: Reader, frames: Iterator[Frame], debug: Path | None = None) -> Iterator[dict[str, Any]]:
        """The rulings and questions on what the frames show, as they come. `debug`: a folder for the pictures that they rest on."""
        reader.told(None, rules.position(self.state))
        for frame in frames:
            for reading in reader.frame(frame.picture, frame.t, frame.number):
                if debug is not None:
                    write_picture(debug / f"{frame.number:06d}.jpg", draw(frame.picture, reader.seen(frame.t), reader.table))
                yield from self.take(reader, reading)

    def take(self, reader: Reader, reading: Reading) -> Iterator[dict[str, Any]]:
        """The rulings on a reading; a question is answered with its likeliest choice. The reader is told."""
        if isinstance(reading, Question):
            self.asked += 1
            yield reading.as_dict(self.asked)
            reading = Post(reading.likeliest())
        if isinstance(reading, Post):
            ruling = self.rule(reading.event)
            reader.told(ruling, rules.position(self.state))
            yield ruling


@click.command(epilog="Example: companion referee evening.mp4 --table table.toml --game sherlook --players Ada,Ben --json")
@click.argument("source")
@click.option("--table", "table_file", required=True, type=click.Path(path_type=Path), help="A file of companion calibrate.")
@click.option("--game", required=True, help="What is played: " + ", ".join(rules.BOXES))
@click.option("--players", required=True, help="The players' names clockwise, with commas between; each has a seat in the table file.")
@click.option("--settings", "settings_file", type=click.Path(path_type=Path), help="A JSON file with the settings of the game.")
@click.option("--deck", type=click.Path(path_type=Path), help="A deck pack: a folder with deck.toml.")
@click.option("--events", "events_file", type=click.Path(path_type=Path), help="Where to write the events, one JSON object a line.")
@click.option("--debug", type=click.Path(path_type=Path, file_okay=False), help="A folder for a picture of what was seen at each event.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object a line: rulings, questions, the summary.")
def command(source: str, table_file: Path, game: str, players: str, settings_file: Path | None, deck: Path | None,
            events_file: Path | None, debug: Path | None, as_json: bool) -> int:
    """Referee a clip at full speed, no frame skipped, and print each ruling.

    SOURCE is a video, a folder of pictures, a webcam's index or name, or an address. Where the companion is not sure it prints the
    question and goes on with the likeliest choice.
    """
    for option, place in (("--events", events_file), ("--debug", debug)):
        spare(option, place, [Path(source), table_file, settings_file], packs=[deck])
    table, pack, settings = _read(table_file, deck, game, settings_file)
    names = [name.strip() for name in players.split(",")]
    _check(game, names, table)
    match = Game()
    started = match.rule({"t": 0.0, "event": "game-started", "by": "host", "game": game, "players": names, "settings": settings})
    if started["ruling"] == "rejected":
        raise click.ClickException(_refusal(started, names))
    try:
        frames = open_source(source)
        if debug is not None:
            _made(debug)
        film, table = _first(frames.frames(), table, source)
        known = deck_of(pack, say=lambda line: click.echo(line, err=True), progress=tell_progress)
        reader = Reader(table, names, sizes=pack.sizes if pack else None, deck=known, source=Path(source).name)
        with _written(events_file) as out:
            done = _keep(match.events, out, 0)
            _show(started, as_json)
            doubted: set[str] = set()
            for line in match.watch(reader, film, debug):
                done = _keep(match.events, out, done)
                _show(line, as_json)
                for key in set(reader.doubts) - doubted:
                    click.echo(f"{deck}: {SAID[key]}", err=True)
                    doubted.add(key)
    except (SourceError, TableError, PackError, PictureError) as e:
        raise click.ClickException(str(e)) from None
    if frames.skipped:
        click.echo(f"{source}: {frames.skipped} frames could not be decoded and were skipped", err=True)
    _show(rules.summary(match.state), as_json)
    if frames.cut_short:
        raise click.ClickException(frames.cut_short)
    return 0


def _first(frames: Iterator[Frame], table: Table, source: str) -> tuple[Iterator[Frame], Table]:
    """The frames, the first of which is there and of the table's shape, and the table as they show it."""
    first = next(frames, None)
    if first is None:
        raise SourceError(f"{source}: no frame in it; is the file whole?")
    height, width = first.picture.shape[:2]
    return chain([first], frames), table.for_picture(width, height)


def _read(table_file: Path, deck: Path | None, game: str, settings_file: Path | None) -> tuple[Table, Pack | None, dict[str, Any]]:
    try:
        table = read_table(table_file)
        pack = read_pack(deck, game=game) if deck else None
    except (TableError, PackError) as e:
        raise click.ClickException(str(e)) from None
    return table, pack, read_settings(settings_file)


def _check(game: str, names: Sequence[str], table: Table) -> None:
    if game not in rules.BOXES:
        raise click.ClickException(f"{game}: no such game; choose one of {', '.join(rules.BOXES)}")
    if game not in WATCHED:
        raise click.ClickException(f"{game}: this game is not read from pictures yet; choose {', '.join(WATCHED)}, or replay its events")
    if "" in names:
        raise click.ClickException("--players: an empty name; is there a comma too many?")
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        raise click.ClickException(f"{', '.join(twice)}: named twice; give each player another name")
    seats = [seat.name for seat in table.seats]
    missing = [name for name in names if name not in seats]
    if missing:
        raise click.ClickException(f"{', '.join(missing)}: no seat of that name at this table; its seats are {', '.join(seats) or 'none'}: "
                                   "calibrate with --seats, or name the players as the seats")


def _refusal(ruling: dict[str, Any], names: Sequence[str]) -> str:
    if ruling["key"] == "bad-setting":
        return f"the setting {ruling['params']['setting']!r} is not as the rules have it; correct it in the file given with --settings"
    if ruling["key"] == "bad-players":
        return f"{len(names)} players ({', '.join(names)}) cannot play this; Sherlook is for 2 to 10, with names of 1 to 40 characters"
    return str(ruling["text"])


def _made(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as e:
        raise unwritable(folder, e) from None


class _FullError(Exception):
    """An event could not be written."""


@contextlib.contextmanager
def _written(path: Path | None) -> Iterator[BinaryIO | None]:
    """The file for the events. It takes its place when the clip ends, is stopped or breaks off; a full disk leaves what was there."""
    if path is None:
        yield None
        return
    broken_off: BaseException | None = None
    try:
        with replacing(path) as out:
            try:
                yield out
            except _FullError:
                raise
            except BaseException as e:   # a lost camera or Ctrl-C: what happened before it is kept
                broken_off = e
    except _FullError as e:
        assert isinstance(e.__cause__, OSError)
        raise unwritable(path, e.__cause__) from None
    except OSError as e:
        raise unwritable(path, e) from None
    if broken_off is not None:
        raise broken_off


def _keep(events: Sequence[dict[str, Any]], out: BinaryIO | None, done: int) -> int:
    """Writes the new events; each is on its way to the disk before its ruling is told."""
    try:
        for event in events[done:]:
            if out is not None:
                out.write(json.dumps(event, ensure_ascii=False).encode() + b"\n")
                out.flush()
    except OSError as e:
        raise _FullError from e
    return len(events)


def _show(line: dict[str, Any], as_json: bool) -> None:
    if as_json:
        click.echo(json.dumps(line, ensure_ascii=False))
        return
    if line["ruling"] == "question":
        choices = ", ".join(_choice(c["event"], c["sure"]) for c in line["choices"][:4])
        click.echo(f"{_clock(line['t'])}  Not sure: {line['about']}? {choices}")
    elif line["ruling"] == "summary":
        score = ", ".join(f"{name} {entry['points']}" for name, entry in line["score"].items())
        winners = f"  Won by {', '.join(line['winners'])}." if line["winners"] else ""
        click.echo(f"Final score: {score}.{winners}" if line["state"] == "over" else f"Score so far: {score}. The game is not over.")
    else:
        click.echo(f"{_clock(line['t'])}  {line['text']}")


def _choice(event: dict[str, Any], sure: float) -> str:
    fields = [str(event[key]) for key in ("player", "value", "count") if key in event]
    return f"{' '.join(fields)} ({sure:.0%})"


def _clock(t: float) -> str:
    return f"{int(t // 60)}:{t % 60:04.1f}"
