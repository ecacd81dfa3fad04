"""The drawn deck shows what its truth says, as a pack that outside tools can read."""

from __future__ import annotations

import os
import tomllib
from itertools import combinations
from pathlib import Path

import cv2
import numpy as np
import pytest
from click.testing import CliRunner

from sample_frames.deck import Deck, load
from sample_frames.deck.__main__ import command
from sample_frames.deck.kinds import KINDS
from sample_frames.deck.pack import forget_older
from sample_frames.deck.pieces import LAYOUTS
from sample_frames.deck.scene import draw_photos
from sample_frames.deck.sheet import Picture, Sheet, pixels
from sample_frames.deck.variants import PLAIN_PIXELS, grey_small, plain_pixels


@pytest.fixture(scope="module")
def deck(tmp_path_factory: pytest.TempPathFactory) -> Deck:
    """The pack as the command writes it; drawn anew where the code has changed since the last time."""
    out = tmp_path_factory.mktemp("night-market")
    result = CliRunner().invoke(command, [str(out)])
    assert result.exit_code == 0, result.output
    return Deck(out)


def test_the_same_code_draws_the_same_pages() -> None:
    """Byte for byte, so a seed and a commit tell what anybody's deck looks like."""
    states = [{}, {"street-1-3": None}]

    assert draw_photos(states) == draw_photos(states)


def test_every_kind_has_a_drawing_of_its_own() -> None:
    """No two things look alike, each is drawn of several shapes, and each fits its box."""
    sheet = Sheet(8.0, 8.0)
    for number, name in enumerate(KINDS):
        if number:
            sheet.next_page()
        sheet.thing(name, 4.0, 7.4, 6.6)
    drawn = np.array([cv2.resize(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), (24, 24)) for picture in pixels(sheet.pdf())], dtype=float)

    assert all(picture.min() < 120 for picture in drawn)
    for a, b in combinations(range(len(drawn)), 2):
        assert np.abs(drawn[a] - drawn[b]).mean() > 4, f"{list(KINDS)[a]} looks like {list(KINDS)[b]}"
    for kind in KINDS.values():
        assert -0.6 < kind.extent.left < kind.extent.right < 0.6
        assert -0.1 < kind.extent.bottom < kind.extent.top < 1.1


def test_every_difference_is_plain_to_a_webcam_in_black_and_white(deck: Deck) -> None:
    """In grey at 250 px width each place of each pair differs plainly, and nowhere else is there any difference at all."""
    small = {photo: grey_small(deck.front(photo)) for photo in deck.ids}
    for a, b in combinations(deck.ids, 2):
        elsewhere = cv2.absdiff(small[a], small[b])
        for place in deck.places(a, b):
            # a pixel at the rim may round otherwise with another version of the drawing library
            assert plain_pixels(small[a], small[b], place.box_mm) >= 0.9 * PLAIN_PIXELS, (a, b, place)
            x, y, width, height = (round(length * 250 / 120) for length in place.box_mm)
            elsewhere[max(0, y - 2) : y + height + 3, max(0, x - 2) : x + width + 3] = 0
        assert elsewhere.max() <= 2, (a, b)


def test_backs_are_grey_but_for_their_circles(deck: Deck) -> None:
    """A back is its front in grey; the only colour is the red of closed circles, one round each departure of that photo."""
    for photo in deck.ids:
        front, back = deck.front(photo), deck.back(photo)
        inked = np.ptp(back, axis=2) > 0
        departures = deck.departures(photo)

        assert np.array_equal(back[~inked][:, 0], cv2.cvtColor(front, cv2.COLOR_BGR2GRAY)[~inked])
        assert cv2.connectedComponents(inked.astype(np.uint8))[0] - 1 == len(departures)
        for departure in departures:
            assert _red_part(back, departure.ring_mm) == 1.0


def _red_part(back: Picture, ring_mm: tuple[float, float, float]) -> float:
    """The part of a circle's line that is printed in red."""
    x, y, radius = (length * 10 for length in ring_mm)
    turn = np.linspace(0, 2 * np.pi, 180, endpoint=False)
    columns, rows = np.floor(x + radius * np.cos(turn)).astype(int), np.floor(y + radius * np.sin(turn)).astype(int)
    on_line = back[rows, columns].astype(int)
    return float(np.mean(on_line[:, 2] - on_line[:, :2].max(axis=1) > 80))


