"""Deck packs are read with every fault named, by file and remedy."""

import struct
import zlib
from pathlib import Path

import cv2
import numpy as np
import pytest

from vision.deck.pack import PackError, faults, read_pack

CARD = '[[card]]\nid = "{0}"\nfront = "cards/{0}-front.png"\nback = "cards/{0}-back.png"\n'
HEAD = 'format = 1\ngame = "sherlook"\nname = "Two"\nsize_mm = [60.0, 40.0]\n'


def a_pack(folder: Path, text: str = HEAD + CARD.format("p1") + CARD.format("p2")) -> Path:
    """A small pack of two photos; `text` is its deck.toml."""
    (folder / "cards").mkdir(parents=True)
    for n, name in enumerate(("p1-front", "p1-back", "p2-front", "p2-back")):
        cv2.imwrite(str(folder / "cards" / f"{name}.png"), np.full((40, 60, 3), 40 * n, np.uint8))
    (folder / "deck.toml").write_text(text, encoding="utf-8")
    return folder


def test_a_whole_pack_is_read_without_a_word(tmp_path: Path) -> None:
    """All that deck.toml and the file names tell."""
    folder = a_pack(tmp_path / "pack")
    (folder / "markers").mkdir()
    (folder / "booklet").mkdir()
    cv2.imwrite(str(folder / "markers" / "10.png"), np.zeros((9, 9, 4), np.uint8))
    cv2.imwrite(str(folder / "booklet" / "03.png"), np.zeros((9, 9, 3), np.uint8))
    pack = read_pack(folder, game="sherlook")

    assert pack.said == () and faults(folder) == []
    assert [card.id for card in pack.cards] == ["p1", "p2"]
    assert pack.card("p2").back == folder / "cards" / "p2-back.png"
    assert pack.size_mm == (60.0, 40.0) and list(pack.markers) == [10] and list(pack.booklet) == [3]


def test_an_object_card_and_a_tile_keep_what_they_show(tmp_path: Path) -> None:
    """Object, arrow and steps; suspect and witness."""
    card = CARD.format("p1") + 'object = "umbrella"\nnames = {fr = "parapluie"}\narrow = "left"\nsteps = 3\n'
    tile = CARD.format("p2") + 'suspect = "s1"\nwitness = "w6"\n'
    one, other = read_pack(a_pack(tmp_path / "pack", HEAD + card + tile)).cards

    assert (one.object, one.names, one.arrow, one.steps) == ("umbrella", {"fr": "parapluie"}, "left", 3)
    assert (other.suspect, other.witness) == ("s1", "w6")


@pytest.mark.parametrize(("text", "named"), [
    (HEAD + CARD.format("p1") * 2, "p1"),                                                   # two cards with one id
    ("game = [", "well-formed"),                                                             # no TOML
    (HEAD + CARD.format("p1").replace("cards/p1-front", "../secret"), "leaves the pack"),    # a path out of the folder
    (HEAD + '[[card]]\nid = "p1"\nfront = "/etc/passwd"\n', "leaves the pack"),
    (HEAD.replace("60.0", '"wide"'), "no length"),                                           # sizes that are no numbers
    (HEAD.replace("60.0", "nan"), "no length"),
    (HEAD.replace("60.0, 40.0", "60.0"), "no length"),
    (HEAD.replace("sherlook", "chess") + CARD.format("p1"), "sherlock-2011"),                # no game of ours
    (HEAD.replace("1", "2", 1) + CARD.format("p1"), "format 2"),
    (HEAD + "[[card]]\nfront = \"cards/p1-front.png\"\n", "card number 1"),                  # no id
    (HEAD + CARD.format("p1") + 'arrow = "up"\n', "arrow"),
    (HEAD + "card = 3\n", "[[card]]"),
])  # fmt: skip
def test_a_useless_pack_is_one_line(tmp_path: Path, text: str, named: str) -> None:
    """The line names the file and what to do."""
    folder = a_pack(tmp_path / "pack", text)
    with pytest.raises(PackError) as caught:
        read_pack(folder)

    assert "deck.toml" in str(caught.value) and named in str(caught.value) and "\n" not in str(caught.value)
    assert str(caught.value) in [fault.text for fault in faults(folder) if fault.fatal]


