"""Train the networks that find and name markers and tokens, and write them as ONNX (OUT/glance.onnx, numerals.onnx, upright.onnx):

    python -m vision.training.numerals OUT --fonts FOLDER

Draws its samples itself (seeded) from the folder's fonts; about forty minutes of a free core. Says how far it is and keeps it in
OUT/training.log. The shipped upright.onnx came from this state of it. numerals.onnx and glance.onnx came from an earlier one (317 faces,
no fruit, hands or corners of photos among what is no piece): trained anew they claim fewer tokens that are none, but read fewer markers.
Needs the packages of the `training` extra.
"""

import argparse
import logging
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from vision.markers import upright
from vision.markers.crops import CLASSES, CROP_PX, NONE, POSE, normalised
from vision.training.fitting import fit
from vision.training.fonts import Face, FontsError, read_faces
from vision.training.samples import draw_sample
from vision.training.upright import CROPS_A_PIECE, draw_uprights, upright_network

SEED = 20
LEARN, JUDGE = 34_000, 2_000
ROUNDS, GLANCE_ROUNDS = 14, 3
BATCH = 128
READ_LEARN, READ_ROUNDS = 48_000, 16
READ_DOUBT = 0.03                # of a reading, left to the other values: what is drawn is never quite what will be seen
LEAST_PX = 12                    # the fewest pixels of a camera that a reader's crop is made of
log = logging.getLogger(__name__)
Vary = Callable[[np.random.Generator, NDArray[np.uint8], NDArray[np.float32]], tuple[NDArray[np.float32], NDArray[np.float32]]]
Loss = Callable[[Tensor, Tensor, Tensor, Tensor], Tensor]


@dataclass(frozen=True)
class Samples:
    """Many samples side by side: crops (n, CROP_PX, CROP_PX, 3) uint8, the rest float32 (n, …) as in samples.Sample."""

    crops: NDArray[np.uint8]
    classes: NDArray[np.float32]
    pose: NDArray[np.float32]
    weights: NDArray[np.float32]     # (n, 2): posed, turned


def draw(count: int, faces: Sequence[Face], seed: int) -> Samples:
    """`count` samples; equal seeds and fonts give equal samples."""
    rng = np.random.default_rng(seed)
    drawn = [draw_sample(rng, faces) for _ in range(count)]
    return Samples(np.stack([s.crop for s in drawn]), np.stack([s.classes for s in drawn]), np.stack([s.pose for s in drawn]),
                   np.array([[s.posed, s.turned] for s in drawn], np.float32))


