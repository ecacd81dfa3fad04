"""What the reader makes of a table that it watches: films drawn here, read with plain finders (see drawn.py)."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from companion.reading import Reader
from companion.reading.finders import Finders
from companion.voice import say
from tests.reading.drawn import (
    BEFORE,
    FINDERS,
    FPS,
    PAIR,
    POOL,
    TABLE,
    Film,
    Scene,
    count_as_five,
    draw,
    find_markers,
    find_photos,
    referee,
    side_of,
)
from vision.geometry import Points
from vision.observation import Differences, Marker
from vision.topview import View

LAID = [("green-turned",), ("photos-laid",)]
TURNED = [("photos-turned",), ("differences-counted",)]


def round_begun() -> Film:
    """The photos lie; everybody looks."""
    return Film().wait(1.0).lay().wait(0.8)


def took(player: str, value: int) -> tuple[str, str, int]:
    return "marker-taken", player, value


def test_a_round_from_the_laying_to_the_count() -> None:
    """Two photos laid, two markers taken, both photos turned: six events, each with the time at which the hand left, and no question."""
    film = round_begun().take("Ada", 6).wait(1).take("Ben", 7).wait(1).turn().wait(1)
    told = referee(film)
    assert told.acts() == [*LAID, took("Ada", 6), took("Ben", 7), *TURNED]
    assert [r["key"] for r in told.rulings][-1] == "round-scored"
    assert not told.questions
    taken = [e for e in told.events if e["event"] == "marker-taken"]
    assert [e["t"] for e in taken] == pytest.approx([5.0, 7.5], abs=0.3)
    assert all(at - e["t"] <= 0.8 for e, at in zip(told.events, told.at, strict=True)), "told later than 0.8 s after it lay still"
    assert all(e["evidence"]["sure"] >= 0.9 and e["evidence"]["source"] == "film" for e in told.events)


def test_the_same_film_always_gives_the_same_events() -> None:
    """Nothing but the frames and their times counts."""
    film = round_begun().take("Ada", 3).take("Ben", 9).wait(1)
    assert referee(film) == referee(film)


def test_two_markers_under_one_shadow_are_both_taken_in_their_order() -> None:
    """Acts 0.3 s apart, the second arm over the first marker's way: both are told, the earlier first (report 10)."""
    film = round_begun()
    film.reach("Ben", to=POOL[2]).reach("Ada", to=POOL[8])
    for k in range(1, 6):   # both arms go home at once
        ben = np.array(POOL[2]) + (np.array(BEFORE["Ben"]) - POOL[2]) * k / 5
        ada = np.array(POOL[8]) + (np.array(BEFORE["Ada"]) - POOL[8]) * k / 5
        markers = {**film.scene.markers, 2: tuple(ben), 8: tuple(ada)}
        film.show(replace(film.scene, markers=markers, arms=(("Ben", tuple(ben)), ("Ada", tuple(ada)))))
    film.leave("Ada", seconds=0.3).leave("Ben", seconds=0.3).wait(1)
    assert referee(film, players=("Ada", "Ben", "Cy")).acts() == [*LAID, took("Ada", 8), took("Ben", 2)]


def test_a_marker_that_is_held_is_not_taken_yet() -> None:
    """It counts from when the hand has left it; resting on the way in another's area is nothing (report 9)."""
    film = round_begun().reach("Ada", to=POOL[4])
    film.reach("Ada", since=POOL[4], to=BEFORE["Ben"], marker=4).wait(0.4)
    film.reach("Ada", since=BEFORE["Ben"], to=BEFORE["Ada"], marker=4).wait(1.0)
    held_until = film.t
    told = referee(film.leave("Ada").wait(1), players=("Ada", "Ben", "Cy"))
    assert told.acts() == [*LAID, took("Ada", 4)]
    assert told.events[-1]["t"] >= held_until - 0.01


def test_putting_back_and_taking_another_is_a_foul() -> None:
    """The marker that was put back and the one taken instead are both told; the first stays binding (report 6)."""
    film = round_begun().take("Ada", 5).wait(1).take("Ada", 5, to=POOL[5]).wait(1).take("Ada", 6).wait(1)
    told = referee(film, players=("Ada", "Ben", "Cy"))
    assert told.acts() == [*LAID, took("Ada", 5), ("marker-returned", "Ada", 5), took("Ada", 6)]
    assert told.fouls() == ["binding", "binding"]


