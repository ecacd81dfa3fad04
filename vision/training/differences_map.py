"""Trains the difference map: a small U-Net that looks at the cues of two laid pictures and marks what differs.

    python -m vision.training.differences_map --sources SOURCES --cache CACHE --pairs 2000 --draw
    python -m vision.training.differences_map --cache CACHE --start vision/weights/differences.onnx --minutes 30

The first draws the training pairs (`differences_pairs`, seeds 0 ..) from what `differences_sources` gathered and keeps what the network
sees of them in CACHE; the second trains on what lies there, can run beside the first, and can be broken off and continued. What is kept is
the running mean of the weights (Polyak & Juditsky 1992), which is calmer than the last ones; with --start, a part
of it is what the training began with (WiSE-FT, Wortsman et al. 2022). Without --start it begins with nothing.

The shipped weights began with those of commit 3124816 and saw the pairs of seeds 0 to 2279 and 3000 to 3399 for 62 CPU minutes (--minutes
62 --total-minutes 62, the first 15 of them with 70), of which 669 lay there at the start. Needs torch and onnx.
"""

import time
from itertools import pairwise
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import onnx
import torch
from numpy.typing import NDArray
from torch import nn
from torch.nn import functional

from vision.differences.maps import CHANNELS, CORE, CUES, FINE, STRIDE, cues
from vision.training.differences_circles import RingAt
from vision.training.differences_pairs import WIDTH, Pair, draw_pair
from vision.training.differences_scenes import Sources
from vision.training.differences_sources import drawn_ahead, training_arguments

WEIGHTS = Path(__file__).parent.parent / "weights" / "differences.onnx"
FRAMES_PX = (WIDTH, WIDTH, WIDTH, 512, 640, 896)  # widths in which the network sees pairs
CELLS = 64  # the side of a training example
BATCH = 8
RATE = 1.5e-3
KEPT_EVERY = 200  # steps
KEEPS = 0.998  # of the mean weights, each step
OF_THE_START = 0.35  # of what is kept, where it began with weights: what they knew is not lost
WIDE = (24, 40, 64, 96)  # channels at 1, 2, 4, 8 cells
STEM = (8, 16)  # channels at half a cell
FINE_LEVELS = 42  # of a unit, as bytes in the cache
TRUTH = (*CHANNELS, "asked")  # planes of bytes: what the network should say, and where it is asked
LOOKED_AT = {"changed": 0.45, "unseen": 0.15, "ring": 0.15}  # the share of examples that show some of it, where there is any
CENTRE_PART = 0.18  # of a difference's size: the spread of its middle


class DifferenceMap(nn.Module):  # type: ignore[misc]
    """(n, CUES, h, w) and (n, FINE, 2h, 2w) -> (n, len(CHANNELS), h, w) logits; h and w in cells."""

    def __init__(self) -> None:
        super().__init__()
        self.fine = nn.Conv2d(FINE, STEM[0], 3, 1, 1)
        self.stem = nn.Conv2d(STEM[0], STEM[1], 4, 2, 1)
        first = CUES + STEM[1]
        self.down = nn.ModuleList([nn.Conv2d(first, WIDE[0], 3, 1, 1), *(nn.Conv2d(i, o, 3, 2, 1) for i, o in pairwise(WIDE))])
        self.same = nn.ModuleList(nn.Conv2d(o, o, 3, 1, 1) for o in WIDE)
        self.narrow = nn.ModuleList(nn.Conv2d(o, i, 1) for i, o in pairwise(WIDE))
        self.up = nn.ModuleList(nn.Conv2d(i, i, 3, 1, 1) for i in WIDE[:-1])
        self.out = nn.Conv2d(WIDE[0], len(CHANNELS), 1)
        with torch.no_grad():
            self.out.bias.fill_(-3.0)

    def forward(self, cells: torch.Tensor, fine: torch.Tensor) -> torch.Tensor:
        x = torch.cat([cells, torch.relu(self.stem(torch.relu(self.fine(fine))))], 1)
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


