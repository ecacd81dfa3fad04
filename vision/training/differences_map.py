"""Trains the difference map: a small U-Net that looks at the cues of two laid pictures and marks what differs.

    python -m vision.training.differences_map --font NotoColorEmoji.ttf --photographs DIR --cache CACHE --pairs 1400 --minutes 20

The training pairs are drawn by `differences_pairs` (seeds 0 ..) and kept in CACHE; the run can be broken off
and continued. Needs torch and onnx.
"""

import argparse
import time
from concurrent.futures import ProcessPoolExecutor
from itertools import pairwise
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn
from torch.nn import functional

from vision.differences.maps import CHANNELS, CUES, STRIDE, cues
from vision.training.differences_pairs import draw_pair
from vision.training.differences_sources import sources

WEIGHTS = Path(__file__).parent.parent / "weights" / "differences.onnx"
CROP = 256
BATCH = 8
RATE = 2e-3
KEPT_EVERY = 150  # steps
WIDE = (24, 40, 64, 96)  # channels at 1, 2, 4, 8 cells
LOSS_WEIGHT = (1.0, 0.3, 0.5, 0.5, 0.3)


class DifferenceMap(nn.Module):  # type: ignore[misc]
    """(n, CUES, h, w) -> (n, len(CHANNELS), h, w) logits; h and w in cells."""

    def __init__(self) -> None:
        super().__init__()
        self.down = nn.ModuleList([nn.Conv2d(CUES, WIDE[0], 3, 1, 1), *(nn.Conv2d(i, o, 3, 2, 1) for i, o in pairwise(WIDE))])
        self.same = nn.ModuleList(nn.Conv2d(o, o, 3, 1, 1) for o in WIDE)
        self.narrow = nn.ModuleList(nn.Conv2d(o, i, 1) for i, o in pairwise(WIDE))
        self.up = nn.ModuleList(nn.Conv2d(i, i, 3, 1, 1) for i in WIDE[:-1])
        self.out = nn.Conv2d(WIDE[0], len(CHANNELS), 1)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        levels = []
        for down, same in zip(self.down, self.same, strict=True):
            x = torch.relu(down(x))
            x = torch.relu(same(x)) + x
            levels.append(x)
        for k in reversed(range(len(WIDE) - 1)):
            x = functional.interpolate(self.narrow[k](x), scale_factor=2.0, mode="nearest") + levels[k]
            x = torch.relu(self.up[k](x)) + x
        out: torch.Tensor = self.out(x)
        return out


def _draw(job: tuple[int, Path, Path | None, Path | None]) -> None:
    seed, cache, font, photographs = job
    cv2.setNumThreads(1)
    path = cache / f"{seed:06d}.npz"
    if path.exists():
        return
    pair = draw_pair(seed, sources(font, photographs))
    bits = np.stack([pair.changed, pair.inside, pair.rings_a, pair.rings_b, pair.unseen, pair.ignore])
    packed = np.zeros(bits.shape[1:], np.uint8)
    for k, mask in enumerate(bits):
        packed |= (mask << k).astype(np.uint8)
    np.savez(path, a=pair.a, b=pair.b, truth=packed)


