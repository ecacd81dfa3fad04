"""`companion audit`: compares all pairs of a pack or a folder, or those of a list."""

import csv
import json
import os
import sys
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click
import msgspec
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from vision.differences.many import Job, Verdict, run
from vision.differences.matrix import as_page, as_table
from vision.pictures import PictureError, is_picture_name, one_line, read_bytes

MOST_PAIRS = 200_000  # of one folder; more are named in a list


@dataclass(frozen=True)
class Asked:
    """What an audit is to compare; `expected` by the two names."""

    jobs: tuple[Job, ...]
    expected: dict[tuple[str, str], int]


@click.command("audit", epilog="Example: companion audit photos/ --html matrix.html --keep audit.jsonl")
@click.argument("target", type=click.Path(path_type=Path))
@click.option("--json", "as_json", is_flag=True, help="Print all verdicts as JSON.")
@click.option("--html", type=click.Path(path_type=Path, dir_okay=False), help="Write the matrix as a page, the worst pairs first.")
@click.option(
    "--csv",
    "table",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Write the matrix as CSV, with the ids in the first row and column.",
)
@click.option("--expect-matrix", type=click.Path(path_type=Path), help="A CSV matrix of the counts that are expected.")
@click.option(
    "--side",
    type=click.Choice(["front", "back", "both"]),
    help="Of a pack: which side. Default: backs where every card has one, else fronts.",
)
@click.option(
    "--keep", type=click.Path(path_type=Path, dir_okay=False), help="Keep verdicts in this file and go on from there when run again."
)
@click.option("--workers", type=click.IntRange(min=1), default=os.cpu_count() or 1, show_default="all cores")
@click.option("--sensitivity", type=click.FloatRange(0.01, 0.99), default=0.5, show_default=True)
def command(
    target: Path,
    as_json: bool,
    html: Path | None,
    table: Path | None,
    expect_matrix: Path | None,
    side: str | None,
    keep: Path | None,
    workers: int,
    sensitivity: float,
) -> int:
    """Compare all pairs of a pack or folder, or the pairs of a CSV list with the columns a,b[,expected].

    Exit status 0: all were compared and are as expected; 1: some could not be, or differ from what is expected; 2: nothing could be done.
    """
    asked = _asked(target, side, sensitivity)
    expected = asked.expected | (_matrix(expect_matrix) if expect_matrix else {})
    verdicts = _in_order(asked.jobs, list(_verdicts(asked.jobs, keep, workers)))
    wrong = [v for v in verdicts if v.count is None or v.count != _expected(expected, v, v.count)]
    if as_json:
        click.echo(json.dumps({"format": 1, "pairs": [v.plain() for v in verdicts]}))
    else:
        click.echo(_summary(verdicts, expected))
    for path, text in ((html, as_page), (table, as_table)):
        if path is not None:
            _write(path, text(verdicts, {(v.a, v.b): n for v in verdicts if (n := _expected(expected, v, None)) is not None}))
    return 1 if wrong else 0


def _verdicts(jobs: tuple[Job, ...], keep: Path | None, workers: int) -> Iterator[Verdict]:
    """The verdicts that were kept and still hold, then the new ones, each kept as it comes."""
    known = _kept(keep) if keep is not None else {}
    todo = []
    for job in jobs:
        old = known.get((job.a, job.b, job.sensitivity))
        if old is not None and _still_holds(job, old):
            yield old
        else:
            todo.append(job)
    where = {(job.name_a, job.name_b): job for job in todo}
    bar = Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
        console=Console(stderr=True),
        disable=not sys.stderr.isatty(),
    )
    file = _appended(keep) if keep is not None else None
    try:
        with bar:
            task = bar.add_task("comparing", total=len(jobs), completed=len(jobs) - len(todo))
            for verdict in run(todo, workers=min(workers, max(1, len(todo)))):
                bar.advance(task)
                if file is not None:
                    job = where[verdict.a, verdict.b]
                    line = {"a": job.a, "b": job.b, "sensitivity": job.sensitivity, "verdict": msgspec.to_builtins(verdict)}
                    file.write(json.dumps(line) + "\n")
                    file.flush()
                yield verdict
    finally:
        if file is not None:
            file.close()


def _appended(keep: Path) -> Any:
    try:
        return keep.open("a", encoding="utf-8")
    except OSError as e:
        raise click.ClickException(f"{one_line(keep)}: cannot be written ({e.strerror}); choose another place for --keep") from e


def _kept(path: Path) -> dict[tuple[str, str, float], Verdict]:
    """What an earlier run kept; a last line that was cut off is asked again."""
    out = {}
    if not path.exists():
        return {}
    for line in path.read_text(encoding="utf-8", errors="replace").splitlines():
        try:
            entry = json.loads(line)
            out[entry["a"], entry["b"], entry["sensitivity"]] = msgspec.convert(entry["verdict"], Verdict)
        except (json.JSONDecodeError, KeyError, TypeError, msgspec.ValidationError):
            continue
    return out


def _still_holds(job: Job, old: Verdict) -> bool:
    """Whether both files are still those that the verdict was about."""
    import hashlib

    if not old.sha256_a:
        return False  # it could not be read then; perhaps now
    try:
        same_a = hashlib.sha256(read_bytes(Path(job.a))).hexdigest() == old.sha256_a
        return same_a and (not job.b or hashlib.sha256(read_bytes(Path(job.b))).hexdigest() == old.sha256_b)
    except PictureError:
        return False


