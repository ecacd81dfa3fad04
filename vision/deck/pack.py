"""A deck pack: a folder with `deck.toml` and pictures (contract §3), read with every fault named.

A pack comes from anywhere, so it is bounded and never followed out of its folder. It may be incomplete: what is missing is said
(`Pack.said`), and the rest is used. What makes it useless is a PackError; `faults` tells all of both kinds. Pictures are opened
only where they are asked for, with `vision.pictures.read`.
"""

import math
import os
import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Literal, cast

from PIL import Image

from vision.pictures import PictureError, is_picture_name, one_line, read

FORMAT = 1
Game = Literal["sherlook", "sherlock", "sherlock-deluxe", "sherlock-2011"]
GAMES: tuple[Game, ...] = ("sherlook", "sherlock", "sherlock-deluxe", "sherlock-2011")
LARGEST_TOML = 2_000_000        # bytes
MOST_CARDS = 1000
LARGEST_CARD_PX = 60_000_000    # pixels: a card scanned at 1200 dpi has a third of that
OTHER_SHAPE = 0.06              # of the sides' ratio: a picture that differs more from size_mm has a margin or is another thing
SHORTEST_MM = 5.0
LONGEST_MM = 2000.0
EXIF_ORIENTATION = 0x0112


class PackError(ValueError):
    """A pack that cannot be used; the message says what, where, and what to do."""


@dataclass(frozen=True, slots=True)
class Sizes:
    """Lengths in mm; None where nothing tells them."""

    photo: tuple[float, float] | None = None          # longer and shorter side of a photo, card or tile
    marker: float | None = None                       # diameter or side
    token: dict[str, float] = field(default_factory=dict)   # by colour


@dataclass(frozen=True, slots=True)
class Card:
    """A photo, object card or tile. Paths lie in the pack and are pictures; None where the pack lacks that side."""

    id: str
    front: Path | None
    back: Path | None
    object: str | None = None
    names: Mapping[str, str] = field(default_factory=dict)   # of the object, by language
    arrow: Literal["left", "right"] | None = None            # as printed when the arrow's side points up
    steps: int | None = None
    suspect: str | None = None                               # s1 … s5
    witness: str | None = None                               # w1 … w6


@dataclass(frozen=True, slots=True)
class Pack:
    """A pack as it lies in its folder."""

    folder: Path
    game: Game
    name: str
    size_mm: tuple[float, float] | None                 # width and height of an upright card
    sizes: Sizes
    cards: tuple[Card, ...]
    markers: Mapping[int, Path]                         # by value
    tokens: Mapping[str, Path]                          # by the file's stem: green-back, green-01, yellow, …
    pawn: Path | None
    missions: Mapping[str, Path]                        # by suspect
    booklet: Mapping[int, Path]                         # by page
    suspects: Mapping[str, str]                         # names, by s1 … s5
    witnesses: Mapping[str, str]                        # names, by w1 … w6
    said: tuple[str, ...] = ()                          # what is missing or odd, one line each

    def card(self, card_id: str) -> Card:
        """The card of that id. Raises KeyError."""
        for card in self.cards:
            if card.id == card_id:
                return card
        raise KeyError(card_id)


@dataclass(frozen=True, slots=True)
class Fault:
    """One thing wrong with a pack: a line with the file and the remedy. `fatal`: the pack cannot be used before it is mended."""

    text: str
    fatal: bool


def read_pack(folder: Path, *, game: str | None = None) -> Pack:
    """The pack in a folder. `game`: the game that is played, where another game's pack will not do.

    Raises PackError with one line for the first fault that makes the pack useless.
    """
    if folder.is_file():
        raise PackError(f"{one_line(folder)}: a file; name the folder that holds deck.toml")
    pack, found = _looked_through(folder)
    for fault in found:
        if fault.fatal:
            raise PackError(fault.text)
    assert pack is not None
    if game is not None and pack.game != game:
        file = one_line(folder / "deck.toml")
        raise PackError(f"{file}: a pack of {pack.game}, but {game} is played; name a pack of {game} or choose --game {pack.game}")
    return pack


