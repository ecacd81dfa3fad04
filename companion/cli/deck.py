"""`companion deck`: checks, shows, scans and adds to deck packs."""

import os
import re
import shlex
import sys
from dataclasses import replace
from pathlib import Path

import click

from companion.cli import tell_progress, with_common_options
from companion.cli.outputs import spare, write
from companion.decks.check import check as checked
from companion.decks.drawing import as_png
from companion.decks.page import as_page
from companion.decks.scan import Scanned, passed_over, pictures_in
from companion.decks.scan import scan as scanned
from companion.decks.sheet import gather
from vision.deck.pack import GAMES, LONGEST_MM, Game, PackError, read_pack
from vision.pictures import PictureError, one_line, read

PACK = click.argument("pack", type=click.Path(path_type=Path))


@click.group("deck", epilog="Example: companion deck check packs/attic")
def command() -> None:
    """Check, show, scan and add to deck packs: folders with deck.toml and the pictures of all cards."""


@command.command("check", short_help="Name every fault of a pack.", epilog="Example: companion deck check packs/attic")
@PACK
@click.option("--game", type=click.Choice(GAMES), help="The game that is to be played with it, where another game's pack is a fault.")
def check(pack: Path, game: str | None) -> int:
    """Name every fault of PACK, one a line, with the file and the remedy. What cannot be helped is a note, and no fault.

    Exit status 0: it is sound; 1: faults were found; 2: there is no pack that could be read.
    """
    try:
        said = checked(pack, game=game, say=tell_progress)
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


@command.command("show", short_help="Draw a pack's contact sheet.", epilog="Example: companion deck show packs/attic -o attic.html")
@PACK
@click.option("-o", "--out", required=True, type=click.Path(path_type=Path, dir_okay=False), help="The sheet, .html or .png.")
def show(pack: Path, out: Path) -> None:
    """Draw the contact sheet of PACK: its cards, what varies among them, the counts, and what a camera confuses.

    Exit status 0: it is drawn; 2: nothing could be done.
    """
    kind = out.suffix.lower()
    if kind not in (".png", ".html", ".htm"):
        raise click.ClickException(f"-o {one_line(out.name)}: the name must end in .html or .png")
    spare("-o", out, [], packs=[pack])
    try:
        sheet = gather(read_pack(pack), say=tell_progress)
    except (PackError, PictureError) as e:
        raise click.ClickException(str(e)) from e
    write(out, as_png(sheet) if kind == ".png" else as_page(sheet).encode())


@command.command("scan", short_help="Make a pack from scans or photographs.",
                 epilog="Example: companion deck scan scans/ -o packs/attic --size-mm 120x80")
@click.argument("folder", type=click.Path(path_type=Path))
@click.option("-o", "--out", "pack", required=True, type=click.Path(path_type=Path), help="The pack: a new folder, or one to fill up.")
@click.option("--size-mm", metavar="WxH", help="Width and height of a card in mm, as its picture stands upright.")
@click.option("--game", type=click.Choice(GAMES), help="The game that the pack is for; sherlook, if it is a new one.")
@click.option("--name", help="What the deck is called.")
def scan(folder: Path, pack: Path, size_mm: str | None, game: Game | None, name: str | None) -> int:
    """Make PACK from the flatbed scans or photographs in FOLDER, several cards a picture, at any angle, fronts and backs in any order.

    A scan that was stopped goes on by the same command; what the pack has already is neither changed nor added again.

    Exit status 0: all is in the pack; 1: something was left out or is to be looked at, one line each; 2: nothing could be done.
    """
    try:
        if os.path.realpath(pack) == os.path.realpath(folder):
            raise PackError(f"{one_line(pack)}: the scans lie there; name another folder for the pack")
        said = scanned(pictures_in(folder), pack, game=game, name=name, size_mm=_size(size_mm), progress=_progress)
    except (PackError, PictureError) as e:
        raise click.ClickException(str(e)) from e
    return _told(pack, replace(said, said=(*passed_over(folder), *said.said)))


@command.command("add", short_help="Add one more card to a pack.",
                 epilog="Example: companion deck add packs/attic new-front.jpg new-back.jpg")
@PACK
@click.argument("front", metavar="FRONT", type=click.Path(path_type=Path))
@click.argument("back", metavar="[BACK]", required=False, type=click.Path(path_type=Path))
def add(pack: Path, front: Path, back: Path | None) -> int:
    """Add one more card to PACK: pictures of its FRONT and its BACK, on a plain ground or cut to the card's edges.

    A side that one of the pack's photos lacks finds its card.

    Exit status 0: it is in the pack; 1: it was left out, or there is more to be said; 2: nothing could be done.
    """
    try:
        read_pack(pack)
        pictures = [path for path in (front, back) if path is not None]
        for path in pictures:
            read(path)
        said = scanned(pictures, pack)
    except (PackError, PictureError) as e:
        raise click.ClickException(str(e)) from e
    for line in said.there:
        click.echo(line)
    return max(_told(pack, said), 1 if said.there else 0)


def _told(pack: Path, said: Scanned) -> int:
    for line in said.said:
        click.echo(line)
    new = f"{len(said.new)} new card{'' if len(said.new) == 1 else 's'}" + (f" ({', '.join(said.new)})" if said.new else "")
    filled = f", {', '.join(said.filled)} filled up" if said.filled else ""
    there = f", {len(said.there)} pictures of sides that were there already" if said.there else ""
    click.echo(f"{one_line(pack)}: {new}{filled}{there}; `companion deck check {shlex.quote(one_line(pack))}` says what it lacks")
    return 1 if said.said else 0


def _size(text: str | None) -> tuple[float, float] | None:
    if text is None:
        return None
    match = re.fullmatch(r"\s*(\d{1,4}(?:\.\d+)?)\s*[xX×,]\s*(\d{1,4}(?:\.\d+)?)\s*(?:mm)?\s*", text)
    if match is None or not 0 < float(match[1]) <= LONGEST_MM or not 0 < float(match[2]) <= LONGEST_MM:
        raise click.ClickException(f"--size-mm {text!r}: width and height in mm were expected, such as 120x80")
    return float(match[1]), float(match[2])


def _progress(done: int, of: int) -> None:
    if sys.stderr.isatty():
        click.echo(f"\r{done} of {of} pictures" + ("\n" if done == of else ""), err=True, nl=False)


for each in command.commands.values():
    with_common_options(each)
