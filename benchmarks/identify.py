"""Which photo is it? Every card of a pack, at several sizes, blurred and noisy: ours beside perceptual hashing and SIFT voting.

    python benchmarks/identify.py [PACK ...] [--mm 0.3 0.5 0.7] [--cards 40] [--side colour] [--seed 1] [--matrix confused.csv]

Without a pack the sample deck. Each picture is another print of the card (ink, paper and saturation differ, the paper is bent), made as
small as the camera sees it (`--mm`: millimetres a pixel), softened, under another lamp, with sensor noise and JPEG's, its corners a
millimetre off, either way up. Perceptual hashing (the package imagehash, which only this needs) and SIFT voting get it upright; they always
name a card, so they have no `unsure`. One table; under it the pairs confused most; `--matrix` writes all that was confused with what.
"""

import argparse
import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.cards.looks import EDGE, LOOK_PX, ROOM_PX, look
from vision.cards.pack import BACK, FRONT, prints_of
from vision.cards.prints import identify
from vision.deck.deck import Deck, read_deck
from vision.deck.identify import Look, name
from vision.deck.pack import Card, Pack, read_pack
from vision.geometry import Picture, points
from vision.observation import ASSERTED, Side
from vision.pictures import read

try:
    import imagehash
    from PIL import Image
except ImportError:
    imagehash = None

ROOM = 1.08
FEATURES = 600


@dataclass
class Tally:
    """Answers of one way of telling."""

    right: int = 0
    unsure: int = 0
    wrong_and_sure: int = 0
    n: int = 0
    ms: list[float] = field(default_factory=list)
    confused: Counter[tuple[str, str]] = field(default_factory=Counter)

    def take(self, truth: str, said: str | None, sure: float, ms: float) -> None:
        self.n += 1
        self.ms.append(ms)
        self.right += said == truth
        self.unsure += sure < ASSERTED
        self.wrong_and_sure += said != truth and sure >= ASSERTED
        if said is not None and said != truth:
            self.confused[truth, said] += 1

    def row(self) -> str:
        return f"{100 * self.right / self.n:7.1f} {100 * self.unsure / self.n:8.1f} {self.wrong_and_sure:14d} {np.median(self.ms):9.1f}"


