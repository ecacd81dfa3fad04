"""Many comparisons: the pairs of a list, or all pairs of a set that shows one picture. Each verdict carries the hashes of its two files.

In a set every picture is read, reduced and aligned to its middle picture once; a pair is then laid by way of it.
`vision.differences.workers` has these asked in several processes or on a cluster.
"""

import hashlib
import os
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import cv2
import msgspec
import numpy as np

from vision.differences.align import Features, Fit, align, as_they_lie, features, resized
from vision.differences.comparison import Comparison, Options, Side, compare, look
from vision.differences.judge import MODEL
from vision.differences.laid import WORK_PX, Laid
from vision.differences.maps import WEIGHTS
from vision.differences.sheet import compare_sheet
from vision.geometry import Picture, transform
from vision.observation import Box, to_dict
from vision.pictures import PictureError, decode, one_line, read, read_bytes

SET_PX = 1280  # the longer side to which the pictures of a set are reduced
KEPT_WHOLE = 4  # pictures that a worker keeps as they were read ...
KEPT_REDUCED = 64  # ... and reduced and aligned
SAME_GRID_PX = 1.0  # two files of one size that lie so near each other lie as they are: scans and drawings of one deck
GRID_TRIED_PX = 640
TRIED_AS_MIDDLE = 24  # pictures of a set among which its middle is sought
THUMB_PX = 32


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
    options = Options(sensitivity=job.sensitivity)
    try:
        if job.through:
            return _in_set(job, options)
        a = _opened(job.a)
        if not job.b:
            return _verdict(job, compare_sheet(a.picture, options), a.sha256, a.sha256)
        b = _opened(job.b)
        return _verdict(job, compare(Side(a.picture), Side(b.picture), options), a.sha256, b.sha256)
    except PictureError as e:
        return not_compared(job, str(e))


def not_compared(job: Job, why: str) -> Verdict:
    """The verdict on a pair that could not even be looked at."""
    return Verdict(job.name_a, job.name_b, None, None, 0.0, error=why)


def judged_by() -> str:
    """What tells one counter from another: other weights may give other verdicts."""
    return hashlib.sha256(WEIGHTS.read_bytes() + MODEL.read_bytes()).hexdigest()