def test_making_the_foul_good_is_no_second_foul() -> None:
    """The wrong marker goes back and the binding one lies before the player again: nothing to tell."""
    film = round_begun().take("Ada", 5).wait(1).take("Ada", 6).wait(1).take("Ada", 6, to=POOL[6]).wait(1)
    film.take("Ada", 5, to=POOL[5]).wait(1).take("Ada", 5).wait(1)
    told = referee(film, players=("Ada", "Ben", "Cy"))
    assert told.acts() == [*LAID, took("Ada", 5), took("Ada", 6), ("marker-returned", "Ada", 5)]


def test_the_last_player_runs_out_of_time() -> None:
    """Three seconds after the last but one marker, told when they are over, though his hand hovers over the markers."""
    film = round_begun().take("Ada", 6).reach("Ben", to=POOL[2]).wait(4)
    told = referee(film)
    assert told.acts() == [*LAID, took("Ada", 6), ("time-up",)]
    assert told.events[-1]["t"] == pytest.approx(told.events[-2]["t"] + 3)
    assert told.at[-1] - told.events[-1]["t"] < 0.2


def test_a_marker_laid_in_the_last_moment_counts() -> None:
    """The time is not up while a hand is just leaving a marker that lies there in time."""
    film = round_begun().take("Ada", 6)
    film.wait(1.6).take("Ben", 7).wait(1.5)
    told = referee(film)
    assert told.acts()[2:] == [took("Ada", 6), took("Ben", 7)]
    assert told.events[-1]["t"] <= told.events[-2]["t"] + 3 < told.at[-1]


def test_a_marker_in_the_hand_when_the_time_is_up_is_too_late() -> None:
    """Lying still after the deadline, it puts the player out of the round."""
    told = referee(round_begun().take("Ada", 6).wait(1.0).take("Ben", 7, hold=2.0).wait(1))
    assert "too-late" in told.fouls()
    assert "all-chosen" not in [r["key"] for r in told.rulings]


def test_sweeping_the_markers_back_is_clearing() -> None:
    """After the round was scored markers go back and photos go away: no event, and the next round begins as ever (report 13)."""
    film = round_begun().take("Ada", 6).take("Ben", 7).wait(0.6).turn().wait(1.2)
    film.take("Ada", 6, to=POOL[6]).take("Ben", 7, to=POOL[7])
    for _ in PAIR:
        film.reach("Ben", to=film.scene.photos[0][0])
        film.wait(0.1, photos=film.scene.photos[1:]).leave("Ben")
    scored = film.t
    told = referee(film.wait(1).lay("Ben").wait(1))
    assert told.acts() == [*LAID, took("Ada", 6), took("Ben", 7), *TURNED, *LAID]
    assert told.events[-1]["t"] > scored
    assert not told.fouls()


def test_a_marker_taken_before_the_photos_lie_is_too_soon() -> None:
    """From the middle to a player while nothing is laid."""
    assert referee(Film().wait(2).take("Ada", 6).wait(1)).fouls() == ["too-soon"]


def test_a_back_shown_while_some_still_choose() -> None:
    """One photo turned early is told once, as it happens; turned again to its colour it is over."""
    film = round_begun().take("Ada", 6).turn("Ben", which=(1,)).wait(1).turn("Ben", which=(1,), side="colour").wait(1)
    told = referee(film, players=("Ada", "Ben", "Cy"))
    assert told.acts() == [*LAID, took("Ada", 6), ("photos-turned",)]
    assert told.fouls() == ["back-shown"]


def test_a_photo_that_is_lifted_and_put_back_shows_no_back() -> None:
    """The bare table where it lay is no back."""
    film = round_begun().reach("Ben", to=PAIR[1])
    lifted = (170.0, -130.0)
    film.reach("Ben", since=PAIR[1], to=lifted, photo=1).wait(1).reach("Ben", since=lifted, to=PAIR[1], photo=1).leave("Ben").wait(1)
    assert referee(film, players=("Ada", "Ben", "Cy")).acts() == LAID


def one_photo_turned_by_hand(film: Film) -> Film:
    return film.turn(which=(0,)).wait(1)


