"""A pack made, or filled up, from scans and photographs. What was cut is kept until the pack is written: a stopped scan goes on.

Runs are repeatable: a card that the pack has already is not added again, and one that lacked a side gets it.
"""

import hashlib
import os
import shutil
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2

from companion.decks.cut import cut_cards
from companion.decks.sorting import Found, Sorted, sort_others, sort_photos, upright_file
from companion.decks.writing import WORK, NewSide, add_sides, finish, new_ids
from vision.deck.deck import FEWEST
from vision.deck.pack import Game, Pack, PackError, read_pack
from vision.pictures import PictureError, is_picture_name, one_line, read, read_bytes

ON_SIDE = "-on-its-side"   # in the name of a cut that waits
SWAPPED = 0.8              # of the cards of a new pack on their side: --size-mm has most likely height and width exchanged
Progress = Callable[[int, int], None]
DOCUMENTS = (".pdf", ".djvu", ".zip", ".docx", ".odt")   # what scanners and phones save scans as, too


@dataclass(frozen=True)
class Scanned:
    """What came of it: cards that are new, cards that got a side, and what is to be said, one line each."""

    new: tuple[str, ...]
    filled: tuple[str, ...]
    said: tuple[str, ...]
    there: tuple[str, ...]           # pictures of what the pack has, one line each


def scan(pictures: Sequence[Path], folder: Path, *, game: Game | None = None, name: str | None = None,
         size_mm: tuple[float, float] | None = None, progress: Progress = lambda done, of: None) -> Scanned:
    """Cuts the cards out of the pictures and puts them into the pack in `folder`.

    `game`, `name`, `size_mm`: of a new pack.
    Raises PackError, with one line; nothing of the pack is lost then.
    """
    pack = _pack(folder, game)
    size = size_mm or (pack.size_mm if pack is not None else None)
    if size is None:
        raise PackError(f"{one_line(folder)}: how large is a card? --size-mm 120x80 (width and height in mm, upright)")
    if pack is not None and size_mm is not None and pack.size_mm not in (None, size_mm):
        w, h = pack.size_mm or size
        raise PackError(f"{one_line(folder)}: its cards are {w:g} x {h:g} mm, not {size[0]:g} x {size[1]:g}; leave --size-mm away")
    said: list[str] = []
    on_side: list[bool] = []
    work = folder / WORK / "cuts"
    try:
        work.mkdir(parents=True, exist_ok=True)
        found = []
        for n, path in enumerate(pictures):
            found += _cut(path, n, work, size, said, on_side)
            progress(n + 1, len(pictures))
        played: Game = pack.game if pack is not None else game or "sherlook"
        there = _of_pack(pack) if pack is not None else []
        if played == "sherlook":
            result = sort_photos([*there, *found], square=abs(size[0] / size[1] - 1) < 0.02)
        else:
            result = sort_others([*there, *found], tiles=played == "sherlock-2011", back=_shared_back(pack))
        called = name or os.path.basename(os.path.realpath(folder))   # a ring of links has no end, and is told of elsewhere
        head: dict[str, object] = {"format": 1, "game": played, "name": called, "size_mm": [float(v) for v in size]}
        new, filled = _write(folder, pack, played, result, head)
    except OSError as e:
        raise PackError(f"{one_line(folder)}: cannot be written ({e.strerror}); free some room or choose another place") from e
    shutil.rmtree(folder / WORK, ignore_errors=True)
    if pack is None and sum(on_side) > SWAPPED * len(on_side):
        w, h = size
        said.append(f"--size-mm {w:g}x{h:g}: {sum(on_side)} of {len(on_side)} cards lie on their side in the scans; if the pictures in "
                    f"{one_line(folder)} stand sideways, remove it and scan again with --size-mm {h:g}x{w:g}")
    return Scanned(tuple(new), tuple(filled), (*said, *result.said), tuple(result.there))


def pictures_in(folder: Path) -> list[Path]:
    """The pictures of a folder in the order of their names. Raises PackError where there is none."""
    try:
        files = sorted(p for p in folder.iterdir() if is_picture_name(p) and p.is_file())
    except OSError as e:
        raise PackError(f"{one_line(folder)}: cannot be read ({e.strerror}); name a folder of scans") from e
    if not files:
        raise PackError(f"{one_line(folder)}: no picture in this folder; name one with scans or photographs of the cards")
    return files


def passed_over(folder: Path) -> list[str]:
    """What in a folder of scans may hold cards and is not looked at, one line each: documents, and folders of pictures."""
    out = []
    for path in sorted(folder.iterdir()):
        if path.suffix.lower() in DOCUMENTS:
            out.append(f"{one_line(path)}: a document, which is not looked into; save its pages as pictures")
        elif path.is_dir() and not (path / "deck.toml").exists() and any(map(is_picture_name, _within(path))):
            out.append(f"{one_line(path)}: a folder within the folder, which is not looked into; put its pictures beside the others, "
                       "or scan it by itself into the same pack")
    return out


