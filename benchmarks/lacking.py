"""How often is a photo that the pack lacks taken for one that it has?

    python -m benchmarks.lacking [PACK ...] [--drawn 1 2 3 4 5 6] [--every 1] [--seed 1]

Each card of a deck is taken out of its pack in turn; then it is photographed, and another card that the pack has, as a webcam sees a table
(`benchmarks/identify.py`, 0.5 to 0.7 mm a pixel); another photo lies over a corner of half of them. `--drawn`: decks drawn from these seeds
as well, cluttered scenes whose cards grow out of one another by a place or two. `named` is named surely, which is wrong of a card that the
pack lacks, `told` is surely none of the pack's. Where a lacking card departs only where no other does, the pack knows nothing of it.
"""

import argparse
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import cv2
import numpy as np

from benchmarks.identify import Shot, photographed, printed_anew
from vision.deck.deck import Deck
from vision.deck.faces import Face, Laid, face, lay
from vision.deck.identify import beliefs, look
from vision.deck.pack import read_pack
from vision.deck.sites import Sites
from vision.geometry import Picture, Points, points, transform
from vision.observation import ASSERTED, Photo, Side, quad_of
from vision.pictures import read
from vision.training.differences_scenes import Sources, Sprite, paste, recoloured, scenery, thing, to_grey

MM = (0.5, 0.7)         # a pixel
OVER = (0.15, 0.45)     # of a photo's sides: the corner that another hides
PX = (900, 600)         # of a drawn card
GRID = (10, 6)          # places of things on it,
VARYING, CARDS = 30, 30     # of which so many vary, among so many cards,
MOST = 6                # a card at most in so many
SIZE_MM = (120.0, 80.0)
SIDES: tuple[Side, ...] = ("colour", "back")


def drawn(seed: int, folder: Path) -> Path:
    """A pack of a drawn deck: its looks are shared by cards, and its backs have circles in some ink, round all places or their own."""
    rng, sources = np.random.default_rng(seed), Sources()
    ground = scenery(rng, sources, *PX)
    cells = [(column, row) for row in range(GRID[1]) for column in range(GRID[0])]
    middles = [tuple(int((c + 0.5) * px / n + rng.uniform(-10, 10)) for c, px, n in zip(cell, PX, GRID, strict=True)) for cell in cells]
    things = [thing(rng, sources, int(rng.uniform(36, 80))) for _ in cells]
    varying = [int(n) for n in rng.permutation(len(cells))[:VARYING]]
    instead = {n: _instead(rng, sources, things[n]) for n in varying}
    states: list[dict[int, int]] = [{}]
    while len(states) < CARDS:
        state = dict(states[int(rng.integers(len(states)))]) if rng.random() < 0.5 else {}
        for n in rng.choice(varying, int(rng.integers(1, 3 if state else 6))):
            state[int(n)] = int(rng.integers(len(instead[int(n)])))
        if len(state) <= MOST and state not in states:
            states.append(state)
    ink, own = [int(v) for v in rng.choice([[30, 30, 30], [30, 30, 210]])], rng.random() < 0.7
    (folder / "cards").mkdir()
    lines = [f'format = 1\ngame = "sherlook"\nname = "Drawn {seed}"\nsize_mm = {list(SIZE_MM)}\n']
    for number, state in enumerate(states):
        front = ground.copy()
        for n, (x, y) in enumerate(middles):
            shown, aside = instead[n][state[n]] if n in state else (things[n], 0)
            if shown is not None:
                paste(front, shown, x + aside - shown.shape[1] // 2, y - shown.shape[0] // 2)
        back = to_grey(front)
        for n in state if own else varying:
            cv2.circle(back, middles[n], 46, ink, 3, cv2.LINE_AA)
        for side, picture in (("front", front), ("back", back)):
            cv2.imwrite(str(folder / "cards" / f"{number}-{side}.png"), picture)
        lines.append(f'[[card]]\nid = "c{number:02d}"\nfront = "cards/{number}-front.png"\nback = "cards/{number}-back.png"\n')
    (folder / "deck.toml").write_text("".join(lines), encoding="utf-8")
    return folder


def _instead(rng: np.random.Generator, sources: Sources, usual: Sprite) -> list[tuple[Sprite | None, int]]:
    """What a place may show instead of its thing, and how many pixels aside: nothing, other colours, another thing, moved, smaller."""
    other, less = thing(rng, sources, max(usual.shape[:2])), np.asarray(cv2.resize(usual, None, fx=0.65, fy=0.65), np.uint8)
    ways = [(None, 0), (recoloured(rng, usual), 0), (other, 0), (usual, 16), (less, 0)]
    return [ways[int(n)] for n in rng.permutation(len(ways))[: int(rng.integers(1, 4))]]


def without(deck: Deck, laid: Sequence[Laid], card: int) -> Deck:
    """What would be known had the pack not this card."""
    faces = []
    for side in laid:
        kept = [n for n in range(len(side.stack)) if n != card]
        its = face(replace(side, stack=side.stack[kept], changed=side.changed[kept], alike=side.alike[kept]))
        looks = np.full((len(side.stack), len(its.areas)), -1, np.int16)
        looks[kept] = its.looks
        faces.append(Face(its.median, its.areas, looks))
    return replace(deck, fronts=faces[0], backs=faces[1])


def shot_of(card: Picture, other: Picture, size_mm: tuple[float, float], rng: np.random.Generator) -> tuple[Shot, list[Points]]:
    """A photograph of a card, and where another lies over its lower right corner."""
    picture, over = printed_anew(card, rng), rng.uniform(*OVER, 2) * rng.integers(2)
    h, w = picture.shape[:2]
    x, y = round(w * (1 - over[0])), round(h * (1 - over[1]))
    picture[y:, x:] = cv2.resize(other, (w, h))[: h - y, : w - x]
    shot = photographed(picture, size_mm, float(rng.uniform(*MM)), rng)
    if not over.any():
        return shot, []
    unit = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float32)
    return shot, [points(transform(cv2.getPerspectiveTransform(unit, shot.quad.astype(np.float32)), unit + 1 - over))]


