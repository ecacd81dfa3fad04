"""What a points file may hold, and what it says when it holds something else."""

import json
from pathlib import Path

import pytest

from calibration import CalibrationError, card_points, read_points

SQUARE = [((200, 150), (-150, -100)), ((1000, 160), (150, -100)), ((1050, 600), (150, 100)), ((180, 610), (-150, 100))]


def a_file(folder: Path, **changes: object) -> Path:
    document = {
        "format": 1,
        "image_size": [1280, 720],
        "points": [{"px": px, "mm": mm} for px, mm in SQUARE],
        "lens": None,
        "diagonal_fov_deg": 78,
        **changes,
    }
    path = folder / "points.json"
    path.write_text(json.dumps(document))
    return path


def test_a_good_file_is_read(tmp_path: Path) -> None:
    """Points, picture size and field of view come out as they were measured."""
    file = read_points(a_file(tmp_path))
    assert file.image_size == (1280, 720)
    assert file.measured[2].px == (1050, 600) and file.measured[2].mm == (150, 100)
    assert file.diagonal_fov_deg == 78 and file.lens is None


LINE = [{"px": [100 + 50 * k, 100 + 40 * k], "mm": [20 * k, 16 * k]} for k in range(3)] + [{"px": [900, 100], "mm": [200, 0]}]
BAD = {
    "too few": ({"points": [{"px": p, "mm": m} for p, m in SQUARE[:3]]}, "at least 4"),
    "three on one line": ({"points": LINE}, "one line"),
    "the same point twice": ({"points": [{"px": p, "mm": m} for p, m in [*SQUARE[:3], SQUARE[2]]]}, "one line"),
    "outside the picture": ({"image_size": [640, 360]}, "outside the picture"),
    "no picture size": ({"image_size": [0, 0]}, "no camera picture"),
    "a newer format": ({"format": 7}, "format 7"),
    "a word for a number": ({"points": [{"px": ["left", 1], "mm": [0, 0]}]}, "not a points file"),
    "a lens without focal length": ({"lens": {"matrix": [0, 0, 1, 1], "distortion": [0] * 5}}, "focal length"),
    "a fisheye's angle": ({"diagonal_fov_deg": 190}, "no camera's"),
}


@pytest.mark.parametrize(("changes", "says"), BAD.values(), ids=BAD.keys())
def test_a_bad_file_gets_one_clear_line(tmp_path: Path, changes: dict[str, object], says: str) -> None:
    """The line names the file and what is wrong with it."""
    path = a_file(tmp_path, **changes)
    with pytest.raises(CalibrationError, match=says) as caught:
        read_points(path)
    assert str(caught.value).startswith(str(path)) and "\n" not in str(caught.value)


def test_a_missing_or_broken_file_is_named(tmp_path: Path) -> None:
    """Neither a missing file nor one cut short ends in a stack trace."""
    with pytest.raises(CalibrationError, match=r"nowhere\.json: cannot be read"):
        read_points(tmp_path / "nowhere.json")
    broken = tmp_path / "broken.json"
    broken.write_text('{"format": 1, "image_size": [12')
    with pytest.raises(CalibrationError, match=r"broken\.json: not a points file"):
        read_points(broken)


def test_a_card_gives_four_points_about_its_middle() -> None:
    """A card of 100 x 60 mm puts its corners at half that from the origin, clockwise from its top left."""
    measured = card_points([(1, 2), (3, 4), (5, 6), (7, 8)], (100, 60))
    assert [m.mm for m in measured] == [(-50, -30), (50, -30), (50, 30), (-50, 30)]
    assert measured[0].px == (1, 2)
    with pytest.raises(CalibrationError, match="two lengths"):
        card_points([(1, 2), (3, 4), (5, 6), (7, 8)], (100, 0))