def _crop(rng: np.random.Generator, data: tuple[NDArray[Any], NDArray[Any], NDArray[Any]]) -> tuple[NDArray[Any], NDArray[Any]]:
    """One training example: its cues and its truth bits (CROP, CROP)."""
    a, b = data[0], data[1]
    truth: Any = data[2]
    k = float(rng.choice([1.0, 1.0, rng.uniform(0.7, 1.3)]))
    side = min(round(CROP / k), *truth.shape)
    y, x = (int(rng.integers(0, n - side + 1)) for n in truth.shape)
    if rng.random() < 0.6:  # mostly where something is
        ys, xs = np.nonzero(truth & 0b1101)
        if len(ys):
            pick = int(rng.integers(len(ys)))
            y = int(np.clip(ys[pick] - rng.integers(0, side), 0, truth.shape[0] - side))
            x = int(np.clip(xs[pick] - rng.integers(0, side), 0, truth.shape[1] - side))
    cut = (slice(y, y + side), slice(x, x + side))
    a, b, truth = a[cut], b[cut], truth[cut]
    if rng.random() < 0.5:
        a, b = b, a
        truth = (truth & 0b110011) | ((truth & 0b0100) << 1) | ((truth & 0b1000) >> 1)
    if rng.random() < 0.3:
        order = rng.permutation(3)
        a, b = a[..., order], b[..., order]
    if rng.random() < 0.1:
        a, b = 255 - a, 255 - b
    turn, flip = int(rng.integers(4)), bool(rng.random() < 0.5)
    a, b, truth = (np.rot90(v[:, ::-1] if flip else v, turn) for v in (a, b, truth))
    if side != CROP:
        a, b = (
            cv2.resize(np.ascontiguousarray(v), (CROP, CROP), interpolation=cv2.INTER_AREA if k < 1 else cv2.INTER_LINEAR) for v in (a, b)
        )
        truth = cv2.resize(np.ascontiguousarray(truth), (CROP, CROP), interpolation=cv2.INTER_NEAREST)
    a, b = (_other_shot(rng, v) for v in (a, b))
    inside = (truth & 2) > 0
    return cues(
        np.ascontiguousarray(a), np.ascontiguousarray(b), inside if inside.mean() > 0.2 else np.ones_like(inside)
    ), np.ascontiguousarray(truth)


def _other_shot(rng: np.random.Generator, picture: NDArray[Any]) -> NDArray[Any]:
    """One side once more under another light, with other noise, blurred or shifted a little: many examples from one drawn pair."""
    if rng.random() < 0.4:
        return picture
    light: NDArray[Any] = picture.astype(np.float32)
    if rng.random() < 0.5:
        light = 255 * (light / 255) ** float(np.exp(rng.normal(0, 0.25)))
    light = light * rng.uniform(0.7, 1.15, 3).astype(np.float32) + np.float32(rng.uniform(-15, 25))
    if rng.random() < 0.3:
        light = cv2.GaussianBlur(light, (0, 0), float(rng.uniform(0.4, 1.8)))
    if rng.random() < 0.4:
        light += rng.normal(0, rng.uniform(1, 8), light.shape[:2]).astype(np.float32)[..., None]
    if rng.random() < 0.3:
        shift = np.array([[1, 0, rng.normal(0, 0.7)], [0, 1, rng.normal(0, 0.7)]])
        light = cv2.warpAffine(light, shift, (CROP, CROP), borderMode=cv2.BORDER_REFLECT)
    return np.clip(light, 0, 255).astype(np.uint8)


def loss_of(logits: torch.Tensor, truth: torch.Tensor) -> torch.Tensor:
    """Cross-entropy with a dice term for each channel; ignored pixels cost nothing, and outside the print only `inside` is asked."""
    bits = torch.stack([(truth >> k) & 1 for k in range(6)], 1).float()
    small = functional.avg_pool2d(bits, STRIDE)
    target, ignore, inside = (small[:, :5] > 0.4).float(), small[:, 5] > 0.1, small[:, 1] > 0.5
    total = torch.zeros(())
    for k, weight in enumerate(LOSS_WEIGHT):
        t, z = target[:, k], logits[:, k]
        asked = torch.ones_like(t) if k == 1 else inside.float()
        if k == 0:
            asked = asked * (~ignore).float()
        cross = functional.binary_cross_entropy_with_logits(z, t, weight=asked * (1 + 2 * t), reduction="sum") / asked.sum().clamp(min=1)
        p = torch.sigmoid(z) * asked
        dice = 1 - (2 * (p * t).sum() + 5) / (p.sum() + (t * asked).sum() + 5)
        total = total + weight * (cross * 3 + 0.5 * dice)
    return total


