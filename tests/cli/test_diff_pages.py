"""The pages that `companion diff` and `companion audit` write, in a real browser."""

from collections.abc import Iterator
from itertools import combinations
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, expect

from tests.vision.differences_pictures import scene, stickers
from vision.differences import Side, compare
from vision.differences.many import Verdict
from vision.differences.matrix import as_page
from vision.differences.report import as_html

A = scene(3)
B = stickers(A, [(150, 150), (420, 300), (640, 460)])


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """Each page by its name, as text."""
    said = compare(Side(A), Side(B))
    verdicts = [Verdict(f"p{k}", f"p{k + 1}", True, k, 0.6 + k / 20, range=(k, k + 1)) for k in range(6)]
    verdicts.append(Verdict("p0", "p6", None, None, 0.0, error="p6: the file is empty; copy or save the picture again"))
    return {
        "report": as_html(A, B, said, names=("a.png", "b.png"), settings={"sensitivity": "0.5"}),
        "matrix": as_page(verdicts, {("p3", "p4"): 5}),
    }


@pytest.fixture(params=["light", "dark"])
def scheme(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture(params=[(390, 844), (1280, 900)], ids=["phone", "desktop"])
def page(request: pytest.FixtureRequest, browser: Browser, scheme: str) -> Iterator[Page]:
    context = browser.new_context(viewport=dict(zip(("width", "height"), request.param, strict=True)), color_scheme=scheme)
    yield context.new_page()
    context.close()


@pytest.mark.parametrize("name", ["report", "matrix"])
def test_the_page_needs_nothing_else_and_fits(pages: dict[str, str], name: str, page: Page, tmp_path: Path) -> None:
    """No other file is asked for, nothing runs out of the window, and nobody is shut out, by day and by night."""
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    (tmp_path / "page.html").write_text(pages[name], encoding="utf-8")
    page.goto((tmp_path / "page.html").as_uri())

    assert [url for url in asked if not url.startswith("data:")] == [(tmp_path / "page.html").as_uri()]
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert [v["id"] for v in Axe().run(page).response["violations"]] == []


def test_blink_slider_and_heat_map(pages: dict[str, str], page: Page) -> None:
    """The slider cuts B away, Blink shows now A, now B, the heat map lies over both."""
    page.set_content(pages["report"])
    over, warm = page.locator("#over"), page.locator("#warm")

    page.locator("#slide").fill("80")
    assert "80%" in str(over.get_attribute("style"))
    page.get_by_role("button", name="Blink").click()
    expect(over).to_be_hidden()
    expect(over).to_be_visible()
    page.get_by_role("button", name="Blink").click()
    expect(warm).to_be_hidden()
    page.get_by_role("button", name="Heat map").click()
    expect(warm).to_be_visible()


def test_long_names_are_read_in_words_not_in_letters(page: Page) -> None:
    """Names as scanners give them take a column of some width each, on a phone too; short ones no more than they need."""
    long = [f"holiday-scan-2024-11-30-the-attic-of-grandmother-{k}.jpg" for k in (1, 2)] + ["IMG" + "0123456789" * 6 + ".png"]
    why = "the two do not show the same picture, or too little of it"
    page.set_content(as_page([Verdict(a, b, False, None, 0.0, error=why) for a, b in combinations([*long, "p4"], 2)], {}))

    sizes = page.locator(".id").evaluate_all("ids => ids.map(id => [id.textContent, id.offsetWidth, id.offsetHeight])")
    for name, width, height in sizes:
        assert height < 200, name
        assert width <= 260 and (width < 40 if name == "p4" else width > 100), name


def test_the_worst_pairs_come_first(pages: dict[str, str], page: Page) -> None:
    """What is not as expected or could not be compared, then what is least sure."""
    page.set_content(pages["matrix"])
    first = page.locator("table").first.locator("tr").nth(1)
    second = page.locator("table").first.locator("tr").nth(2)
    third = page.locator("table").first.locator("tr").nth(3)

    expect(first).to_contain_text("the file is empty")
    expect(second).to_contain_text("p3")
    expect(third).to_contain_text("60%")
