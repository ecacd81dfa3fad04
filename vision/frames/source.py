"""Where pictures come from. Each source yields its frames in order; which kind it is follows from its name alone."""

import contextlib
import math
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

import cv2
import numpy as np

from vision.geometry import Picture

PICTURE_ENDINGS = {".jpg", ".jpeg", ".png", ".webp", ".bmp", ".tif", ".tiff"}
NETWORK = ("http://", "https://", "rtsp://")
NETWORK_TIMEOUT_MS = 2000
FOLDER_FPS = 2.0  # a folder has no clock: half a second a picture, so that each settles
CAMERA_SIZE = (1920, 1080)  # asked for; the camera gives what it can
BROKEN_IN_A_ROW = 100  # so many undecodable frames one after another are an end, not a hiccup
CUT_SHORT = 1.0, 0.02  # seconds, and part of a file: ends it before its time by both, some of it is missing; lengths in headers are rounded


class SourceError(Exception):
    """A source that cannot be used; the message says what, where, and what to do."""


@dataclass(frozen=True, slots=True)
class Frame:
    """One picture and when it was taken."""

    picture: Picture  # (H, W, 3) uint8, BGR
    number: int  # from 0, those that could not be decoded included
    t: float  # seconds since the source's first frame
    arrived: float  # the clock's seconds at which it came in: its age is the clock now minus this


class Source(Protocol):
    """Something that frames come from."""

    name: str
    live: bool  # the world goes on while nobody reads
    skipped: int  # frames so far that could not be decoded
    cut_short: str  # once its frames ended before its time: a line that says where; else empty

    def frames(self) -> Iterator[Frame]:
        """All frames, in order; ends where the source ends or fails. Raises SourceError if it cannot be opened."""
        ...


def open_source(spec: str, *, clock: Callable[[], float] = time.monotonic) -> Source:
    """The source that `spec` names: a webcam's index or name, a video file, a folder, an http(s) or rtsp address.

    Raises SourceError where there is no such thing.
    """
    if spec.lower().startswith(NETWORK):
        return Network(spec, clock)
    if spec.isdigit():
        return Webcam(spec, clock)
    path = Path(spec)
    if path.is_dir():
        return Folder(path, clock)
    if path.exists():
        return Video(path, clock)
    if any(spec.casefold() in name.casefold() for name in list_cameras().values()):
        return Webcam(spec, clock)
    raise SourceError(f"{spec}: no such file, folder or camera; {_cameras_here()}")


def list_cameras() -> dict[int, str]:
    """Index and name of each webcam that the system lists."""
    from cv2_enumerate_cameras import enumerate_cameras

    found: dict[int, str] = {}
    with contextlib.suppress(OSError, RuntimeError):
        for camera in enumerate_cameras():
            found.setdefault(int(camera.index) % 100, str(camera.name))
    return found


@dataclass
class Folder:
    """Pictures of a folder, in the order of their names."""

    path: Path
    clock: Callable[[], float]
    live: bool = False
    skipped: int = 0
    cut_short: str = ""
    name: str = field(init=False)

    def __post_init__(self) -> None:
        self.name = str(self.path)

    def frames(self) -> Iterator[Frame]:
        files = sorted(p for p in self.path.iterdir() if p.suffix.lower() in PICTURE_ENDINGS and p.is_file())
        if not files:
            raise SourceError(f"{self.path}: no pictures in this folder; it should hold .jpg or .png files")
        for number, file in enumerate(files):
            picture = cv2.imdecode(np.fromfile(file, np.uint8), cv2.IMREAD_COLOR) if file.stat().st_size else None
            if picture is None:
                self.skipped += 1
                continue
            yield Frame(np.asarray(picture, np.uint8), number, number / FOLDER_FPS, self.clock())


