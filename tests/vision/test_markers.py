"""Evidence markers: what the companion may say of them, and what it must not."""

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.vision.drawn_table import WHITE, lay, lay_token, photo, view, wood
from vision.geometry import rectangle
from vision.markers import find_markers, remember, still_there
from vision.markers.assignment import assign
from vision.markers.crops import CLASSES, NONE, TOKEN_PICTURE
from vision.markers.networks import BATCH, MANY, ask
from vision.markers.together import weighed_together
from vision.markers.upright import read_numerals
from vision.observation import Marker


def marker(value: int, at: tuple[float, float]) -> Marker:
    return Marker(value, at, None, {"found": 1.0, "value": 1.0})


CIRCLE = [(float(x), float(y)) for x, y in zip(170 * np.cos(np.arange(10) * 0.628), 95 * np.sin(np.arange(10) * 0.628), strict=True)]


class TestFinding:
    @pytest.mark.parametrize("make", [{}, {"disc": True, "paint": WHITE}], ids=["yellow squares", "white discs"])
    def test_ten_markers_lie_in_a_circle_each_turned_another_way(self, make):
        """Each marker is found within a few millimetres and read, whatever its turn."""
        frame = wood()
        for n, at in enumerate(CIRCLE, 1):
            lay(frame, str(n), at, turn=47 * n, **make)
        found = find_markers(view(frame), marker_mm=30)
        assert len(found) == 10
        assert sorted(m.value or 0 for m in found) == list(range(1, 11))
        for m in found:
            near = [n for n, at in enumerate(CIRCLE, 1) if np.hypot(*np.subtract(m.at, at)) < 5]
            assert near == [m.value]
            assert m.zone == "common"

    def test_pale_numerals_on_dark_pieces_are_never_misread(self):
        """Markers of a rarer make are found nearly all; what is said of them with confidence is right."""
        frame = wood()
        for n, at in enumerate(CIRCLE, 1):
            lay(frame, str(n), at, turn=47 * n, paint=(150, 60, 50), ink=(240, 240, 240))
        found = find_markers(view(frame), marker_mm=30)
        assert len(found) >= 9
        for m in found:
            assert m.sure["value"] < 0.9 or np.hypot(*np.subtract(m.at, CIRCLE[(m.value or 0) - 1])) < 5

    def test_a_marker_before_a_player_is_hers(self):
        """The zone is the seat whose area holds the marker."""
        frame = wood()
        lay(frame, "5", (20, 170))
        lay(frame, "8", (-30, -180), turn=180)
        lay(frame, "2", (215, 40))
        assert {m.value: m.zone for m in find_markers(view(frame))} == {2: None, 5: "Ada", 8: "Ben"}

    def test_the_bar_tells_six_from_nine_upside_down_too(self):
        """A 6 turned by half is no 9, for the bar lies under the foot."""
        for turn in (0, 90, 180, 270):
            frame = wood()
            lay(frame, "6", (-60, 0), turn=turn)
            lay(frame, "9", (60, 0), turn=turn)
            found = {m.value: m.at[0] for m in find_markers(view(frame), marker_mm=30)}
            assert found[6] < 0 < found[9]

    def test_without_a_bar_neither_is_asserted(self):
        """Nothing on the table tells an unmarked 6 from an unmarked 9, so neither is said with confidence."""
        frame = wood()
        lay(frame, "6", (-60, 0), bar=False, disc=True, paint=WHITE)
        lay(frame, "9", (60, 0), bar=False, disc=True, paint=WHITE, turn=130)
        found = find_markers(view(frame), marker_mm=30)
        assert len(found) == 2
        assert all(m.sure["value"] < 0.9 for m in found)

    def test_tokens_photos_and_bare_tables_are_no_markers(self):
        """A 3 on a green token, a 2 on a yellow and a 1 on a red one are no markers, nor is anything in a known photo."""
        frame = wood()
        photo(frame, (-70, 0))
        photo(frame, (70, 0), seed=2)
        for colour, at in (("green", (-170, 60)), ("yellow", (0, 90)), ("red", (170, 60))):
            lay_token(frame, colour, at, turn=30)
        photos = [rectangle((x, 0), (120, 80)) for x in (-70, 70)]
        assert [m for m in find_markers(view(frame), photos=photos) if m.sure["found"] >= 0.5] == []
        assert find_markers(view(wood())) == ()