def printed_anew(picture: Picture, rng: np.random.Generator) -> Picture:
    """Another print of a card: paper and ink of another tone, colours stronger or weaker, lines fatter or thinner, the paper bent."""
    h, w = picture.shape[:2]
    grey = picture.mean(2, keepdims=True)
    ink = 255 * (np.clip(grey + (picture - grey) * rng.uniform(0.75, 1.15), 0, 255) / 255) ** rng.uniform(0.85, 1.2)
    fat = cv2.GaussianBlur(ink, (0, 0), w / 800)
    ink = np.clip(ink + (fat - ink) * rng.uniform(-0.4, 0.8), 0, 255) * rng.uniform(0.93, 1.0, 3)
    bend = cv2.resize(rng.normal(0, 0.003 * w, (3, 4, 2)).astype(np.float32), (w, h), interpolation=cv2.INTER_CUBIC)
    x, y = np.meshgrid(np.arange(w, dtype=np.float32), np.arange(h, dtype=np.float32))
    laid = cv2.remap(ink.astype(np.float32), x + bend[..., 0], y + bend[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(np.clip(laid, 0, 255), np.uint8)


def seen(picture: Picture, size_mm: tuple[float, float], mm: float, rng: np.random.Generator) -> Picture:
    """The picture as a camera with so many millimetres a pixel sees it, ROOM times as large, its corners 1 mm off, upright."""
    w, h = (max(16, round(v / mm * ROOM)) for v in size_mm)
    quad = (points([[0, 0], [size_mm[0], 0], size_mm, [0, size_mm[1]]]) - np.array(size_mm) / 2) + np.array(size_mm) * ROOM / 2
    quad = (quad + rng.normal(0, 1.0, (4, 2))) / mm
    k = mm * picture.shape[1] / size_mm[0]
    soft = cv2.GaussianBlur(picture, (0, 0), 0.5 * max(k, 1.0))
    ph, pw = picture.shape[:2]
    m = cv2.getPerspectiveTransform(np.array([[0, 0], [pw, 0], [pw, ph], [0, ph]], np.float32) - 0.5, quad.astype(np.float32) - 0.5)
    cut = cv2.warpPerspective(soft, m, (w, h), borderMode=cv2.BORDER_CONSTANT, borderValue=(70, 90, 80)).astype(np.float32)
    cut = cv2.GaussianBlur(cut, (0, 0), float(rng.uniform(0.5, 1.0)))
    lamp = np.linspace(*rng.uniform(0.55, 0.95, 2), w)[None, :, None] * rng.uniform(0.85, 1.0, 3)
    noisy = np.clip(cut * lamp + 10 + rng.normal(0, rng.uniform(2, 6), cut.shape), 0, 255).astype(np.uint8)
    _, data = cv2.imencode(".jpg", noisy, [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(75, 95))])
    return np.asarray(cv2.imdecode(data, cv2.IMREAD_COLOR), np.uint8)


def ours(deck: Deck, side: Side) -> Callable[[Picture], tuple[str | None, float]]:
    """By the places that vary."""
    decoder = deck.decoders[side]

    def tell(cut: Picture) -> tuple[str | None, float]:
        longer = max(cut.shape[:2]) / ROOM
        square = abs(np.log(cut.shape[0] / cut.shape[1])) < 0.05
        evidence = decoder.read(cut, longer_px=longer, turns=range(4) if square else (0, 2), begin=np.diag([1 / ROOM, 1 / ROOM, 1.0]))
        (named,) = name([[Look(side, evidence, points(np.zeros((4, 2))))]], deck)
        return named.id, named.sure

    return tell


def by_prints(pack: Pack, side: Side) -> Callable[[Picture], tuple[str | None, float]]:
    """Object cards and tiles, by what sets them apart from their fellows."""
    prints = prints_of(pack)
    assert prints is not None
    wanted = FRONT if side == "colour" else BACK

    def tell(cut: Picture) -> tuple[str | None, float]:
        wide = LOOK_PX + 2 * ROOM_PX
        h, w = cut.shape[:2]
        part = LOOK_PX / (1 - 2 * EDGE) * ROOM / wide  # of the cut's pixels: as a card is cut out of a frame
        size = (round(w / part), round(h / part))
        middle = cv2.getRectSubPix(cut, size, ((w - 1) / 2, (h - 1) / 2))
        (match,) = identify(prints, *look([cv2.resize(middle, (wide, wide), interpolation=cv2.INTER_AREA)]), range(4))
        return (match.label[1] if match.label[0] == wanted else None), match.sure

    return tell


def hashing(cards: Sequence[Card], pictures: Sequence[Picture]) -> Callable[[Picture], tuple[str | None, float]] | None:
    """By the nearest perceptual hash of 256 bits."""
    if imagehash is None:
        return None

    def of(picture: Picture) -> NDArray[np.bool_]:
        return np.asarray(imagehash.phash(Image.fromarray(cv2.cvtColor(picture, cv2.COLOR_BGR2RGB)), hash_size=16).hash).ravel()

    known = np.stack([of(p) for p in pictures])
    return lambda cut: (cards[int((known != of(_inner(cut))).sum(1).argmin())].id, 1.0)


def voting(cards: Sequence[Card], pictures: Sequence[Picture], longer: int) -> Callable[[Picture], tuple[str | None, float]]:
    """Each SIFT feature votes for the card with the likest one (root descriptors, all cards at the size of the picture)."""
    sift = cv2.SIFT.create(nfeatures=FEATURES)

    def of(picture: Picture) -> NDArray[np.float32]:
        _, found = sift.detectAndCompute(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), None)
        found = np.zeros((1, 128), np.float32) if found is None else found
        return np.sqrt(found / np.maximum(found.sum(1, keepdims=True), 1e-9))

    each = [of(cv2.resize(p, None, fx=longer / max(p.shape), fy=longer / max(p.shape), interpolation=cv2.INTER_AREA)) for p in pictures]
    owner = np.concatenate([np.full(len(d), n) for n, d in enumerate(each)])
    known = np.concatenate(each)
    return lambda cut: (cards[int(np.bincount(owner[(of(_inner(cut)) @ known.T).argmax(1)], minlength=len(cards)).argmax())].id, 1.0)


