"""What went wrong for people with other referees (public reports 2 and 5), on films drawn here. Others stand in test_reader."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

from tests.reading.drawn import FINDERS, PAIR, POOL, Film, find_markers, referee
from vision.geometry import Points
from vision.observation import Marker
from vision.topview import View

PLAYERS = ("Ada", "Ben", "Cy")
LAID = [("green-turned",), ("photos-laid",)]


def round_begun() -> Film:
    return Film().wait(1.0).lay().wait(0.8)


@pytest.mark.parametrize("k", [0.06, 0.02])
def test_in_the_dark_nothing_is_ruled_and_light_brings_all_back(k: float) -> None:
    """The lamp goes out while a marker is taken: it is said once, nothing is guessed, and with the light the act is told (report 2)."""
    film = round_begun().wait(1, light=k).take("Ada", 4).wait(1).wait(1.5, light=1.0).take("Ben", 6).wait(1)
    told = referee(film, players=PLAYERS)
    assert told.statuses == ["too-dark", "light-again"]
    assert told.acts() == [*LAID, ("marker-taken", "Ada", 4), ("marker-taken", "Ben", 6)]


@pytest.mark.parametrize("seed", range(4))
def test_a_look_at_which_a_third_is_wrong_moves_nothing(seed: int) -> None:
    """Each look shows three of ten markers somewhere else and with other values, at random: no event, and play goes on (report 5)."""
    rng = np.random.default_rng(seed)
    places = [*POOL.values(), (60.0, 175.0), (60.0, -175.0), (330.0, 40.0)]

    def wrong(view: View, photos: Sequence[Points]) -> tuple[Marker, ...]:
        found = list(find_markers(view, photos))
        for k in rng.choice(len(found), size=min(3, len(found)), replace=False):
            at = places[int(rng.integers(len(places)))]
            found[k] = Marker(int(rng.integers(1, 11)), at, None, {"found": 0.9, "value": 0.9})
        return tuple(found)

    film = round_begun()
    for _ in range(6):
        film.reach("Ben", to=(0.0, -140.0)).leave("Ben").wait(0.6)
    told = referee(film, players=PLAYERS, finders=replace(FINDERS, markers=wrong))
    assert told.acts() == LAID


def test_what_was_taken_for_a_marker_and_is_gone_costs_no_certainty() -> None:
    """A crumb is read as a second 9, until a photo is laid on it: who takes a marker is told as surely as if it had never been."""
    looks: list[int] = []

    def with_crumb(view: View, photos: Sequence[Points]) -> tuple[Marker, ...]:
        looks.append(1)
        crumb = Marker(9, PAIR[0], None, {"found": 0.9, "value": 0.7})
        return (*find_markers(view, photos), *([crumb] if len(looks) < 3 else []))

    film = round_begun().take("Ada", 6).wait(0.6).take("Ben", 7).wait(0.6).take("Cy", 3).wait(0.6)
    told = referee(film, players=PLAYERS, finders=replace(FINDERS, markers=with_crumb))
    sure = [e["evidence"]["sure"] for e in told.events if e["event"] == "marker-taken"]
    assert len(sure) == 3 and min(sure) > 0.95
