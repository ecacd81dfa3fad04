"""What pairs are drawn from, parted once and for all: most sprites and photographs train the map, others fit the judge, others measure.

    python -m vision.training.differences_sources --font NotoColorEmoji.ttf --sprites DIR --photographs DIR --into SOURCES

Those of the shipped weights come from packages of Debian 12, unpacked with `dpkg-deb -x`: the font from fonts-noto-color-emoji; sprites
from tuxpaint-stamps-default and openclipart-png; photographs and paintings from gnome-backgrounds, lomiri-wallpapers-16.04 and -20.04,
mate-backgrounds, palapeli-data, plasma-workspace-wallpapers, tuxpaint-data (starters, templates) and ukui-wallpapers, and those in the
folder data of scikit-image 0.26. All are read in the order of their names.
"""

import argparse
from collections.abc import Callable
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.geometry import Picture
from vision.training.differences_scenes import Sources, cut_outs, emoji

KINDS = ("sprite", "photograph")
PARTS = ("train", "train", "train", "judge", "measure")  # whose the first, second, ... of every five is
LEAST_PX = 150
DULL = 15.0  # levels: the spread of a picture that shows next to nothing
SAME = 0.97  # correlation of two pictures' small copies: one picture in two sizes
LARGEST_PX = 1600
ENDINGS = (".jpg", ".jpeg", ".png", ".webp")


def gathered(folder: Path, part: str) -> Sources:
    """What "train", "judge" or "measure" may use of what was gathered."""
    with np.load(folder / f"{part}.npz") as kept:
        return Sources(*(tuple(kept[name] for name in kept.files if name.startswith(kind)) for kind in KINDS))


def gather(font: Path, sprites: Path, photographs: Path, into: Path) -> None:
    """Parts a bitmap colour emoji font, a folder of cut-out things and one of photographs, and keeps each part in a file of its own."""
    everything = dict(zip(KINDS, (emoji(font) + cut_outs(sprites), _pictures(photographs)), strict=True))
    into.mkdir(parents=True, exist_ok=True)
    for part in sorted(set(PARTS)):
        mine = {f"{kind}{k}": p for kind, found in everything.items() for k, p in enumerate(found) if PARTS[k % len(PARTS)] == part}
        np.savez(into / f"{part}.npz", **mine)  # type: ignore[arg-type]
        print(part, *(f"{sum(name.startswith(kind) for name in mine)} {kind}s" for kind in KINDS))


def _pictures(folder: Path) -> list[Picture]:
    """Every picture below the folder, once."""
    out: list[Picture] = []
    small: list[NDArray[np.float32]] = []
    for path in sorted(p for p in folder.rglob("*") if p.suffix.lower() in ENDINGS):
        picture = cv2.imread(str(path), cv2.IMREAD_REDUCED_COLOR_2)
        if picture is None or min(picture.shape[:2]) < LEAST_PX or picture.std() < DULL:
            continue
        k = min(1.0, LARGEST_PX / max(picture.shape[:2]))
        if k < 1:
            picture = cv2.resize(picture, None, fx=k, fy=k, interpolation=cv2.INTER_AREA)
        tiny = cv2.resize(picture, (12, 12), interpolation=cv2.INTER_AREA).astype(np.float32).ravel()
        tiny = (tiny - tiny.mean()) / (np.linalg.norm(tiny - tiny.mean()) + 1)
        if all(float(tiny @ other) < SAME for other in small):
            out.append(np.asarray(picture, np.uint8))
            small.append(tiny)
    return out


def training_arguments(about: str, weights: Path) -> argparse.ArgumentParser:
    """The arguments of a training that draws its pairs ahead."""
    ask = argparse.ArgumentParser(description=about)
    ask.add_argument("--sources", type=Path, help="what differences_sources gathered")
    ask.add_argument("--cache", type=Path, required=True)
    ask.add_argument("--draw", action="store_true", help="draw pairs, train nothing")
    ask.add_argument("--pairs", type=int, default=2000)
    ask.add_argument("--first", type=int, default=0, help="seed of the first pair")
    ask.add_argument("--minutes", type=float, default=30.0, help="CPU minutes to train in this run")
    ask.add_argument("--seed", type=int, default=1)
    ask.add_argument("--weights", type=Path, default=weights)
    return ask


def drawn_ahead(given: argparse.Namespace, draw: Callable[[int, Sources, Path], None], *, seeds_from: int = 0) -> bool:
    """Draws the pairs that were asked for into the cache; whether any were."""
    cv2.setNumThreads(1)
    given.cache.mkdir(parents=True, exist_ok=True)
    if given.draw:
        from_ = gathered(given.sources, "train")
        for seed in range(seeds_from + given.first, seeds_from + given.first + given.pairs):
            draw(seed, from_, given.cache)
    return bool(given.draw)


def main() -> None:
    ask = argparse.ArgumentParser(description=__doc__)
    for name in ("--font", "--sprites", "--photographs", "--into"):
        ask.add_argument(name, type=Path, required=True)
    given = ask.parse_args()
    gather(given.font, given.sprites, given.photographs, given.into)


if __name__ == "__main__":
    main()
