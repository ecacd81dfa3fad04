"""`companion observe`: what a picture, a video or a list of pictures shows."""

import json
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import Any

import click
import numpy as np
from msgspec import UNSET

from companion.cli import tell_progress
from companion.cli.outputs import spare, write_picture
from vision.deck.deck import Deck, deck_of
from vision.deck.doubts import SAID
from vision.deck.pack import Pack, PackError, read_pack
from vision.differences.report import counted_in_words
from vision.draw import draw
from vision.files import reason
from vision.frames.source import Frame, Source, SourceError, open_source
from vision.geometry import Picture
from vision.observation import FORMAT, Observation, to_dict
from vision.observe import observe
from vision.pictures import PictureError, is_picture_name, one_line, read
from vision.stillness import Stillness
from vision.table import Table, TableError, read_table
from vision.topview import View

GAMES = ("sherlook", "sherlock", "sherlock-deluxe", "sherlock-2011")
UNREADABLE = (PictureError, TableError, PackError, SourceError)
LIKELY = 0.5     # what is less probable is told as a doubt
NEWS_CELLS = 3   # cells of the small copy that must show something new before a settled picture is told again


@click.command(epilog="Example: companion observe table.jpg --table table.toml --game sherlook --json")
@click.argument("source", required=False)
@click.option("--table", "table_file", type=click.Path(path_type=Path), help="The table file.")
@click.option("--deck", type=click.Path(path_type=Path), help="A deck pack: a folder with deck.toml.")
@click.option("--game", type=click.Choice(GAMES), default="sherlook", show_default=True, help="What is played.")
@click.option("--batch", type=click.Path(path_type=Path), help="A file with one case a line: image, table, deck, game.")
@click.option("--json", "as_json", is_flag=True, help="One line of JSON an observation.")
@click.option("--debug", "debug_dir", type=click.Path(path_type=Path), help="A folder for pictures with what was seen drawn on them.")
@click.pass_context
def command(
    ctx: click.Context,
    *,
    source: str | None,
    table_file: Path | None,
    deck: Path | None,
    game: str,
    batch: Path | None,
    as_json: bool,
    debug_dir: Path | None,
) -> None:
    """Say what lies on the table in SOURCE: a picture, a folder of pictures, or a video (one line a settled picture)."""
    if (batch is None) == (source is None):
        raise click.ClickException("name one picture or video, or a list of cases with --batch")
    if debug_dir is not None:
        spare("--debug", debug_dir, [Path(source) if source else None], packs=[deck])
        try:
            debug_dir.mkdir(parents=True, exist_ok=True)
        except OSError as e:
            raise click.ClickException(f"{debug_dir}: no folder for debug pictures ({e.strerror}); name another with --debug") from e
    if batch is not None:
        ctx.exit(_batch(batch, as_json, debug_dir))
    if table_file is None:
        raise click.ClickException("which table? --table table.toml (made by `companion calibrate`)")
    assert source is not None
    told = 0
    try:
        table, pack = _table(table_file), _pack(deck, game)
        for name, t, frame in _frames(source):
            _say(*_seen(frame, table, pack, game, name, t), as_json, debug_dir)
            told += 1
    except UNREADABLE as e:
        raise click.ClickException(str(e)) from None
    if not told:
        click.echo(f"{source}: the table never lay still, so there was nothing to tell", err=True)
        ctx.exit(1)


def _frames(source: str) -> Iterator[tuple[str, float, Picture]]:
    """Name, time and picture of all that is to be told about."""
    path = Path(source)
    if path.is_dir():
        pictures = sorted(p for p in path.iterdir() if is_picture_name(p))
        if not pictures:
            raise SourceError(f"{source}: no picture in this folder; name one with pictures, or a video")
        for picture in pictures:
            yield picture.name, 0.0, read(picture)
    elif is_picture_name(path):
        yield path.name, 0.0, read(path)
    else:
        for frame in _settled(open_source(source)):
            yield path.name, frame.t, frame.picture


def _settled(source: Source) -> Iterator[Frame]:
    """The first frame of each still table that shows something new."""
    watch, first = Stillness(), True
    for frame in source.frames():
        glance = watch.see(frame.picture, frame.t)
        if glance.still and (first or np.count_nonzero(glance.changed) >= NEWS_CELLS):
            watch.accept(glance, np.ones_like(glance.changed))
            first = False
            yield frame
    if source.cut_short:
        raise SourceError(source.cut_short)


def _seen(frame: Picture, table: Table, pack: Pack | None, game: str, name: str, t: float = 0.0) -> tuple[Observation, View]:
    height, width = frame.shape[:2]
    try:
        view = View(frame, table.for_picture(width, height))
    except TableError as e:
        raise TableError(f"{name}: {e}") from e
    deck = _deck(pack.folder) if pack is not None else None
    seen = observe(view, game=game, source=name, t=t, pack=pack, deck=deck)
    for key in seen.advice or ():
        if pack is not None and key in SAID:
            click.echo(f"{name}, with {one_line(pack.folder)}: {SAID[key]}", err=True)
    return seen, view


