"""`companion doctor`: says what works on this machine and what does not, one line each."""

import platform
import shutil
import socket
import sys
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import click

LEAST_FREE_MB = 200
BROWSERS = ("chromium", "google-chrome", "chrome", "firefox", "microsoft-edge", "safari")


@dataclass(frozen=True)
class Finding:
    """One thing that was looked at. `ok`: True, False (the companion cannot do its work), or None (it can, with less)."""

    what: str
    ok: bool | None
    says: str


@click.command(epilog="Example: companion doctor --table table.toml --port 8000")
@click.option("--table", "table_file", type=click.Path(path_type=Path), help="A table file to look at, too.")
@click.option("--port", default=8000, show_default=True, type=click.IntRange(1, 65535), help="The port that the page would have.")
def command(table_file: Path | None, port: int) -> int:
    """Say what works here and what does not: one line each. Exit status 1 if something that is needed does not."""
    looks: list[Callable[[], Iterator[Finding]]] = [
        _python,
        _opencv,
        _cameras,
        _decoders,
        _network,
        _voice,
        _browser,
        _disk,
        lambda: _port(port),
    ]
    if table_file is not None:
        looks.append(lambda: _table(table_file))
    marks = {True: "ok  ", False: "BAD ", None: "note"}
    good = True
    for look in looks:
        for finding in look():
            click.echo(f"{marks[finding.ok]}  {finding.what:10}  {finding.says}")
            good = good and finding.ok is not False
    return 0 if good else 1


def _python() -> Iterator[Finding]:
    yield Finding("python", sys.version_info >= (3, 11), f"{platform.python_version()} on {platform.system()} {platform.machine()}")


def _opencv() -> Iterator[Finding]:
    from importlib.metadata import distributions

    import cv2

    names = sorted({d.name for d in distributions() if (d.name or "").startswith("opencv-")})
    if len(names) > 1:
        says = f"{' and '.join(names)} are installed over each other; remove all but opencv-python-headless and install that again"
        yield Finding("opencv", False, says)
    else:
        yield Finding("opencv", True, f"{cv2.__version__}, {cv2.getNumThreads()} threads")


def _cameras() -> Iterator[Finding]:
    from vision.frames import list_cameras

    cameras = list_cameras()
    if not cameras:
        yield Finding("camera", None, "none found; plug a webcam in, or play a clip or by hand")
    for index, name in cameras.items():
        yield Finding("camera", True, f"{index}: {name}  (companion play {index})")


def _decoders() -> Iterator[Finding]:
    import cv2
    import numpy as np

    from vision.frames import open_source

    with tempfile.TemporaryDirectory() as folder:
        for code, ending in (("mp4v", "mp4"), ("MJPG", "avi")):
            path = Path(folder) / f"try.{ending}"
            writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*code), 10.0, (64, 48))
            for grey in (10, 200):
                writer.write(np.full((48, 64, 3), grey, np.uint8))
            writer.release()
            read = len(list(open_source(str(path)).frames())) if path.exists() and path.stat().st_size else 0
            yield Finding(
                "video", read == 2 or None, f"{code} in .{ending}: {'read and written' if read == 2 else 'not here; use another format'}"
            )


def _network() -> Iterator[Finding]:
    import cv2

    streams = "FFMPEG:                      YES" in cv2.getBuildInformation()
    yield Finding(
        "network", streams or None, "http and rtsp cameras can be read" if streams else "no http or rtsp cameras: OpenCV has no ffmpeg here"
    )


def _voice() -> Iterator[Finding]:
    found = shutil.which("espeak-ng")
    yield Finding("voice", True, "the browser's own voice speaks" + (f"; {found} is there too" if found else ""))


def _browser() -> Iterator[Finding]:
    found = next((name for name in BROWSERS if shutil.which(name)), None)
    yield Finding("browser", True if found else None, found or "none found on the path; any browser on this machine will do")


def _disk() -> Iterator[Finding]:
    from companion.session import games_folder

    folder = games_folder()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile(dir=folder):
            free_mb = shutil.disk_usage(folder).free // 2**20
    except OSError as e:
        yield Finding("disk", False, f"{folder} cannot be written ({e.strerror}); name another folder with COMPANION_GAMES")
        return
    enough = free_mb >= LEAST_FREE_MB
    yield Finding(
        "disk", enough, f"{free_mb} MB free in {folder}" + ("" if enough else f"; at least {LEAST_FREE_MB} MB are needed: free some space")
    )


def _port(port: int) -> Iterator[Finding]:
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", port))
        except OSError as e:
            yield Finding("port", False, f"{port} cannot be used ({e.strerror}); choose another with --port")
            return
    yield Finding("port", True, f"{port} is free")


def _table(path: Path) -> Iterator[Finding]:
    from vision.table import TableError, read_table

    try:
        table = read_table(path)
    except TableError as e:
        yield Finding("table", False, str(e))
        return
    w, h = table.image_size
    middle = table.to_mm([[w / 2 - 0.5, h / 2], [w / 2 + 0.5, h / 2]])
    mm_a_pixel = float(abs(middle[1] - middle[0]).max())
    near = mm_a_pixel <= 0.7
    says = f"{len(table.seats)} seats, {mm_a_pixel:.2f} mm a pixel in the middle"
    yield Finding("table", True if near else None, says + ("" if near else ": too coarse for small differences, move the camera nearer"))
