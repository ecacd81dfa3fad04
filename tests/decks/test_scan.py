"""`companion deck scan` and `add`: cards are cut out of scans and sorted into a pack, and nothing is lost or doubled on the way."""

import os
import resource
import shutil
import signal
import subprocess
import sys
from itertools import combinations
from pathlib import Path

import click
import cv2
import numpy as np
import pytest
from click.testing import CliRunner, Result

from companion.cli import companion
from companion.decks.cut import cut_cards
from companion.decks.scan import pictures_in, scan
from companion.decks.sorting import Found, nothing_differs
from tests.decks.scans import scan as a_scan
from tests.vision.drawn_deck import CARDS, back, front, truth
from vision.deck.deck import read_deck
from vision.deck.pack import PackError, faults, read_pack
from vision.geometry import Picture
from vision.pictures import read

pytestmark = pytest.mark.usefixtures("own_cache")
SIZE = (120.0, 80.0)
FRONTS = ("p2", "p5", "p3", "p4", "p8", "p6", "p7", "p1")     # as they lie: four a scan, the second upside down
BACKS = ("p1", "p2", "p4", "p7", "p5", "p8", "p3", "p6")


@pytest.fixture(scope="module")
def scans(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Eight fronts on a white bed, eight backs on a black one, in four JPEG files, in no order."""
    folder, rng = tmp_path_factory.mktemp("scans"), np.random.default_rng(5)
    for k in (0, 4):
        put(folder / f"a-{k}.jpg", [front(CARDS[name]) for name in FRONTS[k : k + 4]], rng, bed=246, turns=(0, 180, 0, 0))
        put(folder / f"b-{k}.jpg", [back(CARDS[name]) for name in BACKS[k : k + 4]], rng, bed=14, turns=(0, 0, 0, 180))
    return folder


@pytest.fixture(scope="module")
def scanned(scans: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The pack made of them."""
    pack = tmp_path_factory.mktemp("scanned") / "market"
    done = scan(pictures_in(scans), pack, size_mm=SIZE)
    assert len(done.new) == 8 and not done.filled and not done.said
    return pack


def put(path: Path, cards: list[Picture], rng: np.random.Generator, *, bed: int = 246, turns: tuple[float, ...] = (0, 0, 0, 0)) -> None:
    cv2.imwrite(str(path), a_scan(cards, rng, bed=bed, turns=turns)[0], [cv2.IMWRITE_JPEG_QUALITY, 90])


def deck(*args: object) -> Result:
    return CliRunner().invoke(companion, ["deck", *map(str, args)], standalone_mode=False)


def files(folder: Path) -> dict[str, bytes]:
    return {str(p.relative_to(folder)): p.read_bytes() for p in sorted(folder.rglob("*")) if p.is_file()}


def test_two_cards_are_not_one_for_a_single_small_thing(tmp_path: Path) -> None:
    """A second scan of a card is left out, however its JPEG came out; a card with one small thing more is a card of its own."""
    dotted = cv2.circle(front(CARDS["p1"]), (300, 210), 5, (30, 30, 220), -1, cv2.LINE_AA)
    for name, picture, quality in (("one", front(CARDS["p1"]), 95), ("again", front(CARDS["p1"]), 80), ("dotted", dotted, 95)):
        cv2.imwrite(str(tmp_path / f"{name}.jpg"), picture, [cv2.IMWRITE_JPEG_QUALITY, quality])
    one, again, other = (Found(tmp_path / f"{name}.jpg", name, name, (0, 0)) for name in ("one", "again", "dotted"))

    assert nothing_differs(one, again) and not nothing_differs(one, other)


@pytest.mark.parametrize("bed", [248, 170, 10])
def test_cards_are_cut_out_to_their_edges(bed: int) -> None:
    """On a white, grey or black bed, turned or not: each corner within 1.5 pixels of where it lies."""
    picture, quads = a_scan([front(CARDS[name]) for name in FRONTS[:4]], np.random.default_rng(bed), bed=bed, turns=(0, 5, 180, -5))
    cuts = cut_cards(picture, size_mm=SIZE)

    assert len(cuts.cards) == 4 and not cuts.left_out
    for quad in quads:
        assert min(np.abs(np.roll(quad, k, 0) - cut.quad).max() for cut in cuts.cards for k in range(4)) < 1.5
    assert {cut.picture.shape for cut in cuts.cards} <= {(h, w, 3) for h in (399, 400, 401) for w in (599, 600, 601)}


def test_a_picture_that_is_a_card_already_is_taken_whole() -> None:
    """Edge to edge, no bed around it."""
    assert np.array_equal(cut_cards(front({}), size_mm=SIZE).cards[0].picture, front({}))


@pytest.mark.parametrize("rim", [12, 40, 70])
def test_a_cards_own_plain_rim_is_no_bed(rim: int) -> None:
    """A picture cut to the card, whose print stands in a white rim, is taken whole; a card on a little bed is still cut out."""
    card = cv2.copyMakeBorder(front({})[rim:-rim, rim:-rim], *[rim] * 4, cv2.BORDER_CONSTANT, value=(250, 250, 250))
    bed = cv2.copyMakeBorder(front({}), *[rim] * 4, cv2.BORDER_CONSTANT, value=(250, 250, 250))
    rimmed, = cut_cards(np.asarray(card, np.uint8), size_mm=SIZE).cards
    laid, = cut_cards(np.asarray(bed, np.uint8), size_mm=SIZE).cards

    assert np.array_equal(rimmed.picture, card)
    assert np.abs(laid.quad - [[rim, rim], [600 + rim, rim], [600 + rim, 400 + rim], [rim, 400 + rim]]).max() < 1.5


def test_a_photograph_from_aslant_is_straightened() -> None:
    """A card on a table, seen in perspective."""
    quad = np.array([[300, 250], [1000, 300], [960, 760], [260, 700]], np.float32)
    to = cv2.getPerspectiveTransform(np.array([[0, 0], [600, 0], [600, 400], [0, 400]], np.float32) - 0.5, quad - 0.5)
    photo = np.full((1000, 1300, 3), (60, 90, 120), np.uint8)
    there = cv2.warpPerspective(np.full((400, 600), 255, np.uint8), to, (1300, 1000)) > 127
    photo[there] = cv2.warpPerspective(front({}), to, (1300, 1000))[there]
    (cut,) = cut_cards(photo, size_mm=SIZE).cards

    assert np.abs(cut.quad - quad).max() < 1.5
    inner = (slice(8, -8), slice(8, -8))
    off = cv2.absdiff(cv2.resize(cut.picture, (600, 400), interpolation=cv2.INTER_AREA), front({}))[inner]
    assert off.mean() < 6


def test_a_card_that_runs_out_of_the_picture_is_said() -> None:
    """It is not cut short in silence."""
    picture, _ = a_scan([front(CARDS["p1"])], np.random.default_rng(1))
    cuts = cut_cards(np.ascontiguousarray(picture[:, 200:]), size_mm=SIZE)

    assert not cuts.cards and len(cuts.left_out) == 1


def test_fronts_and_backs_find_each_other(scanned: Path) -> None:
    """The pack that was scanned counts as the deck does: same card, same sides, one way up."""
    assert faults(scanned) == []
    made = read_deck(read_pack(scanned))

    assert list(made.ids) == [f"p{n:02d}" for n in range(1, 9)]
    names = dict(zip(made.ids, FRONTS, strict=True))
    for name, card in names.items():
        for side, drawn in (("front", front(CARDS[card])), ("back", back(CARDS[card]))):
            picture = cv2.resize(read(scanned / "cards" / f"{name}-{side}.png"), (600, 400), interpolation=cv2.INTER_AREA)
            assert cv2.absdiff(picture, drawn).mean() < 15, (name, side)
    assert {(a, b): made.count(a, b) for a, b in combinations(made.ids, 2)} == {
        (a, b): truth(names[a], names[b]) for a, b in combinations(made.ids, 2)
    }


def test_a_card_that_departs_nowhere_finds_its_back(tmp_path: Path) -> None:
    """Of a few cards one shows all that is usual: its front and its back belong together, too."""
    cards = [CARDS["p2"], {}, CARDS["p5"], CARDS["p4"]]
    (tmp_path / "scans").mkdir()
    rng = np.random.default_rng(4)
    put(tmp_path / "scans" / "a.jpg", [front(card) for card in cards], rng)
    put(tmp_path / "scans" / "b.jpg", [back(card) for card in reversed(cards)], rng, bed=14)
    result = deck("scan", tmp_path / "scans", "-o", tmp_path / "pack", "--size-mm", "120x80")

    assert result.return_value == 0 and "4 new cards" in result.stdout
    for made, card in zip(read_pack(tmp_path / "pack").cards, cards, strict=True):
        assert made.front is not None and made.back is not None
        assert cv2.absdiff(cv2.resize(read(made.back), (600, 400), interpolation=cv2.INTER_AREA), back(card)).mean() < 12


def test_a_size_whose_numbers_are_exchanged_is_noticed(tmp_path: Path) -> None:
    """All cards lie on their side in the scans: one line says so, with the command that mends it, and it is to be looked at."""
    cards = [CARDS["p2"], {}, CARDS["p5"], CARDS["p4"]]
    (tmp_path / "scans").mkdir()
    put(tmp_path / "scans" / "a.jpg", [front(card) for card in cards], np.random.default_rng(4), turns=(0, 180, 0, 0))
    result = deck("scan", tmp_path / "scans", "-o", tmp_path / "pack", "--size-mm", "80x120")

    assert result.return_value == 1
    said = [line for line in result.stdout.splitlines() if line.startswith("--size-mm 80x120: 4 of 4 cards lie on their side")]
    assert len(said) == 1 and said[0].endswith("scan again with --size-mm 120x80")


def test_a_side_without_a_fellow_is_said(tmp_path: Path) -> None:
    """The back of one card and the front of another that is nearly the same were not scanned: neither is taken for the other's."""
    lonely_front, lonely_back = CARDS["p3"], {**CARDS["p3"], 9: 2}
    others = [CARDS["p5"], CARDS["p6"], CARDS["p7"]]
    (tmp_path / "scans").mkdir()
    rng = np.random.default_rng(6)
    put(tmp_path / "scans" / "a.jpg", [front(card) for card in [lonely_front, *others]], rng)
    put(tmp_path / "scans" / "b.jpg", [back(card) for card in [*others, lonely_back]], rng, bed=14)
    result = deck("scan", tmp_path / "scans", "-o", tmp_path / "pack", "--size-mm", "120x80")
    lines = result.stdout.splitlines()

    assert result.return_value == 1 and len(lines) == 3 and "5 new cards" in lines[2]
    assert lines[0].startswith("a.jpg, card 1: a front whose back was not found")
    assert lines[1].startswith("b.jpg, card 4: a back whose front was not found")


def test_a_stopped_scan_goes_on(scans: Path, scanned: Path, tmp_path: Path) -> None:
    """Stopped among the scans, and again while the pack is written: the same pack in the end, nothing doubled, nothing left lying."""
    pack = tmp_path / "market"

    def stop(done: int, of: int) -> None:
        if done == 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        scan(pictures_in(scans), pack, size_mm=SIZE, progress=stop)
    assert not (pack / "deck.toml").exists()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "replace", lambda source, target, move=os.replace: move(source, target) if "p03" not in str(target) else 1 / 0)
        with pytest.raises(ZeroDivisionError):
            scan(pictures_in(scans), pack, size_mm=SIZE)
    done = scan(pictures_in(scans), pack, size_mm=SIZE)

    assert not done.new and len(done.there) == 16
    assert files(pack) == files(scanned)


