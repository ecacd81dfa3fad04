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
    said = np.maximum(np.asarray(said, np.float64), 1e-9)
    before = np.zeros((n + 1, 1 << VALUES))
    after = np.zeros((n + 1, 1 << VALUES))
    before[0, 0], after[n] = 1.0, 1.0
    for i in range(n):
        before[i + 1] = before[i] * said[i, 0]
        for v in range(VALUES):
            _split(before[i + 1], v)[:, 1] += _split(before[i], v)[:, 0] * said[i, v + 1]
    for i in reversed(range(n)):
        after[i] = after[i + 1] * said[i, 0]
        for v in range(VALUES):
            _split(after[i], v)[:, 0] += _split(after[i + 1], v)[:, 1] * said[i, v + 1]
    out = np.empty_like(said)
    for i in range(n):
        out[i, 0] = said[i, 0] * (before[i] @ after[i + 1])
        for v in range(VALUES):
            out[i, v + 1] = said[i, v + 1] * np.vdot(_split(before[i], v)[:, 0], _split(after[i + 1], v)[:, 1])
    return np.asarray(out / np.maximum(out.sum(1, keepdims=True), 1e-300), np.float64)


def _split(of_sets: NDArray[np.float64], value: int) -> NDArray[np.float64]:
    """A view (…, 2, …) of what is told of every set: those without the value, those with it."""
    return of_sets.reshape(-1, 2, 1 << value)
