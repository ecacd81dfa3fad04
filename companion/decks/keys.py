"""Keys and names of a pack that nothing reads: misspelt ones are faults, others are noted (readers ignore what they do not know)."""

import difflib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from vision.deck.pack import Pack
from vision.pictures import one_line

HEAD = ("format", "game", "name", "size_mm", "marker_mm", "token_mm", "card", "suspects", "witnesses")
CARD = ("id", "front", "back", "object", "names", "arrow", "steps", "suspect", "witness")
COLOURS = ("green", "yellow", "red")
SUSPECTS = tuple(f"s{n}" for n in range(1, 6))
WITNESSES = tuple(f"w{n}" for n in range(1, 7))
TOKENS = ("green-back", *(f"green-{n:02d}" for n in range(1, 11)), "yellow", "red")
MARKERS = range(1, 11)
NEAR = 0.6      # likeness (difflib) from which another word was meant


def misspelt(folder: Path, data: Mapping[str, Any]) -> tuple[list[str], list[str]]:
    """Faults and notes about the keys of a pack's `deck.toml`."""
    file = one_line(folder / "deck.toml")
    faults, notes = [], []
    for where, keys, known in _tables(data):
        for key in keys:
            meant = difflib.get_close_matches(key.lower(), known, 1, NEAR)
            if key in known:
                continue
            if meant:
                faults.append(f"{file}: {where}{one_line(key)} is no key of a pack; write {meant[0]}, if that was meant")
            else:
                notes.append(f"{file}: {where}{one_line(key)} is a key that nothing reads")
    return faults, notes


def _tables(data: Mapping[str, Any]) -> Iterator[tuple[str, list[str], tuple[str, ...]]]:
    """Each table of the file: where it stands, its keys, and those that are known."""
    yield "", list(data), HEAD
    cards = data.get("card", [])
    for n, card in enumerate(cards if isinstance(cards, list) else [], 1):
        if isinstance(card, dict):
            yield f"card {one_line(str(card.get('id', n)))}: ", list(card), CARD
    for name, known in (("token_mm", COLOURS), ("suspects", SUSPECTS), ("witnesses", WITNESSES)):
        if isinstance(table := data.get(name), dict):
            yield f"{name}: ", list(table), known


def odd_names(pack: Pack) -> list[str]:
    """Pictures of pieces whose names say nothing that the game has."""
    out = [f"{one_line(path)}: no token of the game; rename it to one of green-back, green-01 … green-10, yellow, red"
           for name, path in pack.tokens.items() if name not in TOKENS]
    out += [f"{one_line(path)}: no marker of the game; they are 1 to 10" for value, path in pack.markers.items() if value not in MARKERS]
    out += [f"{one_line(path)}: no mission of the game; rename it to one of s1 … s5" for who, path in pack.missions.items()
            if who not in SUSPECTS]
    return out