def _within(folder: Path) -> list[Path]:
    try:
        return list(folder.iterdir())
    except OSError:
        return []


def _pack(folder: Path, game: Game | None) -> Pack | None:
    """The pack that is there; None where there is none yet."""
    if not folder.exists():
        return None
    if not folder.is_dir():
        raise PackError(f"{one_line(folder)}: not a folder; name a new one for the pack")
    try:
        finish(folder)
        if (folder / "deck.toml").exists():
            return read_pack(folder, game=game)
        strangers = [p.name for p in folder.iterdir() if p.name != WORK]
    except OSError as e:
        raise PackError(f"{one_line(folder)}: cannot be read ({e.strerror}); choose another place") from e
    if strangers:
        other = one_line(strangers[0])
        raise PackError(f"{one_line(folder)}: holds other things ({other}) and no deck.toml; name a new folder for the pack")
    return None


def _cut(path: Path, n: int, work: Path, size: tuple[float, float], said: list[str], on_side: list[bool]) -> list[Found]:
    """The cards of one scan: from an earlier run, or cut now. A folder of cuts is there whole or not at all.

    `said` gets a line for what was left out, `on_side` for each card whether it lay on its side.
    """
    name = one_line(path.name)
    try:
        data = read_bytes(path)
        there = work / hashlib.sha256(data + repr(size).encode()).hexdigest()[:20]
        if not there.is_dir():
            cuts = cut_cards(read(path), size_mm=size)
            part = there.with_suffix(".part")
            shutil.rmtree(part, ignore_errors=True)
            part.mkdir()
            for k, cut in enumerate(cuts.cards, 1):
                side = ON_SIDE if cut.on_its_side else ""
                (part / f"{k:02d}{side}.png").write_bytes(cv2.imencode(".png", cut.picture, [cv2.IMWRITE_PNG_COMPRESSION, 3])[1].tobytes())
            (part / "left-out.txt").write_text("\n".join(cuts.left_out), encoding="utf-8")
            os.rename(part, there)
    except PictureError as e:
        said.append(str(e))
        return []
    files = sorted(file for side in ("", ON_SIDE) for file in there.glob(f"[0-9][0-9]{side}.png"))
    on_side += [file.stem.endswith(ON_SIDE) for file in files]
    left_out = (there / "left-out.txt").read_text(encoding="utf-8").splitlines()
    said += [f"{name}: {line}; lay it whole into the picture" for line in left_out]
    if not files and not left_out:
        said.append(f"{name}: no card of {size[0]:g} x {size[1]:g} mm stands out in it; "
                    "lay the cards apart on a plain ground, or correct --size-mm")
    where = [name if len(files) == 1 else f"{name}, card {k}" for k in range(1, len(files) + 1)]
    return [Found(file, words, path.name, (n, k)) for k, (file, words) in enumerate(zip(files, where, strict=True))]


def _of_pack(pack: Pack) -> list[Found]:
    """The sides that the pack has, each file once."""
    out: dict[Path, Found] = {}
    for n, card in enumerate(pack.cards):
        for k, (side, path) in enumerate((("front", card.front), ("back", card.back))):
            if path is not None and path not in out:
                out[path] = Found(path, f"card {card.id}", "", (-1, 2 * n + k), card=card.id, side=side)
    return list(out.values())


def _shared_back(pack: Pack | None) -> Path | None:
    """The picture that is the back of nearly all cards."""
    backs = Counter(card.back for card in pack.cards if card.back is not None) if pack is not None else Counter()
    path, cards = backs.most_common(1)[0] if backs else (None, 0)
    return path if cards >= FEWEST else None


def _write(folder: Path, pack: Pack | None, game: Game, result: Sorted, head: dict[str, object]) -> tuple[list[str], list[str]]:
    """Puts what is new into the pack; the ids of new cards, and of those that got a side."""
    ids = iter(new_ids(game, [card.id for card in pack.cards] if pack is not None else [], folder=folder))
    sides: list[NewSide] = []
    new: list[str] = []
    filled: list[str] = []
    for both in sorted(result.cards, key=lambda both: min(f.at for f in both if f is not None)):
        added = [(side, f) for side, f in zip(("front", "back"), both, strict=True) if f is not None and f.card is None]
        if not added:
            continue
        known = next((f.card for f in both if f is not None and f.card is not None), None)
        card = known or next(ids)
        (filled if known else new).append(card)
        sides += [NewSide(card, side, upright_file(f)) for side, f in added]
    back = result.shared_back
    if sides and back is not None and back.card is not None:
        add_sides(folder, sides, head=head, known_back=back.file.relative_to(folder).as_posix())
    elif sides:
        add_sides(folder, sides, head=head, shared_back=back.file if back is not None else None)
    return new, filled
