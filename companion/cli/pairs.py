"""What an audit is to compare: all pairs of a pack or folder, or those of a CSV list; and the counts that are expected."""

import csv
import stat
from collections.abc import Iterator, Mapping
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


def matrix(path: Path) -> dict[tuple[str, str], int]:
    """Expected counts from a CSV matrix with the ids as its first row and column; empty cells expect nothing. Raises ClickException."""
    try:
        with _opened(path) as f:
            head, *rows = list(csv.reader(f))
        return {(row[0], head[k]): int(row[k]) for row in rows if row for k in range(1, len(row)) if row[k].strip() and row[0] != head[k]}
    except (OSError, UnicodeDecodeError, csv.Error, ValueError, IndexError) as e:
        raise click.ClickException(
            f"{one_line(path)}: cannot be read as a matrix ({_reason(e)}); the ids stand in its first row and column, counts within"
        ) from e


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
