"""Which back belongs to which front of a deck of photos: both show the same scene, and depart from it in the same places."""

from dataclasses import dataclass

import numpy as np
from scipy.optimize import linear_sum_assignment

from companion.decks.likeness import departing_alike, shown_unlike
from vision.deck.faces import Laid

LEAST = 0.9             # of a likeness from 0 to 2: less is another card, or one that hardly departs
DOUBTED = 0.05          # of a likeness: pairs that lose less when a back is swapped for another that plainly differs nowhere may be swapped
PLAINLY = 12.0          # grey levels by which the sides of two cards differ somewhere; those of one card seldom by 9, at 600 pixels a card
OF_USUAL = 2.0          # the same, of what is usual among the pairs: poor pictures, and backs that are not the fronts in grey


@dataclass(frozen=True, slots=True)
class Pair:
    """A front and a back by their numbers. `sure`: no other would do as well."""

    front: int
    back: int
    sure: bool


def pairs(fronts: Laid, backs: Laid) -> tuple[Pair, ...]:
    """The fronts and backs that belong together; what has no fellow is left out.

    First those that depart alike. Of the others, which depart nowhere or whose like is missing, those that plainly differ nowhere.
    """
    alike, unlike = departing_alike(fronts, backs), shown_unlike(fronts, backs)
    found = [(int(i), int(j)) for i, j in zip(*linear_sum_assignment(alike, maximize=True), strict=True) if alike[i, j] >= LEAST]
    limit = max(PLAINLY, OF_USUAL * float(np.median([unlike[pair] for pair in found]))) if found else PLAINLY
    found = [pair for pair in found if unlike[pair] <= limit]
    left_f, left_b = ([n for n in range(size) if n not in paired] for size, paired in zip(alike.shape, _sides(found), strict=True))
    rest = linear_sum_assignment(np.minimum(unlike[np.ix_(left_f, left_b)], 2 * limit))
    found += [(left_f[i], left_b[j]) for i, j in zip(*rest, strict=True) if unlike[left_f[i], left_b[j]] <= limit]
    paired_f, paired_b = _sides(found)
    departs_f, departs_b = (np.asarray(laid.changed.any((1, 2))) for laid in (fronts, backs))
    near = unlike <= limit
    out = []
    for n, (i, j) in enumerate(found):
        swapped = [(k, m) for k, m in found[:n] + found[n + 1 :] if near[i, m] and near[k, j]]
        lost = [alike[i, j] + alike[k, m] - alike[i, m] - alike[k, j] for k, m in swapped]
        lost += [alike[i, j] - alike[k, j] for k in range(len(alike)) if k not in paired_f and near[k, j]]
        lost += [alike[i, j] - alike[i, m] for m in range(alike.shape[1]) if m not in paired_b and near[i, m]]
        out.append(Pair(i, j, min(lost, default=DOUBTED) >= DOUBTED and departs_f[i] == departs_b[j]))
    return tuple(out)


def _sides(found: list[tuple[int, int]]) -> tuple[set[int], set[int]]:
    return {i for i, _ in found}, {j for _, j in found}