def test_what_was_there_stays_and_what_lacked_is_filled_up(scans: Path, scanned: Path, tmp_path: Path) -> None:
    """A card loses its back, deck.toml has a comment, there are other files: another scan only adds."""
    pack = shutil.copytree(scanned, tmp_path / "market")
    (pack / "cards" / "p04-back.png").rename(tmp_path / "lost.png")
    text = (pack / "deck.toml").read_text(encoding="utf-8").replace('back = "cards/p04-back.png"\n', "")
    (pack / "deck.toml").write_text("# bought in Ghent\n" + text, encoding="utf-8")
    (pack / "README.txt").write_text("mine", encoding="utf-8")
    before = files(pack)
    done = scan([scans / "b-0.jpg", scans / "b-4.jpg"], pack)
    after = files(pack)

    assert done.filled == ("p04",) and not done.new and len(done.there) == 7
    assert read_pack(pack).said == () and after["deck.toml"].startswith(b"# bought in Ghent\n")
    assert {name: data for name, data in after.items() if name in before and name != "deck.toml"} == {
        name: data for name, data in before.items() if name != "deck.toml"
    }


def test_doubles_blurred_and_foreign_pictures_are_said(scans: Path, tmp_path: Path) -> None:
    """The sharper of two scans of a card is taken; a picture of something else is left out."""
    folder = shutil.copytree(scans, tmp_path / "scans")
    rng = np.random.default_rng(3)
    soft = cv2.GaussianBlur(front(CARDS["p6"]), (0, 0), 3)
    put(folder / "c-5.jpg", [soft, rng.integers(0, 255, (400, 600, 3)).astype(np.uint8)], rng)
    (folder / "c-6.jpg").write_text("no picture", encoding="utf-8")
    done = scan(pictures_in(folder), tmp_path / "market", size_mm=SIZE)

    assert len(done.new) == 8
    for words in (("c-5.jpg, card 1", "blurred"), ("c-5.jpg, card 2", "another scene"), ("c-6.jpg", "not a picture")):
        assert any(all(word in line for word in words) for line in done.said), (words, done.said)


