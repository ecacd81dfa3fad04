"""What a deck's own pictures tell of it, against what its drawing says."""

from itertools import combinations
from pathlib import Path

import cv2

from sample_frames.deck import load
from vision.deck.deck import read_deck
from vision.deck.pack import read_pack

SOME = ("p01", "p02", "p03", "p08", "p20", "p21", "p25", "p27", "p34", "p40")


def test_each_pair_of_the_sample_deck_differs_in_as_many_places_as_were_drawn(tmp_path: Path) -> None:
    """A thing that is gone and one that has come elsewhere are two, though bare ground shows in both places; one that moved is one."""
    deck = load()
    toml = ['format = 1\ngame = "sherlook"\nname = "Some"\nsize_mm = [120.0, 80.0]\n']
    for card in SOME:
        toml.append(f'[[card]]\nid = "{card}"\nfront = "{card}-front.png"\nback = "{card}-back.png"\n')
        for side, picture in (("front", deck.front(card)), ("back", deck.back(card))):
            cv2.imwrite(str(tmp_path / f"{card}-{side}.png"), cv2.resize(picture, None, fx=0.6, fy=0.6, interpolation=cv2.INTER_AREA))
    (tmp_path / "deck.toml").write_text("".join(toml), encoding="utf-8")
    known = read_deck(read_pack(tmp_path), cache=tmp_path / "cache")
    assert {(a, b): known.count(a, b) for a, b in combinations(SOME, 2)} == {(a, b): deck.count(a, b) for a, b in combinations(SOME, 2)}
