"""Regressions of a few numbers, by Newton's method."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]


def logistic(x: Array, y: Array, weight: Array, *, ridge: float = 1.0) -> Array:
    """Weights of a logistic regression of weighted samples, by Newton's method."""
    w = np.zeros(x.shape[1])
    for _ in range(40):
        p = 1 / (1 + np.exp(-np.clip(x @ w, -30, 30)))
        w = w + np.linalg.solve((x * (weight * p * (1 - p))[:, None]).T @ x + ridge * np.eye(len(w)), x.T @ (weight * (y - p)) - ridge * w)
    return w


def poisson(x: Array, y: Array, *, ridge: float = 1.0) -> Array:
    """Weights of a log-linear Poisson regression, by damped Newton."""
    w = np.zeros(x.shape[1])
    w[0] = np.log(y.mean() + 0.02)
    for _ in range(60):
        m = np.exp(np.clip(x @ w, -8, 3))
        w = w + 0.5 * np.linalg.solve((x * m[:, None]).T @ x + ridge * np.eye(len(w)), x.T @ (y - m) - ridge * np.r_[0, w[1:]])
    return w
