"""Many comparisons: listed pairs, or all pairs of a set that shows one picture. Each verdict carries the hashes of its files.

A worker that dies costs only the time of its pair: the pool is made anew and what was not answered is asked again. Answers travel with
the question they belong to, so that no worker can answer with an earlier pair's verdict.
"""

import hashlib
import os
from collections.abc import Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from functools import lru_cache
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import cv2
import msgspec
import numpy as np

from vision.differences.align import Features, Fit, align, features
from vision.differences.comparison import Comparison, Options, Side, compare, look
from vision.differences.sheet import compare_sheet
from vision.geometry import Picture, transform
from vision.observation import Differences, to_dict
from vision.pictures import PictureError, decode, one_line, read_bytes

FRESH = get_context("spawn")  # a fork would copy OpenCV's threads in the midst of their work
DEATHS = 3  # a pair that was being compared when a worker died so often is given up
KEPT_PICTURES = 48  # decoded pictures a worker keeps


class Job(msgspec.Struct, frozen=True):
    """One comparison. `b` empty: A is a sheet with both. `through`: a picture that both show, to align each to only once."""

    a: str  # path
    b: str
    name_a: str  # what the verdict calls them
    name_b: str
    through: str = ""
    sensitivity: float = 0.5


class Verdict(msgspec.Struct, frozen=True):
    """What one comparison said; `error` holds the reason where nothing was counted."""

    a: str
    b: str
    same_picture: bool | None
    count: int | None
    probability: float
    sha256_a: str = ""
    sha256_b: str = ""
    range: tuple[int, int] | None = None
    places: list[dict[str, Any]] = []
    unseen: list[dict[str, Any]] = []
    error: str | None = None

    def plain(self) -> dict[str, Any]:
        """As it stands in the JSON of an audit."""
        out: dict[str, Any] = msgspec.to_builtins(self)
        return {k: v for k, v in out.items() if not (k in ("error", "range") and v is None)}


def judge(job: Job) -> Verdict:
    """Compares one pair of files. Trouble with either file is a verdict, too."""
    try:
        a = _opened(job.a)
        b = _opened(job.b) if job.b else a
    except PictureError as e:
        return Verdict(job.name_a, job.name_b, None, None, 0.0, error=str(e))
    options = Options(sensitivity=job.sensitivity)
    if not job.b:
        said = compare_sheet(a.picture, options)
    elif job.through:
        said = _through(a, b, _opened(job.through), options)
    else:
        said = compare(Side(a.picture), Side(b.picture), options)
    return _verdict(job, said, a.sha256, b.sha256)


def run(jobs: Iterable[Job], *, workers: int) -> Iterator[Verdict]:
    """The verdicts of all jobs, as they come; with one worker in this process, else in a pool."""
    if workers <= 1:
        yield from map(judge, jobs)
        return
    waiting = list(reversed(list(jobs)))
    deaths: dict[Job, int] = {}
    while waiting:
        asked: dict[Future[Verdict], Job] = {}
        try:
            with ProcessPoolExecutor(workers, mp_context=FRESH, initializer=_quiet) as pool:
                while waiting or asked:
                    while waiting and len(asked) < 2 * workers:
                        job = waiting.pop()
                        asked[pool.submit(judge, job)] = job
                    done, _ = wait(asked, return_when=FIRST_COMPLETED)
                    for future in done:
                        verdict = future.result()
                        del asked[future]
                        yield verdict
        except BrokenProcessPool:
            for job in asked.values():
                deaths[job] = deaths.get(job, 0) + 1
                if deaths[job] < DEATHS:
                    waiting.append(job)
                else:
                    yield Verdict(
                        job.name_a,
                        job.name_b,
                        None,
                        None,
                        0.0,
                        error="the worker that compared them died each time; is there too little memory?",
                    )


def _quiet() -> None:
    """In a worker: one thread, and nothing that a library prints reaches the results."""
    cv2.setNumThreads(1)
    os.dup2(2, 1)


@dataclass(frozen=True)
class _Opened:
    picture: Picture
    sha256: str


@lru_cache(maxsize=KEPT_PICTURES)
def _kept(path: str, changed_ns: int, size: int) -> _Opened:
    data = read_bytes(Path(path))
    return _Opened(decode(data, name=one_line(path)), hashlib.sha256(data).hexdigest())


def _opened(path: str) -> _Opened:
    try:
        found = os.stat(path)
        return _kept(path, found.st_mtime_ns, found.st_size)
    except (OSError, ValueError):
        read_bytes(Path(path))  # says what the trouble is
        raise


@lru_cache(maxsize=KEPT_PICTURES)
def _features(sha256: str, holder: "_Holder") -> Features:
    return features(holder.picture)


@lru_cache(maxsize=KEPT_PICTURES)
def _on(a: "_Holder", through: "_Holder") -> Fit | None:
    """How `a` lies on the picture that all are aligned to."""
    fit = align(through.picture, a.picture, _features(through.sha256, through), _features(a.sha256, a))
    return fit if isinstance(fit, Fit) else None


class _Holder:
    """A picture that is known by its hash, so that what was found in it can be kept."""

    def __init__(self, opened: _Opened) -> None:
        self.picture, self.sha256 = opened.picture, opened.sha256

    def __hash__(self) -> int:
        return hash(self.sha256)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Holder) and other.sha256 == self.sha256


def _through(a: _Opened, b: _Opened, middle: _Opened, options: Options) -> Comparison:
    """B laid on A by way of the picture that both were aligned to once; directly where that fails."""
    fit_a, fit_b = _on(_Holder(a), _Holder(middle)), _on(_Holder(b), _Holder(middle))
    if fit_a is None or fit_b is None or np.array_equal(a.picture, b.picture):
        return compare(Side(a.picture), Side(b.picture), options)
    back = np.linalg.inv(fit_a.b_to_a)
    fit = Fit(
        back @ fit_b.b_to_a, max(fit_a.error_px, fit_b.error_px), transform(back, fit_b.inliers), min(fit_a.agreement, fit_b.agreement)
    )
    return look(Side(a.picture), Side(b.picture), fit, options)


def _verdict(job: Job, said: Comparison, sha_a: str, sha_b: str) -> Verdict:
    d: Differences = said.differences
    plain = to_dict(d)
    return Verdict(
        job.name_a,
        job.name_b,
        d.same_picture,
        d.count,
        plain["probability"],
        sha_a,
        sha_b,
        tuple(plain["range"]) if "range" in plain else None,
        list(plain.get("places", [])),
        list(plain.get("unseen", [])),
        f"not the same picture: {said.why}" if d.count is None else None,
    )
