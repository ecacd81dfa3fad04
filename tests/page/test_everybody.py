"""For everybody: axe, the keyboard, a screen reader's words, small and large screens, less motion."""

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from tests.page.conftest import Table

SIZES = [(320, 640), (390, 844), (820, 1180), (1440, 900), (3840, 2160)]


def violations(page: Page) -> list[str]:
    found = Axe().run(page).response["violations"]
    return [f"{v['id']}: {node['html'][:120]}" for v in found for node in v["nodes"]]


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing(page: Page, table: Table, scheme: str) -> None:
    """Choosing, a foul, the history, the menu, the reveal and the end: no violation, in light and dark."""
    page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
    page.goto(table.address)
    expect(page.locator(".score")).to_be_visible()
    table.post("green-turned")
    table.post("photos-laid", photos=[None, None])
    table.post("marker-taken", player="Ada", value=7)
    table.post("marker-taken", player="Ada", value=8)
    page.locator(".slip.foul").wait_for()
    page.get_by_role("button", name="Bea", exact=True).click()
    assert violations(page) == []

    page.get_by_role("button", name="What has been said").click()
    assert violations(page) == []
    page.keyboard.press("Escape")
    page.get_by_role("button", name="More").click()
    assert violations(page) == []
    page.keyboard.press("Escape")

    table.post("marker-taken", player="Bea", value=6)
    table.post("marker-taken", player="Carla", value=9)
    table.post("photos-turned")
    table.post("differences-counted", count=7)
    page.get_by_role("dialog", name="The differences").get_by_role("button", name="Done").wait_for()
    assert violations(page) == []
    page.get_by_role("button", name="Done").click()
    table.post("game-ended")
    page.get_by_role("table").wait_for()
    assert violations(page) == []


def test_axe_finds_nothing_in_the_set_up(page: Page, empty_table: Table) -> None:
    """The conversation before the game, too."""
    page.goto(empty_table.address)
    page.get_by_label("Player 1", exact=True).wait_for()

    assert violations(page) == []


@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
@pytest.mark.parametrize("view", ["", "/show"])
def test_nothing_is_wider_than_the_screen(page: Page, table: Table, size: tuple[int, int], view: str) -> None:
    """From 320 pixels to 4K nobody scrolls sideways, and the due sentence and the score are in the first screen."""
    page.set_viewport_size({"width": size[0], "height": size[1]})
    page.goto(table.address + view)
    table.post("green-turned")
    table.post("photos-laid", photos=[None, None])
    table.post("marker-taken", player="Ada", value=7)
    page.locator(".score").wait_for()

    assert page.evaluate("document.documentElement.scrollWidth") <= size[0]
    for part in (page.get_by_role("heading", level=1), page.locator(".score .player").last):
        box = part.bounding_box()
        assert box and box["y"] >= 0 and box["y"] + box["height"] <= size[1]


def test_ten_players_fit_on_a_small_phone(page: Page, empty_table: Table) -> None:
    """Ten names, also long ones: the last line of the score is still in the first screen of 320 × 640."""
    names = [f"{name} von Habichtsburg" for name in ("Ada", "Bea", "Carla", "Dino", "Emil", "Fritz", "Gina", "Hugo", "Ida", "Jan")]
    empty_table.desk.begin({"players": names})
    page.set_viewport_size({"width": 320, "height": 640})
    page.goto(empty_table.address + "/")
    last = page.locator(".score .player").last
    last.wait_for()

    box = last.bounding_box()
    assert box and box["y"] + box["height"] <= 640
    assert page.evaluate("document.documentElement.scrollWidth") <= 320


def test_everything_that_is_tapped_is_large_enough(host: Page, table: Table) -> None:
    """Every button is at least 44 pixels high and wide."""
    table.post("green-turned")
    table.post("photos-laid", photos=[None, None])
    host.get_by_role("button", name="Bea", exact=True).click()
    host.locator(".marker-number").first.wait_for()
    small = [
        (button.inner_text() or button.get_attribute("aria-label"), box)
        for button in host.get_by_role("button").all()
        if (box := button.bounding_box()) and (box["height"] < 44 or box["width"] < 44)
    ]

    assert small == []


def test_a_round_with_the_keyboard_alone(host: Page, table: Table) -> None:
    """Tab and Enter are enough, and the focus is never lost."""

    def press(name: str) -> None:
        for _ in range(60):
            host.keyboard.press("Tab")
            if host.evaluate("(document.activeElement.getAttribute('aria-label') || document.activeElement.innerText).trim()") == name:
                host.keyboard.press("Enter")
                return
        raise AssertionError(f"Tab does not reach {name!r}")

    press("The green token is turned")
    expect(host.get_by_role("button", name="Two photos lie there")).to_be_visible()
    press("Two photos lie there")
    for player, value in (("Ada", 7), ("Bea", 6)):
        expect(host.get_by_role("group", name="Who takes a marker?").get_by_role("button", name=player, exact=True)).to_be_visible()
        press(player)
        press(str(value))
        expect(host.locator(f"[data-player={player}]").get_by_role("img", name=f"Marker {value}")).to_be_visible()
    press("9")
    expect(host.get_by_role("button", name="The photos are turned")).to_be_visible()
    press("The photos are turned")
    expect(host.get_by_role("group", name="How many differences?")).to_be_visible()
    press("7")
    expect(host.get_by_role("dialog", name="The differences").get_by_role("button", name="Done")).to_be_visible()
    host.keyboard.press("Escape")

    expect(host.get_by_role("dialog")).to_have_count(0)
    expect(host.locator("[data-player=Ada] .player-points")).to_have_text("3")


def test_a_ruling_is_announced_once(host: Page, table: Table) -> None:
    """The live region changes once for each ruling, and holds its sentence."""
    host.evaluate("""() => {
        window.heard = [];
        const said = document.getElementById("said");
        const watch = new MutationObserver(() => window.heard.push(said.textContent));
        watch.observe(said, { childList: true, characterData: true, subtree: true });
    }""")
    first = table.post("green-turned")["text"]
    second = table.post("photos-laid", photos=[None, None])["text"]
    expect(host.locator("#said")).to_have_text(second)

    assert host.evaluate("window.heard") == [first, second]
