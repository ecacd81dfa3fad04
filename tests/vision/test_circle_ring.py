"""The ring: places counted clockwise from the top of the picture, empty ones too; pile and won cards are none."""

import numpy as np
import pytest

from vision.circle.ring import find_ring, place_of

UP = np.array([0.0, -1.0])
PILE = ((2.0, -1.0), 33.0)
WON = ((250.0, 20.0), 8.0)


def around(clock_deg: list[float], radius: float = 105.0) -> tuple[list[tuple[float, float]], list[float]]:
    """Cards at these hours (degrees clockwise from the top of the picture), each pointing outward."""
    at = [(radius * np.sin(np.radians(a)), -radius * np.cos(np.radians(a))) for a in clock_deg]
    return at, [float(a) for a in clock_deg]


def ring_of(clock_deg: list[float], radius: float = 105.0):  # type: ignore[no-untyped-def]
    at, turns = around(clock_deg, radius)
    at += [PILE[0], WON[0]]
    turns += [PILE[1], WON[1]]
    central = [True] * (len(at) - 1) + [False]
    return find_ring(np.array(at), turns, central=central, centre=np.zeros(2), up=UP)


@pytest.mark.parametrize("count", range(5, 13))
def test_places_are_counted_clockwise_from_the_top(count: int) -> None:
    """Place 1 is the one nearest the top of the picture, whatever the number of places."""
    ring = ring_of([4 + 360 * k / count for k in range(count)], radius=80 + 10 * count)

    assert ring.count == count
    assert ring.places == (*range(count), None, None)


def test_an_empty_place_counts() -> None:
    """A gap as wide as two places holds a place without a card."""
    ring = ring_of([5, 39, 121, 162, 202, 240, 278, 321])

    assert ring.count == 9
    assert ring.places[:8] == (0, 1, 3, 4, 5, 6, 7, 8)


def test_uneven_gaps_and_a_dented_circle_are_no_empty_places() -> None:
    """Hands lay no perfect circle."""
    hours = [2.0, 46, 90, 138, 181, 231, 272, 319]
    at, turns = around(hours)
    at = [(x * r, y * r) for (x, y), r in zip(at, (1, 0.95, 0.9, 0.97, 1.1, 1.05, 0.93, 1.0), strict=True)]

    ring = find_ring(np.array(at), turns, central=[True] * 8, centre=np.zeros(2), up=UP)

    assert ring is not None
    assert ring.count == 8


def test_the_pawn_means_the_card_it_stands_behind() -> None:
    """A pawn's place is the one in its direction; between two cards it is doubted."""
    ring = ring_of([0.0, 60, 120, 180, 240, 300])

    behind, surely = place_of(ring, (160 * np.sin(np.radians(125)), -160 * np.cos(np.radians(125))))
    _, between = place_of(ring, (160 * np.sin(np.radians(90)), -160 * np.cos(np.radians(90))))

    assert (behind, surely > 0.95) == (2, True)
    assert between < 0.6
