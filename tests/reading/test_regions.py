"""Where the reader looks again: at what has changed, and at nothing that it knows."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

from companion.reading.regions import bounds, boxes
from tests.reading.drawn import BEFORE, FINDERS, TABLE, Film, draw, find_markers, find_photos, referee
from vision.geometry import Points, contains, rectangle
from vision.observation import Marker, Photo
from vision.stillness import Stillness
from vision.topview import BoxMm, View

GLANCE = Stillness().see(draw(Film().scene, 0), 0.0)


def cells_at(*places: tuple[float, float]) -> np.ndarray:
    """The cells of a marker's size at some places (mm)."""
    return np.any([GLANCE.cells(TABLE.to_px(rectangle(at, (32, 32)))) for at in places], axis=0)


def holds(box: BoxMm, at: tuple[float, float]) -> bool:
    return box[0] < at[0] < box[2] and box[1] < at[1] < box[3]


def test_places_far_apart_are_two_boxes_and_near_ones_one() -> None:
    """A look has its price: two places side by side are looked at together, two ends of the table are not."""
    far = boxes(cells_at((-300, -150), (300, 150)), GLANCE, TABLE)
    assert len(far) == 2 and all(sum(holds(box, at) for box in far) == 1 for at in ((-300, -150), (300, 150)))
    near = boxes(cells_at((0, 0), (60, 0)), GLANCE, TABLE)
    assert len(near) == 1 and holds(near[0], (0, 0)) and holds(near[0], (60, 0))
    assert boxes(np.zeros_like(GLANCE.changed), GLANCE, TABLE) == []
    assert bounds(np.zeros_like(GLANCE.changed), GLANCE, TABLE) is None


def test_what_is_known_is_not_read_again() -> None:
    """A sleeve that brushes a player's place costs a glance at that place; the ten markers in the pool are read when one of them moves."""

    def looks(film: Film) -> tuple[int, list[tuple[str, ...]]]:
        """How often all of the table was looked at for markers in the film, and what was told."""
        whole = []

        def watched(view: View, quads: Sequence[Points]) -> tuple[Marker, ...]:
            whole.extend([view] if view.only is None else [])
            inside = [m for m in find_markers(view, quads) if view.only is None or holds(view.only, m.at)]
            return tuple(m for m in inside if not any(contains(quad, m.at) for quad in quads))

        told = referee(film, finders=replace(FINDERS, markers=watched))
        return len(whole), told.acts()

    film = Film().wait(1.0).lay().wait(3.0)
    settled, laid = looks(film)
    assert looks(film.reach("Ada", to=BEFORE["Ada"]).leave("Ada").wait(1.0)) == (settled, laid)
    taken, acts = looks(film.take("Ada", 6).wait(1.0))
    assert taken > settled and acts == [*laid, ("marker-taken", "Ada", 6)]


@pytest.mark.parametrize("found", [0.44, 0.98])
def test_two_outlines_that_are_hardly_photos_are_no_photos_laid(found: float) -> None:
    """One photo half under a hand can resemble two; the pair is told when each of both is a photo more likely than not."""

    def doubtful(view: View) -> tuple[Photo, ...]:
        return tuple(Photo(p.quad, p.side, {**p.sure, "found": found}) for p in find_photos(view))

    told = referee(Film().wait(1.0).lay().wait(1.0), finders=replace(FINDERS, photos=doubtful))
    assert [e["event"] for e in told.events] == (["green-turned", "photos-laid"] if found > 0.5 else [])