class TestKnownPlaces:
    def known(self):
        frame = wood()
        lay(frame, "4", (50, -40))
        return remember(view(frame), marker(4, (50.0, -40.0)), size_mm=30)

    @pytest.mark.parametrize("light", [0.6, 1.0, 1.25])
    @pytest.mark.parametrize("nudge", [(0, 0), (4, -3)])
    def test_a_marker_left_alone_is_still_there_whatever_the_lamp_does(self, light, nudge):
        """A marker that stays, or is nudged by a few millimetres, is still there in darker and brighter light."""
        frame = wood()
        lay(frame, "4", (50 + nudge[0], -40 + nudge[1]))
        assert still_there(view(np.clip(frame * light, 0, 255).astype(np.uint8)), self.known()).there > 0.9

    def test_a_marker_taken_away_is_gone(self):
        """Where only the table is left, the marker is gone."""
        assert still_there(view(wood()), self.known()).gone > 0.9

    def test_a_hand_over_a_marker_does_not_take_it_away(self):
        """A covered marker is neither there nor gone."""
        frame = wood()
        lay(frame, "4", (50, -40))
        cv2.ellipse(frame, (880, 462), (95, 65), 20, 0, 360, (120, 150, 215), -1)
        now = still_there(view(frame), self.known())
        assert now.covered > 0.9

    def test_the_three_probabilities_are_all_there_is(self):
        """There, gone and covered sum to one."""
        now = still_there(view(wood(0.8)), self.known())
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


class TestTogether:
    """What each piece is, given all the others: `said` has a row of probabilities for each piece, read alone."""

    AT = np.array([(0.0, 0.0), (100.0, 0.0), (200.0, 0.0), (300.0, 0.0)])

    def said(self, *rows):
        out = np.zeros((len(rows), CLASSES))
        for row, classes in zip(out, rows, strict=True):
            for which, chance in classes.items():
                row[which] = chance
        return out

    def test_a_token_that_looks_like_an_8_is_a_token_where_the_8_lies_elsewhere(self):
        """What a piece loses because its value is taken goes to what else spoke for it."""
        said = self.said({8: 0.99, NONE: 0.01}, {8: 0.8, TOKEN_PICTURE: 0.16, NONE: 0.04})
        now = weighed_together(said, self.AT[:2], np.full(2, 28.0), 28.0)
        assert now[0, 8] > 0.9
        assert now[1, TOKEN_PICTURE] > 0.7

    def test_a_piece_much_larger_than_all_markers_is_none(self):
        """Where nobody told the markers' size, the sure ones tell it."""
        said = self.said(*({value: 0.97, NONE: 0.03} for value in (1, 2, 3)), {4: 0.9, TOKEN_PICTURE: 0.08, NONE: 0.02})
        now = weighed_together(said, self.AT, np.array([28.0, 29.0, 27.0, 50.0]), None)
        assert now[3, 4] < 0.5
        assert now[3].argmax() in (4, TOKEN_PICTURE)
        assert now[:3, 1:4].diagonal() == pytest.approx(0.97, abs=0.02)

    def test_a_tent_that_shows_both_faces_is_one_marker(self):
        """The same value twice, side by side: the less sure face is no piece of its own."""
        said = self.said({5: 0.9, NONE: 0.1}, {5: 0.6, TOKEN_PICTURE: 0.3, NONE: 0.1})
        now = weighed_together(said, np.array([(0.0, 0.0), (15.0, 0.0)]), np.full(2, 28.0), 28.0)
        assert now[0, 5] > 0.85
        assert now[1, NONE] == 1

    @settings(max_examples=25, deadline=None)
    @given(st.integers(0, 4), st.integers(0, 2**32 - 1))
    def test_probabilities_stay_probabilities(self, n, seed):
        """Each piece's classes sum to one, whatever was said."""
        said = np.random.default_rng(seed).dirichlet(np.full(CLASSES, 0.3), n).reshape(n, CLASSES)
        now = weighed_together(said, self.AT[:n], np.full(n, 28.0), None)
        assert now.sum(1) == pytest.approx(np.ones(n))
        assert (now >= 0).all()


def test_a_three_and_an_eight_are_told_apart_by_what_they_are_on_their_heads() -> None:
    """Only an 8 is itself half a turn on: for a 3 the 8 hardly fits, whichever way it lies, and for an 8 the 3 hardly does."""
    frame = wood()
    for k, turn in enumerate((10, 100, 200, 310)):
        lay(frame, "3", (-200 + 120 * k, -60), turn=turn)
        lay(frame, "8", (-200 + 120 * k, 60), turn=turn)
    at = np.array([(-200.0 + 120 * k, y) for y in (-60.0, 60.0) for k in range(4)])

    fits = read_numerals(view(cv2.GaussianBlur(frame, (0, 0), 3)).top(2.0), at, np.full(8, 30.0))   # out of focus: the 3 closes

    three, eight = fits[:, 2], fits[:, 7]
    assert (eight[:4] < 0.05 * three[:4]).all()
    assert (three[4:] < 0.05 * eight[4:]).all()


def test_a_cloth_full_of_flowers_is_read_on_two_cores_as_on_one() -> None:
    """So many places that both cores are asked get the answers, in the order, that each gets alone."""
    shown = np.random.default_rng(5).standard_normal((MANY * BATCH + 3, 1, 32, 32)).astype(np.float32)

    together = ask("upright", shown)

    assert (together[::100] == np.concatenate([ask("upright", one[None]) for one in shown[::100]])).all()
