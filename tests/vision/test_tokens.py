"""Score tokens: which colour lies where."""

import numpy as np
import pytest

from tests.vision.drawn_table import lay, lay_token, view, wood
from vision.tokens import find_tokens

WARM, COLD = (0.75, 0.95, 1.15), (1.15, 1.0, 0.8)


@pytest.mark.parametrize("lamp", [(1, 1, 1), WARM, COLD, (0.5, 0.5, 0.5)], ids=["white", "warm", "cold", "dim"])
def test_tokens_keep_their_colour_whatever_the_lamp(lamp):
    """A red, a yellow and two green tokens are told by colour and place, in white, warm, cold and dim light."""
    frame = wood()
    laid = {("green", "Ada"): (-60, 180), ("yellow", "Ada"): (20, 180), ("red", "Ben"): (40, -180), ("green", "common"): (100, 0)}
    for (colour, _), at in laid.items():
        lay_token(frame, colour, at, turn=at[0])
    found = [t for t in find_tokens(view(np.clip(frame * np.array(lamp), 0, 255).astype(np.uint8))) if t.sure["found"] >= 0.5]
    assert sorted((t.colour, t.zone) for t in found) == sorted(laid)


def test_a_green_token_that_shows_its_points_lies_face_down():
    """The points are on the green token's back."""
    frame = wood()
    lay_token(frame, "green", (0, 0))
    assert [t.face for t in find_tokens(view(frame))] == ["down"]


def test_a_marker_is_no_token():
    """Ink on a yellow square is evidence, not points."""
    frame = wood()
    lay(frame, "2", (0, 0))
    assert [t for t in find_tokens(view(frame)) if t.sure["found"] >= 0.5] == []
