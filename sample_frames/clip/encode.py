"""Writes a film's frames as a file: in H.264 where an ffmpeg is on the path, else in MPEG-4, which OpenCV's own wheel can write.

The two show the same frames. OpenCV's writer has no rate to set: its file is some four times as large.
"""

import shutil
import subprocess
from pathlib import Path
from typing import Protocol

import cv2
import numpy as np
from numpy.typing import NDArray

Picture = NDArray[np.uint8]
QUALITY = 23  # x264's constant rate factor: differences of ten pixels stay plain


class EncodeError(RuntimeError):
    """The film could not be written; one line says why."""


class Encoder(Protocol):
    """Takes frames in order."""

    def write(self, frame: Picture) -> None: ...

    def close(self) -> None: ...


def encoder(path: Path, size: tuple[int, int], fps: int) -> Encoder:
    """The best encoder that this machine has. Raises EncodeError if it has none."""
    ffmpeg = shutil.which("ffmpeg")
    return _Piped(ffmpeg, path, size, fps) if ffmpeg else _OpenCV(path, size, fps)


class _OpenCV:
    def __init__(self, path: Path, size: tuple[int, int], fps: int) -> None:
        self.writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"mp4v"), float(fps), size)
        if not self.writer.isOpened():
            raise EncodeError(f"{path}: OpenCV cannot write MPEG-4 here; is the folder writable?")

    def write(self, frame: Picture) -> None:
        self.writer.write(frame)

    def close(self) -> None:
        self.writer.release()


class _Piped:
    def __init__(self, ffmpeg: str, path: Path, size: tuple[int, int], fps: int) -> None:
        w, h = size
        self.path = path
        self.process = subprocess.Popen(
            [
                ffmpeg,
                "-v",
                "error",
                "-y",
                "-f",
                "rawvideo",
                "-pix_fmt",
                "bgr24",
                "-s",
                f"{w}x{h}",
                "-r",
                str(fps),
                "-i",
                "-",
                "-c:v",
                "libx264",
                "-threads",
                "1",
                "-preset",
                "veryfast",
                "-crf",
                str(QUALITY),
                "-g",
                "150",
                "-pix_fmt",
                "yuv420p",
                "-movflags",
                "+faststart",
                str(path),
            ],
            stdin=subprocess.PIPE,
        )

    def write(self, frame: Picture) -> None:
        assert self.process.stdin is not None
        try:
            self.process.stdin.write(frame.tobytes())
        except BrokenPipeError as e:
            raise EncodeError(f"{self.path}: ffmpeg stopped; is the disk full?") from e

    def close(self) -> None:
        assert self.process.stdin is not None
        self.process.stdin.close()
        if self.process.wait() != 0:
            raise EncodeError(f"{self.path}: ffmpeg could not write the film")
