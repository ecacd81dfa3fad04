"""Seats are told apart, or the file is refused."""

import json
from pathlib import Path

import pytest

from calibration import CalibrationError, read_seats


def box(x: float, y: float, w: float = 100, h: float = 80) -> list[list[float]]:
    return [[x, y], [x + w, y], [x + w, y + h], [x, y + h]]


def a_file(folder: Path, *seats: tuple[str, list[list[float]]]) -> Path:
    path = folder / "seats.json"
    named = [{"name": name, "colour": "red", "area": area} for name, area in seats]
    path.write_text(json.dumps({"format": 1, "seats": named, "common": {"area": box(-50, -50)}}))
    return path


def test_neighbours_may_touch(tmp_path: Path) -> None:
    """Two areas with a common border are two seats."""
    seats = read_seats(a_file(tmp_path, ("Ada", box(0, 0)), ("Bo", box(100, 0)))).seats
    assert [s.name for s in seats] == ["Ada", "Bo"]


@pytest.mark.parametrize("shift", [(60, 0), (0, 60), (30, 20), (0, 0)])
def test_seats_that_overlap_are_refused_by_name(tmp_path: Path, shift: tuple[float, float]) -> None:
    """The line names both players and how much they share."""
    with pytest.raises(CalibrationError, match=r"seats of Ada and Bo overlap by \d+ cm"):
        read_seats(a_file(tmp_path, ("Ada", box(0, 0)), ("Bo", box(*shift))))


def test_players_named_twice_are_refused(tmp_path: Path) -> None:
    """A name is one player's."""
    with pytest.raises(CalibrationError, match="two seats are named 'Ada'"):
        read_seats(a_file(tmp_path, ("Ada", box(0, 0)), ("Ada", box(200, 0))))


@pytest.mark.parametrize(("name", "said"), [("common", "another name"), (" team ", "another name"), ("A" * 41, "at most 40")])
def test_a_name_that_no_player_can_have_is_refused(tmp_path: Path, name: str, said: str) -> None:
    """The middle's own name, and one that the rules would refuse."""
    with pytest.raises(CalibrationError, match=said):
        read_seats(a_file(tmp_path, (name, box(0, 0))))


def test_a_name_that_nobody_can_read_is_refused(tmp_path: Path) -> None:
    """A bell or a line break in a name would spoil every line that tells it."""
    with pytest.raises(CalibrationError, match="characters that nobody can read"):
        read_seats(a_file(tmp_path, ("Ada\a\nBo", box(0, 0))))


@pytest.mark.parametrize("area", [[[0, 0], [1, 1]], [[0, 0], [10, 10], [20, 20]], [[0, 0], [9e9, 0], [9e9, 9e9]]])
def test_an_area_encloses_something(tmp_path: Path, area: list[list[float]]) -> None:
    """Two corners, a line, or kilometres are no place at a table."""
    with pytest.raises(CalibrationError, match="the seat of Ada"):
        read_seats(a_file(tmp_path, ("Ada", area)))
