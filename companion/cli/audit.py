"""`companion audit`: compares all pairs of a pack or a folder, or those of a list, in several processes or on a cluster."""

import hashlib
import json
import math
import os
import re
import signal
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import click
import msgspec
import platformdirs
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

from companion.cli import tell_progress
from companion.cli.outputs import spare, write
from companion.cli.pairs import asked, matrix
from vision.differences.many import Job, Verdict, judged_by
from vision.differences.matrix import as_page, as_table
from vision.differences.report import counted_in_words
from vision.differences.workers import ClusterError, run, run_on_cluster
from vision.pictures import PictureError, one_line, read_bytes

BLOCK = 20  # pictures of a set: pairs are asked block by block, so that a worker finds what it has read in its memory
ADDRESS = re.compile(r"[a-z]+://(\[[0-9A-Fa-f:.]+\]|[^\s:/\[\]]+):\d{1,5}/?")   # of a dask scheduler
Expected = Mapping[tuple[str, str], int]


@click.command("audit", epilog="Example: companion audit photos/ --html matrix.html")
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
    "--keep",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Keep the verdicts in this file for good. Without it they are kept until all pairs are compared: a stopped audit goes on.",
)
@click.option("--workers", type=click.IntRange(min=1), default=os.cpu_count() or 1, show_default="all cores")
@click.option("--scheduler", metavar="tcp://HOST:PORT", help="Have a dask cluster compare; its workers see the same paths.")
@click.option("--sensitivity", type=click.FloatRange(0.01, 0.99), default=0.5, show_default=True,
              help="From 0.01, only what is certain, to 0.99, all that may be.")
def command(
    target: Path,
    as_json: bool,
    html: Path | None,
    table: Path | None,
    expect_matrix: Path | None,
    side: str | None,
    keep: Path | None,
    workers: int,
    scheduler: str | None,
    sensitivity: float,
) -> int:
    """Compare all pairs of a pack or folder, or the pairs of a CSV list with the columns a,b[,expected].

    Exit status 0: all were compared and are as expected; 1: some could not be, or differ from what is expected; 2: nothing could be done.
    """
    if not math.isfinite(sensitivity):
        raise click.ClickException(f"--sensitivity {sensitivity}: a number from 0.01 to 0.99 was expected")
    if scheduler is not None and not ADDRESS.fullmatch(scheduler):
        raise click.ClickException(f"--scheduler {scheduler!r}: an address such as tcp://10.0.0.5:8786 was expected")
    wanted = asked(target, side, sensitivity)
    pictures = {path for job in wanted.jobs for path in (job.a, job.b) if path}
    read = [target, target / "deck.toml", expect_matrix, *map(Path, pictures)]
    spare("--html", html, [*read, table, keep])
    spare("--csv", table, [*read, keep])
    spare("--keep", keep, read)
    expected = _expected(wanted.jobs, wanted.expected)
    if expect_matrix is not None:
        of_matrix = _expected(wanted.jobs, matrix(expect_matrix, {name for job in wanted.jobs for name in (job.name_a, job.name_b)}))
        if not of_matrix:
            name = one_line(expect_matrix)
            raise click.ClickException(f"--expect-matrix {name}: expects nothing of the pairs that are compared; fill it in")
        expected = {**expected, **of_matrix}
    kept = Kept(keep) if keep else Kept(_until_done(wanted.jobs), for_good=False)
    verdicts = _in_order(wanted.jobs, _verdicts(wanted.jobs, kept, workers, scheduler))
    if as_json:
        click.echo(json.dumps({"format": 1, "pairs": [v.plain() for v in verdicts]}))
    else:
        click.echo(_summary(verdicts, expected))
    if html is not None:
        write(html, as_page(verdicts, expected).encode(errors="replace"))
    if table is not None:
        write(table, as_table(verdicts).encode(errors="replace"))
    kept.done()
    return 1 if any(v.count is None or v.count != expected.get((v.a, v.b), v.count) for v in verdicts) else 0


# ---------------------------------------------------------------- asking, with what an earlier run kept


@dataclass(frozen=True)
class Kept:
    """The file in which verdicts are kept, one a line; a last line that was cut off is asked again."""

    path: Path
    for_good: bool = True

    def load(self) -> dict[tuple[str, str, float], Verdict]:
        """What was kept, by the two paths and the sensitivity."""
        out = {}
        try:
            lines = self.path.read_text(encoding="utf-8", errors="replace").splitlines()
        except OSError:
            return {}
        for line in lines:
            try:
                entry = json.loads(line)
                out[entry["a"], entry["b"], entry["sensitivity"]] = msgspec.convert(entry["verdict"], Verdict)
            except (json.JSONDecodeError, KeyError, TypeError, msgspec.ValidationError):
                continue
        if self.for_good and not out and any(line.strip() for line in lines):
            raise click.ClickException(f"{one_line(self.path)}: holds something else than kept verdicts; choose another file for --keep")
        return out

    def add(self, job: Job, verdict: Verdict) -> None:
        """Keeps one verdict; a file that goes on by itself is not worth failing for."""
        line = {"a": job.a, "b": job.b, "sensitivity": job.sensitivity, "verdict": msgspec.to_builtins(verdict)}
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            with self.path.open("a", encoding="utf-8") as f:
                f.write(("\n" if _cut_off(self.path) else "") + json.dumps(line) + "\n")
        except OSError as e:
            if self.for_good:
                name = one_line(self.path)
                raise click.ClickException(f"{name}: cannot be written ({e.strerror}); choose another place for --keep") from e

    def done(self) -> None:
        """All pairs are compared and told."""
        if not self.for_good:
            self.path.unlink(missing_ok=True)


