"""`companion observe`: what a picture, a video or a list of pictures shows."""

import json
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import Any

import click

from vision.observation import FORMAT, Observation, to_dict
from vision.observe import observe
from vision.pack import PackError, Sizes, read_sizes
from vision.pictures import PictureError, read
from vision.table import Table, TableError, read_table
from vision.topview import View

GAMES = ("sherlook", "sherlock", "sherlock-deluxe", "sherlock-2011")
UNREADABLE = (PictureError, TableError, PackError)


@click.command(epilog="Example: companion observe table.jpg --table table.toml --game sherlook --json")
@click.argument("source", required=False, type=click.Path(path_type=Path))
@click.option("--table", "table_file", type=click.Path(path_type=Path), help="The table file.")
@click.option("--deck", type=click.Path(path_type=Path), help="A deck pack: a folder with deck.toml.")
@click.option("--game", type=click.Choice(GAMES), default="sherlook", show_default=True, help="What is played.")
@click.option("--batch", type=click.Path(path_type=Path), help="A file with one case a line: image, table, deck, game.")
@click.option("--json", "as_json", is_flag=True, help="One line of JSON an observation.")
@click.pass_context
def command(
    ctx: click.Context, source: Path | None, table_file: Path | None, deck: Path | None, game: str, batch: Path | None, as_json: bool
) -> None:
    """Say what lies on the table."""
    if (batch is None) == (source is None):
        raise click.ClickException("name one picture or video, or a list of cases with --batch")
    if batch is not None:
        ctx.exit(_batch(batch, as_json))
    if table_file is None:
        raise click.ClickException("which table? --table table.toml (made by `companion calibrate`)")
    assert source is not None
    try:
        seen = _picture(source, _table(table_file), _sizes(deck), game, source.name)
    except UNREADABLE as e:
        raise click.ClickException(str(e)) from None
    _say(seen, as_json)


def _picture(path: Path, table: Table, known: Sizes, game: str, name: str) -> Observation:
    frame = read(path)
    height, width = frame.shape[:2]
    try:
        fitting = table.for_picture(width, height)
    except TableError as e:
        raise TableError(f"{path}: {e}") from e
    return observe(View(frame, fitting), game=game, source=name, known=known)


def _batch(file: Path, as_json: bool) -> int:
    """One observation a case; the exit status."""
    failed = False
    for case in _cases(file):
        name = str(case.get("image", ""))
        try:
            seen = _case(file.parent, case)
        except Exception as e:   # one bad case never ends the run, whatever is wrong with it
            failed = True
            click.echo(json.dumps({"format": FORMAT, "source": name, "error": _one_line(e)}, ensure_ascii=False))
            continue
        _say(seen, as_json)
    return 1 if failed else 0


def _one_line(e: Exception) -> str:
    return str(e) if isinstance(e, UNREADABLE) else f"this case met a fault of the program ({type(e).__name__}: {e}); please report it"


def _case(folder: Path, case: dict[str, Any]) -> Observation:
    for key in ("image", "table"):
        if not isinstance(case.get(key), str):
            raise TableError(f"the case names no {key}: give \"{key}\": its path, relative to the list")
    if case.get("game", "sherlook") not in GAMES:
        raise TableError(f"unknown game {case['game']!r}; one of {', '.join(GAMES)}")
    deck = folder / case["deck"] if case.get("deck") else None
    return _picture(folder / case["image"], _table(folder / case["table"]), _sizes(deck), case.get("game", "sherlook"), case["image"])


def _cases(file: Path) -> Iterator[dict[str, Any]]:
    try:
        lines = file.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as e:
        raise click.ClickException(f"{file}: cannot be read as a list of cases ({e})") from e
    for n, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            case = json.loads(line)
        except ValueError as e:
            raise click.ClickException(f"{file}, line {n}: not JSON ({e}); one case a line") from e
        if not isinstance(case, dict):
            raise click.ClickException(f'{file}, line {n}: a case is an object, like {{"image":"a.jpg","table":"table.toml"}}')
        yield case


@lru_cache(maxsize=64)
def _table(path: Path) -> Table:
    return read_table(path)


@lru_cache(maxsize=64)
def _sizes(deck: Path | None) -> Sizes:
    return read_sizes(deck) if deck is not None else Sizes()


def _say(seen: Observation, as_json: bool) -> None:
    if as_json:
        click.echo(json.dumps(to_dict(seen), ensure_ascii=False))
        return
    click.echo(f"{seen.source}:")
    for photo in seen.photos or ():
        click.echo(f"  photo, {photo.side or 'side unread'}, at {_where(photo.quad)}")


def _where(quad: tuple[tuple[float, float], ...]) -> str:
    return "({:.0f}, {:.0f}) mm".format(*(sum(v) / len(quad) for v in zip(*quad, strict=True)))
