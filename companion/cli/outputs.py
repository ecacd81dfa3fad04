"""The files that a person names for a command to write: never one that it reads, and never half of one."""

import errno
import os
from collections.abc import Iterable
from pathlib import Path

import click
import cv2

from vision.files import replacing
from vision.geometry import Picture
from vision.pictures import is_picture_name, one_line


def spare(option: str, out: Path | None, read: Iterable[Path | None], *, packs: Iterable[Path | None] = ()) -> None:
    """Raises ClickException where writing `out` would destroy what the command reads, or what it writes elsewhere.

    `read`: files, or folders of pictures. `packs`: folders in which nothing is written at all.
    """
    if out is None:
        return
    if any(pack is not None and _real(out).is_relative_to(_real(pack)) for pack in packs):
        raise click.ClickException(f"{option} {one_line(out)}: lies in the pack itself; choose a place outside it")
    mine = _identity(out)
    if any(_identity(path) == mine for given in read if given is not None for path in (given, *_pictures(given))):
        raise click.ClickException(f"{option} {one_line(out)}: is also named for something else, and would be lost; choose another name")


def write(out: Path, data: bytes) -> None:
    """Writes a file whole, or leaves what was there. Raises ClickException."""
    try:
        with replacing(out) as file:
            file.write(data)
    except OSError as e:
        raise unwritable(out, e) from e


def write_picture(out: Path, picture: Picture) -> None:
    """Writes a (H, W, 3) BGR picture in the format that the name ends in. Raises ClickException."""
    write(out, cv2.imencode(out.suffix, picture)[1].tobytes())


def unwritable(out: Path, error: OSError) -> click.ClickException:
    """One line on a file that cannot be written."""
    remedy = "free some room or choose another place" if error.errno in (errno.ENOSPC, errno.EDQUOT) else "choose another place"
    return click.ClickException(f"{one_line(out)}: cannot be written ({error.strerror}); {remedy}")


def _real(path: Path) -> Path:
    return Path(os.path.realpath(path))


def _identity(path: Path) -> object:
    """Equal for two names of one file, also by a link or on a disk that takes big and small letters for the same."""
    try:
        found = path.stat()
    except (OSError, ValueError):
        return _real(path)
    return found.st_dev, found.st_ino


def _pictures(folder: Path) -> list[Path]:
    try:
        return [path for path in folder.iterdir() if is_picture_name(path)]
    except (OSError, ValueError):
        return []
