"""Files: why one cannot be used; and writing one whole, beside its place and then renamed, so that a full disk leaves what was there."""

import fcntl
import os
import secrets
import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from glob import escape
from pathlib import Path
from typing import BinaryIO

MARK_BYTES = 3   # in the name of a file that is being written, so that two writers of one file have one each


def reason(error: Exception) -> str:
    """Why a file could not be read or written, in words that can stand in a message beside its name."""
    if isinstance(error, UnicodeDecodeError):
        return "it is no text"
    return (error.strerror if isinstance(error, OSError) else None) or str(error)


@contextmanager
def replacing(path: Path) -> Iterator[BinaryIO]:
    """A file to write into, which takes the place of `path` when the block has ended and all is on the disk.

    Whatever ends the block otherwise leaves what was there; what a killed writer left beside it goes when it is next written.
    What is no file (a pipe, /dev/stdout) is written as it comes.
    Raises OSError.
    """
    place = Path(os.path.realpath(path))   # a link goes on leading to its file
    there = place.exists()
    if there and not (place.is_file() and os.access(place, os.W_OK)):
        with place.open("wb") as out:   # also says why, where it must not be written
            yield out
        return
    _sweep(place)
    part = place.with_name(f"{place.name}.{secrets.token_hex(MARK_BYTES)}.part")
    out = part.open("xb")
    try:
        with out:
            with suppress(OSError):       # a disk that knows no locks: what a kill leaves there stays
                fcntl.flock(out, fcntl.LOCK_EX)
            yield out
            out.flush()
            os.fsync(out.fileno())
            if there:
                shutil.copymode(place, part)
            os.replace(part, place)   # while it is locked: it is nobody's leavings
    except BaseException:
        part.unlink(missing_ok=True)
        raise


def _sweep(place: Path) -> None:
    """Take away what writers of this file left who were killed: as long as one lives it holds a lock."""
    for left in place.parent.glob(f"{escape(place.name)}.{'[0-9a-f]' * 2 * MARK_BYTES}.part"):
        with suppress(OSError), left.open("rb") as held:
            fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
            left.unlink()