def faults(folder: Path) -> list[Fault]:
    """All that is wrong with a pack, the fatal first; every picture is opened."""
    pack, found = _looked_through(folder)
    for path in _pictures(pack) if pack is not None else ():
        try:
            read(path)
        except PictureError as e:
            found.append(Fault(str(e), False))
    return sorted(found, key=lambda fault: not fault.fatal)


def _looked_through(folder: Path) -> tuple[Pack | None, list[Fault]]:
    """The pack, as far as it can be read, and its faults; None where `deck.toml` is no list of cards."""
    file = folder / "deck.toml"
    name, found = one_line(file), list[Fault]()
    try:
        data = _toml(file)
    except PackError as e:
        return None, [Fault(str(e), True)]
    if data.get("format", FORMAT) != FORMAT:
        found.append(Fault(f"{name}: format {data['format']!r}, expected {FORMAT}; update the companion", True))
    game = data.get("game")
    if game is None:
        such = {"format": "1", "game": '"sherlook"', "size_mm": "[120.0, 80.0]"}
        lacks = [f"{key} = {value}" for key, value in such.items() if key not in data]
        found.append(Fault(f"{name}: lacks {', '.join(lacks)}; write it so, as it is with this deck", True))
    elif game not in GAMES:
        found.append(Fault(f"{name}: game = {game!r}; write one of {', '.join(GAMES)}", True))
    size_mm, sizes = _sizes(name, data, found)
    pack = Pack(
        folder=folder,
        game=cast(Game, game),
        name=str(data.get("name", os.path.basename(os.path.realpath(folder)))),
        size_mm=size_mm,
        sizes=sizes,
        cards=tuple(_cards(folder, name, data, size_mm, found)),
        markers=_numbered(folder / "markers", found),
        tokens=_stems(folder / "tokens", found),
        pawn=_stems(folder, found).get("pawn"),
        missions=_stems(folder / "missions", found),
        booklet=_numbered(folder / "booklet", found),
        suspects=_names(name, data, "suspects", found),
        witnesses=_names(name, data, "witnesses", found),
    )
    found += _strangers(folder, data)
    said = tuple(fault.text for fault in found if not fault.fatal)
    return replace(pack, said=said), found


def _toml(file: Path) -> dict[str, Any]:
    name = one_line(file)
    try:
        if file.stat().st_size > LARGEST_TOML:
            raise PackError(f"{name}: larger than {LARGEST_TOML // 1_000_000} MB, so no list of cards; name the folder of a deck pack")
        return tomllib.loads(file.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError, RecursionError) as e:
        why = (e.strerror or type(e).__name__) if isinstance(e, OSError) else str(e).splitlines()[0]
        raise PackError(f"{name}: cannot be read as a deck pack ({why}); name the folder that holds a well-formed deck.toml") from e


def _sizes(name: str, data: Mapping[str, Any], found: list[Fault]) -> tuple[tuple[float, float] | None, Sizes]:
    try:
        w, h = (_length(v) for v in data["size_mm"]) if data.get("size_mm") is not None else (0.0, 0.0)
        marker = _length(data["marker_mm"]) if data.get("marker_mm") is not None else None
        token = {str(k): _length(v) for k, v in (data.get("token_mm") or {}).items()}
    except (AttributeError, TypeError, ValueError) as e:
        found.append(Fault(f"{name}: a size is no length in mm ({e}); correct size_mm, marker_mm or token_mm", True))
        return None, Sizes()
    return (w, h) if w else None, Sizes(photo=(max(w, h), min(w, h)) if w else None, marker=marker, token=token)


