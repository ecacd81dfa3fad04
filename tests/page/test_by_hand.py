"""A whole game at the page, with nothing but the host's hands."""

from playwright.sync_api import Page, expect

from tests.page.conftest import Table


def take(page: Page, player: str, value: int) -> None:
    page.get_by_role("group", name="Who takes a marker?").get_by_role("button", name=player, exact=True).click()
    page.get_by_role("group", name=f"Which marker does {player} take?").get_by_role("button", name=str(value), exact=True).click()


def points(page: Page, player: str) -> str:
    return page.locator(f".score [data-player={player}] .player-points").inner_text()


def test_names_are_all_that_a_game_without_a_camera_needs(page: Page, empty_table: Table) -> None:
    """The page asks who plays, refuses the same name twice, and begins."""
    page.goto(empty_table.address)
    page.get_by_label("Player 1", exact=True).fill("Ada")
    page.get_by_label("Player 2", exact=True).fill("Ada")
    page.get_by_role("button", name="Begin the game").click()
    expect(page.get_by_role("alert")).to_have_text("Two people have the same name.")

    page.get_by_label("Player 2", exact=True).fill("Bea")
    page.get_by_role("button", name="Begin the game").click()

    expect(page.locator(".score")).to_contain_text("Bea")
    assert empty_table.desk.state("host")["position"]["players"] == ["Ada", "Bea"]


def test_a_round_by_hand(host: Page, table: Table) -> None:
    """Token, photos, markers, the count: each is one or two taps, and the points are booked."""
    host.get_by_role("button", name="The green token is turned").click()
    host.get_by_role("button", name="Two photos lie there").click()
    take(host, "Ada", 7)
    take(host, "Bea", 6)
    expect(host.locator(".ring")).to_be_visible()
    host.get_by_role("group", name="Which marker does Carla take?").get_by_role("button", name="9", exact=True).click()
    host.get_by_role("button", name="The photos are turned").click()
    host.get_by_role("group", name="How many differences?").get_by_role("button", name="7", exact=True).click()

    expect(host.get_by_role("dialog", name="The differences")).to_contain_text("7 differences")
    host.get_by_role("button", name="Done").click()
    assert [points(host, player) for player in ("Ada", "Bea", "Carla")] == ["3", "2", "1"]


def test_a_marker_that_another_holds_cannot_be_tapped(host: Page, table: Table) -> None:
    """What is taken is not offered again."""
    table.post("green-turned")
    table.post("photos-laid", photos=[None, None])
    table.post("marker-taken", player="Ada", value=7)
    host.get_by_role("group", name="Who takes a marker?").get_by_role("button", name="Bea", exact=True).click()

    expect(host.get_by_role("group", name="Which marker does Bea take?").get_by_role("button", name="7", exact=True)).to_be_disabled()


def test_the_last_one_runs_out_of_time(host: Page, table: Table) -> None:
    """When the three seconds are over the page offers to say so; the last player is out."""
    table.post("green-turned")
    table.post("photos-laid", photos=[None, None])
    table.post("marker-taken", player="Ada", value=7)
    table.post("marker-taken", player="Bea", value=6)
    host.get_by_role("button", name="Time is up").click()

    expect(host.locator("[data-player=Carla]").get_by_role("img", name="Out of this round")).to_be_visible()


def test_a_game_to_its_end_and_once_more(host: Page, table: Table) -> None:
    """The end names the winner and shows the sheet; "Play again" begins the next game at the same table."""
    for _ in range(2):
        table.play_to_the_count({"Ada": 7, "Bea": 6, "Carla": 9})
        table.post("differences-counted", count=7)
        host.get_by_role("button", name="Done").click()   # each round's reveal is put away before the next
    expect(host.get_by_role("heading", level=1)).to_have_text("Ada wins!")
    expect(host.get_by_role("table")).to_contain_text("Total")

    host.get_by_role("button", name="Play again").click()

    expect(host.get_by_role("button", name="The green token is turned")).to_be_visible()
    assert points(host, "Ada") == "0"