def train(cache: Path, weights: Path, *, minutes: float, total_minutes: float, seed: int) -> None:
    """Trains for `minutes`, going on from a checkpoint in the cache; the rate falls over `total_minutes`."""
    torch.manual_seed(seed)
    torch.set_num_threads(1)
    cv2.setNumThreads(1)
    rng = np.random.default_rng(int(time.time_ns() % 2**32) if (cache / "checkpoint.pt").exists() else seed)
    net = DifferenceMap()
    best = torch.optim.AdamW(net.parameters(), lr=RATE, weight_decay=1e-4)
    spent = 0.0
    if (cache / "checkpoint.pt").exists():
        kept = torch.load(cache / "checkpoint.pt", weights_only=False)
        net.load_state_dict(kept["net"])
        best.load_state_dict(kept["best"])
        spent = kept["spent"]

    def keep(spent: float) -> None:
        torch.save({"net": net.state_dict(), "best": best.state_dict(), "spent": spent}, cache / "checkpoint.pt")
        export(net, weights)
        net.train()

    files = sorted(cache.glob("*.npz"))
    start, steps, mean = time.process_time(), 0, 0.0
    while (now := spent + (time.process_time() - start) / 60) < min(spent + minutes, total_minutes):
        part = now / total_minutes
        for group in best.param_groups:
            group["lr"] = float(RATE * min(1.0, (now * 60 + 1) / 20) * (0.5 * (1 + np.cos(np.pi * part)) + 0.01))
        examples = []
        for path in rng.choice(files, BATCH // 2):  # type: ignore[arg-type]
            with np.load(path) as data:
                loaded = (data["a"], data["b"], data["truth"])
            examples += [_crop(rng, loaded) for _ in range(2)]
        x = torch.from_numpy(np.stack([e[0] for e in examples]))
        t = torch.from_numpy(np.stack([e[1] for e in examples]))
        loss = loss_of(net(x), t)
        best.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(net.parameters(), 1.0)
        best.step()
        steps += 1
        mean += (loss.item() - mean) / min(steps, 100)
        if steps % 50 == 0:
            print(f"{now:.1f} min, step {steps}, loss {mean:.3f}", flush=True)
        if steps % KEPT_EVERY == 0:
            keep(now)
    keep(now)


def export(net: DifferenceMap, weights: Path) -> None:
    """Writes the network as ONNX, for maps of any size."""
    free = {2: "h", 3: "w"}
    torch.onnx.export(
        net.eval(),
        (torch.zeros(1, CUES, CROP // STRIDE, CROP // STRIDE),),
        str(weights),
        input_names=["cues"],
        output_names=["maps"],
        dynamic_axes={"cues": free, "maps": free},
        dynamo=False,
    )


def main() -> None:
    ask = argparse.ArgumentParser(description=__doc__)
    ask.add_argument("--font", type=Path)
    ask.add_argument("--photographs", type=Path)
    ask.add_argument("--cache", type=Path, required=True)
    ask.add_argument("--pairs", type=int, default=1400)
    ask.add_argument("--first", type=int, default=0, help="seed of the first pair")
    ask.add_argument("--processes", type=int, default=1)
    ask.add_argument("--minutes", type=float, default=20.0, help="CPU minutes to train in this run")
    ask.add_argument("--total-minutes", type=float, default=20.0)
    ask.add_argument("--seed", type=int, default=1)
    ask.add_argument("--weights", type=Path, default=WEIGHTS)
    given = ask.parse_args()
    given.cache.mkdir(parents=True, exist_ok=True)
    jobs = [(k, given.cache, given.font, given.photographs) for k in range(given.first, given.first + given.pairs)]
    if given.processes > 1:
        with ProcessPoolExecutor(given.processes) as pool:
            list(pool.map(_draw, jobs, chunksize=8))
    else:
        for job in jobs:
            _draw(job)
    if given.minutes > 0:
        train(given.cache, given.weights, minutes=given.minutes, total_minutes=given.total_minutes, seed=given.seed)


if __name__ == "__main__":
    main()
