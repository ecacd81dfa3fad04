"""Counts of whole turns: every sequence of accepted events is walked through, and compared with a count made without the engine."""

import json
import random
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import permutations
from pathlib import Path
from typing import Any

import pytest

from companion import rules

GIVEN = Path(__file__).parents[2] / "../shared/playthroughs/perft.json"
LARGEST = 500  # turns; larger trees take minutes and are walked with `python -m tests.rules.test_perft`

CardFacts = dict[str, Any]


class Walk:
    """A state from which events follow one another, each of which must be accepted."""

    def __init__(self, state: rules.State) -> None:
        self.state = state

    def after(self, event: str, **fields: Any) -> "Walk":
        line = {"format": 1, "seq": self.state.last_seq + 1, "t": 0, "event": event, "by": "host", **fields}
        state, ruling = rules.rule(self.state, line)
        assert ruling["ruling"] == "accepted", (line, ruling)
        return Walk(state)

    @property
    def name(self) -> str:
        return str(rules.position(self.state)["state"])


# -- Sherlock and Sherlock Deluxe ------------------------------------------------------------------------------------


def _circle(game: str, cards: Sequence[CardFacts], pile: Sequence[CardFacts]) -> Walk:
    settings = {"circle": len(cards), "cards": len(cards) + len(pile), "target": len(cards) + len(pile)}
    walk = Walk(rules.start()).after("game-started", game=game, players=["Ada", "Bea"], settings=settings)
    laid = [{"place": place, **card} for place, card in enumerate(cards, start=1)]
    return walk.after("circle-laid", cards=laid).after("cards-turned-down")


def _guesses(walk: Walk, place: int, pile: Sequence[CardFacts]) -> Iterator[tuple[int, Walk, int | None]]:
    """From the guess at a place on: the ways in which the turn can go, as (right guesses, table after it, place of a won card)."""
    active = rules.position(walk.state)["active"]
    wrong = walk.after("guess", player=active, object="something else").after("card-turned", place=place)
    yield 0, _down(wrong), None
    shown = rules.position(walk.state)["ring"][place - 1]
    right = walk.after("guess", player=active, object=shown["object"]).after("card-turned", place=place)
    to = rules.position(right.state)["to"]
    moved = right.after("pawn-moved", place=to)
    if moved.name == "guessing":
        yield from ((guesses + 1, after, won) for guesses, after, won in _guesses(moved, to, pile))
        return
    if moved.name == "taking":
        moved = moved.after("card-taken", place=to)
    if moved.name == "refilling":
        left = rules.position(moved.state)["pile"]
        moved = moved.after("card-added", place=to, **pile[len(pile) - left])
    yield 1, _down(moved), to


def _down(walk: Walk) -> Walk:
    return walk.after("cards-turned-down") if walk.name == "turning-down" else walk


def _turns(walk: Walk, pile: Sequence[CardFacts]) -> list[tuple[int, int, Walk, int | None]]:
    """The ways in which one turn can go, as (starting place, right guesses, table after it, place of a won card)."""
    return [
        (place, *way)
        for place in rules.legal_values(walk.state)["pawn-placed"]["place"]
        for way in _guesses(walk.after("pawn-placed", place=place), place, pile)
    ]


def _circle_counts(game: str, cards: Sequence[CardFacts], pile: Sequence[CardFacts], depth: int) -> dict[str, Any]:
    start = _circle(game, cards, pile)
    first = _turns(start, pile)
    won = {place: at for place, _, _, at in first if at is not None}

    def ways(walk: Walk, turns: int) -> int:
        if turns == 0 or walk.name == "over":
            return 1
        return sum(ways(after, turns - 1) for _, _, after, _ in _turns(walk, pile))

    return {
        "right_guess_sequences": sum(guesses > 0 for _, guesses, _, _ in first),
        "longest": max(guesses for _, guesses, _, _ in first),
        "won_from_place": [won[place] for place in sorted(won)],
        "turns": {str(turns): ways(start, turns) for turns in range(1, depth + 1)},
    }