def _length(value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise ValueError(f"{value!r}")
    mm = float(value)
    if not math.isfinite(mm) or not SHORTEST_MM <= mm <= LONGEST_MM:
        raise ValueError(f"{value!r}")
    return mm


def _cards(folder: Path, name: str, data: Mapping[str, Any], size_mm: tuple[float, float] | None, found: list[Fault]) -> Iterator[Card]:
    listed = data.get("card", [])
    if not isinstance(listed, list) or len(listed) > MOST_CARDS:
        found.append(Fault(f"{name}: the cards are no list of at most {MOST_CARDS}; write a [[card]] for each", True))
        return
    if not listed:
        found.append(Fault(f"{name}: no card in it; write a [[card]] for each, or make the pack with `companion deck scan`", False))
    ids: set[str] = set()
    for n, raw in enumerate(listed, 1):
        if not isinstance(raw, dict) or not isinstance(raw.get("id"), str) or not raw["id"].strip() or not raw["id"].isprintable():
            found.append(Fault(f"{name}: card number {n} has no id; write one, such as id = \"p{n:02d}\"", True))
            continue
        if "/" in raw["id"] or "\\" in raw["id"] or raw["id"] in (".", ".."):   # ids are parts of the pictures' names
            which = f"card number {n}: the id {raw['id']!r}"
            found.append(Fault(f"{name}: {which} is a path; write a plain one, such as id = \"p{n:02d}\"", True))
            continue
        card = _card(folder, name, raw, size_mm, found)
        if card.id in ids:
            found.append(Fault(f"{name}: two cards have the id {card.id}; give each card an id of its own", True))
        elif card.front is not None or card.back is not None:
            yield card
        ids.add(card.id)


def _card(folder: Path, name: str, raw: Mapping[str, Any], size_mm: tuple[float, float] | None, found: list[Fault]) -> Card:
    who = raw["id"]

    def text(key: str, pattern: str) -> str | None:
        value = raw.get(key)
        if value is None or (isinstance(value, str) and re.fullmatch(pattern, value)):
            return value
        found.append(Fault(f"{name}: card {who}: {key} = {value!r} is none of its values; correct it (contract: a deck pack)", True))
        return None

    steps, names = raw.get("steps"), raw.get("names", {})
    if steps is not None and (isinstance(steps, bool) or not isinstance(steps, int) or not 0 < steps < 100):
        found.append(Fault(f"{name}: card {who}: steps = {steps!r} is no number of steps; write the printed number", True))
        steps = None
    if not isinstance(names, dict) or not all(isinstance(v, str) for v in names.values()):
        found.append(Fault(f"{name}: card {who}: names are no words by language; write names = {{en = \"umbrella\"}}", True))
        names = {}
    return Card(
        id=who,
        front=_side(folder, name, raw, "front", size_mm, found),
        back=_side(folder, name, raw, "back", size_mm, found),
        object=text("object", r".{1,80}"),
        names=names,
        arrow=cast(Literal["left", "right"] | None, text("arrow", "left|right")),
        steps=steps,
        suspect=text("suspect", r"s\d"),
        witness=text("witness", r"w\d"),
    )


def _side(
    folder: Path, name: str, raw: Mapping[str, Any], side: str, size_mm: tuple[float, float] | None, found: list[Fault]
) -> Path | None:
    """The picture of one side, where it is there and can be opened."""
    who, value = raw["id"], raw.get(side)
    if value is None:
        found.append(Fault(f"{name}: card {who} has no {side}; scan that side and add it with `companion deck add`", False))
        return None
    if not isinstance(value, str) or not value:
        found.append(Fault(f"{name}: card {who}: {side} = {value!r} is no path; write the picture's path within the pack", True))
        return None
    path = folder / value
    if not _inside(path, folder):
        found.append(Fault(f"{name}: card {who}: {side} = {value!r} leaves the pack; copy the picture into {one_line(folder)}/cards", True))
        return None
    if not path.is_file():
        lacks = f"{one_line(path)}: there is no such file, so card {who} has no {side}; put the picture there or correct deck.toml"
        found.append(Fault(lacks, False))
        return None
    return path if _openable(path, size_mm, found) else None


def _inside(path: Path, folder: Path) -> bool:
    try:
        return path.resolve().is_relative_to(folder.resolve())
    except (OSError, ValueError, RuntimeError):   # a null character, a ring of links
        return False


def _openable(path: Path, size_mm: tuple[float, float] | None, found: list[Fault]) -> bool:
    """Whether the file's head is a picture's of a fair size; only the head is read."""
    try:
        with Image.open(path) as image:
            width, height = image.size
            turned = image.format == "JPEG" and image.getexif().get(EXIF_ORIENTATION, 1) >= 5   # other formats would be unpacked for it
    except Exception as e:   # a decoder may raise anything on a stranger's bytes
        bomb = isinstance(e, Image.DecompressionBombError)
        why = "more pixels than a card can have; save it smaller" if bomb else "not a picture that can be read; save it as PNG or JPEG"
        found.append(Fault(f"{one_line(path)}: {why}", bomb))
        return False
    if width * height > LARGEST_CARD_PX:
        found.append(Fault(f"{one_line(path)}: {width}x{height} pixels are more than a card can have; save it smaller", True))
        return False
    if size_mm is not None:
        ratio = (height / width if turned else width / height) * size_mm[1] / size_mm[0]
        if max(ratio, 1 / ratio) > 1 + OTHER_SHAPE:
            w, h = size_mm
            found.append(Fault(f"{one_line(path)}: {width}x{height} pixels are another shape than size_mm = [{w:g}, {h:g}]; "
                               "cut it to the card's edges, upright", False))
    return True


def _stems(folder: Path, found: list[Fault]) -> dict[str, Path]:
    """The pictures of a folder by the stem of their name."""
    try:
        files = sorted(p for p in folder.iterdir() if is_picture_name(p) and p.is_file()) if folder.is_dir() else []
    except OSError as e:
        found.append(Fault(f"{one_line(folder)}: cannot be read ({e.strerror}); check its permissions", False))
        files = []
    return {p.stem: p for p in files if _inside(p, folder) and _openable(p, None, found)}


def _numbered(folder: Path, found: list[Fault]) -> dict[int, Path]:
    numbered = {}
    for stem, path in _stems(folder, found).items():
        if stem.isascii() and stem.isdecimal() and len(stem) <= 4:
            numbered[int(stem)] = path
        else:
            found.append(Fault(f"{one_line(path)}: its name is no number; rename it to the number printed on it, or take it away", False))
    return numbered


def _names(name: str, data: Mapping[str, Any], key: str, found: list[Fault]) -> dict[str, str]:
    table = data.get(key, {})
    if isinstance(table, dict) and all(isinstance(v, str) for v in table.values()):
        return dict(table)
    found.append(Fault(f"{name}: [{key}] holds no names; write lines such as {key[0]}1 = \"the butler\"", True))
    return {}


def _pictures(pack: Pack) -> Iterator[Path]:
    """Every picture of the pack, each once."""
    cards = [path for card in pack.cards for path in (card.front, card.back) if path is not None]
    others = [*pack.markers.values(), *pack.tokens.values(), *pack.missions.values(), *pack.booklet.values()]
    yield from dict.fromkeys([*cards, *others, *([pack.pawn] if pack.pawn else [])])


def _strangers(folder: Path, data: Mapping[str, Any]) -> list[Fault]:
    """Pictures among the cards that no card names."""
    listed = data.get("card", [])
    values = [raw.get(side) for raw in listed if isinstance(raw, dict) for side in ("front", "back")] if isinstance(listed, list) else []
    named = {(folder / value).name for value in values if isinstance(value, str)}
    try:
        files = sorted(p for p in (folder / "cards").iterdir() if is_picture_name(p))
    except OSError:
        return []
    unknown = [p for p in files if p.name not in named]
    return [Fault(f"{one_line(p)}: no card names this file; add a [[card]] for it or take it away", False) for p in unknown]