def _in_order(jobs: tuple[Job, ...], verdicts: list[Verdict]) -> list[Verdict]:
    place = {(job.name_a, job.name_b): k for k, job in enumerate(jobs)}
    return sorted(verdicts, key=lambda v: place[v.a, v.b])


def _expected(expected: dict[tuple[str, str], int], v: Verdict, default: int | None) -> int | None:
    return expected.get((v.a, v.b), expected.get((v.b, v.a), default))


def _summary(verdicts: list[Verdict], expected: dict[tuple[str, str], int]) -> str:
    lines = []
    for v in verdicts:
        want = _expected(expected, v, None)
        said = v.error if v.count is None else f"{v.count} ({v.probability:.0%} sure)"
        lines.append(f"{one_line(v.a)}  {one_line(v.b)}  {said}" + (f"  expected {want}" if want is not None and want != v.count else ""))
    compared = sum(v.count is not None for v in verdicts)
    return "\n".join([*lines, f"{compared} of {len(verdicts)} pairs compared"])


# ---------------------------------------------------------------- what to compare


def _asked(target: Path, side: str | None, sensitivity: float) -> Asked:
    if target.is_dir():
        pack = target / "deck.toml"
        named = _pack(pack, side) if pack.exists() else {p.name: str(p) for p in sorted(target.iterdir()) if is_picture_name(p)}
        return Asked(_all_pairs(target, named, sensitivity), {})
    if not target.exists():
        raise click.ClickException(f"{one_line(target)}: there is no such file or folder; check the name")
    return _listed(target, sensitivity)


def _all_pairs(target: Path, named: dict[str, str], sensitivity: float) -> tuple[Job, ...]:
    if len(named) < 2:
        raise click.ClickException(f"{one_line(target)}: fewer than two pictures in it; name a folder with the pictures to compare")
    n = len(named) * (len(named) - 1) // 2
    if n > MOST_PAIRS:
        raise click.ClickException(
            f"{one_line(target)}: {len(named)} pictures make {n} pairs, more than {MOST_PAIRS}; list those to compare in a CSV file"
        )
    ids = list(named)
    middle = named[ids[0]]
    return tuple(Job(named[p], named[q], p, q, middle, sensitivity) for k, p in enumerate(ids) for q in ids[k + 1 :])


def _pack(path: Path, side: str | None) -> dict[str, str]:
    """The pictures of a deck pack by id: backs where every card has one, else fronts."""
    try:
        cards = tomllib.loads(path.read_text(encoding="utf-8"))["card"]
        sides = (
            [side]
            if side in ("front", "back")
            else ["front", "back"]
            if side == "both"
            else ["back" if all("back" in c for c in cards) else "front"]
        )
        return {str(c["id"]) + (f"-{s}" if len(sides) > 1 else ""): str(path.parent / c[s]) for s in sides for c in cards}
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as e:
        raise click.ClickException(f"{one_line(path)}: cannot be read as a pack ({e}); check it with `companion deck check`") from e
    except (KeyError, TypeError) as e:
        raise click.ClickException(f"{one_line(path)}: a card has no {e}; check it with `companion deck check`") from e


def _listed(path: Path, sensitivity: float) -> Asked:
    try:
        with path.open(newline="", encoding="utf-8-sig") as f:
            rows = list(csv.DictReader(f))
            columns = list(rows[0]) if rows else []
    except (OSError, UnicodeDecodeError, csv.Error) as e:
        raise click.ClickException(
            f"{one_line(path)}: cannot be read as a list of pairs ({e}); it is a CSV file with the columns a,b[,expected]"
        ) from e
    if not rows:
        raise click.ClickException(
            f"{one_line(path)}: no pairs in it; it is a CSV file with the columns a,b[,expected] and a line for each pair"
        )
    for column in ("a", "b"):
        if column not in columns:
            raise click.ClickException(f"{one_line(path)}: the column {column!r} is missing; the first line must be a,b or a,b,expected")
    jobs, expected = [], {}
    for n, row in enumerate(rows, 2):
        a, b, want = ((row.get(k) or "").strip() for k in ("a", "b", "expected"))
        if not a:
            raise click.ClickException(f"{one_line(path)}, line {n}: no picture in column a")
        jobs.append(Job(str(path.parent / a), str(path.parent / b) if b else "", a, b, "", sensitivity))
        if want:
            if not want.isdecimal():
                raise click.ClickException(f"{one_line(path)}, line {n}: expected {want!r} is no number; write a count or nothing")
            expected[a, b] = int(want)
    return Asked(tuple(dict.fromkeys(jobs)), expected)


def _matrix(path: Path) -> dict[tuple[str, str], int]:
    """Expected counts from a CSV matrix with the ids as its first row and column; empty cells expect nothing."""
    try:
        with path.open(newline="", encoding="utf-8-sig") as f:
            head, *rows = list(csv.reader(f))
        return {(row[0], head[k]): int(row[k]) for row in rows if row for k in range(1, len(row)) if row[k].strip() and row[0] != head[k]}
    except (OSError, UnicodeDecodeError, csv.Error, ValueError, IndexError) as e:
        raise click.ClickException(
            f"{one_line(path)}: cannot be read as a matrix ({e}); the ids stand in its first row and column, counts within"
        ) from e


def _write(path: Path, text: str) -> None:
    try:
        path.write_text(text, encoding="utf-8")
    except OSError as e:
        raise click.ClickException(f"{one_line(path)}: cannot be written ({e.strerror}); choose another place") from e