def _cut_off(path: Path) -> bool:
    """Whether a file ends within a line."""
    with path.open("rb") as f:
        size = f.seek(0, os.SEEK_END)
        if size == 0:
            return False
        f.seek(size - 1)
        return f.read(1) != b"\n"


def _until_done(jobs: tuple[Job, ...]) -> Path:
    """Where the verdicts on just these pairs wait until all are there."""
    pairs = [(os.path.abspath(job.a), os.path.abspath(job.b), job.sensitivity) for job in jobs]
    named = hashlib.sha256(msgspec.json.encode([judged_by(), pairs]))
    return platformdirs.user_cache_path("table-companion") / "audits" / f"{named.hexdigest()[:24]}.jsonl"


def _verdicts(jobs: tuple[Job, ...], kept: Kept, workers: int, scheduler: str | None) -> list[Verdict]:
    """The verdicts that were kept and still hold, and the new ones, each kept as it comes."""
    known, same = kept.load(), _unchanged()
    held: dict[Job, Verdict] = {}
    for job in jobs:
        old = known.get((job.a, job.b, job.sensitivity))
        if old is not None and old.sha256_a and same(job.a, old.sha256_a) and (not job.b or same(job.b, old.sha256_b)):
            held[job] = old
    todo = _in_blocks([job for job in jobs if job not in held])
    where = {(job.name_a, job.name_b): job for job in todo}
    out = list(held.values())
    before = signal.signal(signal.SIGTERM, _stopped)
    try:
        with _bar() as bar:
            task = bar.add_task("", total=len(jobs), completed=len(held))
            for verdict in _asked_of(todo, workers, scheduler):
                kept.add(where[verdict.a, verdict.b], verdict)
                out.append(verdict)
                bar.advance(task)
                if not sys.stderr.isatty():
                    tell_progress(f"{len(out)} of {len(jobs)} pairs compared")
    except ClusterError as e:
        raise click.ClickException(str(e)) from e
    except (KeyboardInterrupt, SystemExit):
        click.echo(f"stopped after {len(out)} of {len(jobs)} pairs; the same command goes on from there", err=True)
        raise
    finally:
        signal.signal(signal.SIGTERM, before)
    return out


def _stopped(number: int, _: object) -> None:
    """Ends as after Ctrl-C, so that the workers are sent home and leave nothing behind; the status is a shell's for that signal."""
    raise SystemExit(128 + number)


def _asked_of(todo: list[Job], workers: int, scheduler: str | None) -> Iterator[Verdict]:
    if not todo:
        return iter(())
    return run_on_cluster(todo, scheduler=scheduler) if scheduler else run(todo, workers=min(workers, len(todo)))


def _bar() -> Progress:
    """How many are done, and the time left; on standard error, and only to a terminal."""
    columns = (
        TextColumn("comparing"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TextColumn("left"),
        TimeRemainingColumn(),
    )
    return Progress(*columns, console=Console(stderr=True), disable=not sys.stderr.isatty())


def _unchanged() -> Callable[[str, str], bool]:
    """A question whether a file is still the one with that hash; each file is read once."""

    @cache
    def now(path: str) -> str:
        try:
            return hashlib.sha256(read_bytes(Path(path))).hexdigest()
        except PictureError:
            return ""

    return lambda path, sha256: now(path) == sha256


def _in_blocks(jobs: Sequence[Job]) -> list[Job]:
    """The jobs in such an order that few pictures are in use at a time."""
    place: dict[str, int] = {}
    for job in jobs:
        for path in (job.a, job.b):
            place.setdefault(path, len(place))
    return sorted(jobs, key=lambda job: (place[job.a] // BLOCK, place[job.b] // BLOCK)) if jobs and jobs[0].through else list(jobs)


# ---------------------------------------------------------------- telling


def _in_order(jobs: tuple[Job, ...], verdicts: Sequence[Verdict]) -> list[Verdict]:
    place = {(job.name_a, job.name_b): k for k, job in enumerate(jobs)}
    return sorted(verdicts, key=lambda v: place[v.a, v.b])


def _expected(jobs: tuple[Job, ...], by_names: Expected) -> Expected:
    """What is expected of each pair as the audit names it."""
    out = {}
    for job in jobs:
        names = job.name_a, job.name_b
        count = by_names.get(names, by_names.get(names[::-1]))
        if count is not None:
            out[names] = count
    return out


def _summary(verdicts: Sequence[Verdict], expected: Expected) -> str:
    lines = []
    for v in verdicts:
        want = expected.get((v.a, v.b), v.count)
        counted = "" if v.count is None else counted_in_words(v.count, v.range, [u["why"] for u in v.unseen])
        said = v.error if v.count is None else f"{counted}, {v.probability:.0%} sure"
        lines.append(f"{one_line(v.a)}  {one_line(v.b)}  {said}" + (f"  expected {want}" if want != v.count else ""))
    compared = sum(v.count is not None for v in verdicts)
    off = sum(v.count is not None and v.count != expected.get((v.a, v.b), v.count) for v in verdicts)
    last = f"{compared} of {len(verdicts)} pairs compared" + (f", {off} not as expected" if expected else "")
    return "\n".join([*lines, last])
