"""Setting the table: names, four points on the live picture, seats, each asked once."""

import re
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from companion.app.camera import Camera
from tests.page import pictures
from tests.page.conftest import Table
from vision.frames import Frame


@pytest.fixture
def watched_table(tmp_path: Path) -> Iterator[Table]:
    """A camera looks at a table of which nothing is known."""
    table = Table(tmp_path, picture=pictures.frame(pictures.pair()))
    yield table
    table.close()
    table.desk.close()


def test_the_table_is_set_in_three_steps(page: Page, watched_table: Table) -> None:
    """Names; the corners of something of known size, one of them dragged; the seats, one of them dragged: then the game begins."""
    page.goto(watched_table.address)
    page.get_by_label("Player 1", exact=True).fill("Ada")
    page.get_by_label("Player 2", exact=True).fill("Bea")
    page.get_by_role("button", name="Next").click()

    expect(page.get_by_role("heading", level=1)).to_have_text("Let us set the table")
    expect(page.get_by_role("button", name="Next")).to_be_in_viewport(ratio=1)
    page.get_by_role("button", name="Next").click()
    expect(page.get_by_role("alert")).to_contain_text("too little for a game")
    page.get_by_label("Width, mm").fill("640")
    page.get_by_label("Height, mm").fill("360")
    corner = page.get_by_role("slider", name="Corner 1")
    before = corner.get_attribute("aria-valuetext")
    box = corner.bounding_box()
    assert box
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.mouse.down()
    page.mouse.move(box["x"] + box["width"] / 2 - 4, box["y"] + box["height"] / 2 - 2, steps=4)
    page.mouse.up()
    assert corner.get_attribute("aria-valuetext") != before
    page.get_by_role("button", name="Next").click()

    seat = page.get_by_role("slider", name="Seat of Ada")
    expect(page.get_by_role("button", name="Begin the game")).to_be_in_viewport(ratio=1)
    seat.focus()
    page.keyboard.press("ArrowRight")
    expect(seat).to_have_attribute("aria-valuenow", "183")
    page.get_by_role("button", name="Begin the game").click()

    expect(page.locator(".score")).to_contain_text("Ada")
    table = watched_table.desk.setup.table
    assert table and [s.name for s in table.seats] == ["Ada", "Bea"]
    assert watched_table.desk.state("host")["position"]["state"] == "round"


def test_a_camera_that_opens_shows_no_torn_picture(page: Page, empty_table: Table) -> None:
    """Until the first frame the print lies there empty; then it shows the table."""
    desk = empty_table.desk
    desk.camera = Camera(there=True, clock=time.monotonic)
    desk.begin({"players": ["Ada", "Bea"]})
    page.goto(empty_table.address)
    expect(page.get_by_text("I am opening my eyes")).to_be_visible()
    expect(page.locator(".table .print")).to_be_visible()
    expect(page.locator(".live")).to_be_hidden()

    desk.camera.saw(Frame(pictures.frame(pictures.pair()), t=0.0, number=0, arrived=time.monotonic()))

    expect(page.locator(".live")).to_be_visible()


def test_a_ruling_lies_below_the_picture(page: Page, watched_table: Table) -> None:
    """On a laptop nothing of the table is hidden by what is said about it."""
    watched_table.desk.set_up({"players": ["Ada", "Bea"]})
    watched_table.desk.begin({"players": ["Ada", "Bea"]})
    page.goto(watched_table.address)
    expect(page.locator(".live")).to_be_visible()
    watched_table.post("green-turned")
    watched_table.post("photos-laid", photos=[None, None])
    watched_table.post("marker-taken", player="Ada", value=7)
    slip, picture = page.locator(".slip", has_text="Ada"), page.locator(".table .print")
    slip.evaluate("card => Promise.all(card.getAnimations().map(move => move.finished))")

    low, high = picture.bounding_box(), slip.bounding_box()
    assert low and high and low["y"] + low["height"] <= high["y"] and high["y"] + high["height"] <= 800


def test_a_trouble_of_the_camera_is_said_with_its_way_out(page: Page, watched_table: Table) -> None:
    """A camera that has moved: the page says so and offers to measure again."""
    watched_table.desk.set_up({"players": ["Ada", "Bea"]})
    watched_table.desk.begin({"players": ["Ada", "Bea"]})
    page.goto(watched_table.address)
    page.locator(".score").wait_for()
    watched_table.desk.table_status = {"camera": "moved", "hand": False}
    watched_table.desk.status_changed()
    expect(page.get_by_text("The camera has moved.")).to_be_visible()
    page.get_by_role("button", name="Measure again").click()

    expect(page.get_by_role("slider", name="Corner 1")).to_be_visible()


def test_two_pictures_dropped_on_the_page_are_compared(page: Page, watched_table: Table, tmp_path: Path) -> None:
    """The report says how many differences there are and shows each place."""
    pair = pictures.pair(3)
    for name, picture in (("a", pair.a), ("b", pair.b)):
        (tmp_path / f"{name}.jpg").write_bytes(pictures.jpeg(picture))
    watched_table.desk.begin({"players": ["Ada", "Bea"]})
    page.goto(watched_table.address)
    page.get_by_role("button", name="More").click()
    page.get_by_role("button", name="Compare two pictures").click()
    page.get_by_label("Choose two pictures").set_input_files([tmp_path / "a.jpg", tmp_path / "b.jpg"])

    status = page.get_by_role("dialog").get_by_role("status")
    expect(status).to_contain_text(re.compile(r"\d"), timeout=60_000)
    said = [int(number) for number in re.findall(r"\d+", status.inner_text())]
    assert min(said) <= 3 <= max(said)
    expect(page.locator(".compared .photo")).to_have_count(2)
