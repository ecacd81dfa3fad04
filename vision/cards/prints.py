"""Which of a pack's pictures a card shows: at any turn, in any light, or none of them.

A card is compared with every picture in every turn. What speaks for a picture is how far what sets it apart from its fellows is there,
place by place (`agree`); what speaks for it and against a rival is how the card looks just where these two differ (`_between`).
"""

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.cards.looks import LOOK_PX, inner, look, of_print, turned, vectors
from vision.geometry import Picture

QUARTERS = 4
RIVALS = 6                # labels that are looked at closely
RIVAL_LAG = 0.25          # of likeness: who lies farther behind is no rival
DIFFERS = 0.25            # of the largest difference of two pictures: places that count as different
DECISIVE = 8.0            # log odds of a card that is exactly the one of two
AGREES, AGREEING = 0.5, 22.0    # agreement from which a picture is likelier than none of them, and its log odds a unit
THERE_AT, THERE = 0.6, 14.0     # the same of how far it is there where it differs from its twin
TWIN = 0.7                # of two pictures, that is the same in both
LEAST_PLACES = 12         # in which two pictures differ, else nothing tells them apart
BLOCKS = 5                # a side, in which agreement is measured
LEAST_SEEN = 0.3          # of a block, else it says nothing
MOST_SAYING = 12.0        # spread of a picture in a block, above which it says no more
LEAST_SHARE = 0.3         # of all that a picture could say: with less seen, it is doubted


Label = tuple[str, str | None]   # side, and who or what it is


@dataclass(frozen=True)
class Prints:
    """Pictures of a pack, all (m, LOOK_PX, LOOK_PX, 3) made equal in light. Pictures with one label are one answer."""

    labels: tuple[Label, ...]
    sides: tuple[str, ...]
    looks: NDArray[np.float32]
    fellows: NDArray[np.float32]             # (m, …): what the pictures of each one's side have in common
    flat: NDArray[np.float32]                # (QUARTERS, m, d): unit vectors, turned

    @staticmethod
    def of(pictures: Sequence[Picture], labels: Sequence[Label], sides: Sequence[str]) -> "Prints":
        """From pictures as the pack has them."""
        looks, _ = look([of_print(p) for p in pictures])
        looks = looks - looks.mean((1, 2), keepdims=True)
        fellows = np.zeros_like(looks)
        for side in set(sides):
            mine = np.array([s == side for s in sides])
            if len({label for label, m in zip(labels, mine, strict=True) if m}) > 1:
                fellows[mine] = looks[mine].mean(0)
        flat = np.array([vectors(turned(looks, k)) for k in range(QUARTERS)])
        return Prints(tuple(labels), tuple(sides), looks, fellows, flat)


@dataclass(frozen=True)
class Match:
    """What a card seems to be. `known`: that it is one of the pack at all or nearly so; `there`: also where it differs from its
    twin; `sure`: that it is that picture."""

    label: Label
    side: str
    turn: int               # quarters clockwise that the upright picture is turned in the card's outline
    known: float
    there: float
    sure: float
    like: float             # -1..1
    odds: dict[Label, float]      # of each label that is a rival, given that it is one of the pack


def identify(prints: Prints, looks: NDArray[np.float32], seen: NDArray[np.bool_], turns: Sequence[int]) -> list[Match]:
    """The likeliest picture of each look and how sure that is. `turns`: quarters in which a card may lie.

    Wide looks (n, LOOK_PX + 2 room, …) are first shifted to where they suit the likeliest picture best.
    """
    if not len(looks):
        return []
    near, near_seen = inner(looks), inner(seen)
    if looks.shape[1] > LOOK_PX:
        flat = vectors(near, near_seen)
        like = np.array([flat @ prints.flat[k].T for k in turns])          # (turns, n, m)
        shifts = [_shift(prints, looks[i], like[:, i], turns) for i in range(len(looks))]
        near = np.concatenate([inner(looks[i : i + 1], *shift) for i, shift in enumerate(shifts)])
        near_seen = np.concatenate([inner(seen[i : i + 1], *shift) for i, shift in enumerate(shifts)])
    flat = vectors(near, near_seen)
    like = np.array([flat @ prints.flat[k].T for k in turns])
    centred = near - near.mean((1, 2), keepdims=True)
    return [_match(prints, centred[i], near_seen[i], like[:, i], turns) for i in range(len(near))]


def _shift(prints: Prints, wide: NDArray[np.float32], like: NDArray[np.float32], turns: Sequence[int]) -> tuple[int, int]:
    """By how many pixels (x, y) the look lies off the likeliest picture."""
    turn, m = (int(v) for v in np.unravel_index(int(like.argmax()), like.shape))
    fits = cv2.matchTemplate(wide, turned(prints.looks[m][None], turns[turn])[0], cv2.TM_CCOEFF_NORMED)
    _, _, _, (x, y) = cv2.minMaxLoc(fits)
    room = (wide.shape[0] - LOOK_PX) // 2
    return int(x) - room, int(y) - room


