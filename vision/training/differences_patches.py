"""Trains the network that looks at each place pixel by pixel.

    python -m vision.training.differences_patches --sources SOURCES --cache CACHE --pairs 4012 --draw
    python -m vision.training.differences_patches --cache CACHE --minutes 22

The first draws pairs of the pictures that the map was trained on (but none of those pairs), and keeps what lies at each place that the map
marks; the second trains on what lies there. The shipped weights saw 16006 places of 4012 pairs for 22 CPU minutes; those of the first 1412
pairs are as the map of commit 3124816 marked them, the others as that of 10d7662 did. Other looks at each patch (shifted, paler, parts
of it dropped) made it worse on held-back pairs; the first 1412 alone are as good on these, and less sure on the sample pairs.
Needs torch and onnx.
"""

import time
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn
from torch.nn import functional

from vision.differences.patches import CHANNELS, SIDE, WEIGHTS, patches
from vision.training.differences_measure import FIRST_SEED, drawn, look_at, matched
from vision.training.differences_places import export
from vision.training.differences_scenes import Sources
from vision.training.differences_sources import drawn_ahead, training_arguments

WIDE = (16, 24, 32, 48)
BATCH = 64
RATE = 2e-3
DECAY = 1e-2
KEEPS = 0.995
PER_UNIT = 40  # steps, as bytes in the cache
MOST_OF_A_PAIR = 12  # places: the likeliest ones
SAY_OF_A_PAIR = 5  # places: one with more has no more say
SMOOTHED = 0.02  # a label may be wrong


class PatchJudge(nn.Module):  # type: ignore[misc]
    """(n, CHANNELS, SIDE, SIDE) -> (n, 1) log odds."""

    def __init__(self) -> None:
        super().__init__()
        one, two, three, four = WIDE
        self.first = nn.Conv2d(5, one, 3, 2, 1)
        self.second = nn.Conv2d(one, two, 3, 1, 1)
        self.both = nn.Conv2d(2 * two + 2, three, 3, 2, 1)
        self.same = nn.Conv2d(three, three, 3, 1, 1)
        self.last = nn.Conv2d(three, four, 3, 2, 1)
        self.hidden = nn.Linear(2 * four, four)
        self.out = nn.Linear(four, 1)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        within = x[:, 9:10]
        a, b = (torch.relu(self.second(torch.relu(self.first(torch.cat([side, within], 1))))) for side in (x[:, :4], x[:, 4:8]))
        little = functional.avg_pool2d(x[:, 8:10], 2)
        y = torch.relu(self.both(torch.cat([torch.abs(a - b), a + b, little], 1)))
        y = torch.relu(self.same(y)) + y
        y = torch.relu(self.last(y))
        pooled = torch.cat([y.mean((2, 3)), y.amax((2, 3))], 1)
        out: torch.Tensor = self.out(torch.relu(self.hidden(pooled)))
        return out


def draw(seed: int, from_: Sources, cache: Path) -> None:
    """Draws one pair, and keeps what lies at its places as bytes and whether each is right."""
    path = cache / f"{seed}.npz"
    if path.exists():
        return
    pair = drawn(seed, from_, identical=False)
    looked = look_at(pair)
    labels, _ = matched(looked, [s.candidate for s in looked.spots])
    told = [k for k, label in enumerate(labels) if label is not None][:MOST_OF_A_PAIR]
    x = patches(pair.laid, [looked.spots[k].candidate.boxes for k in told]) if told else np.zeros((0, CHANNELS, SIDE, SIDE), np.float32)
    np.savez(path, x=np.clip(np.rint(x * PER_UNIT), -127, 127).astype(np.int8), y=np.array([labels[k] for k in told], np.uint8))


def turned(rng: np.random.Generator, x: NDArray[Any]) -> NDArray[Any]:
    """The same patches (n, CHANNELS, SIDE, SIDE) turned, mirrored, in other colours."""
    x = np.rot90(x[..., ::-1] if rng.random() < 0.5 else x, int(rng.integers(4)), (2, 3)).copy()
    colours = rng.permutation(3)
    x[:, :3], x[:, 4:7] = x[:, colours], x[:, 4 + colours]
    return x


def train(cache: Path, weights: Path, *, minutes: float, seed: int) -> None:
    """Trains for so many CPU minutes; what is kept is the running mean of the weights."""
    torch.manual_seed(seed)
    torch.set_num_threads(1)
    kept = [np.load(p) for p in sorted(cache.glob("*.npz"))]
    x, y = (np.concatenate([k[name] for k in kept]) for name in ("x", "y"))
    weight = np.concatenate([np.full(len(k["y"]), min(1.0, SAY_OF_A_PAIR / max(1, len(k["y"]))), np.float32) for k in kept])
    print(f"{len(y)} places, {int(y.sum())} right, of {len(kept)} pairs")
    net = PatchJudge()
    best = torch.optim.AdamW(net.parameters(), lr=RATE, weight_decay=DECAY)
    mild = torch.optim.swa_utils.AveragedModel(net, multi_avg_fn=torch.optim.swa_utils.get_ema_multi_avg_fn(KEEPS))
    rng = np.random.default_rng(seed)
    began, steps, mean = time.process_time(), 0, 0.7
    while (now := (time.process_time() - began) / 60) < minutes:
        for group in best.param_groups:
            group["lr"] = RATE * (0.5 * (1 + np.cos(np.pi * now / minutes)) + 0.01)
        pick = rng.choice(len(y), BATCH)
        batch = torch.from_numpy(turned(rng, x[pick].astype(np.float32) / PER_UNIT))
        target = torch.from_numpy(y[pick].astype(np.float32)) * (1 - 2 * SMOOTHED) + SMOOTHED
        loss = functional.binary_cross_entropy_with_logits(net(batch)[:, 0], target, weight=torch.from_numpy(weight[pick]))
        best.zero_grad()
        loss.backward()
        best.step()
        mild.update_parameters(net)
        steps += 1
        mean += (loss.item() - mean) / min(steps, 200)
        if steps % 500 == 0:
            print(f"{now:.1f} min, step {steps}, loss {mean:.3f}", flush=True)
    export(mild.module, torch.zeros(2, CHANNELS, SIDE, SIDE), weights)


def main() -> None:
    given = training_arguments(__doc__ or "", WEIGHTS).parse_args()
    if not drawn_ahead(given, draw, seeds_from=FIRST_SEED["patches"]):
        train(given.cache, given.weights, minutes=given.minutes, seed=given.seed)


if __name__ == "__main__":
    main()
