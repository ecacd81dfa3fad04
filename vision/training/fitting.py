"""Training a small network: AdamW with one cycle of its rate (Smith & Topin 2018)."""

import logging
from collections.abc import Callable

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

log = logging.getLogger(__name__)


def fit(net: nn.Sequential, count: int, loss_of: Callable[[NDArray[np.intp]], Tensor], rng: np.random.Generator, *,
        rounds: int, batch: int, fastest: float) -> nn.Sequential:
    """The network after so many rounds over `count` samples in random order. `loss_of`: the loss on the samples of these indices."""
    steps = count // batch
    optimizer = torch.optim.AdamW(net.parameters(), lr=fastest, weight_decay=0.02)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, fastest, total_steps=rounds * steps, pct_start=0.15)
    for turn in range(rounds):
        net.train()
        lost = 0.0
        for pick in rng.permutation(count)[: steps * batch].reshape(steps, batch):
            loss = loss_of(pick)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            schedule.step()
            lost += float(loss.detach())
        log.info("round %d of %d: loss %.3f", turn + 1, rounds, lost / steps)
    return net.eval()
