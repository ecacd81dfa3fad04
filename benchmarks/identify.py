"""Which photo is it? Every card of a pack, at several sizes, blurred and noisy: ours beside perceptual hashing and SIFT voting.

    python benchmarks/identify.py [PACK ...] [--mm 0.3 0.5 0.7] [--cards 40] [--peers 40] [--side colour] [--seed 1] [--matrix confused.csv]

Without a pack the sample deck. The queries come of the pack's own pictures, which flatters every way of telling; so each is another print
of its card (ink, paper and saturation differ, lines are fatter or thinner, the paper is bent), photographed as it lies on a table: at any
angle, by a camera that looks down at up to 30 degrees aslant, so far off that it sees `--mm` millimetres a pixel, softened by its lens,
in a lamp's light from one side with its haze over half of the shots, with the sensor's noise, the camera's sharpening and curve, and JPEG's
losses over the whole frame. The outline that is known of it is a millimetre off at each corner and begins with any corner. What such a shot
lacks (frames of whole tables have it): hands and other cards over it, burnt-out glare, worn edges, a printer's raster beside the pixels.
Ours names it as in a frame of a table. Perceptual hashing (the package imagehash, which only this needs) and SIFT voting get it cut out,
upright; they always name a card, so they have no `unsure`; `--peers` runs them on so many cards of each row (0: none). One table; under it
the pairs confused most; `--matrix` writes all that was confused with what.
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

from vision.cards.looks import ROOM_PX, cut, look, turns_of
from vision.cards.outlines import PX_PER_MM
from vision.cards.pack import BACK, FRONT, prints_of
from vision.cards.prints import identify
from vision.deck.deck import Deck, read_deck
from vision.deck.identify import look as look_at
from vision.deck.identify import name
from vision.deck.pack import Card, Pack, read_pack
from vision.geometry import Picture, Points, points, transform
from vision.observation import ASSERTED, Photo, Side, quad_of
from vision.pictures import read
from vision.table import Lens, Table
from vision.topview import View

try:
    import imagehash
    from PIL import Image
except ImportError:
    imagehash = None

AROUND = 1.3            # of the card's diagonal: the frame's side
DISTANCE_MM = 700.0     # of the camera
ASLANT_DEG = 30.0       # at most, from straight above
OFF_MM = 1.0            # an outline's corners, each way
FEATURES = 600          # of SIFT

Answer = tuple[str | None, float]   # who, and how sure


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


@dataclass(frozen=True)
class Shot:
    """A photograph of one card. `quad` (4, 2) mm: its outline from the picture's own top left, as a finder tells it."""

    view: View
    quad: Points
    turn: int            # quarters by which an outline's first corner is another one

    def outline(self) -> Points:
        """Not knowing which way up it lies."""
        return points(np.roll(self.quad, self.turn, axis=0))

    def upright(self, size_mm: tuple[float, float], mm: float) -> Picture:
        """Cut out, as large as the camera sees it."""
        return self.view.cut(self.quad, *(max(16, round(v / mm)) for v in size_mm))


