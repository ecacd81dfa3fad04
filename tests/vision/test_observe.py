"""What one frame shows, put together, and drawn."""

from pathlib import Path

import numpy as np
import pytest

from tests.vision.test_photos import PHOTO_MM, TABLE, a_picture, a_table, back_of
from vision.deck.pack import PackError, Sizes, read_pack
from vision.draw import draw
from vision.geometry import rectangle
from vision.observation import Board, Circle, CircleCard, Observation, Pawn, Tile, to_dict
from vision.observe import observe

QUADS = [rectangle((-65, 0), PHOTO_MM, 0), rectangle((65, 0), PHOTO_MM, 4)]


def test_the_same_picture_twice_is_a_pair_whose_differences_are_counted() -> None:
    """Two backs of one picture: two photos, and the statement that they show the same."""
    back = back_of(a_picture(1))
    seen = observe(a_table((back, QUADS[0]), (back, QUADS[1])), game="sherlook", known=Sizes(photo=PHOTO_MM))
    assert seen.photos and [p.side for p in seen.photos] == ["back", "back"]
    assert seen.differences and seen.differences.same_picture


def test_colour_and_back_are_not_compared() -> None:
    """While photos are being turned there is no count."""
    picture = a_picture(2)
    document = to_dict(observe(a_table((picture, QUADS[0]), (back_of(picture), QUADS[1])), game="sherlook"))
    assert {p["side"] for p in document["photos"]} == {"colour", "back"}
    assert "differences" not in document


def test_another_game_shows_no_photos() -> None:
    """Only the part of the game that is played is there."""
    document = to_dict(observe(a_table(), game="sherlock"))
    assert "photos" not in document and document["image_size"] == list(TABLE.image_size)


def test_what_is_seen_is_drawn() -> None:
    """The overlay changes the picture along the photos' outlines, and leaves the frame as it was."""
    picture = a_picture(3)
    view = a_table((picture, QUADS[0]), (picture, QUADS[1]))
    before = view.frame.copy()
    drawn = draw(view.frame, observe(view, game="sherlook", known=Sizes(photo=PHOTO_MM)), TABLE)
    assert np.array_equal(view.frame, before) and drawn.shape == before.shape
    x, y = (int(v) for v in TABLE.to_px([[-65.0, -40.0]])[0])
    along_the_edge = np.s_[y - 4 : y + 5, x - 40 : x + 40]
    assert np.any(drawn[along_the_edge] != before[along_the_edge])


def test_a_circle_and_a_board_are_drawn_too() -> None:
    """Each card and tile has its outline, the pawn its ring."""
    quad = tuple((float(x), float(y)) for x, y in rectangle((0, 0), (60, 60), 0))
    size = TABLE.image_size
    card = CircleCard(1, "up", quad, {"found": 1.0}, object="duck", arrow="left", steps=3, outward=True)   # type: ignore[arg-type]
    circle = Circle((0.0, 0.0), (card,), pawn=Pawn((100.0, 0.0), 1, False, {"found": 1.0, "place": 1.0}))
    board = Board((Tile((0, 0), "witness", quad, {"found": 1.0, "side": 1.0}, witness_group=2),))   # type: ignore[arg-type]
    bare = a_table().frame
    corner, ring = (tuple(int(v) for v in TABLE.to_px([at])[0]) for at in ((-30.0, 0.0), (118.0, 0.0)))
    for seen, places in ((Observation("", 0.0, size, "sherlock", circle=circle), (corner, ring)),
                         (Observation("", 0.0, size, "sherlock-2011", board=board), (corner,))):
        drawn = draw(bare, seen, TABLE)
        for x, y in places:
            assert np.any(drawn[y - 4 : y + 5, x - 4 : x + 5] != bare[y - 4 : y + 5, x - 4 : x + 5])


def test_a_pack_tells_sizes(tmp_path: Path) -> None:
    """The longer side comes first, whatever the file's order."""
    (tmp_path / "deck.toml").write_text(
        'format = 1\ngame = "sherlook"\nsize_mm = [80.0, 120.0]\nmarker_mm = 30\ntoken_mm = {green = 40.0}\n')
    assert read_pack(tmp_path).sizes == Sizes((120.0, 80.0), 30.0, {"green": 40.0})


@pytest.mark.parametrize("text", ["size_mm = [0, 80]", "size_mm = 80", 'marker_mm = "big"', "size_mm = [1"])
def test_a_broken_pack_gets_one_line(tmp_path: Path, text: str) -> None:
    """The line names the file."""
    (tmp_path / "deck.toml").write_text(text)
    with pytest.raises(PackError, match=r"deck\.toml") as caught:
        read_pack(tmp_path)
    assert "\n" not in str(caught.value).replace("\\n", "")
