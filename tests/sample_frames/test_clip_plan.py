"""The sample game: a plan whose rulings are those of the rules, with every incident that it promises."""

from itertools import pairwise

import numpy as np
import pytest

from sample_frames.clip.acts import DECK_AT, FRONTS, Evening
from sample_frames.clip.plan import LAST_S, PLAYERS, ROUNDS, Json, Round, outcomes, plan, referee
from sample_frames.clip.stage import Stage
from sample_frames.deck import Deck, load
from sample_frames.scene.seats import Place, around, middle
from vision.geometry import contains
from vision.table import Lens, Table

PLACES: tuple[Place, ...] = around(PLAYERS)


@pytest.fixture(scope="module")
def deck() -> Deck:
    return load()


@pytest.fixture(scope="module")
def rounds(deck: Deck) -> tuple[Round, ...]:
    return plan(deck)


@pytest.fixture(scope="module")
def played(deck: Deck, rounds: tuple[Round, ...]) -> tuple[Stage, list[Json], float]:
    return Evening(deck, rounds, PLACES, np.random.default_rng(1)).play()


def test_ten_rounds_end_level_and_the_extra_round_decides(rounds: tuple[Round, ...]) -> None:
    """Two are level in points and green tokens after ten rounds; the eleventh, played by them alone, makes one winner."""
    told = outcomes(rounds)
    assert len(told) == ROUNDS + 1
    tied = told[-2]["params"]["tied"]
    assert told[-2]["params"]["next"] == "extra" and len(tied) == 2
    assert {player for player, _ in rounds[-1].takes} == set(tied)
    assert told[-1]["params"]["next"] == "over" and len(told[-1]["params"]["winners"]) == 1


def test_counts_are_those_of_the_deck(deck: Deck, rounds: tuple[Round, ...]) -> None:
    """Every round's count is the number of differences of its two photos, and no photo is laid twice."""
    assert all(one.count == deck.count(*one.pair) for one in rounds)
    used = [photo for one in rounds for photo in (one.top, *one.pair)]
    assert len(set(used)) == len(used)


def test_the_film_keeps_every_promise(played: tuple[Stage, list[Json], float], rounds: tuple[Round, ...]) -> None:
    """A marker put back and swapped, a player out of time, a back shown too early: each is ruled so, and nothing is refused."""
    _, events, _ = played
    rulings, summary = referee(events)
    assert summary["rejected"] == 0 and summary["state"] == "over"
    fouls = [r["key"] for r in rulings if r["ruling"] == "foul"]
    assert fouls == ["binding", "binding", "back-shown"]  # put back, and taken anew; then the back
    assert [r["params"]["player"] for r in rulings if r["key"] == "out-of-time"] == [one.slow for one in rounds if one.slow]
    assert summary["winners"] == outcomes(rounds)[-1]["params"]["winners"]


def test_the_three_seconds_are_clear(played: tuple[Stage, list[Json], float]) -> None:
    """Who takes in time has half a second to spare, so that no frame decides; who does not is out at three seconds sharp."""
    _, events, _ = played
    rulings, _ = referee(events)
    for event, ruling, after, told in zip(events, rulings, events[1:], rulings[1:], strict=False):
        if ruling["key"] == "last-player":
            spare = ruling["params"]["deadline"] - after["t"]
            assert spare == pytest.approx(0, abs=0.011) if told["key"] == "out-of-time" else spare > 0.5
            assert ruling["params"]["deadline"] == pytest.approx(event["t"] + LAST_S)


def test_true_times_rise_and_acts_do_not_touch(played: tuple[Stage, list[Json], float]) -> None:
    """Two markers are laid at least a third of a second apart, so that their order can be seen."""
    _, events, _ = played
    times = [e["t"] for e in events]
    assert times == sorted(times)
    takes = [e["t"] for e in events if e["event"] == "marker-taken"]
    assert min(b - a for a, b in pairwise(takes)) > 0.33


def test_a_marker_lies_before_its_player_at_its_true_time(played: tuple[Stage, list[Json], float]) -> None:
    """When the truth says it is taken, the marker lies still in that player's area, and the hand has left it."""
    stage, events, _ = played
    table = Table((1280, 720), Lens((1, 1, 0, 0), (0, 0, 0, 0, 0)), (1, 0, 0, 0, 1, 0, 0, 0, 1), tuple(p.seat for p in PLACES), middle())
    for event in events:
        if event["event"] != "marker-taken":
            continue
        actor, t = stage.actors[f"marker{event['value']}"], event["t"]
        assert actor.moving(t) is None
        assert table.zone(actor.at(t).at) == event["player"]
        hand = stage.hand(event["player"], t)
        assert hand is None or np.hypot(*np.subtract(hand.at(t)[:2], actor.at(t).at)) > 40


def test_photos_show_what_the_events_say(played: tuple[Stage, list[Json], float]) -> None:
    """After `photos-laid` both photos lie colour up in the middle; after the true `photos-turned` both backs are up."""
    stage, events, _ = played
    rulings, _ = referee(events)
    pair: list[str] = []
    for event, ruling in zip(events, rulings, strict=True):
        pair = event.get("photos", pair)
        if ruling["key"] in ("look", "count-now"):
            lying = [stage.actors[photo].at(event["t"]) for photo in pair]
            assert {thing.over for thing in lying} == ({0.0} if ruling["key"] == "look" else {180.0})
            assert all(contains(middle(), thing.at) for thing in lying)


def test_nothing_of_the_middle_lies_in_an_area_of_a_player(played: tuple[Stage, list[Json], float]) -> None:
    """The deck belongs to nobody, and a player's marker lies in the player's own area with a hand's breadth to spare."""
    assert not any(contains(place.seat.area, DECK_AT) for place in PLACES)
    assert all(contains(place.seat.area, FRONTS[place.side]) for place in PLACES)
