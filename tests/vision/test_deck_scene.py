"""The sample deck on rendered tables: lens, lamps, glare and hands as a webcam has them."""

import json
from pathlib import Path

import numpy as np
import pytest

from calibration import calibrate, read_points, read_seats
from sample_frames.deck import load
from sample_frames.scene.stills import write_stills
from vision.deck.deck import Deck, read_deck
from vision.deck.identify import beliefs, counts, look, tell
from vision.deck.pack import read_pack
from vision.geometry import points
from vision.observation import ASSERTED, Photo
from vision.pictures import read
from vision.topview import View

OFF_MM = 1.0   # an outline is good to so much


@pytest.fixture(scope="module")
def deck() -> Deck:
    return read_deck(read_pack(load().folder, game="sherlook"))


def test_photos_on_rendered_tables_are_named(deck: Deck, tmp_path: Path) -> None:
    """Never sure and wrong; of the photos that show, at most one is left unsure; a named pair's count is the true one."""
    rng = np.random.default_rng(2)
    write_stills(tmp_path, load(), seed=11, pictures=4)
    showing = named = 0
    for path in sorted(tmp_path.glob("*/*-*.json")):
        truth = json.loads(path.read_text())
        musts = {thing["name"] for thing in truth["judge"]["things"] if thing["must"]}
        table = calibrate(read_points(path.parent / "points.json"), read_seats(path.parent / "seats.json")).table
        view = View(read(path.with_suffix(".jpg")), table)
        there = truth["expected"]["photos"]
        photos = [_found(p, rng) for p in there]
        looks = [look(view, photo, deck) for photo in photos]
        told = tell(photos, looks, deck)
        for photo, true in zip(told, there, strict=True):
            assert photo.id == true["id"] or photo.sure["id"] < ASSERTED
            if true["name"] in musts:
                showing += 1
                named += photo.id == true["id"] and photo.sure["id"] >= ASSERTED
                assert np.abs(points(photo.quad) - points(true["quad"])).max() < 1.5
        if len(told) == 2 and all(photo.sure["id"] >= ASSERTED for photo in told) and "differences" in truth["expected"]:
            a, b = beliefs([[each] for each in looks], deck)
            assert int(counts(a, b, deck).argmax()) == truth["expected"]["differences"]["count"]
    assert showing >= 4 and named >= showing - 1


def _found(true: dict, rng: np.random.Generator) -> Photo:   # type: ignore[type-arg]
    """The photo as a finder tells it: beginning at any corner, some way off."""
    quad = np.roll(points(true["quad"]) + rng.normal(0, OFF_MM, (4, 2)), int(rng.integers(2)) * 2, axis=0)
    a, b, c, d = ((float(x), float(y)) for x, y in quad)
    return Photo(quad=(a, b, c, d), side=true["side"], sure={"found": 0.99, "side": 0.99})
