"""Ten values that exist once each: what each place shows, given what all places show."""

import numpy as np
from numpy.typing import NDArray

VALUES = 10


def assign(said: NDArray[np.float64]) -> NDArray[np.float64]:
    """Marginals of "each value at most once".

    `said`: (n, 1 + VALUES), for each place the probabilities of no marker (column 0) and of values 1..10, read alone. Returns the same
    shape: the probabilities given all other places, exact (forward and backward sums over the sets of values already used).
    """
    n = len(said)
    sets = np.arange(1 << VALUES)
    without = [sets[(sets >> v) & 1 == 0] for v in range(VALUES)]
    said = np.maximum(np.asarray(said, np.float64), 1e-9)
    before = np.zeros((n + 1, len(sets)))
    after = np.zeros((n + 1, len(sets)))
    before[0, 0], after[n] = 1.0, 1.0
    for i in range(n):
        before[i + 1] = before[i] * said[i, 0]
        for v, free in enumerate(without):
            before[i + 1, free | 1 << v] += before[i, free] * said[i, v + 1]
    for i in reversed(range(n)):
        after[i] = after[i + 1] * said[i, 0]
        for v, free in enumerate(without):
            after[i, free] += after[i + 1, free | 1 << v] * said[i, v + 1]
    out = np.empty_like(said)
    for i in range(n):
        out[i, 0] = said[i, 0] * (before[i] @ after[i + 1])
        for v, free in enumerate(without):
            out[i, v + 1] = said[i, v + 1] * (before[i, free] @ after[i + 1, free | 1 << v])
    return np.asarray(out / np.maximum(out.sum(1, keepdims=True), 1e-300), np.float64)