def middle_of(paths: Sequence[str]) -> str:
    """The picture that is most like all the others, judged by thumbnails of some of them; the first where none can be read."""
    thumbs: dict[str, np.ndarray] = {}
    for path in paths[:: -(-len(paths) // TRIED_AS_MIDDLE)]:
        try:
            small = cv2.resize(read(path), (THUMB_PX, THUMB_PX), interpolation=cv2.INTER_AREA)
        except PictureError:
            continue
        thumbs[path] = small.astype(np.int16)
    return min(thumbs, key=lambda p: sum(float(np.abs(thumbs[p] - t).mean()) for t in thumbs.values()), default=paths[0])


# ---------------------------------------------------------------- files, each read once


@dataclass(frozen=True)
class _Opened:
    picture: Picture
    sha256: str


@dataclass(frozen=True)
class _Member:
    """One picture of a set, reduced, with what is needed to lay it on any other of the set."""

    picture: Picture
    features: Features | None  # None where the picture lies on the middle one as it is
    on_middle: Fit | None  # in reduced pixels; None where it does not lie on the middle picture
    working: Picture  # in the working frame of the comparison
    to_file: tuple[float, float]  # file pixels a reduced pixel, across and down
    sha256: str


def _opened(path: str) -> _Opened:
    return _kept(path, *_stamp(path))


def _member(path: str, middle: str) -> _Member:
    return _kept_member(path, middle, *_stamp(path), *_stamp(middle))


def _stamp(path: str) -> tuple[int, int]:
    """When the file was changed and how large it is. Raises PictureError."""
    try:
        found = os.stat(path)
    except (OSError, ValueError):
        read_bytes(Path(path))  # says what the trouble is
        raise
    return found.st_mtime_ns, found.st_size


@lru_cache(maxsize=KEPT_WHOLE)
def _kept(path: str, changed_ns: int, size: int) -> _Opened:
    data = read_bytes(Path(path))
    return _Opened(decode(data, name=one_line(path)), hashlib.sha256(data).hexdigest())


@lru_cache(maxsize=KEPT_REDUCED)
def _kept_member(path: str, middle: str, *stamps: int) -> _Member:
    opened = _opened(path)
    whole = opened.picture
    picture = resized(whole, min(1.0, SET_PX / max(whole.shape[:2])))
    height, width = picture.shape[:2]
    working = resized(picture, WORK_PX / max(height, width))
    to_file = whole.shape[1] / width, whole.shape[0] / height
    as_it_is = Fit(np.eye(3), 0.0, np.array([[0.0, 0], [width, 0], [width, height], [0, height]]), 1.0)
    if path == middle:
        return _Member(picture, features(picture), as_it_is, working, to_file, opened.sha256)
    try:
        other = _member(middle, middle)
    except PictureError:
        return _Member(picture, features(picture), None, working, to_file, opened.sha256)
    if _on_one_grid(other.picture, picture):
        return _Member(picture, None, as_it_is, working, to_file, opened.sha256)
    assert other.features is not None
    found = features(picture)
    fit = align(other.picture, picture, other.features, found)
    return _Member(picture, found, fit if isinstance(fit, Fit) else None, working, to_file, opened.sha256)


def _on_one_grid(a: Picture, b: Picture) -> bool:
    """Whether two pictures lie on each other as they are: the files of one deck, drawn or cut out alike. Four parts of them must say so."""
    if a.shape != b.shape or as_they_lie(a, b) is None:
        return False
    k = GRID_TRIED_PX / max(a.shape[:2])
    first, second = (cv2.cvtColor(resized(p, min(1.0, k)), cv2.COLOR_BGR2GRAY).astype(np.float32) for p in (a, b))
    rows, columns = first.shape[0] // 2, first.shape[1] // 2
    if min(rows, columns) < 16:
        return False
    window = cv2.createHanningWindow((columns, rows), cv2.CV_32F)
    for top in (0, rows):
        for left in (0, columns):
            part = np.s_[top : top + rows, left : left + columns]
            shift, _ = cv2.phaseCorrelate(first[part].copy(), second[part].copy(), window)
            if max(map(abs, shift)) > SAME_GRID_PX / 2:
                return False
    return True


# ---------------------------------------------------------------- one pair


def _in_set(job: Job, options: Options) -> Verdict:
    """B laid on A by way of the middle picture; directly where that fails or the paper is bent."""
    a, b = _member(job.a, job.through), _member(job.b, job.through)
    by_middle = _by_middle(a, b)
    sides = Side(a.picture, a.features), Side(b.picture, b.features)
    same = a.picture.shape == b.picture.shape and np.array_equal(a.picture, b.picture)
    said = compare(*sides, options) if by_middle is None or same else look(*sides, by_middle, options, _laid(a, b, by_middle))
    return _verdict(job, said, a.sha256, b.sha256, a.to_file, b.to_file)


def _laid(a: _Member, b: _Member, fit: Fit) -> Laid | None:
    """Two files of one grid in the working frame, into which each was reduced once."""
    if a.picture.shape != b.picture.shape or not np.array_equal(fit.b_to_a, np.eye(3)):
        return None
    height, width = a.working.shape[:2]
    all_of_it = np.ones((height, width), bool)
    back = np.diag([a.picture.shape[1] / width, a.picture.shape[0] / height, 1.0])
    return Laid(a.working, b.working, all_of_it, all_of_it, ~all_of_it, back, back)


def _by_middle(a: _Member, b: _Member) -> Fit | None:
    fits = a.on_middle, b.on_middle
    if fits[0] is None or fits[1] is None or fits[0].bend is not None or fits[1].bend is not None:
        return None
    back = np.linalg.inv(fits[0].b_to_a)
    b_to_a = back @ fits[1].b_to_a
    height, width = a.picture.shape[:2]
    corners = np.array([[0.0, 0], [width, 0], [width, height], [0, height]])
    if a.picture.shape == b.picture.shape and np.abs(transform(b_to_a, corners) - corners).max() < SAME_GRID_PX:
        b_to_a = np.eye(3)
    inliers = transform(back, fits[1].inliers)
    return Fit(b_to_a, max(f.error_px for f in fits if f), inliers, min(f.agreement for f in fits if f))


def _verdict(
    job: Job,
    said: Comparison,
    sha_a: str,
    sha_b: str,
    to_file_a: tuple[float, float] = (1.0, 1.0),
    to_file_b: tuple[float, float] = (1.0, 1.0),
) -> Verdict:
    plain = to_dict(said.differences)
    places, unseen = plain.get("places", []), plain.get("unseen", [])
    return Verdict(
        job.name_a,
        job.name_b,
        said.differences.same_picture,
        said.differences.count,
        plain["probability"],
        sha_a,
        sha_b,
        tuple(plain["range"]) if "range" in plain else None,
        [p | {"a": _scaled(p["a"], to_file_a), "b": _scaled(p["b"], to_file_b)} for p in places],
        [u | {"a": _scaled(u["a"], to_file_a)} for u in unseen],
        f"not the same picture: {said.why}" if said.differences.count is None else None,
    )


def _scaled(box: Box, by: tuple[float, float]) -> list[float]:
    x, y, w, h = box
    return [round(x * by[0], 2), round(y * by[1], 2), round(w * by[0], 2), round(h * by[1], 2)]
