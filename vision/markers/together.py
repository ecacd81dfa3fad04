"""What each piece is, given all the others: markers of one set are of one size, and each value exists once."""

import numpy as np
from numpy.typing import NDArray

from vision.geometry import Points
from vision.markers.assignment import VALUES, assign
from vision.markers.crops import NONE

WORTH_SHARING = 0.1        # markers less probable than this take no value from the others
SIZE_SPREAD = 0.22         # of the log of one marker's size to another's, as the network says it
TENT_MM = 0.8              # of a size: two faces of one tent are no farther apart
SURPRISE = 0.02            # what speaks for nothing where a likely marker turns out to be none, beside what was said
NUMERALS = slice(1, VALUES + 1)


def weighed_together(classes: NDArray[np.float64], at: Points, size_mm: NDArray[np.float64], known_mm: float | None) -> NDArray[np.float64]:
    """Probabilities (n, CLASSES) of pieces read alone -> given all pieces. `at`: (n, 2) mm; `known_mm`: the markers' size, where known.

    What a piece loses as a marker, because it is of another size or its value lies elsewhere, it gains as a token or as nothing, in
    proportion to what spoke for these: a token whose picture looks like an 8 is a token where the 8 lies elsewhere.
    """
    out = _shared_anew(classes, _of_one_size(classes[:, NUMERALS], size_mm, known_mm))
    some = np.flatnonzero(out[:, NUMERALS].sum(1) > WORTH_SHARING)
    some, second = _first_faces(some, at, size_mm, out)
    out[second] = np.eye(out.shape[1])[NONE]
    values = out[some, NUMERALS]
    out[some] = _shared_anew(out[some], assign(np.c_[1 - values.sum(1), values])[:, 1:])
    return out


def _shared_anew(classes: NDArray[np.float64], values: NDArray[np.float64]) -> NDArray[np.float64]:
    """The classes with these probabilities of the values, the rest in proportion as before."""
    out = classes.copy()
    out[:, NUMERALS] = 0
    out[:, NONE] += SURPRISE * (classes[:, NUMERALS] - values).clip(0).sum(1)
    out *= ((1 - values.sum(1)) / np.maximum(out.sum(1), 1e-9))[:, None]
    out[:, NUMERALS] = values
    return out


def _of_one_size(values: NDArray[np.float64], size_mm: NDArray[np.float64], known_mm: float | None) -> NDArray[np.float64]:
    """Doubts pieces whose size is not the markers' common one."""
    sure = values.sum(1) > 0.8
    if known_mm is None and sure.sum() < 3:
        return values
    common = known_mm or float(np.median(size_mm[sure]))
    off = np.log(size_mm / common) / SIZE_SPREAD
    return np.asarray(values * np.exp(-0.5 * np.maximum(0, np.abs(off) - 1) ** 2)[:, None], np.float64)


def _first_faces(some: NDArray[np.intp], at: Points, size_mm: NDArray[np.float64],
                 classes: NDArray[np.float64]) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """The indices without, and of, the less sure faces of tents that show both: the same value twice, side by side."""
    value = classes[:, NUMERALS].argmax(1)
    kept: list[int] = []
    second: list[int] = []
    for i in some[np.argsort(-classes[some, NUMERALS].sum(1), kind="stable")].tolist():
        same = [k for k in kept if value[k] == value[i]]
        double = any(np.hypot(*(at[k] - at[i])) < TENT_MM * size_mm[k] for k in same)
        (second if double else kept).append(i)
    return np.array(kept, np.intp), np.array(second, np.intp)