def _inner(cut: Picture) -> Picture:
    h, w = cut.shape[:2]
    x, y = round(w * (1 - 1 / ROOM) / 2), round(h * (1 - 1 / ROOM) / 2)
    return cut[y : h - y, x : w - x]


def measure(folder: Path, sizes: Sequence[float], sides: Sequence[Side], most: int, seed: int) -> list[str]:
    """Prints the rows of one pack; all that was confused, as lines of CSV."""
    lines: list[str] = []
    pack = read_pack(folder)
    deck = read_deck(pack, say=print) if pack.game == "sherlook" else None
    sides = sides if pack.game == "sherlook" else ["colour"]  # the backs of other cards are alike
    size_mm = pack.size_mm or (120.0, 80.0)
    for side in sides:
        cards = [c for c in pack.cards if (c.front if side == "colour" else c.back) is not None]
        pictures = [read(c.front if side == "colour" else c.back) for c in cards]  # type: ignore[arg-type]
        for mm in sizes:
            votes = voting(cards, pictures, round(max(size_mm) / mm))
            own = ours(deck, side) if deck is not None else by_prints(pack, side)
            ways = {"ours": own, "imagehash": hashing(cards, pictures), "SIFT": votes}
            tallies = {way: Tally() for way, tell in ways.items() if tell is not None}
            rng = np.random.default_rng(seed)
            for n in rng.permutation(len(cards))[:most]:
                upright = seen(printed_anew(pictures[n], rng), size_mm, mm, rng)
                turned = np.ascontiguousarray(np.rot90(upright, 2)) if rng.random() < 0.5 else upright
                for way, tally in tallies.items():
                    tell = ways[way]
                    assert tell is not None
                    begin = time.process_time()
                    said, sure = tell(turned if way == "ours" else upright)
                    tally.take(cards[n].id, said, sure, 1000 * (time.process_time() - begin))
            for way, tally in tallies.items():
                print(f"{pack.name:20s} {side:7s} {mm:4.1f} {way:10s} {tally.n:3d} {tally.row()}", flush=True)
                lines += [f"{pack.name},{side},{mm},{way},{a},{b},{k}" for (a, b), k in sorted(tally.confused.items())]
            worst = [f"{a} for {b} ({k})" for (b, a), k in tallies["ours"].confused.most_common(4)]
            if worst:
                print(f"{'':20s} ours said {', '.join(worst)}")
    return lines


def main() -> None:
    ask = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    ask.add_argument("packs", nargs="*", type=Path)
    ask.add_argument("--mm", nargs="+", type=float, default=[0.3, 0.5, 0.7])
    ask.add_argument("--side", choices=["colour", "back"])
    ask.add_argument("--cards", type=int, default=40)
    ask.add_argument("--seed", type=int, default=1)
    ask.add_argument("--matrix", type=Path)
    given = ask.parse_args()
    if not given.packs:
        from sample_frames.deck import load

        given.packs = [load().folder]
    if imagehash is None:
        print("imagehash is not installed, so its rows are left out: pip install imagehash")
    print(f"{'pack':20s} {'side':7s} {'mm':>4s} {'way':10s} {'n':>3s} right %  unsure %  wrong and sure  CPU ms")
    sides: list[Side] = [given.side] if given.side else ["colour", "back"]
    lines = [line for folder in given.packs for line in measure(folder, given.mm, sides, given.cards, given.seed)]
    if given.matrix is not None:
        given.matrix.write_text("\n".join(["pack,side,mm,way,true,said,times", *lines]) + "\n")


if __name__ == "__main__":
    main()
