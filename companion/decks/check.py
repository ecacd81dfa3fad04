"""All that is wrong with a deck pack, and what cannot be helped about it; each with the file and the remedy, in one line."""

import os
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np

from companion.decks.alike import Glance, one_card
from companion.decks.keys import misspelt, odd_names
from vision.deck.align import Reference
from vision.deck.deck import FEWEST, Deck, Progress, few, read_deck
from vision.deck.faces import UNLIKE_ALIGNED, Face, small
from vision.deck.pack import Card, Fault, Pack, PackError, faults, read_pack
from vision.differences.frames import MOST_OF_A_PAIR
from vision.observation import Side
from vision.pictures import PictureError, is_picture_name, one_line, read

TURNED = 0.15           # a picture lies another way up when it fits so much better (correlation)
MOST_FILES = 5000       # looked at in a pack's folder
PARTS = ("cards", "markers", "tokens", "missions", "booklet")
WELCOME = ("readme", "license", "licence", "copying", "notice", "credits")
SIDES: tuple[Side, ...] = ("colour", "back")
CALLED = {"colour": "fronts", "back": "backs"}
NEARLY = 1              # place in which two scans of one card may seem to differ, if not everywhere: dust, or another way of saving
SHOWS: Mapping[str, tuple[str, ...]] = {"sherlock": ("object", "arrow", "steps"), "sherlock-deluxe": ("object", "arrow", "steps"),
                                        "sherlock-2011": ("suspect", "witness")}
EXAMPLE = {"object": '"umbrella"', "arrow": '"left"', "steps": "3", "suspect": '"s1"', "witness": '"w1"'}


@dataclass(frozen=True, slots=True)
class Checked:
    """What the check of a pack found. `pack` is None where its faults keep it from being used."""

    pack: Pack | None
    faults: tuple[str, ...]
    notes: tuple[str, ...] = ()


def check(folder: Path, *, game: str | None = None, say: Progress | None = None) -> Checked:
    """All that is wrong with the pack in a folder. `game`: the game that is to be played with it.

    Raises PackError where there is no pack to be read at all.
    """
    if say is not None:
        say(f"{one_line(folder)}: opening every picture")
    found = faults(folder)
    data = _read_toml(folder, found)
    wrong_keys, unread = misspelt(folder, data)
    lines = [fault.text for fault in found] + wrong_keys + _other_files(folder, data)
    try:
        pack = read_pack(folder, game=game)
    except PackError as e:
        return Checked(None, (*lines, *([str(e)] if str(e) not in lines else [])), tuple(unread))
    lines += [*odd_names(pack), *_unsaid(pack), *_shapes(pack), *_one_picture_twice(pack)]
    if pack.game == "sherlook":
        more, notes = _photos(pack, say)
        return Checked(pack, (*lines, *more), (*unread, *notes))
    if say is not None:
        say(f"{pack.name}: looking for cards that were scanned twice")
    return Checked(pack, (*lines, *(_twice(a, b) for a, b in _scanned_twice(combinations(pack.cards, 2)))), tuple(unread))


def _read_toml(folder: Path, found: list[Fault]) -> dict[str, Any]:
    """The pack's file, where `faults` could read it."""
    try:
        return tomllib.loads((folder / "deck.toml").read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError) as e:
        raise PackError(found[0].text) from e


def _other_files(folder: Path, data: Mapping[str, Any]) -> list[str]:
    """Files and folders that are no part of a pack."""
    cards = data.get("card", [])
    values = [raw.get(side) for raw in cards if isinstance(raw, dict) for side in ("front", "back")] if isinstance(cards, list) else []
    named = {os.path.normpath(value) for value in values if isinstance(value, str)}
    out = []
    for relative in _files(folder):
        first, stem = relative.parts[0], relative.stem.lower()
        ours = (
            str(relative) in named or str(relative) == "deck.toml" or stem in WELCOME
            or (is_picture_name(relative) and (str(relative) == f"pawn{relative.suffix}" or (len(relative.parts) == 2 and first in PARTS)))
        )
        if not ours:
            out.append(f"{one_line(folder / relative)}: no part of a deck pack; take it away or name it in deck.toml")
    return out