def _counted_circle(cards: Sequence[CardFacts], pile: Sequence[CardFacts], depth: int) -> dict[str, Any]:
    """The same counts without the engine: a ring of (steps with sign) or None, and nothing else."""

    def steps(card: CardFacts) -> int:
        return int(card["steps"]) * (1 if card["arrow"] == "right" else -1)

    def flawless(ring: tuple[int | None, ...], start: int) -> list[int]:
        """The places that a flawless turn visits, the last of them being won."""
        visited, at = [], start
        while at not in visited:
            visited.append(at)
            occupied = [place for place, card in enumerate(ring) if card is not None]
            at = occupied[(occupied.index(at) + (ring[at] or 0)) % len(occupied)]
        return [*visited, at]

    @cache
    def ways(ring: tuple[int | None, ...], used: int, turns: int) -> int:
        if turns == 0 or all(card is None for card in ring):
            return 1
        total = 0
        for start, card in enumerate(ring):
            if card is None:
                continue
            *visited, won = flawless(ring, start)
            total += len(visited) * ways(ring, used, turns - 1)
            new = steps(pile[used]) if used < len(pile) else None
            total += ways((*ring[:won], new, *ring[won + 1 :]), min(used + 1, len(pile)), turns - 1)
        return total

    ring = tuple(steps(card) for card in cards)
    paths = [flawless(ring, start) for start in range(len(ring))]
    return {
        "right_guess_sequences": sum(len(path) - 1 for path in paths),
        "longest": max(len(path) - 1 for path in paths),
        "won_from_place": [path[-1] + 1 for path in paths],
        "turns": {str(turns): ways(ring, 0, turns) for turns in range(1, depth + 1)},
    }


def _random_circle(seed: int) -> tuple[list[CardFacts], list[CardFacts]]:
    chance = random.Random(seed)
    cards = [
        {"object": f"thing {n}", "arrow": chance.choice(["left", "right"]), "steps": chance.randint(1, 7)}
        for n in range(chance.randint(5, 8) + chance.randint(0, 2))
    ]
    circle = chance.randint(5, min(7, len(cards)))
    return cards[:circle], cards[circle:]


@pytest.mark.parametrize("seed", range(4))
def test_a_circle_has_as_many_turns_as_counted_without_the_engine(seed: int) -> None:
    """Moves, wins, gaps and new cards, for two turns from every place of a random circle."""
    cards, pile = _random_circle(seed)

    assert _circle_counts("sherlock", cards, pile, 2) == _counted_circle(cards, pile, 2)


# -- Sherlock (2011) -------------------------------------------------------------------------------------------------


Board = list[list[str | None]]


def _board(mode: str, players: int, board: Board) -> Walk:
    left = [suspect for row in board for suspect in row if suspect]
    found = {suspect: 6 - left.count(suspect) for suspect in ("s1", "s2", "s3", "s4", "s5")}
    names = [f"P{n}" for n in range(1, players + 1)]
    tiles = "/".join(" ".join("." if suspect else ".x" for suspect in row) for row in board)
    settings = [] if mode == "cooperative" else [f"settings={{mode:{mode}}}"]
    if len(board[0]) != 6:
        raise AssertionError("boards here have six columns")
    score = [f"score={{team:{{points:{sum(found.values())},pages:0}}}}"] if mode == "cooperative" else []
    counts = ",".join(f"{suspect}:{count}" for suspect, count in found.items())
    line = " ".join(["sherlock-2011 first-tile", f"players=[{','.join(names)}]", *settings, *score, f'board="{tiles}" found={{{counts}}}'])
    return Walk(rules.from_text(line))


def _board_counts(walk: Walk, board: Board) -> tuple[int, int]:
    """(ways in which the turn can go, those of them that are a hit)."""
    if walk.name in ("miss", "hit", "missions", "over"):
        return 1, walk.name != "miss"
    values = rules.legal_values(walk.state)
    if walk.name == "pointing":
        [player] = values["pointed"]["player"]
        nexts = [walk.after("pointed", player=player, cell=cell) for cell in values["pointed"]["cell"]]
    else:
        cells = values["tile-turned"]["cell"]
        nexts = [walk.after("tile-turned", cell=cell, suspect=board[cell[0]][cell[1]]) for cell in cells]
    counts = [_board_counts(after, board) for after in nexts]
    return sum(turns for turns, _ in counts), sum(hits for _, hits in counts)


def _counted_board(mode: str, players: int, board: Board) -> tuple[int, int]:
    """The same counts without the engine."""
    tiles = [suspect for row in board for suspect in row if suspect]

    def fingers(covered: int, pointers: int) -> int:
        if pointers == 0 or covered == 0:
            return 1
        return covered * fingers(covered - 1, pointers - 1) + fingers(covered, pointers - 1)

    turns = hits = 0
    for first, second in permutations(range(len(tiles)), 2):
        if tiles[first] != tiles[second]:
            turns += 1
            continue
        pointing = fingers(len(tiles) - 2, players - 1) if mode == "competitive" else 1
        thirds = [tiles[third] == tiles[first] for third in range(len(tiles)) if third not in (first, second)]
        turns += pointing * len(thirds)
        hits += pointing * sum(thirds)
    return turns, hits


