"""The manners of the voice, in the browser's own module: never two, none twice, nothing that is no longer true, never late."""

import itertools
import time

import pytest
from playwright.sync_api import Page, expect

from tests.page.conftest import Table

LATEST_MS = 2000
MAKE = """async () => {
    const { createVoice } = await import("/static/js/voice.js");
    window.diary.length = 0;
    window.wordsTake = 700;
    window.voice = createVoice({ synth: speechSynthesis, language: () => "en", changed() {} });
    await new Promise((ready) => setTimeout(ready, 50));
}"""


@pytest.fixture
def silent(page: Page, empty_table: Table) -> Page:
    """A page of the server's on which nothing else speaks."""
    page.goto(f"{empty_table.address}/static/icon.svg")
    page.evaluate(MAKE)
    return page


def until(page: Page, what: str, seconds: float = 10) -> None:
    """Waits for a condition of the page. (Playwright's own wait needs an eval, which the server's content policy forbids.)"""
    deadline = time.monotonic() + seconds
    while not page.evaluate(what):
        assert time.monotonic() < deadline, what
        page.wait_for_timeout(30)


def said(page: Page) -> list[str]:
    return [text for text, _, _ in page.evaluate("window.diary")]


def test_six_rulings_in_a_second_two_of_them_superseded(silent: Page) -> None:
    """The last valid one begins within two seconds; what was taken back before it was said is never said; none is said twice."""
    begun = silent.evaluate("""async () => {
        const pause = (ms) => new Promise((over) => setTimeout(over, ms));
        let last = 0;
        for (let n = 1; n <= 6; n++) {
            if (n === 5) voice.correct({ id: 5, text: "line 5" });
            else voice.say({ id: n, text: `line ${n}` });
            voice.say({ id: n, text: `line ${n}` });
            last = performance.now();
            await pause(160);
        }
        return last;
    }""")
    until(silent, "window.diary.some(([text, , end]) => text === 'line 6' && end)")

    diary = silent.evaluate("window.diary")
    texts = [text for text, _, _ in diary]
    assert texts == ["line 1", "line 5", "line 6"]
    assert diary[-1][1] - begun <= LATEST_MS
    assert all(before[2] <= after[1] for before, after in itertools.pairwise(diary))


def test_a_correction_first_stops_what_is_being_said(silent: Page) -> None:
    """The sentence that is no longer true is cut off in the middle."""
    silent.evaluate(
        """() => { window.wordsTake = 5000;
        voice.say({ id: 1, text: "Ada, two points" }); voice.correct({ id: 2, text: "Ada, one point" }); }"""
    )
    until(silent, "window.diary.length === 2")

    (first, second) = silent.evaluate("window.diary")
    assert first[2] is not None and first[2] - first[1] < 1000
    assert second[0] == "Ada, one point"


def test_a_foul_is_not_dropped_for_a_newer_line(silent: Page) -> None:
    """Of the lines that wait, fouls and questions are kept."""
    silent.evaluate("""() => {
        voice.say({ id: 1, text: "first" });
        voice.say({ id: 2, text: "a foul", keep: true });
        voice.say({ id: 3, text: "dropped" });
        voice.say({ id: 4, text: "newest" });
    }""")
    until(silent, "window.diary.length === 2 && window.diary[1][2]")

    assert said(silent) == ["first", "a foul newest"]


def test_no_line_waits_longer_than_a_breath(silent: Page) -> None:
    """A long sentence is cut when a newer one has waited for a second and a half."""
    silent.evaluate("""() => { window.wordsTake = 8000; voice.say({ id: 1, text: "very long" }); voice.say({ id: 2, text: "newer" }); }""")
    until(silent, "window.diary.length === 2")

    (long, newer) = silent.evaluate("window.diary")
    assert newer[1] - long[1] <= LATEST_MS


def test_mute_is_one_tap_and_remembered(host: Page, table: Table) -> None:
    """Muted, nothing is said, also after the page is opened again; the captions stay."""
    host.get_by_role("button", name="The voice speaks. Tap to mute it").click()
    host.reload()
    expect(host.get_by_role("button", name="The voice is muted. Tap to let it speak")).to_be_visible()
    text = table.post("green-turned")["text"]

    expect(host.locator(".recent")).to_contain_text(text)
    assert said(host) == []


def test_each_ruling_is_said_once_though_two_pages_are_open(host: Page, table: Table) -> None:
    """Of all the pages in one browser just one speaks."""
    room = host.context.new_page()
    room.goto(f"{table.address}/show")
    room.locator(".score").wait_for()
    table.post("green-turned")
    expect(room.locator(".recent li")).to_have_count(2)
    expect(host.locator(".recent li")).to_have_count(2)

    assert len(said(host)) + len(said(room)) == 1


def test_a_correction_says_the_new_total_and_never_the_old(host: Page, table: Table) -> None:
    """After a corrected count the voice says what is true now."""
    table.play_to_the_count({"Ada": 7, "Bea": 6, "Carla": 9})
    counted = table.post("differences-counted", count=7)
    host.get_by_role("button", name="Done").wait_for()
    before = len(said(host))
    corrected = table.post("correct", replaces=counted["of"], **{"with": {"event": "differences-counted", "count": 9}})
    until(host, f"window.diary.length > {before}")

    assert said(host)[before:] == [corrected["say"]]
