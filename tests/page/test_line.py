"""The line to the server: it may break, nothing is lost, nothing leaves the machine."""

from pathlib import Path
from urllib.parse import urlsplit

from playwright.sync_api import Page, expect

from tests.page.conftest import Table

FIRST_LOAD_BYTES = 300_000


def test_a_lost_line_is_shown_and_what_was_missed_is_asked_for(host: Page, table: Table) -> None:
    """The page says it, keeps trying, and then shows what happened meanwhile."""
    table.close()
    expect(host.get_by_text("I have lost the thread to the companion.")).to_be_visible()
    table.post("green-turned")
    table.post("photos-laid", photos=[None, None])
    table.post("marker-taken", player="Bea", value=4)
    table.open()

    expect(host.locator("[data-player=Bea]").get_by_role("img", name="Marker 4")).to_be_visible()
    expect(host.get_by_text("I have lost the thread to the companion.")).to_have_count(0)
    host.get_by_role("button", name="What has been said").click()
    expect(host.locator(".history li")).to_have_count(4)


def test_no_request_leaves_the_machine(page: Page, table: Table) -> None:
    """A whole round, with every panel opened, asks only this server."""
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.on("websocket", lambda socket: asked.append(socket.url))
    page.goto(table.address)
    page.locator(".score").wait_for()
    table.play_to_the_count({"Ada": 7, "Bea": 6, "Carla": 9})
    table.post("differences-counted", count=7)
    page.get_by_role("button", name="Done").click()
    page.get_by_role("button", name="More").click()
    page.get_by_role("button", name="Score sheet").click()
    expect(page.get_by_role("dialog", name="Score sheet").get_by_role("table")).to_be_visible()

    assert len(asked) > 10
    assert {urlsplit(url).hostname for url in asked if not url.startswith("blob:")} == {"127.0.0.1"}


def test_the_first_load_is_small(page: Page, table: Table) -> None:
    """All that the page needs before the first picture is at most 300 kB."""
    sizes: dict[str, int] = {}
    page.on("response", lambda answer: sizes.setdefault(answer.url, len(answer.body())) if answer.status == 200 else None)
    page.goto(table.address)
    expect(page.locator(".score")).to_be_visible()
    page.wait_for_load_state("networkidle")

    assert 20_000 < sum(sizes.values()) <= FIRST_LOAD_BYTES


def test_two_pages_show_the_same(host: Page, table: Table) -> None:
    """What the host enters stands on the room's page at once; the room has nothing to enter with."""
    room = host.context.new_page()
    room.goto(f"{table.address}/show")
    host.get_by_role("button", name="The green token is turned").click()
    host.get_by_role("button", name="Two photos lie there").click()

    expect(host.get_by_role("heading", level=1)).to_contain_text("Everybody looks")
    expect(room.get_by_role("heading", level=1)).to_have_text(host.get_by_role("heading", level=1).inner_text())
    expect(room.locator(".entry, .actions")).to_have_count(0)


def test_the_page_speaks_the_games_language(page: Page, tmp_path: Path) -> None:
    """A French table has French words on the page itself, too."""
    table = Table(tmp_path, players=("Ada", "Bea"), language="fr")
    table.desk.begin({})
    page.goto(table.address)

    expect(page.get_by_role("button", name="Le jeton vert est retourné")).to_be_visible()
    assert page.locator("html").get_attribute("lang") == "fr"
    table.close()
    table.desk.close()
