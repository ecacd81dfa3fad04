"""Which value a marker bears, from looks that may be wrong and the fact that each value is there once."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.reading.belief import VALUES, each_once, join, look, over_looks, told_apart, unread

readings = st.tuples(st.one_of(st.none(), st.integers(1, VALUES)), st.floats(0.0, 1.0))


@given(st.lists(readings, max_size=12))
def test_beliefs_are_probabilities(seen: list[tuple[int | None, float]]) -> None:
    """Whatever was read, the ten probabilities add up to one and none is nothing."""
    belief = over_looks([look(value, sure) for value, sure in seen])
    assert belief.sum() == pytest.approx(1)
    assert (belief >= 0).all() and np.isfinite(belief).all()


@given(st.lists(readings, min_size=1, max_size=14))
def test_each_value_is_there_at_most_once(seen: list[tuple[int | None, float]]) -> None:
    """Together up to ten markers claim each value once at most; each marker bears one."""
    beliefs = each_once([look(value, sure) for value, sure in seen])
    assert all(b.sum() == pytest.approx(1) for b in beliefs)
    if len(beliefs) <= VALUES:
        assert (np.sum(beliefs, axis=0) < 1.15).all()


def test_the_one_that_is_left_is_known_by_elimination() -> None:
    """Nine markers read surely: the tenth, unread, most likely bears the value that is left."""
    beliefs = each_once([*(look(value, 0.97) for value in range(1, 10)), unread()])
    assert beliefs[-1].argmax() == 9 and beliefs[-1][9] > 0.5


def test_a_6_and_a_9_that_both_read_6_are_told_by_the_surer() -> None:
    """The less sure reading gives way."""
    beliefs = each_once([*(look(value, 0.97) for value in (1, 2, 3, 4, 5, 7, 8, 10)), look(6, 0.98), look(6, 0.55)])
    assert beliefs[-2].argmax() == 5 and beliefs[-1].argmax() == 8


def test_one_misreading_among_several_looks_gives_way() -> None:
    """Three looks at a 4 outweigh one at a 9."""
    belief = over_looks([look(4, 0.9), look(9, 0.8), look(4, 0.9), look(4, 0.9)])
    assert belief.argmax() == 3 and belief[3] > 0.9


def test_no_single_look_excludes_a_value() -> None:
    """Two sure looks that contradict each other leave both open."""
    belief = join(look(4, 1.0), look(9, 1.0))
    assert belief[3] == pytest.approx(belief[8])


def test_which_of_two_with_one_number_was_taken_does_not_matter() -> None:
    """A print was read as a second 4 and is gone, too: what lies before the player is a 4. Had the other been a 7, it would be a doubt."""
    four, seven = look(4, 0.97), look(7, 0.97)
    assert told_apart([(0.76, four), (0.75, four)]) > 0.95
    assert told_apart([(0.76, four), (0.75, seven)]) < 0.55
    assert told_apart([(0.76, four), (0.01, seven)]) > 0.95
