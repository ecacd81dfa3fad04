"""The small networks of this package, run by OpenCV's dnn. `vision/training/numerals.py` makes them."""

from functools import lru_cache
from pathlib import Path
from queue import SimpleQueue

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.beside import CORES, each

WEIGHTS = Path(__file__).parents[1] / "weights"
BATCH = 32                    # more at once are no quicker and take memory
MANY = 16                     # batches: fewer are asked on one core, for the other is counting or seeking photos


def ask(name: str, shown: NDArray[np.float32]) -> NDArray[np.float64]:
    """What the network `name` says of (n, channels, height, width) normalised crops: (n, k)."""
    if not len(shown):
        return ask(name, np.zeros((1, *shown.shape[1:]), np.float32))[:0]
    idle = _networks(name)

    def said(batch: NDArray[np.float32]) -> NDArray[np.float64]:
        network = idle.get()
        try:
            network.setInput(batch)
            return np.asarray(network.forward(), np.float64)
        finally:
            idle.put(network)

    batches = [shown[start:start + BATCH] for start in range(0, len(shown), BATCH)]
    return np.concatenate(each(said, batches) if len(batches) >= MANY else [said(batch) for batch in batches])


def softmax(logits: NDArray[np.float64]) -> NDArray[np.float64]:
    """Probabilities of (n, k) logits."""
    e = np.exp(logits - logits.max(1, keepdims=True, initial=-np.inf))
    return np.asarray(e / e.sum(1, keepdims=True), np.float64)


@lru_cache
def _networks(name: str) -> "SimpleQueue[cv2.dnn.Net]":
    """One for each core: a network answers one question at a time, on one core."""
    idle: SimpleQueue[cv2.dnn.Net] = SimpleQueue()
    for _ in range(CORES):
        idle.put(cv2.dnn.readNetFromONNX(str(WEIGHTS / f"{name}.onnx"), cv2.dnn.ENGINE_CLASSIC))   # the quickest for networks this small
    return idle