def test_the_pack_is_one_that_others_can_read(deck: Deck) -> None:
    """deck.toml names the game, the sizes and forty photos with both sides, which are there, edge to edge (contract §3)."""
    told = tomllib.loads((deck.folder / "deck.toml").read_text(encoding="utf-8"))

    assert (told["format"], told["game"], told["name"]) == (1, "sherlook", "The night market")
    assert (told["size_mm"], told["marker_mm"]) == ([120.0, 80.0], 30.0)
    assert told["token_mm"] == {"green": 40.0, "yellow": 25.0, "red": 25.0}
    assert [card["id"] for card in told["card"]] == list(deck.ids)
    for card in told["card"]:
        for side in ("front", "back"):
            assert cv2.imread(str(deck.folder / card[side])).shape == (800, 1200, 3)


def test_markers_and_tokens_are_clear_outside(deck: Deck) -> None:
    """Each has its printed size, a full middle and transparent corners, so that it can be laid on any table."""
    pieces = {f"marker {value}": (deck.marker(value), deck.marker_mm) for value in range(1, 11)}
    names = ["green-back", *(f"green-{i:02d}" for i in range(1, 11)), "yellow", "yellow-back", "red", "red-back"]
    pieces |= {name: (deck.token(name), dict(deck.token_mm)[name.split("-")[0]]) for name in names}

    for name, (picture, size_mm) in pieces.items():
        assert picture.shape == (round(size_mm * 10), round(size_mm * 10), 4), name
        assert picture[len(picture) // 2, len(picture) // 2, 3] == 255, name
        assert picture[[0, 0, -1, -1], [0, -1, 0, -1], 3].max() < 40, name


def test_a_six_is_no_nine(deck: Deck) -> None:
    """Six and nine have a bar under them, and the other markers have none."""
    barred = [value for value in range(1, 11) if deck.marker(value)[246:264, 130:190, :3].mean() < 120]

    assert barred == [6, 9]


def test_the_green_tokens_show_the_five_ways_to_lay_photos() -> None:
    """Side by side, head to toe, one above the other, a quarter turn and tossed, twice each; no two tokens are alike."""
    names = [layout.name for layout in LAYOUTS]

    assert {name: names.count(name) for name in names} == dict.fromkeys(
        ("side by side", "head to toe", "one above the other", "quarter turn", "tossed"), 2
    )
    assert len(set(LAYOUTS)) == 10


def test_a_drawing_that_was_broken_off_is_never_taken_for_a_deck(tmp_path: Path) -> None:
    """Who stops the first drawing half-way finds nothing left of it, and the next load draws anew."""

    def stop(done: int, of: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        load(folder=tmp_path / "deck", progress=stop)

    assert list(tmp_path.iterdir()) == []


def test_a_deck_that_lies_there_is_not_drawn_again(deck: Deck) -> None:
    """A second load only reads."""

    def never(done: int, of: int) -> None:
        raise AssertionError("drawn again")

    assert load(folder=deck.folder, progress=never).ids == deck.ids


def test_decks_of_older_code_do_not_pile_up(tmp_path: Path) -> None:
    """A new drawing removes those that are more than a day older, and leaves what another process may be reading."""
    now, ages_h = 1_800_000_000, {"deck-new": 0, "deck-fresh": 2, "deck-old": 30, "else": 30}
    for name, hours in ages_h.items():
        (tmp_path / name).mkdir()
        os.utime(tmp_path / name, (now - 3600 * hours, now - 3600 * hours))

    forget_older(tmp_path / "deck-new")

    assert sorted(path.name for path in tmp_path.iterdir()) == ["deck-fresh", "deck-new", "else"]


def test_a_file_in_the_place_of_the_folder_is_refused(tmp_path: Path) -> None:
    """One line says what is wrong, and the exit status is 2."""
    taken = tmp_path / "deck"
    taken.write_text("no folder")

    result = CliRunner().invoke(command, [str(taken)])

    assert result.exit_code == 2
    assert "is a file" in result.output


def test_a_folder_that_cannot_be_written_is_refused(deck: Deck) -> None:
    """A path through a file, a full disk or a folder of somebody else's: one line, exit status 2, no stack trace."""
    result = CliRunner().invoke(command, [str(deck.folder / "deck.toml" / "inside")])

    assert result.exit_code == 2
    assert "cannot write the deck into" in result.output
    assert isinstance(result.exception, SystemExit)
