"""Mistakes are mended where they are seen: a correction in two taps, undo, a question's answer."""

from playwright.sync_api import Page, expect

from tests.page.conftest import Table

ROUND = {"Ada": 7, "Bea": 6, "Carla": 9}


def all_points(page: Page) -> list[str]:
    return [inner.strip() for inner in page.locator(".score .player-points").all_inner_texts()]


def choosing(table: Table) -> None:
    table.post("green-turned")
    table.post("photos-laid", photos=[None, None])


def test_a_marker_is_corrected_in_two_taps(host: Page, table: Table) -> None:
    """ "That is wrong", then what it was: the marker before the player changes, and the slip says so."""
    choosing(table)
    table.post("marker-taken", player="Ada", value=6)
    host.get_by_role("button", name="That is wrong").click()
    host.get_by_role("dialog").get_by_role("button", name="9", exact=True).click()

    expect(host.locator("[data-player=Ada]").get_by_role("img", name="Marker 9")).to_be_visible()


def test_the_numerals_that_look_alike_come_first(host: Page, table: Table) -> None:
    """A 6 is most easily a 9 read upside down: it is the first answer offered."""
    choosing(table)
    table.post("marker-taken", player="Ada", value=6)
    host.get_by_role("button", name="That is wrong").click()

    assert host.get_by_role("dialog").locator(".number").first.inner_text() == "9"


def test_a_corrected_count_changes_all_points(host: Page, table: Table) -> None:
    """A round counted wrongly is mended from its history, and everything after it follows."""
    table.play_to_the_count(ROUND)
    table.post("differences-counted", count=7)
    host.get_by_role("button", name="Done").click()
    expect(host.locator(".score")).to_be_visible()
    assert all_points(host) == ["3", "2", "1"]

    host.get_by_role("button", name="What has been said").click()
    host.get_by_role("dialog").get_by_role("button", name="That is wrong").first.click()
    host.get_by_role("dialog", name="What was it really?").get_by_role("button", name="9", exact=True).click()

    expect(host.locator("[data-player=Carla] .player-points")).to_have_text("4")
    assert all_points(host) == ["2", "0", "4"]


def test_undo_takes_the_last_thing_back(host: Page, table: Table) -> None:
    """Undo strikes the ruling through in the history and empties the marker's place."""
    choosing(table)
    table.post("marker-taken", player="Ada", value=7)
    expect(host.locator("[data-player=Ada]").get_by_role("img", name="Marker 7")).to_be_visible()
    host.locator(".slip").get_by_role("button", name="Undo").click()

    expect(host.locator("[data-player=Ada]").get_by_role("img", name="No marker yet")).to_be_visible()
    host.get_by_role("button", name="What has been said").click()
    expect(host.locator(".history .struck")).to_have_count(1)


def test_a_foul_is_told_gently_and_changes_nothing(host: Page, table: Table) -> None:
    """Who, what, and what to do; the first marker stays."""
    choosing(table)
    table.post("marker-taken", player="Ada", value=7)
    table.post("marker-taken", player="Ada", value=8)

    expect(host.locator(".slip.foul")).to_contain_text("Wait a moment")
    expect(host.locator("[data-player=Ada]").get_by_role("img", name="Marker 7")).to_be_visible()


def test_a_back_seen_too_early_asks_what_the_table_wants(host: Page, table: Table) -> None:
    """Play on, or play the round again: two buttons, which wait for an answer as long as it takes."""
    choosing(table)
    table.post("photos-turned")
    slip = host.locator(".slip")
    slip.wait_for()
    host.wait_for_timeout(100 + 1000 * host.evaluate("""async () => {
        const { slipSeconds } = await import("/static/js/ruling.js");
        return slipSeconds({ ruling: "foul", text: document.querySelector(".slip-text").textContent });
    }"""))   # after so long other slips go by themselves
    host.get_by_role("button", name="Play the round again").first.click()

    expect(host.get_by_role("heading", level=1)).not_to_contain_text("Everybody looks")
    assert table.desk.state("host")["position"]["state"] == "laying"


def test_a_question_is_answered_with_one_tap(host: Page, table: Table) -> None:
    """The likeliest answer stands first; a tap enters it as the host's."""
    choosing(table)
    choices = [{"event": {"event": "marker-taken", "player": "Ada", "value": value}, "sure": sure} for value, sure in ((6, 0.6), (9, 0.3))]
    table.desk.ask({"about": "marker-taken", "t": 5.0, "choices": choices})
    asked = host.get_by_role("group", name="I am not sure")
    expect(asked.locator(".choice")).to_have_count(2)
    asked.locator(".choice").nth(1).click()

    expect(host.locator("[data-player=Ada]").get_by_role("img", name="Marker 9")).to_be_visible()
    expect(asked).to_have_count(0)


def test_what_cannot_be_done_is_said_in_words(host: Page, table: Table) -> None:
    """A refusal of the server is shown, and goes when it is read."""
    choosing(table)
    expect(host.get_by_role("group", name="Who takes a marker?")).to_be_visible()
    for _ in range(3):
        table.post("undo")
    host.get_by_role("button", name="Undo", exact=True).first.click()

    notice = host.get_by_role("alert")
    expect(notice).not_to_be_empty()
    notice.get_by_role("button", name="Close").click()
    expect(notice).to_have_count(0)