def _match(prints: Prints, look: NDArray[np.float32], seen: NDArray[np.bool_], like: NDArray[np.float32], turns: Sequence[int]) -> Match:
    best_turn = like.argmax(0)
    best = like.max(0)
    leaders: dict[Label, int] = {}
    for m in np.argsort(-best, kind="stable"):
        if best[m] < best.max() - RIVAL_LAG or len(leaders) == RIVALS:
            break
        leaders.setdefault(prints.labels[m], int(m))
    rivals = list(leaders.values())
    shown = [turned(prints.looks[m][None], turns[best_turn[m]])[0] for m in rivals]
    first, lead, there = _champion(look, seen, shown)
    m = rivals[first]
    turn = turns[best_turn[m]]
    agree = agreement(look, seen, prints.looks[m], prints.fellows[m], turn)
    known = float(1 / (1 + np.exp(-AGREEING * (agree - AGREES))))
    share = np.exp(-np.clip(lead, -30, 30))
    share /= share.sum()
    mine = known / (1 + np.exp(-THERE * (there - THERE_AT)))
    chances = {prints.labels[r]: float(s) for r, s in zip(rivals, share, strict=True)}
    return Match(prints.labels[m], prints.sides[m], turn, known, float(mine), float(mine * share[first]), float(best[m]), chances)


def _champion(
    look: NDArray[np.float32], seen: NDArray[np.bool_], shown: Sequence[NDArray[np.float32]]
) -> tuple[int, NDArray[np.float64], float]:
    """The picture that beats all others, its lead on each in log odds, and how far it is there where its twin differs (-1..1).

    A twin is the same picture but for a small part; without one it is there (1).
    """
    first, tried = 0, set[int]()
    while True:
        tried.add(first)
        beside = [(1.0, 1.0, 0.0) if j == first else _between(look, seen, shown[first], shown[j]) for j in range(len(shown))]
        lead = np.array([0.0 if j == first else DECISIVE * beside[j][0] for j in range(len(shown))])
        worst = int(lead.argmin())
        if lead[worst] >= 0 or worst in tried:
            twin = max(range(len(shown)), key=lambda j: beside[j][2])
            return first, lead, beside[twin][1] if beside[twin][2] > TWIN else 1.0
        first = worst


def _between(
    look: NDArray[np.float32], seen: NDArray[np.bool_], one: NDArray[np.float32], other: NDArray[np.float32]
) -> tuple[float, float, float]:
    """Judged where two pictures differ: whether the look is rather the one than the other (-1..1), how far it is the one (-1..1),
    and how much of the pictures is the same (0..1)."""
    apart = np.asarray(cv2.GaussianBlur(np.abs(one - other).sum(-1), (0, 0), 1.0))
    where = (apart > DIFFERS * apart.max()).astype(np.uint8)
    where = np.asarray(cv2.dilate(where, np.ones((3, 3), np.uint8))).astype(bool)
    visible = where & seen
    equal = 1 - float(where.mean())
    if visible.sum() < LEAST_PLACES:
        return 0.0, 0.0, equal
    f, p, q = (v[visible] - v[visible].mean(0) for v in (look, one, other))
    f, p, q = (v / max(float(np.linalg.norm(v)), 1e-6) for v in (f, p, q))
    like, unlike, same = float((f * p).sum()), float((f * q).sum()), float((p * q).sum())
    part = min(1.0, 2 * float(visible.sum() / where.sum()))
    return float(np.clip((like - unlike) / max(1 - same, 0.05), -1, 1)) * part, like, equal


def agreement(
    look: NDArray[np.float32], seen: NDArray[np.bool_], printed: NDArray[np.float32], fellows: NDArray[np.float32], turn: int
) -> float:
    """-1..1: how far the look has what sets the picture apart from its fellows, block by block."""
    picture, common = turned(printed[None], turn)[0], turned(fellows[None], turn)[0]
    weight = seen[..., None].astype(np.float32)
    strength = max(float((look * picture * weight).sum() / max(float((picture**2 * weight).sum()), 1e-6)), 0.1)
    f, p, w = (_blocks(v) for v in (look / strength - common, picture - common, weight))       # (blocks, places, channels)
    saying = np.minimum(np.sqrt(((p - p.mean(1, keepdims=True)) ** 2).sum((1, 2)) / p.shape[1]), MOST_SAYING)
    count = np.maximum(w.sum(1, keepdims=True), 1)
    f, p = (w * (v - (v * w).sum(1, keepdims=True) / count) for v in (f, p))
    agree = (f * p).sum((1, 2)) / np.maximum(np.sqrt((f**2).sum((1, 2)) * (p**2).sum((1, 2))), 1e-6)
    counts = saying * (w.mean((1, 2)) > LEAST_SEEN)
    if not counts.sum():
        return 0.0
    return float((counts * agree).sum() / counts.sum() * min(1.0, counts.sum() / saying.sum() / LEAST_SHARE))


def _blocks(look: NDArray[np.float32]) -> NDArray[np.float32]:
    n = LOOK_PX // BLOCKS
    return look.reshape(BLOCKS, n, BLOCKS, n, -1).transpose(0, 2, 1, 3, 4).reshape(BLOCKS * BLOCKS, n * n, -1)
