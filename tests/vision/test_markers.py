"""Evidence markers: what the companion may say of them, and what it must not."""

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from vision.markers import remember, still_there
from vision.markers.assignment import assign
from vision.observation import Marker
from vision.table import Lens, Table
from vision.topview import View

PX_PER_MM = 2.0


def straight_down(width: int = 900, height: int = 600) -> Table:
    """A table seen from straight above, (0, 0) mm in the middle of the picture."""
    f = 1 / PX_PER_MM
    return Table((width, height), Lens((width, width, width / 2, height / 2), (0, 0, 0, 0, 0)),
                 (f, 0, -width / 2 * f, 0, f, -height / 2 * f, 0, 0, 1))


def bare_table(light: float = 1.0) -> np.ndarray:
    """Wood under a lamp that burns brighter on the left."""
    grain = np.random.default_rng(3).normal(0, 4, (600, 900, 1)) + np.linspace(20, -20, 900)[None, :, None]
    return np.clip((np.array([90, 130, 170]) + grain) * light, 0, 255).astype(np.uint8)


def lay(frame: np.ndarray, text: str, at: tuple[float, float], *, turn: float = 0.0, size_mm: float = 30.0) -> None:
    """Draw a yellow square marker with its numeral; a bar under 6 and 9."""
    n = 180
    piece = np.full((n, n, 3), (40, 205, 245), np.uint8)
    (w, h), _ = cv2.getTextSize(text, cv2.FONT_HERSHEY_SIMPLEX, 3.6, 18)
    cv2.putText(piece, text, ((n - w) // 2, (n + h) // 2 - 8), cv2.FONT_HERSHEY_SIMPLEX, 3.6, (20, 20, 20), 18, cv2.LINE_AA)
    if text in "69":
        cv2.rectangle(piece, (60, 142), (120, 152), (20, 20, 20), -1)
    x, y = (np.array(at) * PX_PER_MM + np.array([450, 300])).tolist()
    m = cv2.getRotationMatrix2D((n / 2, n / 2), -turn, size_mm * PX_PER_MM / n)
    m[:, 2] += np.array([x, y]) - n / 2
    cover = cv2.warpAffine(np.full((n, n), 255, np.uint8), m, (900, 600), flags=cv2.INTER_AREA)[..., None] / 255
    frame[:] = frame * (1 - cover) + cv2.warpAffine(piece, m, (900, 600), flags=cv2.INTER_AREA) * cover


def marker(value: int, at: tuple[float, float]) -> Marker:
    return Marker(value, at, None, {"found": 1.0, "value": 1.0})


class TestKnownPlaces:
    def known(self):
        frame = bare_table()
        lay(frame, "4", (50, -40))
        return remember(View(frame, straight_down()), marker(4, (50.0, -40.0)), size_mm=30)

    @pytest.mark.parametrize("light", [0.6, 1.0, 1.25])
    @pytest.mark.parametrize("nudge", [(0, 0), (4, -3)])
    def test_a_marker_left_alone_is_still_there_whatever_the_lamp_does(self, light, nudge):
        """A marker that stays, or is nudged by a few millimetres, is still there in darker and brighter light."""
        frame = bare_table()
        lay(frame, "4", (50 + nudge[0], -40 + nudge[1]))
        assert still_there(View(np.clip(frame * light, 0, 255).astype(np.uint8), straight_down()), self.known()).there > 0.9

    def test_a_marker_taken_away_is_gone(self):
        """Where only the table is left, the marker is gone."""
        assert still_there(View(bare_table(), straight_down()), self.known()).gone > 0.9

    def test_a_hand_over_a_marker_does_not_take_it_away(self):
        """A covered marker is neither there nor gone."""
        frame = bare_table()
        lay(frame, "4", (50, -40))
        cv2.ellipse(frame, (550, 220), (90, 60), 20, 0, 360, (120, 150, 215), -1)
        now = still_there(View(frame, straight_down()), self.known())
        assert now.covered > 0.9

    def test_the_three_probabilities_are_all_there_is(self):
        """There, gone and covered sum to one."""
        now = still_there(View(bare_table(0.8), straight_down()), self.known())
        assert now.there + now.gone + now.covered == pytest.approx(1)


class TestAssignment:
    def test_two_alike_are_told_apart_by_a_third(self):
        """A numeral that could be 6 or 9 is 9 where another place surely shows the 6."""
        said = np.full((2, 11), 1e-6)
        said[0, [6, 9]] = 0.5
        said[1, 6] = 1.0
        assert assign(said)[0, 9] > 0.99

    def test_two_that_nothing_tells_apart_stay_in_doubt(self):
        """6 and 9 without a mark stay even, never a guess."""
        said = np.full((2, 11), 1e-9)
        said[:, [6, 9]] = 0.5
        assert assign(said)[:, [6, 9]] == pytest.approx(0.5, abs=1e-3)

    @settings(max_examples=25, deadline=None)
    @given(st.integers(0, 5), st.integers(0, 2**32 - 1))
    def test_each_value_is_given_at_most_once(self, n, seed):
        """Over all places a value's probabilities sum to at most one, and each place's sum to one."""
        said = np.random.default_rng(seed).dirichlet(np.full(11, 0.3), n).reshape(n, 11)
        out = assign(said)
        assert out.sum(1) == pytest.approx(np.ones(n))
        assert (out[:, 1:].sum(0) <= 1 + 1e-9).all()
