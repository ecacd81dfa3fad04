"""Who does what in the sample game: ten rounds, four incidents, a tie and an extra round, found by a seeded search.

Guesses are drawn near the true count, as people guess; the search takes the first evening that ends level between two players.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from companion import rules
from sample_frames.deck import Deck

PLAYERS = ("Ada", "Bruno", "Carla", "Dario")
ROUNDS = 10
SWAP_ROUND, SLOW_ROUND, EARLY_ROUND = 3, 5, 7  # counted from 1
LAST_S = 3.0
Json = dict[str, Any]


@dataclass(frozen=True)
class Round:
    """A round: the green token (1 to 10), the deck's top photo, the pair, the markers in the order of taking."""

    token: int
    top: str
    pair: tuple[str, str]
    count: int
    takes: tuple[tuple[str, int], ...]
    slow: str | None = None  # runs out of the three seconds
    swap: tuple[str, int] | None = None  # puts the marker back after the second taking, and takes this one
    early: str | None = None  # shows a back after the second taking


def plan(deck: Deck, *, seed: int = 1) -> tuple[Round, ...]:
    """Eleven rounds of which the last is the extra round. Raises ValueError if no evening in ten thousand ends level."""
    for attempt in range(10_000):
        rng = np.random.default_rng([seed, attempt])
        evening = _evening(deck, rng)
        if evening is not None:
            return evening
    raise ValueError("no evening ends level: another seed, or guesses nearer to one another")


def events(rounds: Sequence[Round]) -> list[Json]:
    """The game's events without times, as the camera and the host would send them."""
    out: list[Json] = [
        {"event": "game-started", "by": "host", "game": "sherlook", "players": list(PLAYERS), "settings": {"rounds": ROUNDS}}
    ]
    for one in rounds:
        out.append({"event": "green-turned", "token": one.token})
        out.append({"event": "photos-laid", "photos": list(one.pair), "top": "bottom"})
        for k, (player, value) in enumerate(one.takes, start=1):
            out.append({"event": "marker-taken", "player": player, "value": value})
            if k == 2 and one.swap is not None:
                who, other = one.swap
                out.append({"event": "marker-returned", "player": who, "value": dict(one.takes)[who]})
                out.append({"event": "marker-taken", "player": who, "value": other})
            if k == 2 and one.early is not None:
                out.append({"event": "photos-turned"})
        if one.slow is not None:
            out.append({"event": "time-up"})
        out.append({"event": "photos-turned"})
        out.append({"event": "differences-counted", "count": one.count})
    return [{"by": "camera", **e} for e in out]


def referee(timed: Sequence[Json]) -> tuple[list[Json], Json]:
    """What the rules say to events that have `seq` and `t`: the rulings, and the summary."""
    state = rules.start()
    rulings = []
    for event in timed:
        state, ruling = rules.rule(state, event)
        rulings.append(dict(ruling))
    return rulings, dict(rules.summary(state))


def _evening(deck: Deck, rng: np.random.Generator) -> tuple[Round, ...] | None:
    """Ten rounds by chance and, if they end level between two, the extra round; else None."""
    photos = [str(p) for p in rng.permutation(deck.ids)]
    tokens = [int(t) for t in rng.permutation(10) + 1]
    rounds = []
    for k in range(ROUNDS):
        top, *pair = photos[3 * k : 3 * k + 3]
        count = deck.count(*pair)
        order = [str(p) for p in rng.permutation(PLAYERS)]
        slow = order.pop() if k + 1 == SLOW_ROUND else None
        one = Round(tokens[k], top, (pair[0], pair[1]), count, _guesses(rng, order, count), slow)
        if k + 1 == SWAP_ROUND:
            free = [v for v in range(1, 11) if v not in dict(one.takes).values()]
            one = replace(one, swap=(order[1], min(free, key=lambda v: abs(v - dict(one.takes)[order[1]]))))
        if k + 1 == EARLY_ROUND:
            one = replace(one, early=order[3])
        rounds.append(one)
    tied = _tied(rounds)
    if len(tied) != 2 or len({r.count for r in rounds}) < 6:
        return None
    top, *pair = photos[30:33]
    count = deck.count(*pair)
    borrowed = next(r.token for r in rounds if r.count in dict(r.takes).values())  # one that somebody has won
    last = Round(borrowed, top, (pair[0], pair[1]), count, _guesses(rng, tied, count))
    return (*rounds, last)


def _guesses(rng: np.random.Generator, order: Sequence[str], count: int) -> tuple[tuple[str, int], ...]:
    """A different marker for each player, near the count."""
    left = np.arange(1, 11)
    out = []
    for player in order:
        likely = np.exp(-np.abs(left - count) / 1.6)
        value = int(rng.choice(left, p=likely / likely.sum()))
        left = left[left != value]
        out.append((player, value))
    return tuple(out)


def outcomes(rounds: Sequence[Round]) -> list[Json]:
    """The ruling on each round's count, at times that keep the three seconds."""
    timed, t = [], 0.0
    for n, event in enumerate(events(rounds), start=1):
        t += LAST_S if event["event"] == "time-up" else 1.0
        timed.append({"format": 1, "seq": n, "t": t, **event})
    return [r for r in referee(timed)[0] if r["key"] == "round-scored"]


def _tied(rounds: Sequence[Round]) -> list[str]:
    """Who would play an extra round after these."""
    return list(outcomes(rounds)[-1]["params"].get("tied") or [])