@dataclass
class Tally:
    """Of one side of a deck: cards that lack, and cards that are there."""

    n: int = 0
    lacking_named: int = 0
    lacking_told: int = 0
    there_named: int = 0
    there_wrong: int = 0


def measure(folder: Path, every: int, seed: int) -> Iterator[tuple[Side, Tally]]:
    """Of a pack of photos that has both sides of all cards."""
    pack = read_pack(folder)
    paths = {"colour": [c.front for c in pack.cards if c.front], "back": [c.back for c in pack.cards if c.back]}
    pictures = {side: [read(path) for path in paths[side]] for side in SIDES}
    laid = [lay(paths[side]) for side in SIDES]
    nothing = Sites(np.zeros((0, 4), np.int32), np.zeros((len(pack.cards), 0), np.int16), np.zeros((len(pack.cards), 0), bool))
    whole, rng, tallies = Deck(pack, None, None, nothing), np.random.default_rng(seed), {side: Tally() for side in SIDES}
    for lacking in range(0, len(pack.cards), every):
        deck = without(whole, laid, lacking)
        there = int(rng.choice([n for n in range(len(pack.cards)) if n != lacking]))
        for side, tally in tallies.items():
            tally.n += 1
            for card in (lacking, there):
                shot, others = shot_of(pictures[side][card], pictures[side][card - 1], pack.size_mm or SIZE_MM, rng)
                photo, *above = (Photo(quad=quad_of(q), side=side, sure={"found": 0.99, "side": 0.99}) for q in (shot.outline(), *others))
                (p,) = beliefs([[look(shot.view, photo, deck, [photo, *above])]], deck)
                best = int(p.argmax())
                named = best < len(pack.cards) and p[best] >= ASSERTED
                if card == lacking:
                    tally.lacking_named += named
                    tally.lacking_told += bool(p[-1] >= ASSERTED)
                else:
                    tally.there_named += named and best == there
                    tally.there_wrong += named and best != there
    yield from tallies.items()


def main() -> None:
    ask = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    ask.add_argument("packs", nargs="*", type=Path)
    ask.add_argument("--drawn", nargs="+", type=int, default=[])
    ask.add_argument("--every", type=int, default=1)
    ask.add_argument("--seed", type=int, default=1)
    given = ask.parse_args()
    print(f"{'pack':20s} {'side':7s} {'n':>3s}  lacking: named, told  there: named, wrongly")
    with tempfile.TemporaryDirectory() as place:
        for n in given.drawn:
            (Path(place) / str(n)).mkdir()
        packs = [*given.packs, *(drawn(n, Path(place) / str(n)) for n in given.drawn)]
        for folder in packs:
            for side, t in measure(folder, given.every, given.seed):
                lacking, there = f"{t.lacking_named:14d} {t.lacking_told:6d}", f"{t.there_named:13d} {t.there_wrong:8d}"
                print(f"{folder.name:20s} {side:7s} {t.n:3d} {lacking} {there}", flush=True)


if __name__ == "__main__":
    main()
