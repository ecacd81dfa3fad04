"""Changes to a pack that are made whole or not at all, and never over what was there.

New pictures and the new `deck.toml` are gathered in the pack's folder of work; when all are there it is renamed, and only then are they
moved to their places, deck.toml last. A change that was broken off before is forgotten, one broken off later is ended by the next run.
"""

import os
import re
import shutil
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import tomlkit
from tomlkit.exceptions import TOMLKitError

from vision.deck.pack import PackError
from vision.pictures import one_line

WORK = ".scan"                  # in the pack: cuts that wait, and the change that is being made
PREFIX = {"sherlook": "p", "sherlock": "c", "sherlock-deluxe": "c", "sherlock-2011": "t"}


@dataclass(frozen=True, slots=True)
class NewSide:
    """A picture (a PNG file) that becomes a side of a card. `card`: its id, of the pack or new."""

    card: str
    side: str                   # front | back
    picture: Path


def finish(folder: Path) -> None:
    """Ends a change that was broken off when all of it was there already."""
    ready = folder / WORK / "ready"
    if not ready.is_dir():
        return
    files = sorted(p for p in ready.rglob("*") if p.is_file() and p.name != "deck.toml")
    for file in files:
        place = folder / file.relative_to(ready)
        place.parent.mkdir(parents=True, exist_ok=True)
        os.replace(file, place)
    if (ready / "deck.toml").exists():
        os.replace(ready / "deck.toml", folder / "deck.toml")
    shutil.rmtree(ready, ignore_errors=True)


def add_sides(folder: Path, sides: Sequence[NewSide], *, head: Mapping[str, object], shared_back: Path | None = None,
              known_back: str | None = None) -> None:
    """Adds sides to the pack, in their order. `head`: what a new deck.toml begins with.

    `shared_back`: a new picture that is the back of all new cards; `known_back`: the pack's own that is, as deck.toml names it.

    Raises PackError where the pack cannot be written.
    """
    try:
        finish(folder)
        part = folder / WORK / "part"
        shutil.rmtree(part, ignore_errors=True)
        (part / "cards").mkdir(parents=True)
        document = _document(folder, head)
        cards = document.setdefault("card", tomlkit.aot())
        back = _placed(part, folder, "back", shared_back) if shared_back is not None else known_back
        for new in sides:
            entry = next((card for card in cards if card.get("id") == new.card), None)
            if entry is None:
                entry = tomlkit.table()
                entry["id"] = new.card
                cards.append(entry)
                entry = cards[-1]
            entry[new.side] = _placed(part, folder, f"{new.card}-{new.side}", new.picture)
            if back is not None and new.side == "front":
                entry["back"] = back
        (part / "deck.toml").write_text(tomlkit.dumps(document), encoding="utf-8")
        os.rename(part, folder / WORK / "ready")
        finish(folder)
    except OSError as e:
        raise PackError(f"{one_line(folder)}: cannot be written ({e.strerror}); free some room or choose another place") from e


def new_ids(game: str, taken: Iterable[str], *, folder: Path) -> Iterable[str]:
    """Ids that no card has and no picture bears, counted on as the pack counts."""
    named = [(m[1], int(m[2]), len(m[2])) for card in taken if (m := re.fullmatch(r"(.*?)(\d{1,6})", card))]
    prefix = Counter(name for name, _, _ in named).most_common(1)[0][0] if named else PREFIX[game]
    number = max((n for name, n, _ in named if name == prefix), default=0)
    digits = max((d for name, _, d in named if name == prefix), default=2)
    while True:
        number += 1
        card = f"{prefix}{number:0{digits}d}"
        if card not in taken and not any((folder / "cards").glob(f"{card}-*")):
            yield card


def _document(folder: Path, head: Mapping[str, object]) -> tomlkit.TOMLDocument:
    """The pack's deck.toml with all its comments, or a new one."""
    file = folder / "deck.toml"
    if not file.exists():
        document = tomlkit.document()
        document.update(head)
        return document
    try:
        return tomlkit.parse(file.read_text(encoding="utf-8"))
    except (TOMLKitError, UnicodeDecodeError) as e:
        raise PackError(f"{one_line(file)}: cannot be read as a deck pack ({str(e).splitlines()[0]}); mend it first") from e


def _placed(part: Path, folder: Path, stem: str, picture: Path) -> str:
    """Copies a picture to where it will lie, under a name that nothing there has; its path within the pack."""
    name, n = f"cards/{stem}.png", 1
    while (folder / name).exists() or (part / name).exists():
        n += 1
        name = f"cards/{stem}-{n}.png"
    shutil.copyfile(picture, part / name)
    return name