def test_one_photo_turned_in_the_check_is_not_both() -> None:
    """With everybody's marker taken the check begins when both backs show."""
    film = round_begun().take("Ada", 6).take("Ben", 7).wait(0.5)
    told = referee(one_photo_turned_by_hand(film))
    assert told.acts() == [*LAID, took("Ada", 6), took("Ben", 7)]


AGAINST_THE_RULES = {
    "too-soon": lambda: Film().wait(2).take("Ada", 6).wait(1),
    "binding": lambda: round_begun().take("Ada", 5).wait(1).take("Ada", 6).wait(1),
    "back-shown": lambda: round_begun().take("Ada", 6).turn("Ben", which=(1,)).wait(1),
    "too-late": lambda: round_begun().take("Ada", 6).take("Ben", 7).wait(1.0).take("Cy", 4, hold=2.0).wait(1),
}


@pytest.mark.parametrize("foul", AGAINST_THE_RULES)
def test_each_act_against_the_rules_is_called_once_and_soon(foul: str) -> None:
    """One ruling that names it, in a sentence of its own, within three seconds of the act and with no hand moving (report 11)."""
    told = referee(AGAINST_THE_RULES[foul](), players=("Ada", "Ben", "Cy"))
    assert told.fouls() == [foul]
    [n] = [n for n, ruling in enumerate(told.rulings) if ruling["ruling"] == "foul"]
    assert 0 <= told.at[n] - told.events[n]["t"] <= 3
    sentences = [say(event, ruling, "en") for event, ruling in zip(told.events, told.rulings, strict=True)]
    assert sentences[n] and sentences.count(sentences[n]) == 1


def test_what_the_host_took_back_and_still_lies_there_is_told_again() -> None:
    """He has some seconds to put it right; then photos that nobody took away are laid, and backs that still lie there are counted."""
    laid = round_begun()
    undone = len(laid.frames) / FPS
    told = referee(laid.wait(8).take("Ada", 4).wait(1), undone_at=undone)
    assert told.acts() == [*LAID, LAID[-1], took("Ada", 4)]
    assert 1.8 <= told.at[2] - undone < 3

    counted = round_begun().take("Ada", 4).take("Ben", 5).wait(0.6).turn().wait(1)
    undone = len(counted.frames) / FPS
    told = referee(counted.wait(8), undone_at=undone)
    assert told.acts() == [*LAID, took("Ada", 4), took("Ben", 5), *TURNED, TURNED[-1]]


def test_a_count_that_was_undone_is_not_made_of_the_next_photos() -> None:
    """The photos are cleared away and the next are laid, colour up, before the host has entered his count: nothing is counted."""
    counted = round_begun().take("Ada", 4).take("Ben", 5).wait(0.6).turn().wait(1)
    undone = len(counted.frames) / FPS
    film = counted.wait(1).reach("Ada", to=PAIR[0]).wait(0.4, photos=()).leave("Ada").wait(0.6).lay("Ben").wait(8)
    assert referee(film, undone_at=undone).acts().count(TURNED[-1]) == 1


@pytest.mark.parametrize("again", ["before a marker is taken", "after one was taken", "when all have chosen"])
def test_a_reader_that_begins_in_mid_round_takes_the_round_up(again: str) -> None:
    """The program was killed and started again: the photos lie there already, and a marker was taken while nobody watched."""
    film = round_begun()
    at = {"before a marker is taken": len(film.frames)}
    film.take("Ada", 6).wait(1)
    at["after one was taken"] = len(film.frames)
    film.take("Ben", 7).wait(1)
    at["when all have chosen"] = len(film.frames)
    film.wait(1).turn().wait(1.5)
    told = referee(film, restarted=(at[again] / FPS, at[again] / FPS))
    assert told.acts() == [*LAID, took("Ada", 6), took("Ben", 7), *TURNED]
    assert not told.fouls()


def test_what_was_taken_while_nobody_watched_is_told_when_somebody_does() -> None:
    """Ada took her marker between the kill and the new start."""
    film = round_begun()
    killed = len(film.frames) / FPS
    film.take("Ada", 6).wait(0.5)
    started = len(film.frames) / FPS
    told = referee(film.wait(1.5).take("Ben", 7).wait(1).turn().wait(1.5), restarted=(killed, started))
    assert told.acts() == [*LAID, took("Ada", 6), took("Ben", 7), *TURNED]
    assert not told.fouls()