def photographed(picture: Picture, size_mm: tuple[float, float], mm: float, rng: np.random.Generator) -> Shot:
    """The card on a table at any angle, seen by a camera with so many millimetres a pixel."""
    side = round(AROUND * float(np.hypot(*size_mm)) / mm)
    to_px = _camera(side, mm, rng)
    angle = rng.uniform(0, 2 * np.pi)
    turned = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    lies = points((np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * np.array(size_mm) / 2) @ turned.T)
    h, w = picture.shape[:2]
    soft = cv2.GaussianBlur(picture, (0, 0), 0.5 * max(mm * w / size_mm[0], 1.0))
    corners = np.array([[0, 0], [w, 0], [w, h], [0, h]], np.float32) - 0.5
    laid = cv2.getPerspectiveTransform(corners, (transform(to_px, lies) - 0.5).astype(np.float32))
    grain = rng.normal(110, 15, (side // 6 + 2, 3, 3)).astype(np.float32)
    wood = cv2.resize(grain, (side, side), interpolation=cv2.INTER_CUBIC)
    there = cv2.warpPerspective(np.ones((h, w), np.float32), laid, (side, side))[..., None]
    card = cv2.warpPerspective(soft.astype(np.float32), laid, (side, side), borderMode=cv2.BORDER_REPLICATE)
    frame = np.asarray(wood * (1 - there) + card * there, np.float64)
    lens = Lens((1000.0, 1000.0, side / 2, side / 2), (0.0, 0.0, 0.0, 0.0, 0.0))
    table = Table((side, side), lens, tuple(float(v) for v in np.linalg.inv(to_px).ravel()))
    quad = points(lies + rng.normal(0, OFF_MM, (4, 2)))
    square = abs(np.log(size_mm[0] / size_mm[1])) < 0.05
    return Shot(View(_developed(frame, rng), table), quad, int(rng.integers(4) if square else 2 * rng.integers(2)))


def _camera(side: int, mm: float, rng: np.random.Generator) -> NDArray[np.float64]:
    """(3, 3): table millimetres from the middle -> pixels of a frame of that side, of a camera that looks at the middle aslant."""
    tilt, round_about = np.radians(rng.uniform(0, ASLANT_DEG)), rng.uniform(0, 2 * np.pi)
    c, s = np.cos(round_about), np.sin(round_about)
    about = np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]])
    aslant = np.array([[1, 0, 0], [0, np.cos(tilt), 0], [0, np.sin(tilt), DISTANCE_MM]])
    focal = DISTANCE_MM / mm
    return np.asarray(np.array([[focal, 0, side / 2], [0, focal, side / 2], [0, 0, 1]]) @ aslant @ about, np.float64)


def _developed(frame: NDArray[np.float64], rng: np.random.Generator) -> Picture:
    """What the camera's lens, sensor and file make of the light: (h, w, 3), 0..255."""
    side = frame.shape[0]
    y, x = np.mgrid[0:side, 0:side] / side - 0.5
    way = rng.uniform(0, 2 * np.pi)
    low, high = rng.uniform(0.5, 0.95, 2)
    lamp = (low + high) / 2 + (high - low) * (x * np.cos(way) + y * np.sin(way))
    at, wide = rng.uniform(-0.3, 0.3, 2), rng.uniform(0.1, 0.3)
    haze = rng.choice([0.0, 1.0]) * rng.uniform(10, 70) * np.exp(-((x - at[0]) ** 2 + (y - at[1]) ** 2) / wide**2)
    light = cv2.GaussianBlur(frame * lamp[..., None] * rng.uniform(0.85, 1.0, 3) + haze[..., None], (0, 0), float(rng.uniform(0.5, 1.0)))
    grain = rng.uniform(2, 6)
    noisy = light + rng.normal(0, 1, light.shape) * grain * np.sqrt(0.4 + np.clip(light, 0, 255) / 200)
    sharp = noisy + rng.uniform(0, 0.6) * (noisy - cv2.GaussianBlur(noisy, (0, 0), 1.2))
    seen = 255 * (np.clip(sharp + 8, 0, 255) / 255) ** rng.uniform(0.85, 1.15)
    _, data = cv2.imencode(".jpg", seen.astype(np.uint8), [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(72, 94))])
    return np.asarray(cv2.imdecode(data, cv2.IMREAD_COLOR), np.uint8)


def ours(deck: Deck, side: Side) -> Callable[[Shot], Answer]:
    """By the places that vary."""

    def tell(shot: Shot) -> Answer:
        photo = Photo(quad=quad_of(shot.outline()), side=side, sure={"found": 0.99, "side": 0.99})
        (named,) = name([[look_at(shot.view, photo, deck)]], deck)
        return named.id, named.sure

    return tell


def by_prints(pack: Pack, side: Side, size_mm: tuple[float, float]) -> Callable[[Shot], Answer]:
    """Object cards and tiles, by what sets them apart from their fellows."""
    prints = prints_of(pack)
    assert prints is not None
    wanted = FRONT if side == "colour" else BACK

    def tell(shot: Shot) -> Answer:
        (match,) = identify(prints, *look([cut(shot.view.top(PX_PER_MM), shot.outline(), room=ROOM_PX)]), turns_of(size_mm))
        return (match.label[1] if match.label[0] == wanted else None), match.sure

    return tell


