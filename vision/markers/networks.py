"""The small networks of this package, run by OpenCV's dnn. `vision/training/numerals.py` makes them."""

from functools import lru_cache
from pathlib import Path
from threading import Lock

import cv2
import numpy as np
from numpy.typing import NDArray

WEIGHTS = Path(__file__).parents[1] / "weights"
BATCH = 32                    # more at once are no quicker and take memory
_asking = Lock()              # its networks keep their last question


def ask(name: str, shown: NDArray[np.float32]) -> NDArray[np.float64]:
    """What the network `name` says of (n, channels, height, width) normalised crops: (n, k)."""
    if not len(shown):
        return ask(name, np.zeros((1, *shown.shape[1:]), np.float32))[:0]
    said = []
    with _asking:
        network = _network(name)
        for start in range(0, len(shown), BATCH):
            network.setInput(shown[start:start + BATCH])
            said.append(network.forward().astype(np.float64))
    return np.concatenate(said)


def softmax(logits: NDArray[np.float64]) -> NDArray[np.float64]:
    """Probabilities of (n, k) logits."""
    e = np.exp(logits - logits.max(1, keepdims=True, initial=-np.inf))
    return np.asarray(e / e.sum(1, keepdims=True), np.float64)


@lru_cache
def _network(name: str) -> cv2.dnn.Net:
    return cv2.dnn.readNetFromONNX(str(WEIGHTS / f"{name}.onnx"), cv2.dnn.ENGINE_CLASSIC)   # the quickest for networks this small