def test_photos_exchanged_after_an_undo_are_the_pair() -> None:
    """Who laid the wrong photos takes them away and lays others: these are told, once."""
    film = round_begun()
    undone = len(film.frames) / FPS
    film.reach("Ada", to=PAIR[0]).wait(0.4, photos=()).leave("Ada").wait(0.4)
    told = referee(film.lay("Ben").wait(6), undone_at=undone)
    assert told.acts() == [*LAID, LAID[-1]]


def test_what_lies_on_the_table_can_be_told_at_any_time() -> None:
    """The photos with their sides and the markers with their zones, as the page draws them."""
    reader = Reader(TABLE, ("Ada", "Ben"), finders=FINDERS)
    reader.told(None, {"state": "choosing", "playing": ["Ada", "Ben"], "markers": {}, "out": None})
    for number, scene in enumerate(Film().wait(1).take("Ben", 8).wait(1).frames):
        reader.frame(draw(scene, number), number / FPS, number)
    seen = reader.seen(4.0)
    assert {m.value: m.zone for m in seen.markers} == {v: "Ben" if v == 8 else "common" for v in POOL}
    assert seen.photos == () and seen.still


def nothing_happens(film: Film) -> list[tuple[Any, ...]]:
    return referee(film, players=("Ada", "Ben", "Cy")).acts()


def test_a_still_table_says_nothing() -> None:
    """Noise, an exposure that hunts and a shadow that passes over the whole table make no event (report 12)."""
    film = round_begun()
    begun = len(film.frames)
    for i in range(30 * FPS):
        film.show(replace(film.scene, light=1 + 0.08 * float(np.sin(i / 7)), shadow=(-500 + 4.0 * i, 60.0, 150.0)))
    told = referee(film, players=("Ada", "Ben", "Cy"))
    assert told.acts() == LAID
    assert max(told.at) < begun / FPS


@pytest.mark.parametrize("where", [(0, 200), (300, 100), (-100, -200)])
def test_a_shadow_that_reaches_a_marker_moves_nothing(where: tuple[float, float]) -> None:
    """The lamp moves, and a soft shadow falls on the next seat: no event (report 1)."""
    film = round_begun().take("Ada", 4).wait(1).wait(1.5, shadow=(*where, 120.0)).wait(1, shadow=None)
    assert nothing_happens(film) == [*LAID, took("Ada", 4)]


def test_a_lamp_that_is_switched_says_nothing() -> None:
    """A table at half its light is the same table (report 2)."""
    assert nothing_happens(round_begun().wait(1.5, light=0.55).wait(1.5, light=1.0)) == LAID


def test_hovering_hands_say_nothing() -> None:
    """Hands that point at photos, hide markers and rest say nothing."""
    film = round_begun().reach("Ada", to=PAIR[0]).wait(0.5).leave("Ada").reach("Ben", to=POOL[8]).wait(2).leave("Ben").wait(0.6)
    assert nothing_happens(film) == LAID


def test_a_person_who_leans_over_says_nothing() -> None:
    """Half the table in the dark of a body that comes and goes."""
    film = round_begun()
    for x in (*range(700, 150, -60), *([160] * 10), *range(160, 700, 60)):
        film.show(replace(film.scene, arms=(("Ada", (x / 3, 60.0)), ("Cy", (float(x), -60.0)), ("Ben", (x / 2, -60.0))),
                          shadow=(float(x), 0.0, 260.0)))
    assert nothing_happens(film.wait(1, arms=(), shadow=None)) == LAID


def test_a_marker_that_is_knocked_stays_where_it_is() -> None:
    """Shifted within the middle, or within a player's area, it is where it was."""
    film = round_begun().take("Ada", 9).wait(1)
    film.take("Ben", 3, to=(POOL[3][0] + 6, POOL[3][1] - 25)).wait(1).take("Ada", 9, to=(-60.0, 180.0)).wait(1)
    assert nothing_happens(film) == [*LAID, took("Ada", 9)]


def test_a_bumped_camera_is_told_and_nothing_is_read() -> None:
    """The whole picture shifts: the reader says so once, and reads nothing until it is back."""
    film = round_begun().wait(2, shift_px=(40.0, 12.0)).wait(1, shift_px=(0.0, 0.0)).take("Cy", 1).wait(1)
    told = referee(film, players=("Ada", "Ben", "Cy"))
    assert told.statuses == ["camera-moved", "camera-back"]
    assert told.acts() == [*LAID, took("Cy", 1)]


