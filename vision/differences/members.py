"""The pictures of a set that shows one thing: each is read, reduced, aligned to the set's middle picture and laid in its frame once."""

import hashlib
import os
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.differences.align import Array, Features, Fit, align, as_they_lie, features, resized
from vision.differences.comparison import Known
from vision.differences.hue import Hue, hue_of
from vision.differences.laid import WORK_PX, Laid, carried, print_region
from vision.differences.maps import Share, share
from vision.geometry import Picture, transform
from vision.pictures import PictureError, decode, one_line, read_bytes

SET_PX = 1280  # the longer side to which the pictures of a set are reduced
KEPT_WHOLE = 4  # pictures that a process keeps as they were read ...
KEPT_REDUCED = 48  # ... and reduced, aligned and laid: some 8 MB each
SAME_GRID_PX = 1.0  # two files of one size that lie so near each other lie as they are: scans and drawings of one deck
GRID_TRIED_PX = 640
BEYOND = 0.02  # of the frame: where one of two pictures reaches so much farther, each is looked at anew where both are

Mask = NDArray[Any]


@dataclass(frozen=True)
class Opened:
    """A file's picture and the hash of its bytes."""

    picture: Picture
    sha256: str


@dataclass(frozen=True)
class InFrame:
    """A picture laid in the frame of its set, which is that of the middle picture."""

    picture: Picture  # (h, w, 3)
    within: Mask  # (h, w): the picture shows something here
    to_picture: Array  # 3x3: frame -> reduced pixels
    share: Share
    hue: Hue


@dataclass(frozen=True)
class Member:
    """One picture of a set, reduced, with what is needed to lay it on any other of the set."""

    picture: Picture
    features: Features | None  # None where the picture lies on the middle one as it is
    on_middle: Fit | None  # in reduced pixels; None where it does not lie on the middle picture
    in_frame: InFrame | None  # None where it shows more than the print, or does not lie on the middle picture
    to_file: tuple[float, float]  # file pixels a reduced pixel, across and down
    sha256: str


def opened(path: str) -> Opened:
    """The file's picture, kept as long as the file stays as it is. Raises PictureError."""
    return _kept(path, *_stamp(path))


def member(path: str, middle: str) -> Member:
    """A picture of the set with that middle picture. Raises PictureError."""
    return _kept_member(path, middle, *_stamp(path), *_stamp(middle))


def known_of(a: Member, b: Member) -> Known | None:
    """Two pictures in the frame of their set; None where either is not."""
    if a.in_frame is None or b.in_frame is None:
        return None
    one, other = a.in_frame, b.in_frame
    both = one.within & other.within
    laid = Laid(one.picture, other.picture, both, both, np.zeros_like(both), one.to_picture, other.to_picture)
    shares = (one.share, other.share) if (one.within != other.within).mean() < BEYOND else None
    return Known(laid, shares, (one.hue, other.hue))


def by_middle(a: Member, b: Member) -> Fit | None:
    """B laid on A by way of the middle picture, in reduced pixels; None where either does not lie on that, or not flat and unframed."""
    if a.on_middle is None or b.on_middle is None:
        return None
    fits = a.on_middle, b.on_middle
    if any(m.in_frame is None and fit.bend is not None for m, fit in zip((a, b), fits, strict=True)):
        return None
    back = np.linalg.inv(fits[0].b_to_a)
    b_to_a = back @ fits[1].b_to_a
    corners = _corners(a.picture)
    if a.picture.shape == b.picture.shape and np.abs(transform(b_to_a, corners) - corners).max() < SAME_GRID_PX:
        b_to_a = np.eye(3)
    inliers = transform(back, fits[1].inliers)
    return Fit(b_to_a, max(f.error_px for f in fits), inliers, min(f.agreement for f in fits))


def _stamp(path: str) -> tuple[int, int]:
    """When the file was changed and how large it is. Raises PictureError."""
    try:
        found = os.stat(path)
    except (OSError, ValueError):
        read_bytes(Path(path))  # says what the trouble is
        raise
    return found.st_mtime_ns, found.st_size


@lru_cache(maxsize=KEPT_WHOLE)
def _kept(path: str, changed_ns: int, size: int) -> Opened:
    data = read_bytes(Path(path))
    return Opened(decode(data, name=one_line(path)), hashlib.sha256(data).hexdigest())


@lru_cache(maxsize=KEPT_REDUCED)
def _kept_member(path: str, middle: str, *stamps: int) -> Member:
    file = opened(path)
    picture = resized(file.picture, min(1.0, SET_PX / max(file.picture.shape[:2])))
    height, width = picture.shape[:2]
    to_file = file.picture.shape[1] / width, file.picture.shape[0] / height
    as_it_is = Fit(np.eye(3), 0.0, _corners(picture), 1.0)
    if path == middle:
        return Member(picture, features(picture), as_it_is, _as_it_lies(picture), to_file, file.sha256)
    try:
        other = member(middle, middle)
    except PictureError:
        return Member(picture, features(picture), None, None, to_file, file.sha256)
    if _on_one_grid(other.picture, picture):
        return Member(picture, None, as_it_is, _as_it_lies(picture), to_file, file.sha256)
    assert other.features is not None
    found = features(picture)
    fit = align(other.picture, picture, other.features, found)
    if not isinstance(fit, Fit):
        return Member(picture, found, None, None, to_file, file.sha256)
    return Member(picture, found, fit, _laid_on(other, picture, fit), to_file, file.sha256)


def _as_it_lies(picture: Picture) -> InFrame:
    """A picture that lies on the middle one as it is, or is it."""
    working = resized(picture, WORK_PX / max(picture.shape[:2]))
    height, width = working.shape[:2]
    whole = np.ones((height, width), bool)
    back = np.diag([picture.shape[1] / width, picture.shape[0] / height, 1.0])
    return InFrame(working, whole, back, share(working, whole), hue_of(working, whole))


def _laid_on(middle: Member, picture: Picture, fit: Fit) -> InFrame | None:
    """A picture laid on the middle one; None where what both show is not all print: such pairs are laid one by one."""
    assert middle.in_frame is not None
    frame = middle.in_frame
    laid, within, from_picture = carried(frame.picture, frame.within, np.linalg.inv(frame.to_picture), picture, fit)
    if not np.array_equal(print_region(frame.picture, laid, within), within):
        return None
    return InFrame(laid, within, np.linalg.inv(from_picture), share(laid, within), hue_of(laid, within))


def _corners(picture: Picture) -> Array:
    height, width = picture.shape[:2]
    return np.array([[0.0, 0], [width, 0], [width, height], [0, height]])


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
