"""The table file is checked as it is read: what makes no table is named by file, key and remedy."""

from pathlib import Path

import pytest

from vision.table import Lens, Seat, Table, TableError, read_table, write_table

MATRIX, DISTORTION = "[1400.0, 1400.0, 960.0, 540.0]", "[0.02, -0.006, 0.0, 0.0, 0.0]"
HOMOGRAPHY = "[0.5, 0.02, -480.0, -0.015, 0.5, -270.0, 0.000007, 0.0002, 1.0]"
AREA = "[[-200.0, 117.0], [200.0, 117.0], [200.0, 237.0], [-200.0, 237.0]]"
GOOD = f"""format = 1
image_size = [1920, 1080]
[lens]
matrix = {MATRIX}
distortion = {DISTORTION}
[plane]
homography = {HOMOGRAPHY}
[[seat]]
name = "Ada"
colour = "red"
area = {AREA}
[[seat]]
name = "Bo"
area = [[-200, -237], [200, -237], [200, -117], [-200, -117]]
"""
NONSENSE = {
    "no picture": ("[1920, 1080]", "[0, 0]", "image_size: 0x0"),
    "a negative one": ("[1920, 1080]", "[-1280, -720]", "image_size"),
    "half a size": ("[1920, 1080]", "[1920]", "image_size: 2 numbers were expected, found 1"),
    "another camera's size": ("[1920, 1080]", "[32, 18]", "lens.matrix"),
    "no focal length": (MATRIX, "[0.0, 1400.0, 960.0, 540.0]", "lens.matrix: focal lengths"),
    "a matrix that is a number": (MATRIX, "5", "lens.matrix: 4 numbers were expected, found 5"),
    "no distortion": (f"distortion = {DISTORTION}", "", "lens.distortion is missing"),
    "endless distortion": (DISTORTION, "[1e9, 1e9, 1e9, 1e9, 1e9]", "lens.distortion"),
    "nothing but zeros": (HOMOGRAPHY, "[0, 0, 0, 0, 0, 0, 0, 0, 0]", "plane.homography"),
    "a plane seen edge on": (HOMOGRAPHY, "[0.5, 0, 0, 0.5, 0, 0, 0, 0, 1]", "plane.homography"),
    "beyond all scale": (HOMOGRAPHY, "[0.5, 0.02, -480, -0.015, 1e308, -270, 0, 0, 1]", "plane.homography"),
    "eight numbers": (HOMOGRAPHY, "[1, 2, 3, 4, 5, 6, 7, 8]", "plane.homography: 9 numbers were expected, found 8"),
    "not a number": (HOMOGRAPHY, "[nan, 0, 0, 0, 1, 0, 0, 0, 1]", "plane.homography: 9 finite numbers were expected, found nan"),
    "a seat without area": (AREA, "[[1, 2]]", "seat 1 (Ada): area"),
    "a seat on the moon": (AREA, "[[0, 0], [9e9, 0], [9e9, 9e9]]", "seat 1 (Ada): area"),
    "a seat without name": ('name = "Bo"\n', "", "seat 2: name is missing"),
}


@pytest.mark.parametrize("case", NONSENSE)
def test_what_makes_no_table_is_named_by_its_key(tmp_path: Path, case: str) -> None:
    """One line with the file, the key and what to do; never a table that fails later."""
    old, new, says = NONSENSE[case]
    file = tmp_path / "table.toml"
    file.write_text(GOOD)
    assert [seat.name for seat in read_table(file).seats] == ["Ada", "Bo"]

    file.write_text(GOOD.replace(old, new, 1))
    with pytest.raises(TableError) as refused:
        read_table(file)
    said = str(refused.value)
    assert said.startswith(f"{file}: {says}") and "companion calibrate" in said and "\n" not in said


def test_seats_that_the_camera_cannot_see_are_no_seats(tmp_path: Path) -> None:
    """Areas, plane and picture of different tables, put together in one file."""
    far = tuple((x + 5000.0, y) for x, y in ((0, 0), (100, 0), (100, 100)))
    lens = Lens((600.0, 600.0, 320.0, 180.0), (0.0,) * 5)
    write_table(Table((640, 360), lens, (1.25, 0, -400.0, 0, 1.25, -225.0, 0, 0, 1.0), (Seat("Ada", "red", far),)), tmp_path / "t.toml")
    with pytest.raises(TableError, match="no area lies where the camera sees"):
        read_table(tmp_path / "t.toml")


@pytest.mark.parametrize("number", ["1" + "0" * 400, "true", '"x"', "[]"])
def test_only_numbers_are_numbers(tmp_path: Path, number: str) -> None:
    """Whatever else TOML can hold is refused in the same words."""
    (tmp_path / "t.toml").write_text(GOOD.replace("0.000007", number))
    with pytest.raises(TableError, match=r"plane\.homography: 9 finite numbers"):
        read_table(tmp_path / "t.toml")
