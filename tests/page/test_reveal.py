"""The reveal: both photos, the places one after another, the count, the tokens; and mending at the place itself."""

import numpy as np
import pytest
from playwright.sync_api import Page, expect

from companion.app.reveal import Straightened
from tests.page import pictures
from tests.page.conftest import Table
from tests.page.test_voice import said, until
from vision.observation import Differences

ROUND = {"Ada": 7, "Bea": 6, "Carla": 9}


def counted(table: Table, *, sure: bool = True) -> int:
    """The photos are turned and counted by the camera: seven places. Answers the line of `photos-turned`."""
    table.play_to_the_count(ROUND)
    pair = pictures.pair(7)
    places = tuple({"n": n, "a": box, "b": box, "kind": "replaced", "probability": 0.99} for n, box in enumerate(pair.boxes, 1))
    turned = table.desk.state("host")["seq"]
    found = Differences(same_picture=True, count=7, probability=0.98 if sure else 0.6, range=(7, 7) if sure else (6, 7))
    table.desk.keep_reveal(turned, found, Straightened(np.asarray(pair.a), np.asarray(pair.b), places))
    return int(turned)


@pytest.fixture
def moving(host: Page) -> Page:
    """The host's page with all its movement."""
    host.emulate_media(reduced_motion="no-preference")
    return host


def test_the_places_light_up_in_step_with_the_voice(moving: Page, table: Table) -> None:
    """One by one on both photos, each with its number said; then the sentence; then the tokens lie with their players."""
    counted(table)
    before = len(said(moving))
    ruling = table.post("differences-counted", count=7)
    moving.locator(".mark").nth(3).wait_for()
    lit, spoken = moving.evaluate("[document.querySelectorAll('.photo:first-child .mark').length, window.diary.map(([text]) => text)]")
    assert spoken[-1] == ["one", "two", "three", "four", "five", "six", "seven"][lit - 1]
    moving.get_by_role("dialog", name="The differences").get_by_role("button", name="Done").wait_for()

    assert said(moving)[before:] == ["one", "two", "three", "four", "five", "six", "seven", ruling["say"]]
    won = moving.locator(".reveal-players li")
    assert [entry.locator(".disc").all_inner_texts() for entry in won.all()] == [["3"], ["2"], ["1"]]


def test_a_tap_skips_to_the_end(moving: Page, table: Table) -> None:
    """Whoever has seen enough taps once; the sentence is still said."""
    counted(table)
    ruling = table.post("differences-counted", count=7)
    moving.locator(".mark").first.wait_for()
    moving.locator(".reveal").click(position={"x": 10, "y": 10})

    expect(moving.get_by_role("button", name="Done")).to_be_visible()
    expect(moving.locator(".photo .mark")).to_have_count(14)
    until(moving, f"window.diary.some(([text]) => text === {ruling['say']!r})")


def test_with_less_motion_all_stands_there_at_once(host: Page, table: Table) -> None:
    """Who has asked for less motion sees the end of it first."""
    counted(table)
    table.post("differences-counted", count=7)

    expect(host.locator(".photo .mark")).to_have_count(14)
    expect(host.get_by_role("button", name="Done")).to_be_visible()


def test_an_unsure_count_says_so_before_it_says_a_number(moving: Page, table: Table) -> None:
    """The photos stand there without a number, with the question and its answers; the answer starts the reveal."""
    counted(table, sure=False)
    choices = [{"event": {"event": "differences-counted", "count": count}, "sure": sure} for count, sure in ((7, 0.6), (6, 0.3))]
    table.desk.ask({"about": "differences-counted", "t": 9.0, "choices": choices})
    expect(moving.get_by_role("heading", name="I am not sure: 6 to 7.")).to_be_visible()
    expect(moving.locator(".mark")).to_have_count(0)
    moving.get_by_role("dialog", name="The differences").get_by_role("button", name="6 differences").click()

    moving.get_by_role("dialog", name="The differences").get_by_role("button", name="Done").wait_for()
    expect(moving.locator("[data-player=Bea] .player-points")).to_have_text("5")


def test_that_is_not_one(host: Page, table: Table) -> None:
    """Denied at the place itself, the count is one less and the points follow."""
    counted(table)
    table.post("differences-counted", count=7)
    host.get_by_role("button", name="Each place").click()
    host.get_by_role("button", name="That is not one").first.click()

    expect(host.locator("[data-player=Bea] .player-points")).to_have_text("5")


def test_you_missed_one(host: Page, table: Table) -> None:
    """A tap on the photo where one was missed makes one more."""
    counted(table)
    table.post("differences-counted", count=7)
    host.get_by_role("button", name="You missed one").click()
    host.locator(".photo").first.click(position={"x": 30, "y": 60})

    expect(host.locator("[data-player=Ada] .player-points")).to_have_text("2")


def test_only_pictures_that_are_there_are_offered(host: Page, table: Table) -> None:
    """The places of a round that the camera counted can be seen again later; of one entered by hand nothing is promised."""
    counted(table)
    table.post("differences-counted", count=7)
    host.get_by_role("button", name="Done").click()
    table.play_to_the_count(ROUND)
    table.post("differences-counted", count=5)
    host.get_by_role("button", name="Done").click()
    host.get_by_role("button", name="What has been said").click()
    line = host.locator(".history li", has=host.get_by_role("button", name="Why?"))
    with host.expect_response(lambda answer: "/api/v1/reveal/" in answer.url) as by_hand:
        line.filter(has_text="count 5").get_by_role("button", name="Why?").click()
    assert by_hand.value.status == 404
    expect(host.get_by_role("dialog", name="Why?")).to_be_visible()
    expect(host.get_by_role("button", name="See the places")).to_have_count(0)
    host.get_by_role("dialog", name="Why?").get_by_role("button", name="Close").click()
    host.get_by_role("button", name="What has been said").click()
    line.filter(has_text="count 7").get_by_role("button", name="Why?").click()
    host.get_by_role("button", name="See the places").click()

    expect(host.locator(".reveal .photo")).to_have_count(2)
    expect(host.locator(".photo .mark")).to_have_count(14)


def test_blink_shows_the_other_photo_while_it_is_held(host: Page, table: Table) -> None:
    """By mouse and by space bar."""
    counted(table)
    table.post("differences-counted", count=7)
    host.get_by_role("button", name="Blink").click()
    held = host.get_by_role("button", name="Hold to see the other photo")
    shown = host.locator(".one .photo img")
    expect(shown).to_have_attribute("alt", "Photo A")
    held.hover()
    host.mouse.down()
    expect(shown).to_have_attribute("alt", "Photo B")
    host.mouse.up()
    expect(shown).to_have_attribute("alt", "Photo A")
    held.focus()
    host.keyboard.down(" ")
    expect(shown).to_have_attribute("alt", "Photo B")
    host.keyboard.up(" ")

    expect(shown).to_have_attribute("alt", "Photo A")


def test_the_room_sees_the_reveal_and_it_steps_aside(host: Page, table: Table) -> None:
    """The room's page shows the photos without anything to press wrong, and goes on with the next round."""
    room = host.context.new_page()
    room.goto(f"{table.address}/show")
    room.locator(".score").wait_for()
    counted(table)
    table.post("differences-counted", count=7)
    expect(room.locator(".photo .mark")).to_have_count(14)
    expect(room.get_by_role("button", name="You missed one")).to_have_count(0)
    table.post("green-turned")

    expect(room.get_by_role("dialog")).to_have_count(0)
