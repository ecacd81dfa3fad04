"""`companion deck`: packs are checked, shown, scanned and added to; what is wrong is named, and nothing that was there is lost."""

import shutil
from pathlib import Path

import click
import cv2
import numpy as np
import pytest
from axe_playwright_python.sync_playwright import Axe
from click.testing import CliRunner, Result
from playwright.sync_api import Browser

from companion.cli import companion
from tests.vision.drawn_deck import CARDS, back, front, write

pytestmark = pytest.mark.usefixtures("own_cache")
CARD = '[[card]]\nid = "{0}"\nfront = "cards/{0}-front.png"\n'


@pytest.fixture(scope="module")
def drawn(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A sound pack of eight photos."""
    return write(tmp_path_factory.mktemp("drawn") / "pack")


def deck(*args: object) -> Result:
    return CliRunner().invoke(companion, ["deck", *map(str, args)], standalone_mode=False)


def status(result: Result) -> int:
    """The exit status of the command as it would run from a shell."""
    if result.exception is not None:
        if not isinstance(result.exception, click.ClickException):
            raise result.exception
        assert "\n" not in result.exception.format_message()
        return 2
    return int(result.return_value or 0)


# ---------------------------------------------------------------- check


def test_a_sound_pack_is_said_to_be_sound(drawn: Path) -> None:
    """Exit status 0, and one line."""
    result = deck("check", drawn)

    assert status(result) == 0
    assert result.output.splitlines()[-1].endswith("8 cards of sherlook: sound")


def test_every_fault_is_named_with_file_and_remedy(drawn: Path, tmp_path: Path) -> None:
    """A missing back, a stranger's file, a card scanned twice, another scene, a picture upside down: each in one line, all at once."""
    pack = shutil.copytree(drawn, tmp_path / "pack")
    (pack / "cards" / "p2-back.png").unlink()
    (pack / "cards" / "holiday.txt").write_text("not a card")
    rng = np.random.default_rng(2)
    for side, picture in (("front", front(CARDS["p5"])), ("back", back(CARDS["p5"]))):
        scanned = np.clip(picture * 0.97 + rng.normal(3, 1, picture.shape), 0, 255)
        cv2.imwrite(str(pack / "cards" / f"p9-{side}.png"), scanned.astype(np.uint8))
    cv2.imwrite(str(pack / "cards" / "p6-back.png"), np.rot90(back(CARDS["p6"]), 2))
    cv2.imwrite(str(pack / "cards" / "p7-front.png"), rng.integers(0, 255, (400, 600, 3), np.uint8))
    with (pack / "deck.toml").open("a", encoding="utf-8") as f:
        f.write('[[card]]\nid = "p9"\nfront = "cards/p9-front.png"\nback = "cards/p9-back.png"\n')
    result = deck("check", pack)
    lines = result.stdout.splitlines()

    assert status(result) == 1
    for words in (("p2-back.png", "no such file"), ("holiday.txt", "take it away"), ("p9-front.png", "p5", "scanned twice"),
                  ("p6-back.png", "upside down"), ("p7-front.png", "another scene")):
        assert sum(all(word in line for word in words) for line in lines) == 1, (words, lines)
    assert lines[-1].endswith("5 faults")


def test_photos_that_no_scan_tells_apart_are_said(tmp_path: Path) -> None:
    """Two backs may be one picture though the fronts are two: no fault, but it is said."""
    pack = write(tmp_path / "pack", {name: CARDS[name] for name in ("p1", "p3", "p5", "p6")})
    shutil.copy(pack / "cards" / "p1-back.png", pack / "cards" / "p6-back.png")
    result = deck("check", pack)

    assert status(result) == 0
    assert "note: p1 and p6 cannot be told apart by their backs, not even by a clean scan" in result.output.splitlines()


@pytest.mark.parametrize(("text", "named"), [
    (CARD.format("p1") * 2, "two cards have the id p1"),
    (CARD.format("p1").replace("cards/", "../"), "leaves the pack"),
    (CARD.format("p1").replace('id = "p1"', 'id = "../../evil"'), "the id '../../evil' is a path"),
    (CARD.format("p1") + "steps = 3\n", "is for a pack of sherlock"),
])  # fmt: skip
def test_what_makes_a_pack_useless_is_a_fault_like_others(tmp_path: Path, text: str, named: str) -> None:
    """It is found, so the exit status is 1."""
    write(tmp_path, {"p1": {}})
    (tmp_path / "deck.toml").write_text(f'format = 1\ngame = "sherlook"\nsize_mm = [120, 80]\n{text}', encoding="utf-8")
    result = deck("check", tmp_path)

    assert status(result) == 1
    assert any(named in line and "deck.toml" in line for line in result.output.splitlines())


def test_an_empty_file_lacks_its_head(tmp_path: Path) -> None:
    """What must be written into it is said, in one line."""
    (tmp_path / "deck.toml").touch()
    result = deck("check", tmp_path)

    assert status(result) == 1
    assert 'lacks format = 1, game = "sherlook", size_mm = [120.0, 80.0]' in result.output


def test_misspelt_keys_and_odd_names_are_named(tmp_path: Path) -> None:
    """With the word that was meant; a key that is like none is a note, since readers ignore what they do not know."""
    pack = write(tmp_path / "pack")
    text = (pack / "deck.toml").read_text().replace("size_mm", "sise_mm").replace('front = "cards/p3', 'fornt = "cards/p3')
    (pack / "deck.toml").write_text(text.replace("[[card]]", 'bought_in = "Ghent"\n[[card]]', 1) + "[token_mm]\ngren = 40.0\n")
    for name in ("tokens/purple", "markers/11", "missions/s9"):
        (pack / name).parent.mkdir(exist_ok=True)
        cv2.imwrite(str(pack / f"{name}.png"), np.zeros((9, 9, 3), np.uint8))
    result = deck("check", pack)
    lines = result.stdout.splitlines()

    assert status(result) == 1
    for words in (("deck.toml: sise_mm", "write size_mm"), ("card p3: fornt", "write front"), ("token_mm: gren", "write green"),
                  ("purple.png", "rename it"), ("11.png", "1 to 10"), ("s9.png", "rename it")):
        assert sum(all(word in line for word in words) and not line.startswith("note") for line in lines) == 1, (words, lines)
    assert sum("bought_in" in line for line in lines) == 1 and any(line.startswith("note: ") and "bought_in" in line for line in lines)


def test_a_pack_of_few_photos_is_no_authority(tmp_path: Path) -> None:
    """What is usual among four photos is a guess: the check and the sheet say so alike."""
    pack = write(tmp_path / "pack", {name: CARDS[name] for name in ("p1", "p3", "p5", "p6")})
    checked = deck("check", pack)
    deck("show", pack, "-o", tmp_path / "sheet.html")

    assert status(checked) == 0 and "note: of 4 photos alone what is usual is a guess" in checked.output
    assert "of 4 photos alone what is usual is a guess" in (tmp_path / "sheet.html").read_text(encoding="utf-8")


def test_object_cards_need_what_is_printed_on_them_and_are_many(tmp_path: Path) -> None:
    """A pack of sherlock whose card tells no arrow, and in which one card was scanned twice; its one back is no fault."""
    (tmp_path / "cards").mkdir()
    toml = 'format = 1\ngame = "sherlock"\nname = "Things"\nsize_mm = [60, 60]\n'
    for n, name in enumerate(("a", "b", "c")):
        picture = front(dict.fromkeys(range(5 * (n % 2), 8 * (n % 2)), 1))[:400, :400]
        cv2.imwrite(str(tmp_path / "cards" / f"{name}.jpg"), picture, [cv2.IMWRITE_JPEG_QUALITY, 95 - 7 * n])
        toml += f'[[card]]\nid = "{name}"\nfront = "cards/{name}.jpg"\nback = "cards/back.png"\nobject = "{name}"\nsteps = 2\n'
        toml += 'arrow = "left"\n' if name != "b" else ""
    cv2.imwrite(str(tmp_path / "cards" / "back.png"), np.full((300, 300, 3), 90, np.uint8))
    (tmp_path / "deck.toml").write_text(toml, encoding="utf-8")
    result = deck("check", tmp_path, "--game", "sherlock")
    lines = result.output.splitlines()

    assert len(lines) == 3 and status(result) == 1, lines
    assert "card b has no arrow" in lines[0] and "card c shows what card a shows" in lines[1]
    assert "--game sherlock" in deck("check", tmp_path, "--game", "sherlook").output


def test_where_there_is_no_pack_it_says_so(tmp_path: Path) -> None:
    """No folder, no deck.toml, no TOML: one line, exit status 2."""
    (tmp_path / "broken").mkdir()
    (tmp_path / "broken" / "deck.toml").write_text("game = [", encoding="utf-8")
    for folder in (tmp_path, tmp_path / "nowhere", tmp_path / "broken"):
        result = deck("check", folder)

        assert status(result) == 2
        assert "deck.toml" in str(result.exception) and "name the folder" in str(result.exception)


# ---------------------------------------------------------------- show


def test_a_ring_of_links_is_no_folder(drawn: Path, tmp_path: Path) -> None:
    """Neither to scan from nor to write to: each is told in one line that names it."""
    ring = tmp_path / "ring"
    ring.symlink_to(ring)
    for folder, pack in ((ring, tmp_path / "new"), (drawn / "cards", ring)):
        result = deck("scan", folder, "-o", pack, "--size-mm", "120x80")
        assert status(result) == 2 and isinstance(result.exception, click.ClickException)
        assert str(ring) in result.exception.format_message() and "\n" not in result.exception.format_message()


def test_the_sheet_is_one_page_with_all_cards(drawn: Path, tmp_path: Path) -> None:
    """Every card with both sides, each place that varies with its looks, the counts, and what a camera confuses."""
    out = tmp_path / "sheet.html"
    assert status(deck("show", drawn, "-o", out)) == 0
    page = out.read_text(encoding="utf-8")

    assert all(f'alt="{name}, {side}"' in page for name in CARDS for side in ("front", "back"))
    assert page.count('<li><b>') == len({place for card in CARDS.values() for place in card})
    assert "In how many places two photos differ" in page and "mm a pixel" in page
    assert "http" not in page


def test_the_sheet_as_a_picture(drawn: Path, tmp_path: Path) -> None:
    """A PNG with the same."""
    out = tmp_path / "sheet.png"
    assert status(deck("show", drawn, "-o", out)) == 0
    picture = cv2.imread(str(out))

    assert picture is not None and picture.shape[1] == 2400 and picture.std() > 20


def test_a_sheet_never_lies_in_the_pack(drawn: Path, tmp_path: Path) -> None:
    """Nor has it another kind of name: one line each, and nothing is written."""
    before = sorted(p.name for p in drawn.rglob("*"))
    for out in (drawn / "cards" / "p1-front.png", tmp_path / "sheet.pdf", tmp_path / "no" / "where.html"):
        assert status(deck("show", drawn, "-o", out)) == 2
    assert sorted(p.name for p in drawn.rglob("*")) == before


@pytest.mark.parametrize(("scheme", "size"), [("light", (390, 844)), ("dark", (1280, 900))])
def test_the_sheet_fits_and_shuts_nobody_out(drawn: Path, tmp_path: Path, browser: Browser, scheme: str, size: tuple[int, int]) -> None:
    """On a phone and a desk, by day and by night."""
    assert status(deck("show", drawn, "-o", tmp_path / "sheet.html")) == 0
    context = browser.new_context(viewport={"width": size[0], "height": size[1]}, color_scheme="dark" if scheme == "dark" else "light")
    page = context.new_page()
    page.goto((tmp_path / "sheet.html").as_uri())

    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert [v["id"] for v in Axe().run(page).response["violations"]] == []
    context.close()