def _files(folder: Path) -> Iterator[Path]:
    """The pack's files, hidden ones left out, in order; links are not followed."""
    seen = 0
    for place, folders, files in os.walk(folder):
        folders[:] = sorted(f for f in folders if not f.startswith("."))
        for name in sorted(f for f in files if not f.startswith(".")):
            seen += 1
            if seen > MOST_FILES:
                return
            yield (Path(place) / name).relative_to(folder)


def _unsaid(pack: Pack) -> list[str]:
    """What deck.toml does not tell though the game needs it, and what another game's cards have."""
    file = one_line(pack.folder / "deck.toml")
    out = []
    if pack.size_mm is None:
        out.append(f"{file}: no size_mm; write the width and height of a card in mm, such as size_mm = [120.0, 80.0]")
    needed = SHOWS.get(pack.game, ())
    for card in pack.cards:
        for key in needed:
            if getattr(card, key) is None:
                out.append(f"{file}: card {card.id} has no {key}; write what is printed on it, such as {key} = {EXAMPLE[key]}")
    for key in EXAMPLE:
        if key not in needed and (others := [card.id for card in pack.cards if getattr(card, key) is not None]):
            games = " or ".join(name for name, keys in SHOWS.items() if key in keys)
            out.append(f"{file}: {_some(others)}: {key} is for a pack of {games}, and this is one of {pack.game}; "
                       f"correct game or take {key} away")
    return out


def _some(ids: list[str]) -> str:
    return f"card {ids[0]}" if len(ids) == 1 else f"cards {', '.join(ids)}" if len(ids) <= 3 else f"cards {ids[0]} … {ids[-1]}"


