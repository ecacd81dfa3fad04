"""Many comparisons: the pairs of a list, or all pairs of a set that shows one picture. Each verdict carries the hashes of its two files.

In a set every picture is read, reduced, aligned to its middle picture and laid in its frame once (`vision.differences.members`).
`vision.differences.workers` has these asked in several processes or on a cluster.
"""

import hashlib
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import cv2
import msgspec
import numpy as np
from numpy.typing import NDArray

from vision.differences.comparison import Comparison, Options, Side, compare, look, same_pixels
from vision.differences.judge import MODEL, PLACES
from vision.differences.maps import WEIGHTS
from vision.differences.members import by_middle, known_of, member, opened
from vision.differences.sheet import compare_sheet
from vision.observation import Box, to_dict
from vision.pictures import PictureError, read

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
        a = opened(job.a)
        if not job.b:
            return _verdict(job, compare_sheet(a.picture, options), a.sha256, a.sha256)
        b = opened(job.b)
        return _verdict(job, compare(Side(a.picture), Side(b.picture), options), a.sha256, b.sha256)
    except PictureError as e:
        return not_compared(job, str(e))


def not_compared(job: Job, why: str) -> Verdict:
    """The verdict on a pair that could not even be looked at."""
    return Verdict(job.name_a, job.name_b, None, None, 0.0, error=why)


def judged_by() -> str:
    """What tells one counter from another: other weights may give other verdicts."""
    return hashlib.sha256(b"".join(part.read_bytes() for part in (WEIGHTS, PLACES, MODEL))).hexdigest()


def middle_of(paths: Sequence[str]) -> str:
    """The picture that is most like all the others, judged by thumbnails of some of them; the first where none can be read."""
    tried = paths[:: -(-len(paths) // TRIED_AS_MIDDLE)]
    with ThreadPoolExecutor(2) as readers:
        seen = zip(tried, readers.map(_thumb, tried), strict=True)
        thumbs = {path: small for path, small in seen if small is not None}
    return min(thumbs, key=lambda p: sum(float(np.abs(thumbs[p] - t).mean()) for t in thumbs.values()), default=paths[0])


def _thumb(path: str) -> NDArray[np.int16] | None:
    try:
        return cv2.resize(read(path), (THUMB_PX, THUMB_PX), interpolation=cv2.INTER_AREA).astype(np.int16)
    except PictureError:
        return None


# ---------------------------------------------------------------- one pair


def _in_set(job: Job, options: Options) -> Verdict:
    """Both in the frame of their set; else B laid on A by way of the middle picture; directly where that fails or the paper is bent."""
    a, b = member(job.a, job.through), member(job.b, job.through)
    fit = by_middle(a, b)
    sides = Side(a.picture, a.features), Side(b.picture, b.features)
    same = same_pixels(a.picture, b.picture)
    said = compare(*sides, options) if fit is None or same else look(*sides, fit, options, known_of(a, b))
    return _verdict(job, said, a.sha256, b.sha256, a.to_file, b.to_file)


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
