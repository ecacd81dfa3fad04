"""How long a deck pack takes: loaded the first time and from its cache, two photos of a frame named, thirty tiles named.

    python -m benchmarks.identify_speed [--pack PACK --frame PICTURE --points points.json --seats seats.json] [-n 15]

Without a frame: the sample deck on a rendered 1080p table, and thirty drawn tiles. Where photos and tiles lie is found beforehand and not
measured. CPU is of this process, wall is what a clock shows: on a busy machine the one is the better measure, the best of n the fairest.
"""

import argparse
import json
import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import cv2

from calibration import calibrate, read_points, read_seats
from sample_frames.deck import load
from sample_frames.scene.stills import write_stills
from tests.vision.drawn_cards import frame, in_cell, suspect_side, table, tile_pack, witness_side
from vision.board.tiles import find_tiles
from vision.cards.looks import ROOM_PX, cut, look, turns_of
from vision.cards.outlines import PX_PER_MM
from vision.cards.pack import prints_of
from vision.cards.prints import identify
from vision.deck.deck import Deck, read_deck
from vision.deck.identify import look as look_at
from vision.deck.identify import tell
from vision.deck.pack import Pack, read_pack
from vision.geometry import points
from vision.observation import Photo, quad_of
from vision.photos import find_photos
from vision.pictures import read
from vision.topview import View


def measured(what: str, work: Callable[[], object], n: int) -> None:
    """One row: the median and the best of n."""
    cpu, wall = [], []
    for _ in range(n):
        begin = time.process_time(), time.perf_counter()
        work()
        cpu.append(1000 * (time.process_time() - begin[0]))
        wall.append(1000 * (time.perf_counter() - begin[1]))
    print(f"{what:46s} {n:3d} {statistics.median(cpu):8.0f} {min(cpu):8.0f} {statistics.median(wall):8.0f} {min(wall):8.0f}")


def pack_loads(pack: Pack, n: int, cache: Path) -> Deck:
    """The first time, and from the cache; the deck."""
    name = f"{pack.name}, {len(pack.cards)} photos"
    measured(f"{name}: the first time", lambda: read_deck(read_pack(pack.folder), cache=cache), 1)
    measured(f"{name}: from its cache", lambda: read_deck(read_pack(pack.folder), cache=cache), n)
    return read_deck(pack, cache=cache)


def pair(view: View, photos: tuple[Photo, ...], deck: Deck, n: int) -> None:
    """Both photos of a frame; the first look at a size makes what later ones use."""

    def work() -> None:
        tell(photos, [look_at(view, photo, deck) for photo in photos], deck)

    height, width = view.frame.shape[:2]
    what = f"{len(photos)} photos of a {width}x{height} frame"
    measured(f"{what}: the first look", work, 1)
    measured(what, work, n)


def tiles(view: View, pack: Pack, n: int) -> None:
    """All tiles of a frame."""
    top = view.top(PX_PER_MM)
    found = find_tiles(view, top, size_mm=pack.sizes.photo)
    prints = prints_of(pack)
    if found is None or prints is None:
        raise SystemExit("no board in this frame, or no picture in the pack")

    def work() -> None:
        identify(prints, *look([cut(top, card.quad, room=ROOM_PX) for _, card in found.placed]), turns_of(pack.size_mm or found.size_mm))

    measured(f"{len(found.placed)} tiles of a {view.frame.shape[1]}x{view.frame.shape[0]} frame", work, n)


def rendered(folder: Path) -> tuple[View, tuple[Photo, ...]]:
    """A 1080p table of the sample deck, and its two photos where they truly lie."""
    write_stills(folder, load(), seed=11, pictures=4)
    for path in sorted(folder.glob("*/*-*.json")):
        there = json.loads(path.read_text())["expected"]["photos"]
        if len(there) == 2:
            on = calibrate(read_points(path.parent / "points.json"), read_seats(path.parent / "seats.json")).table
            photos = tuple(Photo(quad=quad_of(points(p["quad"])), side=p["side"], sure={"found": 0.99, "side": 0.99}) for p in there)
            return View(read(path.with_suffix(".jpg")), on), photos
    raise SystemExit("no pair was rendered")


def board(folder: Path) -> tuple[View, Pack]:
    """Thirty drawn tiles, two of them turned."""
    pack = tile_pack(folder)
    laid = [(suspect_side(1 + k % 5, 1 + k // 5) if k in (7, 20) else witness_side(1 + k // 5), in_cell(k // 6, k % 6)) for k in range(30)]
    return frame(table(), laid), pack


def main() -> None:
    ask = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    for name in ("pack", "frame", "points", "seats"):
        ask.add_argument(f"--{name}", type=Path)
    ask.add_argument("-n", type=int, default=15)
    given = ask.parse_args()
    cv2.setNumThreads(1)
    print(f"{'ms':46s} {'n':>3s} {'CPU':>8s} {'best':>8s} {'wall':>8s} {'best':>8s}")
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made)
        if given.frame is None:
            deck = pack_loads(read_pack(given.pack or load().folder, game="sherlook"), given.n, folder / "cache")
            if given.pack is None:
                pair(*rendered(folder / "stills"), deck, given.n)
                tiles(*board(folder / "tiles"), given.n)
            return
        pack = read_pack(given.pack)
        view = View(read(given.frame), calibrate(read_points(given.points), read_seats(given.seats)).table)
        if pack.game == "sherlook":
            pair(view, find_photos(view, size_mm=pack.sizes.photo), pack_loads(pack, given.n, folder / "cache"), given.n)
        else:
            tiles(view, pack, given.n)


if __name__ == "__main__":
    main()
