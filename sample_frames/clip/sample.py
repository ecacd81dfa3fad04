"""Where the sample film lies: with the program, else in the user's cache, where it is made on first use."""

import hashlib
import os
import shutil
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

import click
import platformdirs

SHIPPED = Path(__file__).parents[1] / "clips" / "night-market"
FILM = "clip.mp4"
WORKERS = min(4, os.cpu_count() or 1)  # processes that draw


def sample_clip(*, shipped: Path = SHIPPED, cache: Path | None = None, make: Callable[[Path], None] | None = None) -> Path:
    """The folder of the sample game's film and truth.

    Where the film was not shipped it is made, which takes some minutes and shows how far it is; the second time it is there.
    `cache` and `make` take the place of the user's cache and of `make.make_clip`. Raises OSError or EncodeError.
    """
    if (shipped / FILM).exists():
        return shipped
    target = (cache or platformdirs.user_cache_path("table-companion")) / f"film-{_fingerprint()}"
    if not (target / FILM).exists():
        target.parent.mkdir(parents=True, exist_ok=True)
        # made beside its place and moved there whole: a film that was broken off is never taken for one
        unfinished = Path(tempfile.mkdtemp(prefix="film-", dir=target.parent))
        try:
            (make or make_and_show)(unfinished)
            if not (target / FILM).exists():
                os.replace(unfinished, target)
        finally:
            shutil.rmtree(unfinished, ignore_errors=True)
    return target


def make_and_show(folder: Path, *, seed: int = 1, workers: int = WORKERS, label: str = "making the sample film, once") -> None:
    """Make the film with a bar that shows how far it is, on a terminal's standard error. Raises EncodeError, OSError."""
    from sample_frames.clip.make import make_clip  # only now: it brings the whole renderer

    with click.progressbar(length=1, label=label, file=sys.stderr) as bar:

        def show(done: int, of: int) -> None:
            bar.length = of
            bar.update(done - bar.pos)

        make_clip(folder, seed=seed, workers=workers, progress=show)


def _fingerprint() -> str:
    """Changes whenever the film would: with the code that draws it."""
    digest = hashlib.sha256()
    here = Path(__file__).parent
    for folder in (here, here.parent / "scene", here.parent / "deck"):
        for path in sorted(folder.rglob("*.py")):
            digest.update(path.read_bytes())
    return digest.hexdigest()[:12]
