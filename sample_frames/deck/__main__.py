"""python -m sample_frames.deck OUT: draws the sample deck."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

import click
import cv2
import msgspec
import numpy as np

from sample_frames.deck import Deck, load, truth
from sample_frames.deck.kinds import KINDS
from sample_frames.deck.sheet import Sheet, pixels
from sample_frames.deck.variants import offered

PHOTOS_JSON = Path(__file__).parent / "photos.json"


@click.command(epilog="Example: python -m sample_frames.deck /tmp/night-market --sheet")
@click.argument("out", type=click.Path(path_type=Path, file_okay=False))
@click.option("--sheet", is_flag=True, help="Also draw contact sheets: fronts.png, backs.png, pieces.png and kinds.png.")
@click.option("--search", is_flag=True, help="First search the photos anew, into photos.json beside the code.")
def command(out: Path, sheet: bool, search: bool) -> None:
    """Write the sample deck as a deck pack into the folder OUT."""
    if search:
        found = truth.make(offered())
        PHOTOS_JSON.write_bytes(msgspec.json.format(msgspec.json.encode(found), indent=1) + b"\n")
        truth.photos.cache_clear()
    try:
        deck = _drawn()
        shutil.copytree(deck.folder, out, dirs_exist_ok=True)
    except OSError as error:
        what = f"cannot write the deck into {out} ({error}): name a folder that can be written to"
        raise click.BadParameter(what, param_hint="OUT") from error
    if sheet:
        cv2.imwrite(str(out / "fronts.png"), _grid([deck.front(photo) for photo in deck.ids], columns=5, width=480))
        cv2.imwrite(str(out / "backs.png"), _grid([deck.back(photo) for photo in deck.ids], columns=5, width=480))
        names = ["green-back", *(f"green-{i:02d}" for i in range(1, 11)), "yellow", "yellow-back", "red", "red-back"]
        pieces = [deck.marker(value) for value in range(1, 11)] + [deck.token(name) for name in names]
        cv2.imwrite(str(out / "pieces.png"), _grid([_on_wood(piece) for piece in pieces], columns=5, width=300))
        cv2.imwrite(str(out / "kinds.png"), _kinds())


def _drawn() -> Deck:
    """The deck, with a bar on a terminal while it is drawn for the first time."""
    if not sys.stderr.isatty():
        return load()
    with click.progressbar(length=len(truth.photos()), label="drawing the deck", file=sys.stderr) as bar:
        return load(progress=lambda done, of: bar.update(1))


def _grid(pictures: list[np.ndarray], *, columns: int, width: int) -> np.ndarray:
    """The pictures in rows, each `width` px wide."""
    small = [cv2.resize(p, (width, round(p.shape[0] * width / p.shape[1])), interpolation=cv2.INTER_AREA) for p in pictures]
    blank = np.full_like(small[0], 255)
    small += [blank] * (-len(small) % columns)
    return np.vstack([np.hstack(small[i : i + columns]) for i in range(0, len(small), columns)])


def _on_wood(piece: np.ndarray) -> np.ndarray:
    alpha = piece[:, :, 3:].astype(float) / 255
    return np.asarray(piece[:, :, :3] * alpha + np.array([90, 130, 170]) * (1 - alpha)).astype(np.uint8)


def _kinds() -> np.ndarray:
    """Every kind of thing with its name."""
    columns, cell = 14, 12.0
    rows = -(-len(KINDS) // columns)
    sheet = Sheet(columns * cell, rows * cell)
    sheet.box(0, 0, columns * cell, rows * cell, "#f6ead0")
    for i, name in enumerate(KINDS):
        x, y = (i % columns + 0.5) * cell, (i // columns + 1) * cell - 2.6
        sheet.thing(name, x, y, 8.6)
        sheet.text(name, x, y + 1.6, 0.95, "#2a2035")
    return next(pixels(sheet.pdf()))


if __name__ == "__main__":
    command()