@dataclass
class Video:
    """A video file, at its own time stamps."""

    path: Path
    clock: Callable[[], float]
    live: bool = False
    skipped: int = 0
    cut_short: str = ""
    name: str = field(init=False)

    def __post_init__(self) -> None:
        self.name = str(self.path)

    def frames(self) -> Iterator[Frame]:
        capture = cv2.VideoCapture(str(self.path), cv2.CAP_FFMPEG)
        if not capture.isOpened():
            raise SourceError(f"{self.path}: not a video that can be read; is the file whole, and a video (mp4, webm, mkv, avi)?")
        fps = capture.get(cv2.CAP_PROP_FPS)
        promised = capture.get(cv2.CAP_PROP_FRAME_COUNT) / fps if fps > 0 else 0.0   # by the header; 0 or less where it tells none
        came = 0.0
        for frame in _read(capture, self, own_time=True):
            came = frame.t + 1 / max(fps, 1.0)
            yield frame
        if came == 0:
            raise SourceError(f"{self.path}: no frame of this video can be decoded; record it again, as H.264 mp4 for example")
        if promised - came > max(CUT_SHORT[0], CUT_SHORT[1] * promised):
            self.cut_short = (f"{self.path}: the file ends after {came:.1f} of the {promised:.1f} seconds that it promises: "
                              "some of it is missing; copy or record it again")


@dataclass
class Network:
    """An http, https or rtsp address of a camera."""

    name: str
    clock: Callable[[], float]
    live: bool = True
    skipped: int = 0
    cut_short: str = ""

    def frames(self) -> Iterator[Frame]:
        limits = [cv2.CAP_PROP_OPEN_TIMEOUT_MSEC, NETWORK_TIMEOUT_MS, cv2.CAP_PROP_READ_TIMEOUT_MSEC, NETWORK_TIMEOUT_MS]
        capture = cv2.VideoCapture(self.name, cv2.CAP_FFMPEG, limits)
        if not capture.isOpened():
            raise SourceError(f"{self.name}: no picture from this address; is the camera on, and the address right?")
        yield from _read(capture, self, own_time=False)


@dataclass
class Webcam:
    """A webcam by its index or a part of its name. Opened again after a loss, it must be the camera of the same name."""

    name: str
    clock: Callable[[], float]
    live: bool = True
    skipped: int = 0
    cut_short: str = ""
    _known_as: str | None = None

    def frames(self) -> Iterator[Frame]:
        index = self._index()
        capture = cv2.VideoCapture(index)
        if not capture.isOpened():
            raise SourceError(f"camera {self.name} cannot be opened; is another program using it? {_cameras_here()}")
        capture.set(cv2.CAP_PROP_FRAME_WIDTH, CAMERA_SIZE[0])
        capture.set(cv2.CAP_PROP_FRAME_HEIGHT, CAMERA_SIZE[1])
        yield from _read(capture, self, own_time=False)

    def _index(self) -> int:
        here = list_cameras()
        if self._known_as is not None:
            wanted = [i for i, name in here.items() if name == self._known_as]
        elif self.name.isdigit():
            wanted = [i for i in here if i == int(self.name)]
        else:
            wanted = [i for i, name in here.items() if self.name.casefold() in name.casefold()]
        if not wanted:
            raise SourceError(f"camera {self._known_as or self.name} is not there; {_cameras_here()}")
        self._known_as = here[wanted[0]]
        return wanted[0]


def _read(capture: cv2.VideoCapture, source: Video | Network | Webcam, *, own_time: bool) -> Iterator[Frame]:
    """The frames of an open capture; one that cannot be decoded is skipped and counted."""
    number, broken, start = 0, 0, math.nan
    try:
        while broken < BROKEN_IN_A_ROW and capture.grab():
            arrived = source.clock()
            stamp = capture.get(cv2.CAP_PROP_POS_MSEC) / 1000 if own_time else arrived
            start = stamp if math.isnan(start) else start
            ok, picture = capture.retrieve()
            if ok and picture is not None and picture.size:
                broken = 0
                yield Frame(np.asarray(picture, np.uint8), number, stamp - start, arrived)
            else:
                broken += 1
                source.skipped += 1
            number += 1
    finally:
        capture.release()


def _cameras_here() -> str:
    here = list_cameras()
    if not here:
        return "no camera was found on this machine: plug one in, or name a video file"
    return "cameras here: " + ", ".join(f"{i} ({name})" for i, name in here.items())
