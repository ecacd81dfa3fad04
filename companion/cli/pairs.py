"""What an audit is to compare: all pairs of a pack or folder, or those of a CSV list; and the counts that are expected."""

import csv
import stat
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TextIO

import click

from vision.deck.pack import PackError, read_pack
from vision.differences.many import Job, middle_of
from vision.pictures import is_picture_name, one_line

MOST_PAIRS = 200_000  # of one folder; more are named in a list
LARGEST_LIST = 200_000_000  # bytes
COLUMNS = "a,b or a,b,expected"


@dataclass(frozen=True)
class Asked:
    """What an audit is to compare; `expected` by the two names."""

    jobs: tuple[Job, ...]
    expected: Mapping[tuple[str, str], int]


def asked(target: Path, side: str | None, sensitivity: float) -> Asked:
    """The pairs of a pack (`side`: front, back, both, None for the usual), a folder or a list. Raises ClickException."""
    name = one_line(target)
    try:
        mode = target.stat().st_mode
    except (OSError, ValueError) as e:
        raise click.ClickException(f"{name}: there is no such file or folder; check the name") from e
    if stat.S_ISREG(mode):
        return _listed(target, sensitivity)
    if not stat.S_ISDIR(mode):
        raise click.ClickException(f"{name}: neither a folder nor a CSV list of pairs; name one of them")
    sets = _pack(target, side) if (target / "deck.toml").exists() else [_folder(target)]
    n = sum(len(named) * (len(named) - 1) // 2 for named in sets)
    if n == 0:
        raise click.ClickException(f"{name}: fewer than two pictures in it; name a folder with the pictures to compare")
    if n > MOST_PAIRS:
        many = f"{sum(map(len, sets))} pictures make {n} pairs, more than {MOST_PAIRS}"
        raise click.ClickException(f"{name}: {many}; list those to compare in a CSV file")
    return Asked(tuple(job for named in sets if len(named) > 1 for job in _all_pairs(named, sensitivity)), {})


def matrix(path: Path, known: Collection[str]) -> dict[tuple[str, str], int]:
    """Expected counts of pairs of the `known` ids from a CSV matrix, each pair by both orders; empty cells expect nothing.

    Raises ClickException where the file is no such matrix, with the line.
    """
    name, counts = one_line(path), dict[tuple[str, str], int]()
    try:
        with _opened(path) as f:
            rows = csv.reader(f, strict=True)
            lines = [(rows.line_num, row) for row in rows if row]
        if len(lines) < 2:
            raise ValueError("there are no counts in it")
        (first, (_, *ids)), *below = lines
        _once(ids, first, known)
        _once([row[0] for _, row in below], below[0][0], known)
        for line, (a, *cells) in below:
            if len(cells) != len(ids):
                raise ValueError(f"line {line} holds {len(cells)} counts, its first row names {len(ids)} ids")
            for b, cell in zip(ids, map(str.strip, cells), strict=True):
                if cell:
                    _add(counts, a, b, cell, line)
    except (OSError, UnicodeDecodeError, csv.Error, ValueError) as e:
        raise click.ClickException(
            f"--expect-matrix {name}: cannot be read as a matrix ({_reason(e)}); the ids stand in its first row and column, counts within"
        ) from e
    return counts


def _once(ids: Sequence[str], line: int, known: Collection[str]) -> None:
    """Raises ValueError where an id stands twice in a row or column that begins at a line, or is none that is compared."""
    twice = next((name for name, times in Counter(ids).items() if times > 1), None)
    if twice is not None:
        raise ValueError(f"{twice!r} stands twice in its first {'row' if line == 1 else 'column'}")
    strange = next((name for name in ids if name not in known), None)
    if strange is not None:
        raise ValueError(f"{strange!r} is none of the pictures that are compared")


def _add(counts: dict[tuple[str, str], int], a: str, b: str, cell: str, line: int) -> None:
    """Takes a cell up under both orders of its ids. Raises ValueError."""
    if not (cell.isascii() and cell.isdecimal()):
        raise ValueError(f"line {line}: {cell!r} for {a} and {b} is no count")
    count = int(cell)
    if a == b:
        if count:
            raise ValueError(f"line {line}: {a} and itself have no difference, not {count}")
        return
    if counts.setdefault((a, b), count) != count:
        raise ValueError(f"line {line}: {count} for {a} and {b}, but {counts[a, b]} above for {b} and {a}")
    counts[b, a] = count


def _all_pairs(named: Mapping[str, str], sensitivity: float) -> Iterator[Job]:
    ids, middle = list(named), middle_of(list(named.values()))
    return (Job(named[p], named[q], p, q, middle, sensitivity) for k, p in enumerate(ids) for q in ids[k + 1 :])


def _folder(folder: Path) -> dict[str, str]:
    try:
        return {p.name: str(p) for p in sorted(folder.iterdir()) if is_picture_name(p) and not p.is_dir()}
    except OSError as e:
        raise click.ClickException(f"{one_line(folder)}: cannot be opened ({e.strerror}); check its permissions") from e


def _pack(folder: Path, side: str | None) -> list[dict[str, str]]:
    """The pictures of a deck pack by id, a set for each side: backs where every card has one, else fronts."""
    try:
        cards = read_pack(folder).cards
    except PackError as e:
        raise click.ClickException(f"{e}; check it with `companion deck check`") from e
    pictures = {"front": {card.id: card.front for card in cards}, "back": {card.id: card.back for card in cards}}
    usual = "back" if all(pictures["back"].values()) else "front"
    sides = ["front", "back"] if side == "both" else [side or usual]
    suffix = {s: f"-{s}" if len(sides) > 1 else "" for s in sides}
    return [{name + suffix[s]: str(path) for name, path in pictures[s].items() if path is not None} for s in sides]


def _listed(path: Path, sensitivity: float) -> Asked:
    name = one_line(path)
    jobs: dict[Job, None] = {}
    expected: dict[tuple[str, str], int] = {}
    try:
        with _opened(path) as f:
            rows = csv.DictReader(f, strict=True)
            for column in ("a", "b"):
                if column not in (rows.fieldnames or ()):
                    lacks = f"no list of pairs, the column {column!r} is missing"
                    raise click.ClickException(f"{name}: {lacks}; its first line must be {COLUMNS}")
            for row in rows:
                a, b, want = (str(row.get(k) or "").strip() for k in ("a", "b", "expected"))
                if not a:
                    raise click.ClickException(f"{name}, line {rows.line_num}: no picture in column a")
                if want and not want.isdecimal():
                    raise click.ClickException(f"{name}, line {rows.line_num}: expected {want!r} is no number; write a count or nothing")
                jobs[Job(str(path.parent / a), str(path.parent / b) if b else "", a, b, "", sensitivity)] = None
                if want:
                    expected[a, b] = int(want)
    except (OSError, UnicodeDecodeError, csv.Error, ValueError) as e:
        raise click.ClickException(f"{name}: no list of pairs ({_reason(e)}); it is a CSV file with the columns {COLUMNS}") from e
    if not jobs:
        raise click.ClickException(f"{name}: no pairs in it; write a line for each below {COLUMNS}")
    return Asked(tuple(jobs), expected)


def _opened(path: Path) -> TextIO:
    if path.stat().st_size > LARGEST_LIST:
        raise ValueError(f"it is larger than {LARGEST_LIST // 1_000_000} MB")
    return path.open(newline="", encoding="utf-8-sig")


def _reason(e: Exception) -> str:
    """The trouble in one line, without what a program says of itself."""
    if isinstance(e, UnicodeDecodeError):
        return "it is no text"
    return one_line((e.strerror if isinstance(e, OSError) else None) or str(e))