def test_what_a_folder_holds_besides_pictures_is_said(tmp_path: Path) -> None:
    """A document of a scanner and a folder within are not looked into, which is said; the pack may lie there, and names may be odd."""
    folder = tmp_path / "Mes scans (été)"
    (folder / "plus").mkdir(parents=True)
    for name in ("Recto 1.JPG", "plus/Recto 2.jpg"):
        cv2.imencode(".jpg", front(CARDS["p1"]))[1].tofile(folder / name)
    (folder / "scan.PDF").write_bytes(b"%PDF-1.4")
    (folder / "notes.txt").write_text("dear", encoding="utf-8")
    first = deck("scan", folder, "-o", folder / "paquet", "--size-mm", "120x80")
    lines = first.stdout.splitlines()

    assert first.return_value == 1 and len(lines) == 3
    assert "plus: a folder" in lines[0] and "scan.PDF: a document" in lines[1] and "1 new card (p01)" in lines[2]
    assert "'" in lines[2]      # the command that it names can be copied, whatever the folder is called
    assert len(deck("scan", folder, "-o", folder / "paquet").stdout.splitlines()) == 3


def test_object_cards_share_their_back(tmp_path: Path) -> None:
    """The picture that most cuts show is the back of all; one scanned twice is said."""
    rng = np.random.default_rng(8)
    cards = [np.asarray(np.clip(cv2.GaussianBlur(rng.normal(128, 400, (300, 300, 3)), (0, 0), 6), 0, 255), np.uint8) for _ in range(6)]
    (tmp_path / "scans").mkdir()
    put(tmp_path / "scans" / "1.png", cards[:4], rng)
    put(tmp_path / "scans" / "2.png", [cards[4], cards[0], cards[5], cards[5]], rng)
    put(tmp_path / "scans" / "3.png", [cards[5]], rng)
    done = scan(pictures_in(tmp_path / "scans"), tmp_path / "pack", game="sherlock", size_mm=(60.0, 60.0))
    pack = read_pack(tmp_path / "pack")

    assert [card.id for card in pack.cards] == ["c01", "c02", "c03", "c04", "c05"]
    assert {card.back.name for card in pack.cards if card.back} == {"back.png"} and pack.said == ()
    assert len(done.said) == 1 and "2.png, card 2" in done.said[0]