def draw(seed: int, from_: Sources, cache: Path) -> None:
    """Draws one pair and keeps its cues and its truth, one byte a plane: TRUTH."""
    path = cache / f"{seed:06d}.truth.npy"
    if path.exists():
        return
    rng = np.random.default_rng([seed, 1])
    pair = draw_pair(seed, from_)
    width = int(rng.choice(FRAMES_PX))
    size = (width, round(width * pair.a.shape[0] / WIDTH))
    a, b = (cv2.resize(p, size, interpolation=cv2.INTER_AREA if width < WIDTH else cv2.INTER_CUBIC) for p in (pair.a, pair.b))
    region = cv2.resize(pair.inside, size, interpolation=cv2.INTER_NEAREST)
    if rng.random() < 0.5:  # where the print lies is not known to the pixel
        n = int(rng.integers(1, max(2, width // 40)))
        region = (cv2.erode if rng.random() < 0.5 else cv2.dilate)(region, np.ones((n, n), np.uint8))
    seen = cues(a, b, region > 0)  # type: ignore[arg-type]
    np.save(cache / f"{seed:06d}.cells.npy", seen.cells.astype(np.float16))
    np.save(cache / f"{seed:06d}.fine.npy", np.clip(np.rint(seen.fine * FINE_LEVELS), -127, 127).astype(np.int8))
    np.save(path, _truth(pair, width / WIDTH, *seen.cells.shape[1:]))


def _truth(pair: Pair, k: float, rows: int, columns: int) -> NDArray[np.uint8]:
    """What the network should say, and where it is asked, 0..255."""
    cell = STRIDE / k  # pixels of the drawn pair
    size = (columns, rows)
    m = np.array([[1 / cell, 0, 0.5 / cell - 0.5], [0, 1 / cell, 0.5 / cell - 0.5]])

    def in_cells(mask: NDArray[np.uint8]) -> NDArray[np.float32]:
        soft = cv2.blur(mask.astype(np.float32), (round(cell), round(cell)))
        return np.asarray(cv2.warpAffine(soft, m, size, borderMode=cv2.BORDER_REPLICATE), np.float32)

    changed, inside, unseen, ignore = (in_cells(v) for v in (pair.changed, pair.inside, pair.unseen, pair.ignore))
    y, x = np.mgrid[:rows, :columns].astype(np.float32) + 0.5
    centre = np.zeros((rows, columns), np.float32)
    for d in pair.differences:
        for bx, by, bw, bh in d.boxes:
            mx, my, sx, sy = (bx + bw / 2) / cell, (by + bh / 2) / cell, bw / cell * CENTRE_PART + 0.6, bh / cell * CENTRE_PART + 0.6
            spot = np.exp(-(((x - mx) / sx) ** 2 + ((y - my) / sy) ** 2) / 2)
            if not d.hidden:
                centre = np.maximum(centre, spot / spot.max())
    asked = (inside > 0.5) & (ignore < 0.1)
    ring = in_cells(_cores(pair.rings[0] + pair.rings[1], pair.inside))
    planes = [changed > 0.4, centre, inside > 0.5, unseen > 0.4, ring > 0.4, asked]
    return np.stack([np.rint(255 * np.asarray(p, np.float32)) for p in planes], -1).astype(np.uint8)


def _cores(rings: list[RingAt], inside: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """The inner part of each ring that lies on the print."""
    out = np.zeros_like(inside)
    for x, y, across, down in rings:
        axes = (max(5, round(CORE * across)), max(5, round(CORE * down)))
        cv2.ellipse(out, (round(x), round(y)), axes, 0, 0, 360, 1, -1)
    return out * inside


def example(rng: np.random.Generator, cache: Path, seed: int) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any]]:
    """A part of one pair, turned, mirrored, its sides exchanged by chance: (cells, fine, truth)."""
    cells, fine, truth = (np.load(cache / f"{seed:06d}.{part}.npy", mmap_mode="r") for part in ("cells", "fine", "truth"))
    rows, columns = truth.shape[:2]
    y, x = int(rng.integers(0, rows - CELLS + 1)), int(rng.integers(0, columns - CELLS + 1))
    about = rng.choice([*LOOKED_AT, ""], p=[*LOOKED_AT.values(), 1 - sum(LOOKED_AT.values())])
    if about:
        ys, xs = np.nonzero(truth[..., TRUTH.index(about)])
        if len(ys):
            pick = int(rng.integers(len(ys)))
            y = int(np.clip(ys[pick] - rng.integers(0, CELLS), 0, rows - CELLS))
            x = int(np.clip(xs[pick] - rng.integers(0, CELLS), 0, columns - CELLS))
    c: NDArray[Any] = cells[:, y : y + CELLS, x : x + CELLS].astype(np.float32)
    f: NDArray[Any] = fine[:, 2 * y : 2 * (y + CELLS), 2 * x : 2 * (x + CELLS)].astype(np.float32) / FINE_LEVELS
    t: NDArray[Any] = np.asarray(truth[y : y + CELLS, x : x + CELLS]).transpose(2, 0, 1)
    if rng.random() < 0.5:
        c, f = exchanged(c, f)
    c, f = in_other_hues(c, f, float(rng.uniform(0, 2 * np.pi)))
    turn, flip = int(rng.integers(4)), bool(rng.random() < 0.5)
    c, f, t = (np.ascontiguousarray(np.rot90(v[:, :, ::-1] if flip else v, turn, (1, 2))) for v in (c, f, t))
    return c, f, t


def in_other_hues(cells: NDArray[Any], fine: NDArray[Any], by: float) -> tuple[NDArray[Any], NDArray[Any]]:
    """The cues of the same pair with every hue turned by so many radians."""
    turn = np.array([[np.cos(by), -np.sin(by)], [np.sin(by), np.cos(by)]], np.float32)
    for planes, hues in ((cells, (6, 7)), (fine, (2, 4)), (fine, (3, 5))):
        planes[list(hues)] = np.tensordot(turn, planes[list(hues)], 1)
    return cells, fine


def exchanged(cells: NDArray[Any], fine: NDArray[Any]) -> tuple[NDArray[Any], NDArray[Any]]:
    """The cues of the same pair with A and B exchanged."""
    order = [1, 0, 2, 3, 4, 5, 6, 7, 9, 8, 10, 12, 11, 13, 15, 14, 17, 16, 19, 18, 20, 21]
    sign = np.ones((len(order), 1, 1), np.float32)
    sign[[2, 5, 6, 7]] = -1
    return cells[order] * sign, fine[[1, 0, 3, 2, 5, 4, 6]]


def loss_of(logits: torch.Tensor, truth: torch.Tensor) -> torch.Tensor:
    """Cross-entropy with a dice term for areas; the focal loss of CenterNet (Zhou et al. 2019) for the middles."""
    target = truth.float() / 255
    asked, inside = target[:, TRUTH.index("asked")], target[:, CHANNELS.index("inside")]
    total = _middles(logits[:, CHANNELS.index("centre")], target[:, CHANNELS.index("centre")], asked)
    for name, where, cross, dice in (
        ("changed", asked, 3.0, 0.5),
        ("inside", torch.ones_like(asked), 1.0, 0.0),
        ("unseen", inside, 0.3, 0.0),
        ("ring", inside, 4.0, 0.2),
    ):
        z, t = logits[:, CHANNELS.index(name)], target[:, CHANNELS.index(name)]
        each = functional.binary_cross_entropy_with_logits(z, t, weight=where * (1 + 2 * t), reduction="sum")
        p = torch.sigmoid(z) * where
        apart = 1 - (2 * (p * t).sum() + 5) / (p.sum() + (t * where).sum() + 5)
        total = total + cross * each / where.sum().clamp(min=1) + dice * apart
    return total


def _middles(z: torch.Tensor, target: torch.Tensor, asked: torch.Tensor) -> torch.Tensor:
    p, top = torch.sigmoid(z), (target > 0.99).float() * asked
    hit = -(functional.logsigmoid(z) * (1 - p) ** 2 * top).sum()
    miss = -(functional.logsigmoid(-z) * p**2 * (1 - target) ** 4 * asked).sum()
    return 0.25 * (hit + miss) / top.sum().clamp(min=8)


def train(cache: Path, weights: Path, *, start: Path | None, minutes: float, total_minutes: float, seed: int) -> None:
    """Trains for so many CPU minutes, going on from a checkpoint in the cache, else from the weights in `start`.

    The rate falls over `total_minutes`.
    """
    torch.manual_seed(seed)
    torch.set_num_threads(1)
    net = DifferenceMap()
    if start is not None:
        kept = {w.name: torch.from_numpy(onnx.numpy_helper.to_array(w).copy()) for w in onnx.load(start).graph.initializer}
        net.load_state_dict({name: kept[name] for name in net.state_dict()})
    began_with = {name: value.clone() for name, value in net.state_dict().items()} if start is not None else None
    net = net.to(memory_format=torch.channels_last)
    best = torch.optim.AdamW(net.parameters(), lr=RATE, weight_decay=1e-4)
    mild = torch.optim.swa_utils.AveragedModel(net, multi_avg_fn=torch.optim.swa_utils.get_ema_multi_avg_fn(KEEPS))
    spent = 0.0
    if (cache / "checkpoint.pt").exists():
        kept = torch.load(cache / "checkpoint.pt", weights_only=False)
        net.load_state_dict(kept["net"])
        best.load_state_dict(kept["best"])
        mild.load_state_dict(kept["mild"])
        spent = kept["spent"]

    def keep(minutes: float) -> None:
        state = {"net": net.state_dict(), "best": best.state_dict(), "mild": mild.state_dict(), "spent": minutes}
        torch.save(state, cache / "checkpoint.pt")
        export(mild.module if began_with is None else between(mild.module, began_with), weights)

    rng = np.random.default_rng([seed, int(spent * 1000)])
    began, steps, mean, seeds = time.process_time(), 0, 0.0, _drawn(cache)
    while (now := spent + (time.process_time() - began) / 60) < min(spent + minutes, total_minutes):
        for group in best.param_groups:
            group["lr"] = float(RATE * min(1.0, (now * 60 + 1) / 20) * (0.5 * (1 + np.cos(np.pi * now / total_minutes)) + 0.01))
        parts = [example(rng, cache, int(k)) for k in rng.choice(seeds, BATCH)]
        cells, fine, truth = (torch.from_numpy(np.stack(p)) for p in zip(*parts, strict=True))
        loss = loss_of(net(cells.to(memory_format=torch.channels_last), fine.to(memory_format=torch.channels_last)), truth)
        best.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(net.parameters(), 1.0)
        best.step()
        mild.update_parameters(net)
        steps += 1
        mean += (loss.item() - mean) / min(steps, 100)
        if steps % 50 == 0:
            print(f"{now:.1f} min, step {steps}, {len(seeds)} pairs, loss {mean:.3f}", flush=True)
        if steps % KEPT_EVERY == 0:
            seeds = _drawn(cache)
            keep(now)
    keep(now)


def between(net: DifferenceMap, other: dict[str, torch.Tensor]) -> DifferenceMap:
    """A network with OF_THE_START of the other's weights and the rest of its own."""
    out = DifferenceMap()
    out.load_state_dict({name: OF_THE_START * other[name] + (1 - OF_THE_START) * value for name, value in net.state_dict().items()})
    return out


def _drawn(cache: Path) -> list[int]:
    return sorted(int(p.name[:6]) for p in cache.glob("*.truth.npy"))


def export(net: DifferenceMap, weights: Path) -> None:
    """Writes the network as ONNX, for maps of any size."""
    free = {2: "h", 3: "w"}
    torch.onnx.export(
        net,
        (torch.zeros(1, CUES, CELLS, CELLS), torch.zeros(1, FINE, 2 * CELLS, 2 * CELLS)),
        str(weights),
        input_names=["cells", "fine"],
        output_names=["maps"],
        dynamic_axes={"cells": free, "fine": {2: "2h", 3: "2w"}, "maps": free},
        dynamo=False,
    )


def main() -> None:
    ask = training_arguments(__doc__ or "", WEIGHTS)
    ask.add_argument("--start", type=Path, help="weights to begin with")
    ask.add_argument("--total-minutes", type=float, default=30.0)
    given = ask.parse_args()
    if not drawn_ahead(given, draw):
        train(given.cache, given.weights, start=given.start, minutes=given.minutes, total_minutes=given.total_minutes, seed=given.seed)


if __name__ == "__main__":
    main()