def test_every_fault_is_told_at_once(tmp_path: Path) -> None:
    """Not only the first; what cannot be used comes before what is only missing."""
    broken = CARD.format("p1").replace('front = "cards/p1-front.png"\n', "") + CARD.format("p2") * 2 + 'steps = "two"\n'
    found = faults(a_pack(tmp_path / "pack", HEAD + broken))

    assert [fault.fatal for fault in found] == [True, True, False, False]
    assert any("no front" in fault.text for fault in found) and any("two cards" in fault.text for fault in found)


def test_an_incomplete_pack_is_used_and_said(tmp_path: Path) -> None:
    """A back that is not there, a file that is no picture, a stranger's file, a picture of another shape."""
    folder = a_pack(tmp_path / "pack")
    (folder / "cards" / "p1-back.png").unlink()
    (folder / "cards" / "p2-back.png").write_text("no picture")
    cv2.imwrite(str(folder / "cards" / "holiday.jpg"), np.zeros((40, 60, 3), np.uint8))
    cv2.imwrite(str(folder / "cards" / "p1-front.png"), np.zeros((60, 40, 3), np.uint8))
    pack = read_pack(folder)

    assert [(card.front is not None, card.back) for card in pack.cards] == [(True, None), (True, None)]
    for name in ("p1-back.png", "p2-back.png", "holiday.jpg", "p1-front.png"):
        assert any(name in line for line in pack.said)


def test_a_picture_that_is_cut_short_is_found_by_looking_at_all(tmp_path: Path) -> None:
    """Reading the pack opens no picture whole; the check does."""
    folder = a_pack(tmp_path / "pack")
    path = folder / "cards" / "p1-back.png"
    path.write_bytes(path.read_bytes()[:-30])

    assert read_pack(folder).said == ()
    assert any("p1-back.png" in fault.text for fault in faults(folder))


def test_a_picture_bomb_is_refused_by_its_head(tmp_path: Path) -> None:
    """A few bytes that would unpack to gigabytes."""
    folder = a_pack(tmp_path / "pack")
    head = struct.pack(">IIBBBBB", 60_000, 40_000, 8, 2, 0, 0, 0)
    chunk = b"IHDR" + head
    bomb = b"\x89PNG\r\n\x1a\n" + struct.pack(">I", 13) + chunk + struct.pack(">I", zlib.crc32(chunk))
    (folder / "cards" / "p1-front.png").write_bytes(bomb + struct.pack(">I", 0) + b"IDAT" + struct.pack(">I", zlib.crc32(b"IDAT")))
    with pytest.raises(PackError, match=r"p1-front\.png.*save it smaller"):
        read_pack(folder)


def test_a_link_out_of_the_pack_is_not_followed(tmp_path: Path) -> None:
    """A card's picture that is a link to elsewhere, and a marker likewise."""
    folder = a_pack(tmp_path / "pack")
    outside = tmp_path / "outside.png"
    cv2.imwrite(str(outside), np.zeros((40, 60, 3), np.uint8))
    (folder / "markers").mkdir()
    (folder / "markers" / "1.png").symlink_to(outside)
    assert read_pack(folder).markers == {}
    (folder / "cards" / "p1-front.png").unlink()
    (folder / "cards" / "p1-front.png").symlink_to(outside)
    with pytest.raises(PackError, match="leaves the pack"):
        read_pack(folder)


def test_a_pack_of_another_game_or_no_pack_is_said(tmp_path: Path) -> None:
    """With the game to choose, or the folder to name."""
    folder = a_pack(tmp_path / "pack")
    with pytest.raises(PackError, match="--game sherlook"):
        read_pack(folder, game="sherlock")
    with pytest.raises(PackError, match=r"deck\.toml"):
        read_pack(tmp_path)
