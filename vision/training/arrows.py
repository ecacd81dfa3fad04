"""Train the network that reads arrow and number on a card's side, and write it as ONNX (OUT/arrows.onnx):

    python -m vision.training.arrows OUT --fonts FOLDER

Draws its samples itself (seeded) from the folder's fonts; about a quarter of an hour of a free core. Needs the packages of the
`training` extra.
"""

import argparse
import logging
import sys
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from vision.circle.bands import DEPTH_PX, NUMBER, PRESENT, RIGHT, SAYS, SIDE_PX, normalised
from vision.training.arrow_cards import draw_bands
from vision.training.fitting import fit
from vision.training.fonts import Face, FontsError, read_faces
from vision.training.numerals import write_onnx

SEED = 31
LEARN, JUDGE = 9_000, 800      # cards, two bands each
ROUNDS = 12
BATCH = 128
FASTEST = 3e-3
SHIFT_PX = 2
log = logging.getLogger(__name__)


def draw(cards: int, faces: Sequence[Face], seed: int) -> tuple[NDArray[np.uint8], NDArray[np.int64]]:
    """Bands (n, DEPTH_PX, SIDE_PX, 3) and what they show (n, 2): steps (0: no arrow) and whether the arrow points right."""
    rng = np.random.default_rng(seed)
    drawn = [band for _ in range(cards) for band in draw_bands(rng, faces)]
    return np.stack([b.shown for b in drawn]), np.array([[b.steps, b.right] for b in drawn], np.int64)


def network() -> nn.Sequential:
    """(n, 3, DEPTH_PX, SIDE_PX) normalised bands -> (n, SAYS) logits."""
    def block(before: int, after: int, kernel: int = 3, stride: int = 1) -> list[nn.Module]:
        return [nn.Conv2d(before, after, kernel, stride, kernel // 2, bias=False), nn.BatchNorm2d(after), nn.ReLU()]
    cells = (DEPTH_PX + 7) // 8 * (SIDE_PX // 8)
    return nn.Sequential(
        *block(3, 16, 5, 2), *block(16, 24), nn.MaxPool2d(2, ceil_mode=True), *block(24, 40), *block(40, 40),
        nn.MaxPool2d(2, ceil_mode=True), *block(40, 64), nn.Flatten(), nn.Dropout(0.15), nn.Linear(64 * cells, 96), nn.ReLU(),
        nn.Linear(96, SAYS))


def loss_of(said: Tensor, truth: Tensor) -> Tensor:
    """Whether an arrow is there; and where one is, its way and its number."""
    there = truth[:, 0] > 0
    lost = nn.functional.binary_cross_entropy_with_logits(said[:, PRESENT], there.float())
    if there.any():
        lost = lost + nn.functional.binary_cross_entropy_with_logits(said[there, RIGHT], truth[there, 1].float())
        lost = lost + nn.functional.cross_entropy(said[there, NUMBER:], truth[there, 0] - 1, label_smoothing=0.02)
    return lost


def varied(rng: np.random.Generator, shown: NDArray[np.uint8]) -> NDArray[np.float32]:
    """Bands, normalised, a little shifted and in another light."""
    dx, dy = rng.integers(-SHIFT_PX, SHIFT_PX + 1, 2)
    moved = np.roll(shown, (int(dy), int(dx)), (1, 2))
    gain = rng.uniform(0.8, 1.2, (len(shown), 1, 1, 1)) * rng.uniform(0.9, 1.1, (len(shown), 1, 1, 3))
    return normalised(np.asarray(np.minimum(moved * gain.astype(np.float32), 255), np.uint8))


def train(shown: NDArray[np.uint8], truth: NDArray[np.int64]) -> nn.Sequential:
    """The network trained on the bands, each varied anew each round."""
    torch.manual_seed(SEED)
    rng = np.random.default_rng(SEED)
    net = network().to(memory_format=torch.channels_last)

    def loss_on(pick: NDArray[np.intp]) -> Tensor:
        said = net(torch.from_numpy(varied(rng, shown[pick])).to(memory_format=torch.channels_last))
        return loss_of(said, torch.from_numpy(truth[pick]))

    return fit(net, len(shown), loss_on, rng, rounds=ROUNDS, batch=BATCH, fastest=FASTEST)


def judge(net: nn.Sequential, shown: NDArray[np.uint8], truth: NDArray[np.int64]) -> str:
    """How often it is right on bands that it never saw."""
    with torch.no_grad():
        said = np.concatenate([net(torch.from_numpy(normalised(shown[i : i + BATCH]))).numpy() for i in range(0, len(shown), BATCH)])
    there = truth[:, 0] > 0
    found = ((said[:, PRESENT] > 0) == there).mean()
    way = ((said[there, RIGHT] > 0) == truth[there, 1].astype(bool)).mean()
    number = (said[there, NUMBER:].argmax(1) + 1 == truth[there, 0]).mean()
    return f"on {len(shown)} bands in fonts not learnt: an arrow there or not {found:.3f}; its way {way:.3f}, its number {number:.3f}"


def main(arguments: Sequence[str] | None = None) -> int:
    """The command; 0 done, 2 could not do it."""
    ask = argparse.ArgumentParser(prog="python -m vision.training.arrows", description=(__doc__ or "").split("\n")[0])
    ask.add_argument("out", type=Path, help="the folder for arrows.onnx")
    ask.add_argument("--fonts", type=Path, required=True, help="a folder with .ttf and .otf files")
    options = ask.parse_args(arguments)
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(message)s")
    try:
        learn, check = read_faces(options.fonts)
    except FontsError as e:
        print(e, file=sys.stderr)
        return 2
    options.out.mkdir(parents=True, exist_ok=True)
    shown, truth = draw(LEARN, learn, SEED)
    log.info("%d bands drawn from %d faces", len(shown), len(learn))
    net = train(shown, truth)
    log.info(judge(net, *draw(JUDGE, check, SEED + 1)))
    write_onnx(net, normalised(shown[:1]), options.out / "arrows.onnx")
    return 0


if __name__ == "__main__":
    sys.exit(main())