def test_tiles_are_paired_by_the_names_of_their_scans(tmp_path: Path) -> None:
    """The n-th tile of the fronts and the n-th of the backs are one."""
    rng = np.random.default_rng(9)
    faces = [np.full((300, 300, 3), colour, np.uint8) for colour in ((40, 40, 200), (40, 200, 40), (200, 40, 40), (40, 180, 200))]
    (tmp_path / "scans").mkdir()
    put(tmp_path / "scans" / "tiles-back.png", faces[2:], rng)
    put(tmp_path / "scans" / "tiles-front.png", faces[:2], rng)
    scan(pictures_in(tmp_path / "scans"), tmp_path / "pack", game="sherlock-2011", size_mm=(60.0, 60.0))
    shown = [[read(path)[150, 150] for path in (card.front, card.back) if path] for card in read_pack(tmp_path / "pack").cards]

    assert np.abs(np.array(shown, float) - [[faces[0][0, 0], faces[2][0, 0]], [faces[1][0, 0], faces[3][0, 0]]]).max() < 12


def test_one_more_card_is_added(scanned: Path, tmp_path: Path) -> None:
    """Its front and back, whichever comes first; the same again is said and changes nothing."""
    pack = shutil.copytree(scanned, tmp_path / "market")
    card = {1: 1, 11: 2}
    cv2.imwrite(str(tmp_path / "back.jpg"), back(card))
    cv2.imwrite(str(tmp_path / "front.jpg"), np.rot90(front(card), 2))
    first = deck("add", pack, tmp_path / "back.jpg", tmp_path / "front.jpg")
    before = files(pack)
    again = deck("add", pack, tmp_path / "front.jpg")

    assert first.return_value == 0 and "1 new card (p09)" in first.stdout
    assert again.return_value == 1 and "front.jpg: shows what card p09" in again.stdout
    assert files(pack) == before
    assert cv2.absdiff(read(pack / "cards" / "p09-front.png"), front(card)).mean() < 12