def _shapes(pack: Pack) -> list[str]:
    """Pictures of another shape than most, where no size_mm tells the shape."""
    if pack.size_mm is not None:
        return []
    ratios = {path: picture.shape[1] / picture.shape[0] for path in _sides(pack) if (picture := _picture(path)) is not None}
    middle = sorted(ratios.values())[len(ratios) // 2] if ratios else 1.0
    return [f"{one_line(path)}: another shape than the other cards; cut it to the card's edges, upright"
            for path, ratio in ratios.items() if max(ratio / middle, middle / ratio) > 1.06]


def _one_picture_twice(pack: Pack) -> list[str]:
    """One file as both sides of a card, or as a side of several cards (but backs of object cards are one)."""
    owners: dict[Path, list[str]] = {}
    out = []
    for card in pack.cards:
        if card.front is not None and card.front == card.back:
            out.append(f"{one_line(card.front)}: front and back of card {card.id}; scan its other side")
        for path in (card.front, card.back) if pack.game in ("sherlook", "sherlock-2011") else (card.front,):
            if path is not None and card.id not in owners.setdefault(path, []):
                owners[path].append(card.id)
    return out + [f"{one_line(path)}: the picture of cards {' and '.join(ids)}; scan each card" for path, ids in owners.items()
                  if len(ids) > 1]


def _scanned_twice(pairs: Iterable[tuple[Card, Card]]) -> list[tuple[Card, Card]]:
    """Those whose pictures are alike on all sides that both have."""

    @cache
    def glance(path: Path) -> Glance | None:
        picture = _picture(path)
        return None if picture is None else Glance.of(picture)

    @cache
    def same(p: Path | None, q: Path | None) -> bool | None:
        if p is None or q is None or (a := glance(p)) is None or (b := glance(q)) is None:
            return None
        return p == q or one_card(a, b)

    def alike(a: Card, b: Card) -> bool:
        fronts = same(a.front, b.front)
        return fronts is not False and (backs := same(a.back, b.back)) is not False and (fronts is not None or backs is not None)

    return [(a, b) for a, b in pairs if alike(a, b)]


def _twice(a: Card, b: Card) -> str:
    file = b.front or b.back
    assert file is not None
    return f"{one_line(file)}: card {b.id} shows what card {a.id} shows, so one card was scanned twice; take {b.id} out and scan the other"


# ---------------------------------------------------------------- photos


def _photos(pack: Pack, say: Progress | None) -> tuple[list[str], list[str]]:
    """Faults and notes that only the deck's own truth tells."""
    whole = _readable(pack)
    sides = [[card.front for card in whole.cards], [card.back for card in whole.cards]]
    if max(sum(path is not None for path in side) for side in sides) < FEWEST:
        return [f"{one_line(pack.folder)}: fewer than {FEWEST} photos that can be read, so nothing tells what varies among them; "
                "add photos with `companion deck add`"], []
    deck = read_deck(whole, say=say)
    found = _strange(deck)
    strange = {card for card, _ in found}
    both = [pair for pair in _twins(deck) if strange.isdisjoint(pair)]
    near = [(pack.card(a), pack.card(b)) for a, b in combinations(deck.ids, 2)
            if not NEARLY < deck.count(a, b) <= MOST_OF_A_PAIR and strange.isdisjoint((a, b)) and (a, b) not in both]
    both += [(a.id, b.id) for a, b in _scanned_twice(near)]
    lines = [line for _, line in found] + [_twice(pack.card(a), pack.card(b)) for a, b in both]
    notes = [said] if (said := few(deck)) else []
    for side in SIDES:
        for a, b in deck.twins(side):
            if (a, b) not in both and strange.isdisjoint((a, b)):
                notes.append(f"{a} and {b} cannot be told apart by their {CALLED[side]}, not even by a clean scan")
    for a, b in combinations(deck.ids, 2):
        if (n := deck.count(a, b)) > MOST_OF_A_PAIR and strange.isdisjoint((a, b)) and (a, b) not in both:
            notes.append(f"{a} and {b} differ in {n} places, more than any marker says")
    return lines, notes


def _readable(pack: Pack) -> Pack:
    """The pack without pictures that cannot be read and cards that have no other."""

    def good(path: Path | None) -> Path | None:
        return path if path is not None and _picture(path) is not None else None

    cards = (replace(card, front=good(card.front), back=good(card.back)) for card in pack.cards)
    return replace(pack, cards=tuple(card for card in cards if card.front or card.back))


def _twins(deck: Deck) -> list[tuple[str, str]]:
    """Pairs alike on all sides that the pack has of both."""
    sides = [(f.known, set(deck.twins(side))) for side in SIDES if (f := deck.face(side)) is not None]
    out = []
    for i, j in combinations(range(len(deck.ids)), 2):
        pair = deck.ids[i], deck.ids[j]
        shown = [pair in twins for known, twins in sides if known[i] and known[j]]
        if shown and all(shown):
            out.append(pair)
    return out


def _strange(deck: Deck) -> list[tuple[str, str]]:
    """Pictures that show another scene than the deck's, or lie another way up: the card, and the line."""
    out = []
    for side in SIDES:
        face = deck.face(side)
        if face is None:
            continue
        reference = Reference(face.median)
        for card in deck.pack.cards:
            path = card.front if side == "colour" else card.back
            line = _strangeness(path, CALLED[side], reference, face) if path is not None else None
            if line is not None:
                out.append((card.id, line))
    return out


def _strangeness(path: Path, others: str, reference: Reference, face: Face) -> str | None:
    picture = small(read(path))
    upright = reference.fit(picture).alike
    if upright >= UNLIKE_ALIGNED:
        return None
    h, w = face.median.shape[:2]
    turns = (1, 2, 3) if abs(h - w) < 0.05 * w else (2,)
    best, turn = max((reference.fit(np.rot90(picture, turn).copy()).alike, turn) for turn in turns)
    if best > max(UNLIKE_ALIGNED, upright + TURNED):
        way = "upside down" if turn == 2 else "on its side"
        return f"{one_line(path)}: lies {way}; turn the picture so that it stands as the others do"
    return f"{one_line(path)}: shows another scene than the deck's other {others}; scan the right card, or take this one out"


def _sides(pack: Pack) -> Iterator[Path]:
    yield from dict.fromkeys(path for card in pack.cards for path in (card.front, card.back) if path is not None)


def _picture(path: Path) -> Any:
    try:
        return read(path)
    except PictureError:
        return None