def _batch(file: Path, as_json: bool, debug_dir: Path | None) -> int:
    """One observation a case; the exit status."""
    failed = False
    for case in _cases(file):
        try:
            seen, view = _case(file.parent, case)
        except Exception as e:   # one bad case never ends the run, whatever is wrong with it
            failed = True
            click.echo(json.dumps({"format": FORMAT, "source": str(case.get("image", "")), "error": _one_line(e)}, ensure_ascii=False))
            continue
        _say(seen, view, as_json, debug_dir)
    return 1 if failed else 0


def _one_line(e: Exception) -> str:
    return str(e) if isinstance(e, UNREADABLE) else f"this case met a fault of the program ({type(e).__name__}: {e}); please report it"


def _case(folder: Path, case: dict[str, Any]) -> tuple[Observation, View]:
    for key in ("image", "table"):
        if not isinstance(case.get(key), str):
            raise TableError(f'the case names no {key}: give "{key}" and its path, relative to the list')
    game = case.get("game", "sherlook")
    if game not in GAMES:
        raise TableError(f"unknown game {game!r}; one of {', '.join(GAMES)}")
    if not isinstance(case.get("deck"), str | None):
        raise TableError(f'"deck": a path or null was expected, found {case["deck"]!r}')
    deck = folder / case["deck"] if case.get("deck") else None
    return _seen(read(folder / case["image"]), _table(folder / case["table"]), _pack(deck, game), game, case["image"])


def _cases(file: Path) -> list[dict[str, Any]]:
    try:
        lines = file.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as e:
        raise click.ClickException(f"{file}: cannot be read as a list of cases ({reason(e)}); name a file with one case a line") from e
    cases = []
    for n, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            case = json.loads(line)
        except ValueError as e:
            raise click.ClickException(f"{file}, line {n}: not JSON ({e}); one case a line") from e
        if not isinstance(case, dict):
            raise click.ClickException(f'{file}, line {n}: a case is an object, like {{"image":"a.jpg","table":"table.toml"}}')
        cases.append(case)
    return cases


@lru_cache(maxsize=64)
def _table(path: Path) -> Table:
    return read_table(path)


@lru_cache(maxsize=8)
def _pack(deck: Path | None, game: str) -> Pack | None:
    return read_pack(deck, game=game) if deck is not None else None


@lru_cache(maxsize=8)
def _deck(folder: Path) -> Deck | None:
    return deck_of(read_pack(folder), say=lambda line: click.echo(line, err=True), progress=tell_progress)


def _say(seen: Observation, view: View, as_json: bool, debug_dir: Path | None) -> None:
    if debug_dir is not None:
        name = f"{Path(seen.source).stem}-{seen.t:07.2f}.jpg"
        write_picture(debug_dir / name, draw(view.frame, seen, view.table))
    if as_json:
        click.echo(json.dumps(to_dict(seen), ensure_ascii=False))
        return
    click.echo(f"{seen.source}:" if is_picture_name(Path(seen.source)) else f"{seen.source}, {seen.t:.1f} s:")
    for photo in seen.photos or ():
        which = f"photo {photo.id}" if photo.id else "photo"
        click.echo(f"  {which}, {photo.side or 'side unread'}, at {_where(photo.quad)}{_unsure(photo.sure)}")
    for marker in seen.markers or ():
        click.echo(f"  marker {marker.value or '?'}, {marker.zone or 'nobody'}{_unsure(marker.sure)}")
    for token in seen.tokens or ():
        click.echo(f"  token, {token.colour or 'colour unread'}, {token.zone or 'nobody'}{_unsure(token.sure)}")
    if seen.circle:
        for card in seen.circle.places:
            says = (card.object or "object unread", card.arrow or "arrow unread", card.steps or "steps unread")
            click.echo(f"  place {card.place}: face {card.face}" + (f", {says[0]}, {says[1]}, {says[2]}" if card.face == "up" else ""))
        if seen.circle.pawn:
            click.echo(f"  pawn at place {seen.circle.pawn.place or '?'}" + (", fallen" if seen.circle.pawn.fallen else ""))
    if seen.board:
        for tile in seen.board.tiles:
            row, column = tile.cell
            who, group = (tile.suspect, tile.suspect_group) if tile.side == "suspect" else (tile.witness, tile.witness_group)
            click.echo(f"  row {row}, column {column}: {tile.side} side, {who or ('unread' if group is UNSET else f'group {group}')}")
        if seen.board.booklet:
            click.echo(f"  booklet, page {seen.board.booklet.page or '?'}")
    if seen.differences:
        count, why = seen.differences.count, [u.why for u in seen.differences.unseen]
        click.echo("  " + ("differences not counted" if count is None else counted_in_words(count, seen.differences.range or None, why)))


def _unsure(sure: dict[str, float]) -> str:
    return "" if sure["found"] >= LIKELY else " (not sure that it is one)"


def _where(quad: tuple[tuple[float, float], ...]) -> str:
    return "({:.0f}, {:.0f}) mm".format(*(sum(v) / len(quad) for v in zip(*quad, strict=True)))