def test_trouble_is_one_line_and_nothing_is_lost(scans: Path, scanned: Path, tmp_path: Path) -> None:
    """No size, no folder, no picture, a folder of other things, another game: exit status 2."""
    (tmp_path / "empty").mkdir()
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "letter.txt").write_text("dear", encoding="utf-8")
    before = files(scanned)
    for args, named in (
        (("scan", scans, "-o", tmp_path / "new"), "--size-mm"),
        (("scan", scans, "-o", tmp_path / "new", "--size-mm", "big"), "--size-mm"),
        (("scan", tmp_path / "empty", "-o", tmp_path / "new", "--size-mm", "120x80"), "no picture"),
        (("scan", tmp_path / "nowhere", "-o", tmp_path / "new", "--size-mm", "120x80"), "nowhere"),
        (("scan", scans, "-o", tmp_path / "other", "--size-mm", "120x80"), "new folder"),
        (("scan", scans, "-o", scans, "--size-mm", "120x80"), "another folder"),
        (("scan", scans, "-o", scanned, "--game", "sherlock"), "--game sherlook"),
        (("scan", scans, "-o", scanned, "--size-mm", "60x60"), "120 x 80"),
        (("add", scanned, tmp_path / "nowhere.jpg"), "nowhere.jpg"),
        (("add", tmp_path / "other", scans / "a-0.jpg"), "deck.toml"),
    ):
        result = deck(*args)
        assert isinstance(result.exception, click.ClickException), (args, result)
        assert named in str(result.exception) and "\n" not in str(result.exception)
    assert not (tmp_path / "new").exists() and files(scanned) == before


def test_a_full_disk_is_said_as_such(scans: Path, scanned: Path, tmp_path: Path) -> None:
    """Not as scans without cards; with room again, the same command goes on to the same pack."""
    def little_room() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000))
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)

    companion = [sys.executable, "-c", "from companion.cli import main; main()"]
    command = [*companion, "deck", "scan", str(scans), "-o", "market", "--size-mm", "120x80"]
    full = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=120, preexec_fn=little_room)
    assert full.returncode == 2 and full.stderr.count("\n") == 1
    assert "cannot be written" in full.stderr and "free some room" in full.stderr and "stands out" not in full.stdout

    again = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=120)
    assert again.returncode == 0 and files(tmp_path / "market") == files(scanned)


def test_a_pack_that_cannot_be_written_is_said(scans: Path, tmp_path: Path) -> None:
    """A file stands where the folder should be."""
    (tmp_path / "file").write_text("", encoding="utf-8")
    with pytest.raises(PackError, match="folder"):
        scan(pictures_in(scans), tmp_path / "file", size_mm=SIZE)