def draw_upright_samples(count: int, faces: Sequence[Face], seed: int) -> Samples:
    """`count` grey crops of numerals that stand upright, or do not."""
    rng = np.random.default_rng(seed)
    drawn = [crop for _ in range(count // CROPS_A_PIECE) for crop in draw_uprights(rng, faces)]
    crops, classes = zip(*drawn, strict=True)
    return Samples(np.stack(crops), np.stack(classes), np.zeros((len(drawn), POSE), np.float32), np.zeros((len(drawn), 2), np.float32))


def network() -> nn.Sequential:
    """(n, 3, CROP_PX, CROP_PX) normalised crops -> (n, CLASSES + POSE): logits, then the pose."""
    def block(before: int, after: int, kernel: int = 3, stride: int = 1) -> list[nn.Module]:
        return [nn.Conv2d(before, after, kernel, stride, kernel // 2, bias=False), nn.BatchNorm2d(after), nn.ReLU()]
    side = CROP_PX // 8
    return nn.Sequential(
        *block(3, 16, 5, 2), *block(16, 24), nn.MaxPool2d(2), *block(24, 32), *block(32, 48), nn.MaxPool2d(2),
        *block(48, 64), *block(64, 80), nn.Flatten(), nn.Dropout(0.1), nn.Linear(80 * side * side, 96), nn.ReLU(),
        nn.Linear(96, CLASSES + POSE))


def glance_network() -> nn.Sequential:
    """(n, 3, CROP_PX, CROP_PX) normalised crops -> (n, 1): the logit of there being any piece."""
    side = CROP_PX // 8
    return nn.Sequential(
        nn.AvgPool2d(2), nn.Conv2d(3, 12, 5, 2, 2), nn.ReLU(), nn.Conv2d(12, 24, 3, 1, 1), nn.ReLU(), nn.MaxPool2d(2),
        nn.Conv2d(24, 32, 3, 1, 1), nn.ReLU(), nn.Flatten(), nn.Linear(32 * side * side, 1))


def train(net: nn.Sequential, loss_of: Loss, samples: Samples, vary: Vary, *, rounds: int, fastest: float = 3e-3) -> nn.Sequential:
    """The network trained on the samples, each varied anew each round."""
    rng = np.random.default_rng(SEED)
    net = net.to(memory_format=torch.channels_last)

    def loss_on(pick: NDArray[np.intp]) -> Tensor:
        shown, pose = vary(rng, samples.crops[pick], samples.pose[pick])
        said = net(torch.from_numpy(shown).to(memory_format=torch.channels_last))
        return loss_of(said, torch.from_numpy(samples.classes[pick]), torch.from_numpy(pose), torch.from_numpy(samples.weights[pick]))

    return fit(net, len(samples.crops), loss_on, rng, rounds=rounds, batch=BATCH, fastest=fastest)


def turned_and_relit(rng: np.random.Generator, crops: NDArray[np.uint8],
                     pose: NDArray[np.float32]) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Crops, normalised, and poses in a random quarter turn and light."""
    crops, pose = _quarter_turned(crops, pose, int(rng.integers(4)))
    gain = rng.uniform(0.8, 1.2, (len(crops), 1, 1, 1)) * rng.uniform(0.92, 1.08, (len(crops), 1, 1, 3))
    return normalised(np.asarray(np.minimum(crops * gain.astype(np.float32), 255), np.uint8)), pose


def poorly_seen(rng: np.random.Generator, crops: NDArray[np.uint8],
                pose: NDArray[np.float32]) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Grey crops, normalised, half of them as a poor camera gives them, half (others) as negatives: pale ink on dark."""
    seen = np.stack([_by_a_poor_camera(rng, crop) if rng.random() < 0.5 else crop for crop in crops])
    return upright.normalised(seen) * rng.choice(np.array([-1, 1], np.float32), (len(crops), 1, 1, 1)), pose


def judge(net: nn.Module, shown: NDArray[np.float32], classes: NDArray[np.float32]) -> float:
    """The part of the crops named rightly (6 for 9 passes where nothing tells them apart)."""
    with torch.no_grad():
        said = torch.cat([net(torch.from_numpy(shown[i:i + 500])) for i in range(0, len(shown), 500)])
    named = said[:, :classes.shape[1]].argmax(1).numpy()
    return float((classes[np.arange(len(named)), named] > 0).mean())


def write_onnx(net: nn.Sequential, example: NDArray[np.float32], out: Path) -> None:
    """Write the network for OpenCV's dnn: input `crops`, output `said`, any number of crops at once."""
    torch.onnx.export(net, (torch.from_numpy(example),), str(out), input_names=["crops"], output_names=["said"], opset_version=17,
                      dynamo=False, dynamic_axes={"crops": {0: "n"}, "said": {0: "n"}})


def naming_loss(said: Tensor, classes: Tensor, pose: Tensor, weights: Tensor) -> Tensor:
    """What it is, and where in the crop, how large and how turned."""
    naming = -(classes * torch.log_softmax(said[:, :CLASSES], 1)).sum(1).mean()
    guess = said[:, CLASSES:]
    place = nn.functional.smooth_l1_loss(guess[:, [0, 1, 2, 5, 6]], pose[:, [0, 1, 2, 5, 6]], reduction="none", beta=0.05).mean(1)
    turn = (guess[:, 3:5] - pose[:, 3:5]).square().mean(1)
    return naming + (weights[:, 0] * place).mean() * 3 + (weights[:, 1] * turn).mean() * 0.3


def glance_loss(said: Tensor, classes: Tensor, pose: Tensor, weights: Tensor) -> Tensor:
    """Whether there is any piece."""
    return nn.functional.binary_cross_entropy_with_logits(said[:, 0], 1 - classes[:, NONE])


def reading_loss(said: Tensor, classes: Tensor, pose: Tensor, weights: Tensor) -> Tensor:
    """Which numeral stands upright."""
    doubted = classes * (1 - READ_DOUBT) + READ_DOUBT / classes.shape[1]
    return -(doubted * torch.log_softmax(said, 1)).sum(1).mean()


def _by_a_poor_camera(rng: np.random.Generator, crop: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """A grey crop of the same size in fewer pixels: light that spills over the ink, blur, noise, compression."""
    side = len(crop)
    light = crop.astype(np.float32) * np.float32(rng.uniform(1.1, 1.6) if rng.random() < 0.25 else 1.0)
    grain = int(rng.integers(LEAST_PX, side + 1))
    small = cv2.resize(light, (grain, grain), interpolation=cv2.INTER_AREA)
    if rng.random() < 0.4:
        small = cv2.GaussianBlur(small, (0, 0), rng.uniform(0.3, 0.8))
    small = small + np.float32(rng.uniform(0, 0.2) * small.std()) * rng.standard_normal(small.shape, np.float32)
    byte = np.clip(small, 0, 255).astype(np.uint8)
    if rng.random() < 0.4:
        file = cv2.imencode(".jpg", byte, [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(35, 90))])[1]
        byte = np.asarray(cv2.imdecode(file, cv2.IMREAD_GRAYSCALE), np.uint8)
    return np.asarray(cv2.resize(byte, (side, side), interpolation=cv2.INTER_LINEAR), np.uint8)


def _quarter_turned(crops: NDArray[np.uint8], pose: NDArray[np.float32], quarters: int) -> tuple[NDArray[np.uint8], NDArray[np.float32]]:
    """Crops and poses turned clockwise by quarters."""
    pose = pose.copy()
    for _ in range(quarters):
        for x, y in ((0, 1), (3, 4), (5, 6)):
            pose[:, x], pose[:, y] = -pose[:, y], pose[:, x].copy()
    return np.ascontiguousarray(np.rot90(crops, -quarters, (1, 2))), pose


def main() -> None:
    """Draw, train, judge on faces not trained on, write."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("out", type=Path, help="the folder to write to")
    parser.add_argument("--fonts", type=Path, required=True, help="a folder of .ttf and .otf files, 80 faces or more")
    a = parser.parse_args()
    cv2.setNumThreads(1)
    torch.set_num_threads(1)
    a.out.mkdir(parents=True, exist_ok=True)
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(message)s",
                        handlers=[logging.StreamHandler(sys.stdout), logging.FileHandler(a.out / "training.log", "w")])
    try:
        learn, kept = read_faces(a.fonts)
    except FontsError as e:
        parser.error(str(e))
    log.info("%d faces to learn from, %d of other families to judge by", len(learn), len(kept))
    make_reader(learn, kept, a.out)
    make_finders(learn, kept, a.out)


def make_reader(learn: Sequence[Face], kept: Sequence[Face], out: Path) -> None:
    """Draws and trains what reads upright numerals; writes OUT/upright.onnx."""
    torch.manual_seed(SEED)
    samples, kept_samples = draw_upright_samples(READ_LEARN, learn, SEED + 2), draw_upright_samples(JUDGE, kept, SEED + 3)
    log.info("%d numerals drawn", len(samples.crops))
    net = train(upright_network(), reading_loss, samples, poorly_seen, rounds=READ_ROUNDS, fastest=5e-3)
    shown = upright.normalised(kept_samples.crops)
    log.info("upright numerals read rightly on faces never seen: %.3f", judge(net, shown, kept_samples.classes))
    write_onnx(net, shown[:2], out / "upright.onnx")


def make_finders(learn: Sequence[Face], kept: Sequence[Face], out: Path) -> None:
    """Draws and trains what finds and names pieces; writes OUT/numerals.onnx and OUT/glance.onnx."""
    torch.manual_seed(SEED)
    samples, kept_samples = draw(LEARN, learn, SEED), draw(JUDGE, kept, SEED + 1)
    log.info("%d pieces drawn", len(samples.crops))
    shown = normalised(kept_samples.crops)
    net = train(network(), naming_loss, samples, turned_and_relit, rounds=ROUNDS)
    log.info("markers and tokens named rightly on faces never seen: %.3f", judge(net, shown, kept_samples.classes))
    write_onnx(net, shown[:2], out / "numerals.onnx")
    write_onnx(train(glance_network(), glance_loss, samples, turned_and_relit, rounds=GLANCE_ROUNDS), shown[:2], out / "glance.onnx")


if __name__ == "__main__":
    main()
