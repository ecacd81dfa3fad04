"""What is seen at a place and round it: a changed thing stands out, a change of light does not."""

import numpy as np

from tests.vision.differences_pictures import scene, sticker
from vision.differences.align import Fit
from vision.differences.laid import Laid, lay
from vision.differences.nearby import Nearby, nearby
from vision.geometry import Picture
from vision.observation import Box

PLACE: Box = (180.0, 130.0, 60.0, 60.0)
WHOLE = np.array([[0.0, 0], [768, 0], [768, 576], [0, 576]])


def laid(a: Picture, b: Picture) -> Laid:
    return lay(a, b, Fit(np.eye(3), 0.3, WHOLE, 1.0))


def seen(a: Picture, b: Picture) -> Nearby:
    return nearby(laid(a, b), (PLACE,))


def test_a_lamp_on_one_side_is_no_residue() -> None:
    """Half as bright, with a warmer light and a gradient: the thing there is the same."""
    a = scene(3, 768, 576)
    lamp = np.linspace(0.45, 0.7, 768)[None, :, None] * np.array([0.85, 1.0, 1.1])
    b = np.clip(a * lamp, 0, 255).astype(np.uint8)

    same, changed = seen(a, b), seen(a, sticker(b, 210, 160, 50))

    assert same.alike > 0.95 and same.rest_more < 0.4
    assert changed.alike < same.alike - 0.2 and changed.rest_more > same.rest_more + 0.5


def test_another_colour_shows_in_hue_and_not_in_form() -> None:
    """A thing in another colour of the same light: its form still agrees, its hue stands out differently."""
    a = sticker(scene(3, 768, 576), 210, 160, 50, (40, 220, 250))

    recoloured = seen(a, sticker(a, 210, 160, 50, (250, 200, 160)))

    assert recoloured.alike > 0.7
    assert recoloured.hue_apart > seen(a, a.copy()).hue_apart + 0.1


def test_a_mirrored_piece_agrees_better_mirrored() -> None:
    """What was turned round its upright middle line is told by that."""
    a = scene(3, 768, 576)
    x, y, w, h = (int(v) for v in PLACE)
    b = a.copy()
    b[y : y + h, x : x + w] = b[y : y + h, x : x + w][:, ::-1]

    assert seen(a, b).mirrored > 0.3 and seen(a, a.copy()).mirrored < 0


def test_a_place_at_the_very_border_or_of_no_size_has_an_answer() -> None:
    """Rings reach beyond the frame, and a place may be a single cell."""
    both = laid(scene(3, 768, 576), scene(3, 768, 576))

    for box in ((-30.0, -20.0, 60.0, 60.0), (764.0, 572.0, 4.0, 4.0), (0.0, 0.0, 768.0, 576.0), (400.0, 300.0, 0.0, 0.0)):
        assert np.isfinite(list(vars(nearby(both, (box,))).values())).all()
