"""Files that take their place whole: written beside it and then renamed, so that a full disk or a kill leaves what was there."""

import os
import secrets
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO


@contextmanager
def replacing(path: Path) -> Iterator[BinaryIO]:
    """A file to write into, which takes the place of `path` when the block has ended and all is on the disk.

    Whatever ends the block otherwise leaves what was there. What is no file (a pipe, /dev/stdout) is written as it comes.
    Raises OSError.
    """
    place = Path(os.path.realpath(path))   # a link goes on leading to its file
    there = place.exists()
    if there and not (place.is_file() and os.access(place, os.W_OK)):
        with place.open("wb") as out:   # also says why, where it must not be written
            yield out
        return
    part = place.with_name(f"{place.name}.{secrets.token_hex(3)}.part")
    out = part.open("xb")
    try:
        with out:
            yield out
            out.flush()
            os.fsync(out.fileno())
        if there:
            shutil.copymode(place, part)
        os.replace(part, place)
    except BaseException:
        part.unlink(missing_ok=True)
        raise
