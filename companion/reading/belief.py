"""Which value a marker bears, from several looks at it and from the fact that each value is there once."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

VALUES = 10
FIRST, FURTHER = 1.0, 0.5   # weight of the first look and of later ones: the same picture again is not fresh evidence
DOUBT = 1e-4                # no look excludes a value altogether
OTHERWISE = 0.02            # the weight of "it is none of the markers known"

Belief = NDArray[np.float64]   # (10,) probabilities of the values 1 to 10


def unread() -> Belief:
    """Any value."""
    return np.full(VALUES, 1 / VALUES)


def look(value: int | None, sure: float) -> Belief:
    """What one reading tells: its value with its probability, the rest shared by the others."""
    if value is None or not 1 <= value <= VALUES:
        return unread()
    belief = np.full(VALUES, max(1 - sure, DOUBT) / (VALUES - 1))
    belief[value - 1] = max(sure, 1 / VALUES)
    return np.asarray(belief / belief.sum())


def join(*beliefs: Belief) -> Belief:
    """Independent evidence on one marker."""
    log = sum((np.log(np.maximum(b, DOUBT)) for b in beliefs), np.zeros(VALUES))
    odds = np.exp(log - log.max())
    return np.asarray(odds / odds.sum())


def over_looks(looks: Sequence[Belief]) -> Belief:
    """Several looks at one marker, later ones at half weight."""
    return join(*(b ** (FIRST if i == 0 else FURTHER) for i, b in enumerate(looks))) if looks else unread()


def each_once(beliefs: Sequence[Belief], *, rounds: int = 30) -> list[Belief]:
    """The same beliefs, each value borne by at most one marker (rows and columns balanced after Sinkhorn and Knopp, 1967).

    Values that no marker shown bears are borne by markers that are not shown.
    """
    if not beliefs:
        return []
    n = max(len(beliefs), VALUES)
    table = np.full((n, VALUES), 1 / VALUES)
    table[: len(beliefs)] = np.maximum(beliefs, DOUBT)
    share = np.full(VALUES, n / VALUES)
    for _ in range(rounds):
        table *= share / table.sum(0)
        table /= table.sum(1, keepdims=True)
    return [np.asarray(row) for row in table[: len(beliefs)]]


def told_apart(stories: Sequence[tuple[float, Belief]]) -> float:
    """How likely a marker that moved bears the number of the first story: (weight, what the marker then bears) each, likeliest first.

    Which marker it was does not matter where several bear one number: one of them was none, for no number is there twice.
    """
    number = stories[0][1].argmax()
    alike = sum(weight for weight, bears in stories if bears.argmax() == number)
    return alike / (sum(weight for weight, _ in stories) + OTHERWISE * stories[0][0])
