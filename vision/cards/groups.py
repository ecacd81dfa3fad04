"""Which cards on one table look the same, without any pack."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from vision.cards.looks import turned, vectors
from vision.cards.prints import agreement

WORTH_A_LOOK = 0.5      # likeness from which two cards are compared block by block
SAME = 0.58             # agreement from which two cards are likelier the same picture than not
SAYING = 20.0           # log odds a unit of agreement


def alike(looks: NDArray[np.float32], seen: NDArray[np.bool_], turns: Sequence[int]) -> NDArray[np.float64]:
    """(n, n): how far two cards show the same picture, block by block, in the turn that suits best, -1..1. Of itself: 1."""
    n = len(looks)
    base = vectors(looks, seen)
    like = np.array([base @ vectors(turned(looks, k)).T for k in turns])           # (turns, i, j): i beside j turned by k
    centred = looks - looks.mean((1, 2), keepdims=True)
    nothing = np.zeros_like(centred[0]) if n else centred
    out = np.eye(n)
    for i in range(n):
        for j in range(i):
            k = int(like[:, i, j].argmax())
            both = float(like[k, i, j])
            if both > WORTH_A_LOOK:
                together = seen[i] & turned(seen[j][None], turns[k])[0]
                both = agreement(centred[i], together, centred[j], nothing, turns[k])
            out[i, j] = out[j, i] = both
    return out


def linked(same: NDArray[np.bool_]) -> list[list[int]]:
    """Groups of what is the same directly or by others, the largest first."""
    left, groups = set(range(len(same))), []
    while left:
        group, queue = [], [left.pop()]
        while queue:
            k = queue.pop()
            group.append(k)
            near = [j for j in left if same[k, j]]
            left -= set(near)
            queue += near
        groups.append(sorted(group))
    return sorted(groups, key=lambda g: (-len(g), g))