BOARDS = [("cooperative", 1, 12), ("competitive", 2, 9), ("competitive", 3, 6), ("competitive", 4, 6)]


@pytest.mark.parametrize(("mode", "players", "left"), BOARDS)
def test_a_board_has_as_many_turns_as_counted_without_the_engine(mode: str, players: int, left: int) -> None:
    """Every order of tiles and every finger; four players have few tiles to point at."""
    tiles: list[str | None] = [f"s{n // 3 + 1}" for n in range(left)]
    cells = [*tiles, *[None] * (30 - left)]
    random.Random(left).shuffle(cells)
    board = [cells[at : at + 6] for at in range(0, 30, 6)]

    assert _board_counts(_board(mode, players, board), board) == _counted_board(mode, players, board)


# -- Sherlook --------------------------------------------------------------------------------------------------------


def _sherlook_counts(players: int, count: int) -> dict[str, int]:
    """All holdings of a round, by the engine, each reached in one order of taking."""
    names = [f"P{n}" for n in range(1, players + 1)]
    start = Walk(rules.start()).after("game-started", game="sherlook", players=names)
    start = start.after("green-turned").after("photos-laid", photos=[None, None])
    totals = dict.fromkeys(("holdings", "points", "green", "yellow", "red"), 0)
    for out in (None, *names):
        takers = [name for name in names if name != out]
        for values in permutations(range(1, 11), len(takers)):
            walk = start
            for name, value in zip(takers, values, strict=True):
                walk = walk.after("marker-taken", player=name, value=value)
            if out:
                walk = walk.after("time-up", t=99)
            score = rules.position(walk.after("photos-turned").after("differences-counted", count=count).state)["score"]
            totals["holdings"] += 1
            for key in ("points", "green", "yellow", "red"):
                totals[key] += sum(entry[key] for entry in score.values())
    return totals


def _counted_sherlook(players: int, count: int) -> dict[str, int]:
    """The same sums without the engine: only who holds what, and the three sentences of the scoring."""
    totals = dict.fromkeys(("holdings", "points", "green", "yellow", "red"), 0)
    for takers, ways in ((players, 1), (players - 1, players)):
        for values in permutations(range(1, 11), takers):
            exact = count in values
            green, yellow, red = exact, exact or min(values) < count, exact or max(values) > count
            for key, number in zip(totals, (1, 3 * green + 2 * yellow + red, green, yellow, red), strict=True):
                totals[key] += ways * number
    return totals


@pytest.mark.parametrize(("players", "count"), [(2, 1), (2, 7), (3, 4)])
def test_a_round_gives_as_many_tokens_as_counted_without_the_engine(players: int, count: int) -> None:
    """Over all holdings of markers, with everybody in time and with all but one."""
    assert _sherlook_counts(players, count) == _counted_sherlook(players, count)


# -- the counts that are given ---------------------------------------------------------------------------------------


@pytest.mark.skipif(not GIVEN.is_file(), reason="the given counts are not at hand")
def test_the_given_counts_come_out() -> None:
    """The counts that others have made, as far as they are small; the rest without the engine."""
    _check_the_given(largest=LARGEST)


def _check_the_given(largest: int) -> None:
    given = json.loads(GIVEN.read_text("utf-8"))
    for case in given["circle"]:
        keys = ("right_guess_sequences", "longest", "won_from_place", "turns")
        expected = {key: case[key] for key in keys}
        assert _counted_circle(case["circle"], case["pile"], len(case["turns"])) == expected
        depth = max(int(turns) for turns, ways in case["turns"].items() if ways <= largest)
        counts = _circle_counts(case["game"], case["circle"], case["pile"], depth)
        assert counts == {**expected, "turns": {turns: ways for turns, ways in expected["turns"].items() if int(turns) <= depth}}
    for case in given["board"]:
        assert _counted_board(case["mode"], case["players"], case["board"]) == (case["turns"], case["hits"])
        if case["turns"] <= largest:
            assert _board_counts(_board(case["mode"], case["players"], case["board"]), case["board"]) == (case["turns"], case["hits"])
    for case in given["sherlook"]:
        expected = {key: case[key] for key in ("holdings", "points", "green", "yellow", "red")}
        assert _counted_sherlook(case["players"], case["count"]) == expected
        if case["players"] == 2:
            assert _sherlook_counts(2, case["count"]) == expected


if __name__ == "__main__":
    _check_the_given(largest=100_000)
