"""Which photos lay there: kept from everybody until the check, told after it, and put right by the host."""

from pathlib import Path
from urllib.request import urlopen

import numpy as np
import pytest
from playwright.sync_api import Page, expect

from companion.app.reveal import Straightened
from tests.page import pictures
from tests.page.conftest import Table
from tests.vision import drawn_deck
from vision.deck.deck import read_deck
from vision.deck.pack import read_pack
from vision.observation import Differences

ROUND = {"Ada": 1, "Bea": 2, "Carla": 3}
COUNTED = drawn_deck.truth("p1", "p3")


@pytest.fixture
def with_deck(table: Table, tmp_path: Path) -> Table:
    """The same table, with a drawn deck of eight photos."""
    pack = read_pack(drawn_deck.write(tmp_path / "pack"))
    table.desk.deck = read_deck(pack, cache=tmp_path / "cache")
    return table


def count(table: Table) -> None:
    """p1 and p3 are laid, turned and counted by the camera."""
    table.play_to_the_count(ROUND, ("p1", "p3"))
    pair = pictures.pair(COUNTED)
    turned = table.desk.state("host")["seq"]
    found = Differences(same_picture=True, count=COUNTED, probability=0.98, range=(COUNTED, COUNTED))
    table.desk.keep_reveal(turned, found, Straightened(np.asarray(pair.a), np.asarray(pair.b), ()))
    table.post("differences-counted", count=COUNTED)


def test_nobody_is_told_which_photos_lie_there_before_the_check(with_deck: Table) -> None:
    """Rulings, state, observation and the deck's cards keep quiet while players choose."""
    with_deck.post("green-turned")
    with_deck.post("photos-laid", photos=["p1", "p3"])
    with_deck.post("marker-taken", player="Ada", value=1)
    for path in ("rulings", "state", "state?role=spectator", "sheet.json"):
        with urlopen(f"{with_deck.address}/api/v1/{path}") as answer:
            text = answer.read().decode()
        assert "Ada" in text and '"p1"' not in text and '"p3"' not in text
    for path in ("cards?beside=p3", "cards/p1.jpg"):
        with pytest.raises(Exception, match="409"):
            urlopen(f"{with_deck.address}/api/v1/{path}")


def test_taking_the_laying_back_opens_nothing(with_deck: Table) -> None:
    """Before anything is laid, and after an undo with the photos still on the table, the deck keeps quiet as well."""
    def refused() -> None:
        for path in ("cards?beside=p1", "cards/p1.jpg"):
            with pytest.raises(Exception, match="409"):
                urlopen(f"{with_deck.address}/api/v1/{path}")

    refused()
    with_deck.post("green-turned")
    laid = with_deck.post("photos-laid", photos=["p1", "p3"])
    with_deck.post("undo", to=laid["of"])
    refused()


def test_after_the_check_only_the_photos_that_were_turned_are_told(with_deck: Table) -> None:
    """The counts beside p1 and p3, and of no other."""
    count(with_deck)
    with urlopen(f"{with_deck.address}/api/v1/cards?beside=p1") as answer:
        assert '"p3"' in answer.read().decode()
    with pytest.raises(Exception, match="404"):
        urlopen(f"{with_deck.address}/api/v1/cards?beside=p5")


def test_the_host_says_that_it_was_another_card(host: Page, with_deck: Table) -> None:
    """After the check the page names the photos; another card chosen for one puts the name and the count right."""
    count(with_deck)
    reveal = host.get_by_role("dialog", name="The differences")
    expect(reveal.get_by_text("These were p1 and p3.")).to_be_visible()
    reveal.get_by_role("button", name="p3 was another card").click()
    chooser = host.get_by_role("dialog", name="Which card was it?")
    assert chooser.locator(".card-name").all_inner_texts() == [name for name in drawn_deck.CARDS if name != "p1"]
    wanted = drawn_deck.truth("p1", "p5")
    assert wanted != COUNTED
    chooser.get_by_role("button", name=f"p5 {wanted} differences").click()

    expect(host.locator("[data-player=Carla] .player-points")).to_have_text("2")
    session = with_deck.desk.session
    assert session
    stands = [step.event for step in session.state.steps if step.event]
    assert [event["photos"] for event in stands if event.name == "photos-laid"] == [["p1", "p5"]]
    assert [event["count"] for event in stands if event.name == "differences-counted"] == [wanted]