def flickering(view: View, photos: Sequence[Points]) -> tuple[Marker, ...]:
    """A finder that misreads marker 4 in two of five frames, and misses another now and then."""
    found = find_markers(view, photos)
    chance = int(view.frame[::9, ::9].sum()) % 5
    return tuple(replace_value(m, 9) if m.value == 4 and chance < 2 else m for m in found if m.value != 10 or chance != 3)


def replace_value(marker: Marker, value: int) -> Marker:
    return Marker(value, marker.at, marker.zone, {"found": 0.9, "value": 0.8})


def test_readings_that_flicker_make_no_events() -> None:
    """A marker read otherwise in two of five frames, and one that is missed, stay where they lie (report 7)."""
    finders = Finders(find_photos, side_of, flickering, count_as_five)
    film = round_begun()
    for k in range(4):
        film.reach("Ben", to=(0.0 + 30 * k, -130.0)).leave("Ben").wait(0.6)
    told = referee(film.take("Ada", 4).wait(2), players=("Ada", "Ben", "Cy"), finders=finders)
    assert told.acts() == [*LAID, took("Ada", 4)]


def a_little_aside(view: View, photos: Sequence[Points]) -> tuple[Marker, ...]:
    """A finder that sees each marker up to 3 mm off, from frame to frame another way."""
    chance = int(view.frame[::9, ::9].sum())
    x, y = 3.0 * (chance % 3 - 1), 3.0 * (chance // 3 % 3 - 1)
    return tuple(Marker(m.value, (m.at[0] + x, m.at[1] + y), m.zone, m.sure) for m in find_markers(view, photos))


def test_a_marker_beside_a_hand_is_no_second_one() -> None:
    """A hand's edge lies over a marker's rim while another is taken, and the marker is found a little aside: taken later it is no doubt."""
    film = round_begun()
    for k in range(3):
        film.reach("Ben", to=(20.0, -70.0 + 5 * k), seconds=0.3)
        film.take("Cy", 5, to=POOL[5] if k % 2 else None).leave("Ben", seconds=0.3)
    told = referee(film.wait(1).take("Ada", 9).wait(2), players=("Ada", "Ben", "Cy"), finders=replace(FINDERS, markers=a_little_aside))
    assert told.acts()[-1] == took("Ada", 9)
    assert not told.questions


def test_a_count_that_is_not_sure_is_asked_once() -> None:
    """Several frames are looked at, then the likeliest is said with its honest probability among the choices."""
    looks: list[int] = []

    def unsure(views: Sequence[View], a: Points, b: Points) -> Differences:
        looks.append(len(views))
        return Differences(True, 4, 0.6, (3, 5))

    film = round_begun().take("Ada", 6).take("Ben", 7).wait(0.6).turn().wait(2.5)
    told = referee(film, finders=replace(FINDERS, count=unsure))
    (question,) = told.questions
    assert question.about == "differences-counted"
    assert [(event["count"], pytest.approx(sure)) for event, sure in question.choices] == [(4, 0.6), (3, 0.2), (5, 0.2)]
    assert max(looks) >= 3
    assert told.events[-1]["evidence"]["sure"] == 0.6


def test_things_that_look_like_markers_are_never_taken() -> None:
    """A second thing of a marker's looks that somebody puts before himself is no marker while the marker lies in the middle."""

    def with_a_double(view: View, photos: Sequence[Points]) -> tuple[Marker, ...]:
        found = find_markers(view, photos)
        return tuple(replace_value(m, 2) if m.value == 10 else m for m in found)

    film = Film(Scene({**{v: at for v, at in POOL.items() if v != 10}, 10: (330.0, -90.0)})).wait(1).lay().wait(0.8)
    film.take("Ada", 10, to=BEFORE["Ada"]).wait(2)
    told = referee(film, players=("Ada", "Ben", "Cy"), finders=replace(FINDERS, markers=with_a_double))
    assert [a for a in told.acts() if a[:2] == ("marker-taken", "Ada")] in ([], [took("Ada", 2)])
    assert all(q.choices[0][1] < 0.9 for q in told.questions)
