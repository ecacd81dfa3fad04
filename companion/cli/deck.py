"""`companion deck`: checks, shows, scans and adds to deck packs."""

from pathlib import Path

import click

from companion.cli import with_common_options
from companion.decks.check import check as checked
from companion.decks.drawing import as_png
from companion.decks.page import as_page
from companion.decks.sheet import gather
from vision.deck.pack import GAMES, PackError, read_pack
from vision.pictures import PictureError, one_line

PACK = click.argument("pack", type=click.Path(path_type=Path))


@click.group("deck", epilog="Example: companion deck check packs/attic")
def command() -> None:
    """Check, show, scan and add to deck packs: folders with deck.toml and the pictures of all cards."""


@command.command("check", epilog="Example: companion deck check packs/attic")
@PACK
@click.option("--game", type=click.Choice(GAMES), help="The game that the pack is for.")
def check(pack: Path, game: str | None) -> int:
    """Name every fault of PACK, one a line, with the file and the remedy.

    Exit status 0: it is sound; 1: faults were found; 2: there is no pack that could be read.
    """
    try:
        said = checked(pack, game=game, say=_say)
    except PackError as e:
        raise click.ClickException(str(e)) from e
    for line in said.faults:
        click.echo(line)
    for line in said.notes:
        click.echo(f"note: {line}")
    count = len(said.faults)
    cards = f", {len(said.pack.cards)} cards of {said.pack.game}" if said.pack is not None else ""
    click.echo(f"{one_line(pack)}{cards}: " + ("sound" if not count else "1 fault" if count == 1 else f"{count} faults"))
    return 1 if count else 0


@command.command("show", epilog="Example: companion deck show packs/attic -o attic.html")
@PACK
@click.option("-o", "--out", required=True, type=click.Path(path_type=Path, dir_okay=False), help="The sheet, .html or .png.")
def show(pack: Path, out: Path) -> None:
    """Draw the contact sheet of PACK: its cards, what varies among them, the counts, and what a camera confuses."""
    kind = out.suffix.lower()
    if kind not in (".png", ".html", ".htm"):
        raise click.ClickException(f"-o {one_line(out.name)}: the name must end in .html or .png")
    if out.resolve().is_relative_to(pack.resolve()):
        raise click.ClickException(f"-o {one_line(out)}: lies in the pack itself; choose a place outside it")
    try:
        sheet = gather(read_pack(pack), say=_say)
    except (PackError, PictureError) as e:
        raise click.ClickException(str(e)) from e
    data = as_png(sheet) if kind == ".png" else as_page(sheet).encode()
    try:
        out.write_bytes(data)
    except OSError as e:
        raise click.ClickException(f"{one_line(out)}: cannot be written ({e.strerror}); choose another place") from e


def _say(line: str) -> None:
    click.echo(line, err=True)


for each in command.commands.values():
    with_common_options(each)
