"""How long the rules take: medians of many runs in one process, no printing in between.

    python benchmarks/rules.py

Three promises: the next state after any event in 60 µs, also after 500 events; a game of 200 events replayed in 12 ms; a correction
of the first of 500 events in 40 ms. Times are CPU times of this process. A slow or busy machine shows in the yardstick: `sum(range(1000))`
takes about 10 µs on a desktop of today.
"""

import json
import statistics
import time
from collections.abc import Callable
from typing import Any

from companion import rules

Line = dict[str, Any]


def sherlook(events: int) -> list[bytes]:
    """Rounds of three players, played again and again by `void`, so that a game may be as long as wanted."""
    told: list[Line] = [{"event": "game-started", "game": "sherlook", "players": ["Ada", "Bea", "Cem"]}, {"event": "green-turned"}]
    while len(told) < events:
        n = len(told)
        told.append({"event": "photos-laid", "photos": [f"p{n}", f"q{n}"]})
        told += [{"event": "marker-taken", "player": player, "value": value} for player, value in (("Ada", 4), ("Bea", 5), ("Cem", 9))]
        told.append({"event": "void"})
    return _lines(told[:events])


def circle(events: int) -> list[bytes]:
    """Turns in which the guess is wrong."""
    cards = [{"place": place, "object": f"thing {place}", "arrow": "left", "steps": 2} for place in range(1, 13)]
    start = {"event": "game-started", "game": "sherlock", "players": ["Ada", "Bea"], "settings": {"circle": 12}}
    told: list[Line] = [start, {"event": "circle-laid", "cards": cards}]
    players = ["Ada", "Bea"]
    while len(told) < events:
        told += [{"event": "cards-turned-down"}, {"event": "pawn-placed", "place": 3}]
        told += [{"event": "guess", "player": players[0], "object": "no"}, {"event": "card-turned", "place": 3}]
        players.reverse()
    return _lines(told[:events])


def tiles(events: int) -> list[bytes]:
    """Misses of two players, each for himself."""
    told: list[Line] = [{"event": "game-started", "game": "sherlock-2011", "players": ["Ada", "Bea"], "settings": {"mode": "competitive"}}]
    while len(told) < events:
        told += [{"event": "tile-turned", "cell": [0, 0], "suspect": "s1"}, {"event": "tile-turned", "cell": [0, 1], "suspect": "s2"}]
        told.append({"event": "tiles-back"})
    return _lines(told[:events])


def _lines(told: list[Line]) -> list[bytes]:
    return [json.dumps({"format": 1, "seq": n, "t": n, "by": "host", **event}).encode() for n, event in enumerate(told, start=1)]


def play(lines: list[bytes]) -> rules.State:
    """The state after these lines, all of which count."""
    state = rules.start()
    for line in lines:
        state, ruling = rules.rule(state, line)
        assert ruling["ruling"] == "accepted", (line, ruling)
    return state


def median_s(work: Callable[[], object], runs: int) -> float:
    """The median CPU time of one run, in seconds."""
    times = []
    for _ in range(runs):
        start = time.process_time()
        work()
        times.append(time.process_time() - start)
    return statistics.median(times)


def main() -> None:
    """Prints a line a game."""
    print(f"yardstick: sum(range(1000)) {median_s(lambda: [sum(range(1000)) for _ in range(100)], 30) * 1e4:.1f} µs")
    for name, game in (("sherlook", sherlook), ("circle", circle), ("2011", tiles)):
        lines = game(520)
        young, old = play(lines[:5]), play(lines[:500])
        first, later = _one_after_another(young, lines[5:25]), _one_after_another(old, lines[500:520])
        replayed = median_s(lambda lines=lines: play(lines[:200]), 20)  # type: ignore[misc]
        change = {"format": 1, "seq": 900, "t": 0, "event": "correct", "by": "host", "replaces": 1, "with": _as_correction(lines[0])}
        corrected = median_s(lambda old=old, change=change: rules.rule(old, change), 20)  # type: ignore[misc]
        print(
            f"{name:9} next state {first * 1e6:4.0f} µs, after 500 events {later * 1e6:4.0f} µs; "
            f"200 events {replayed * 1e3:5.1f} ms; the first of 500 corrected {corrected * 1e3:5.1f} ms"
        )


def _one_after_another(state: rules.State, lines: list[bytes]) -> float:
    """Seconds for one event, the median of many walks through these lines."""

    def walk() -> None:
        after = state
        for line in lines:
            after, _ = rules.rule(after, line)

    return median_s(walk, 100) / len(lines)


def _as_correction(line: bytes) -> Line:
    return {key: value for key, value in json.loads(line).items() if key not in ("format", "seq", "by", "t")}


if __name__ == "__main__":
    main()