def hashing(cards: Sequence[Card], pictures: Sequence[Picture]) -> Callable[[Picture], Answer] | None:
    """By the nearest perceptual hash of 256 bits."""
    if imagehash is None:
        return None

    def of(picture: Picture) -> NDArray[np.bool_]:
        return np.asarray(imagehash.phash(Image.fromarray(cv2.cvtColor(picture, cv2.COLOR_BGR2RGB)), hash_size=16).hash).ravel()

    known = np.stack([of(p) for p in pictures])
    return lambda seen: (cards[int((known != of(seen)).sum(1).argmin())].id, 1.0)


def voting(cards: Sequence[Card], pictures: Sequence[Picture], longer: int) -> Callable[[Picture], Answer]:
    """Each SIFT feature votes for the card with the likest one (root descriptors, all cards at the size of the picture)."""
    sift = cv2.SIFT.create(nfeatures=FEATURES)

    def of(picture: Picture) -> NDArray[np.float32]:
        _, found = sift.detectAndCompute(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), None)
        found = np.zeros((1, 128), np.float32) if found is None else found
        return np.sqrt(found / np.maximum(found.sum(1, keepdims=True), 1e-9))

    each = [of(cv2.resize(p, None, fx=longer / max(p.shape), fy=longer / max(p.shape), interpolation=cv2.INTER_AREA)) for p in pictures]
    owner = np.concatenate([np.full(len(d), n) for n, d in enumerate(each)])
    known = np.concatenate(each)
    return lambda seen: (cards[int(np.bincount(owner[(of(seen) @ known.T).argmax(1)], minlength=len(cards)).argmax())].id, 1.0)


def measure(folder: Path, sizes: Sequence[float], sides: Sequence[Side], most: int, peers: int, seed: int) -> list[str]:
    """Prints the rows of one pack; all that was confused, as lines of CSV."""
    lines: list[str] = []
    pack = read_pack(folder)
    deck = read_deck(pack, say=print) if pack.game == "sherlook" else None
    sides = sides if pack.game == "sherlook" else ["colour"]  # the backs of other cards are alike
    size_mm = pack.size_mm or (120.0, 80.0)
    for side in sides:
        cards = [c for c in pack.cards if (c.front if side == "colour" else c.back) is not None]
        pictures = [read(c.front if side == "colour" else c.back) for c in cards]  # type: ignore[arg-type]
        own = ours(deck, side) if deck is not None else by_prints(pack, side, size_mm)
        for mm in sizes:
            ways = {"imagehash": hashing(cards, pictures), "SIFT": voting(cards, pictures, round(max(size_mm) / mm))} if peers else {}
            tallies = {way: Tally() for way in ("ours", *(way for way, tell in ways.items() if tell is not None))}
            rng = np.random.default_rng(seed)
            for k, n in enumerate(rng.permutation(len(cards))[:most]):
                shot = photographed(printed_anew(pictures[n], rng), size_mm, mm, rng)
                upright = shot.upright(size_mm, mm)
                for way, tally in tallies.items():
                    if way != "ours" and k >= peers:
                        continue
                    begin = time.process_time()
                    said, sure = own(shot) if way == "ours" else ways[way](upright)
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
    ask.add_argument("--peers", type=int, default=40)
    ask.add_argument("--seed", type=int, default=1)
    ask.add_argument("--matrix", type=Path)
    given = ask.parse_args()
    if not given.packs:
        from sample_frames.deck import load

        given.packs = [load().folder]
    if imagehash is None and given.peers:
        print("imagehash is not installed, so its rows are left out: pip install imagehash")
    print(f"{'pack':20s} {'side':7s} {'mm':>4s} {'way':10s} {'n':>3s} right %  unsure %  wrong and sure  CPU ms")
    sides: list[Side] = [given.side] if given.side else ["colour", "back"]
    lines = [line for folder in given.packs for line in measure(folder, given.mm, sides, given.cards, given.peers, given.seed)]
    if given.matrix is not None:
        given.matrix.write_text("\n".join(["pack,side,mm,way,true,said,times", *lines]) + "\n")


if __name__ == "__main__":
    main()
