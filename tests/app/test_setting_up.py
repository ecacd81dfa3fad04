"""Setting up a table on the page: names, points and seats asked once, checked, and remembered for the camera."""

from pathlib import Path

import numpy as np
import pytest

from calibration.seats import SeatsFile, check
from companion.app.setting_up import Setup, SetupError, change, remember, remembered, seats_around
from vision.geometry import area, contains, points
from vision.table import Lens, Table

SIZE = (1280, 720)
FOUR = [
    {"px": [200, 100], "mm": [0, 0]},
    {"px": [1080, 100], "mm": [600, 0]},
    {"px": [1240, 650], "mm": [600, 400]},
    {"px": [40, 650], "mm": [0, 400]},
]
CARD = [[448, 252], [832, 252], [832, 494], [448, 494]]  # of a bank card's shape, but as large as a tray
NAMES = ["Ada", "Bo", "Cléo", "Dan", "Eva", "Finn", "Gia", "Hugo", "Ida", "Jo"]


def table() -> Table:
    setup = change(Setup(), {"points": FOUR}, SIZE)
    assert setup.table is not None
    return setup.table


@pytest.mark.parametrize("n", range(2, 11))
def test_everybody_gets_a_seat_clockwise_round_the_table(n: int) -> None:
    """Seats are apart, leave the middle free, and go round clockwise from the far left."""
    seats = seats_around(table(), NAMES[:n])

    check(SeatsFile(seats))
    middle = table().centre_mm()
    assert not any(contains(seat.area, middle) for seat in seats)
    assert all(area(seat.area) > 2000 for seat in seats)
    turns = [np.arctan2(*(points(seat.area).mean(0) - middle)[::-1]) for seat in seats]
    steps = np.mod(np.diff([*turns, turns[0]]), 2 * np.pi)
    assert abs(steps.sum() - 2 * np.pi) < 1e-6


def test_a_set_up_wants_names_then_points_and_no_more() -> None:
    """Seats are proposed as soon as there are names and points, so that nobody must draw them."""
    setup = Setup()
    assert setup.needs(camera=True) == ["names", "points", "seats"]
    setup = change(setup, {"players": ["Ada", "Bo"]}, SIZE)
    assert setup.needs(camera=True) == ["points", "seats"]
    assert setup.needs(camera=False) == []
    setup = change(setup, {"points": FOUR}, SIZE)
    assert setup.needs(camera=True) == []
    assert setup.measured_mm is not None and setup.measured_mm < 0.5


def test_a_card_of_known_size_measures_the_table() -> None:
    """Its four corners are four points."""
    known = table()
    corners = known.to_px([[100, 100], [250, 100], [250, 200], [100, 200]])

    setup = change(Setup(("Ada", "Bo")), {"card": {"corners_px": corners.tolist(), "size_mm": [150, 100]}}, SIZE)

    assert setup.table is not None
    across = setup.table.to_mm(known.to_px([[300, 300], [400, 300]]))
    assert np.hypot(*(across[1] - across[0])) == pytest.approx(100, abs=3)


def test_the_set_up_is_remembered_for_its_camera(tmp_path: Path) -> None:
    """The next game with this camera asks nothing; another camera's does."""
    setup = change(change(Setup(), {"players": ["Ada", "Bo"]}, SIZE), {"points": FOUR}, SIZE)

    remember(tmp_path, "USB camera/1", setup)

    again = remembered(tmp_path, "USB camera/1")
    assert again.players == ("Ada", "Bo") and again.needs(camera=True) == []
    assert remembered(tmp_path, "other") == Setup()


@pytest.mark.parametrize(
    ("wishes", "says"),
    [
        ({"players": ["Ada"]}, "1 named; two to ten"),
        ({"players": [*NAMES, "Kim"]}, "11 named; two to ten"),
        ({"players": ["Ada", "Ada "]}, "Ada is named twice"),
        ({"players": ["Ada", "team"]}, "'team' cannot be a name"),
        ({"players": "Ada,Bo"}, "a list of names"),
        ({"points": FOUR[:3]}, "points"),
        ({"points": [{"px": [1, 2]}]}, "each wants a place"),
        ({"points": [{"px": [100 * n, 100], "mm": [50 * n, 0]} for n in range(4)]}, "line"),
        ({"card": {"corners_px": [[0, 0]], "size_mm": [1, 1]}}, "corner|four"),
        ({"card": {"corners_px": CARD, "size_mm": [85.6, 54]}}, "card of 85.6 x 54 mm .* 29 cm .* too little for a game; put the"),
        ({"card": {"corners_px": CARD, "size_mm": [1190, 750]}}, "397 cm .* too much for a game; .* give the card's true size"),
        ({"card": {"corners_px": CARD, "size_mm": [300, 500]}}, "does not fit its corners: one lies .* mm off; put the corners on"),
        ({"points": [{**p, "mm": [v / 5 for v in p["mm"]]} for p in FOUR]}, "By the points .* too little for a game; measure them again"),
        ({"seats": [{"name": "Ada", "area": [[0, 0], [9, 0], [9, 9]]}]}, "measure the table first"),
    ],
)
def test_a_set_up_that_cannot_be_is_said_in_one_line(wishes: dict, says: str) -> None:
    """What is wrong and what to do; nothing changes."""
    with pytest.raises(SetupError, match=says) as said:
        change(Setup(), wishes, SIZE)

    assert "\n" not in str(said.value)


def test_seats_that_overlap_are_refused() -> None:
    """Whose marker it is must be plain."""
    setup = Setup(("Ada", "Bo"), table())
    square = [[0, 0], [200, 0], [200, 100], [0, 100]]

    with pytest.raises(SetupError, match="overlap"):
        change(setup, {"seats": [{"name": "Ada", "area": square}, {"name": "Bo", "area": [[x + 50, y] for x, y in square]}]}, SIZE)


def test_a_lens_is_not_needed_for_seats_in_pixels() -> None:
    """Areas drawn on the picture become millimetres."""
    flat = Table(SIZE, Lens((1000, 1000, 640, 360), (0, 0, 0, 0, 0)), (0.5, 0, 0, 0, 0.5, 0, 0, 0, 1))
    square = [[0, 0], [200, 0], [200, 100], [0, 100]]

    setup = change(
        Setup(("Ada", "Bo"), flat),
        {"unit": "px", "seats": [{"name": "Ada", "area": square}, {"name": "Bo", "area": [[x, y + 500] for x, y in square]}]},
        SIZE,
    )

    assert setup.table is not None
    assert setup.table.seats[1].area[2] == pytest.approx((100.0, 300.0))
