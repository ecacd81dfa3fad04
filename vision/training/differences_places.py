"""The small network that judges places: what it is, and how it is fitted to labelled ones. Needs torch and onnx."""

from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn
from torch.nn import functional

HIDDEN = 32
LEARNERS = 3  # whose log odds are averaged
ROUNDS = 60
BATCH = 256
RATE = 5e-3
DECAY = 0.3
BLUR = 0.1  # standard deviations by which samples are moved at each look, so that none is learnt by heart
FARTHEST = 4.0  # standard deviations: beyond it a feature says no more
Array = NDArray[Any]


class PlaceJudge(nn.Module):  # type: ignore[misc]
    """(n, features) -> (n, 1) log odds."""

    def __init__(self, mean: Array, spread: Array) -> None:
        super().__init__()
        self.register_buffer("mean", torch.from_numpy(mean.astype(np.float32)))
        self.register_buffer("spread", torch.from_numpy(spread.astype(np.float32)))
        self.learners = nn.ModuleList(
            nn.Sequential(nn.Linear(len(mean), HIDDEN), nn.ReLU(), nn.Linear(HIDDEN, 1)) for _ in range(LEARNERS)
        )

    def forward(self, rows: torch.Tensor) -> torch.Tensor:
        standard = self.standard(rows)
        out: torch.Tensor = sum(learner(standard) for learner in self.learners) / LEARNERS
        return out

    def standard(self, rows: torch.Tensor) -> torch.Tensor:
        """Each feature in standard deviations from its mean."""
        return torch.clamp((rows - self.mean) / self.spread, -FARTHEST, FARTHEST)


def fit_places(rows: Array, right: Array, weight: Array, *, seed: int = 0) -> PlaceJudge:
    """The judge of these places: (n, features), 0 or 1 of each, and how much each counts."""
    torch.set_num_threads(1)
    torch.manual_seed(seed)
    judge = PlaceJudge(rows.mean(0), rows.std(0) + 1e-3)
    x = judge.standard(torch.from_numpy(rows.astype(np.float32)))
    y, w = (torch.from_numpy(v.astype(np.float32)) for v in (right, weight))
    for learner in judge.learners:
        best = torch.optim.AdamW(learner.parameters(), lr=RATE, weight_decay=DECAY)
        slower = torch.optim.lr_scheduler.CosineAnnealingLR(best, ROUNDS)
        for _ in range(ROUNDS):
            for pick in torch.randperm(len(x)).split(BATCH):
                odds = learner(x[pick] + BLUR * torch.randn_like(x[pick]))[:, 0]
                loss = functional.binary_cross_entropy_with_logits(odds, y[pick], weight=w[pick], reduction="sum") / w[pick].sum()
                best.zero_grad()
                loss.backward()
                best.step()
            slower.step()
    return judge


def odds_of(judge: PlaceJudge, rows: Array) -> Array:
    """(n,) log odds of places, (n, features)."""
    with torch.no_grad():
        return np.asarray(judge(torch.from_numpy(rows))[:, 0].numpy())


def export(judge: nn.Module, places: torch.Tensor, weights: Path) -> None:
    """Writes a network that gives the log odds of places as ONNX, for any number of them; `places`: some, as it wants them."""
    torch.onnx.export(
        judge,
        (places,),
        str(weights),
        input_names=["places"],
        output_names=["odds"],
        dynamic_axes={"places": {0: "n"}, "odds": {0: "n"}},
        dynamo=False,
    )
