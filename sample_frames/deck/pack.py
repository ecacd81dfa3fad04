"""Writes the deck as a pack (contract §3) and reads its pictures back.

The pictures are not kept in the repository: they are drawn from this folder's code on first use, in some ten seconds, and kept in
the user's cache. A pack of eighty pictures would weigh more than all the code, and would part from the code that draws it. What is kept
is photos.json, the result of the search, so that the truth never hangs on how a machine rounds a pixel.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from importlib.metadata import version
from pathlib import Path

import cv2
import numpy as np
import platformdirs
import tomlkit

from sample_frames.deck import truth
from sample_frames.deck.market import HEIGHT_MM, WIDTH_MM
from sample_frames.deck.pieces import LAYOUTS, MARKER_MM, TOKEN_MM, Layout, draw_markers, draw_tokens
from sample_frames.deck.scene import State, draw_photos
from sample_frames.deck.sheet import PX_PER_MM, Picture, pixels

NAME = "The night market"
RING_BGR = (48, 30, 214)
RING_LINE_MM = 0.55
Progress = Callable[[int, int], None]
"""Called with the number of pictures that are done and of all."""


@dataclass(frozen=True, eq=False)
class Deck:
    """The deck as it lies in its folder. Pictures have 10 pixels a millimetre; a photo is 1200 × 800."""

    folder: Path
    size_mm: tuple[float, float] = (WIDTH_MM, HEIGHT_MM)
    marker_mm: float = MARKER_MM
    token_mm: tuple[tuple[str, float], ...] = tuple(TOKEN_MM.items())
    px_per_mm: int = PX_PER_MM
    layouts: tuple[Layout, ...] = LAYOUTS
    """How the green tokens 1 to 10 want the photos to be laid."""

    @property
    def ids(self) -> tuple[str, ...]:
        return tuple(truth.photos())

    def front(self, photo: str) -> Picture:
        """The colour side, 800×1200×3 BGR; not to be written into."""
        return _read(self.folder / "cards" / f"{photo}-front.png")

    def back(self, photo: str) -> Picture:
        """The black-and-white side with its circles, 800×1200×3 BGR; not to be written into."""
        return _read(self.folder / "cards" / f"{photo}-back.png")

    def marker(self, value: int) -> Picture:
        """An evidence marker, 1 to 10, seen from above: H×W×4 BGRA."""
        return _read(self.folder / "markers" / f"{value}.png")

    def token(self, name: str) -> Picture:
        """"green-back", "green-01" to "green-10", "yellow", "yellow-back", "red" or "red-back": H×W×4 BGRA."""
        return _read(self.folder / "tokens" / f"{name}.png")

    def count(self, a: str, b: str) -> int:
        """The number of differences of two photos."""
        return truth.pair_count(a, b)

    def places(self, a: str, b: str) -> tuple[truth.Place, ...]:
        """Where two photos differ; boxes in mm from a photo's top left corner."""
        return truth.places(a, b)

    def departures(self, photo: str) -> tuple[truth.Departure, ...]:
        """Where a photo departs from the common scene, with the circle that its back prints there."""
        return truth.departures(photo)


def load(*, folder: Path | None = None, progress: Progress | None = None) -> Deck:
    """The deck, drawn into `folder` (the user's cache where None) unless it lies there already. Raises OSError."""
    target = folder or platformdirs.user_cache_path("table-companion") / f"deck-{_fingerprint()}"
    if not (target / "deck.toml").exists():
        target.parent.mkdir(parents=True, exist_ok=True)
        # drawn beside its place and moved there whole: a drawing that was broken off is never taken for a deck
        unfinished = Path(tempfile.mkdtemp(prefix="deck-", dir=target.parent))
        try:
            write(unfinished, progress=progress)
            if not (target / "deck.toml").exists():
                os.replace(unfinished, target)
        finally:
            shutil.rmtree(unfinished, ignore_errors=True)
        if folder is None:
            forget_older(target)
    return Deck(target)


def forget_older(deck: Path) -> None:
    """Remove decks that older code drew; not those of the last day, which another process may be reading."""
    for other in deck.parent.glob("deck-*"):
        if deck.stat().st_mtime - other.stat().st_mtime > 24 * 3600:
            shutil.rmtree(other, ignore_errors=True)


def write(folder: Path, *, progress: Progress | None = None) -> None:
    """Draw the whole pack into a folder: photos, markers, tokens and deck.toml, which comes last."""
    for part in ("cards", "markers", "tokens"):
        (folder / part).mkdir(parents=True, exist_ok=True)
    photos = truth.photos()
    for done, (photo, front) in enumerate(zip(photos, _fronts(list(photos.values())), strict=True), start=1):
        _save(folder / "cards" / f"{photo}-front.png", front)
        _save(folder / "cards" / f"{photo}-back.png", back_of(front, truth.departures(photo)))
        if progress:
            progress(done, len(photos))
    for value, marker in enumerate(draw_markers(), start=1):
        _save(folder / "markers" / f"{value}.png", marker)
    for name, token in draw_tokens():
        _save(folder / "tokens" / f"{name}.png", token)
    (folder / "deck.toml").write_text(_toml(list(photos)), encoding="utf-8")


def _fronts(states: list[State]) -> Iterator[Picture]:
    """Photo by photo. Ten go into one PDF: enough to share the drawn things, few enough that the first is there soon."""
    for first in range(0, len(states), 10):
        yield from pixels(draw_photos(states[first : first + 10]))


def back_of(front: Picture, departures: tuple[truth.Departure, ...]) -> Picture:
    """The black-and-white side: the front in grey, with a red circle round each departure of this photo."""
    back = cv2.cvtColor(cv2.cvtColor(front, cv2.COLOR_BGR2GRAY), cv2.COLOR_GRAY2BGR)
    fine = 4  # bits of a pixel's fraction
    for departure in departures:
        x, y, radius = (value * PX_PER_MM for value in departure.ring_mm)
        centre = (round((x - 0.5) * 2**fine), round((y - 0.5) * 2**fine))
        cv2.circle(back, centre, round(radius * 2**fine), RING_BGR, round(RING_LINE_MM * PX_PER_MM), cv2.LINE_AA, fine)
    return np.asarray(back, dtype=np.uint8)


def _toml(ids: list[str]) -> str:
    document = tomlkit.document()
    document.update({"format": 1, "game": "sherlook", "name": NAME, "size_mm": [WIDTH_MM, HEIGHT_MM], "marker_mm": MARKER_MM})
    tokens = tomlkit.inline_table()
    tokens.update(TOKEN_MM)
    document["token_mm"] = tokens
    cards = tomlkit.aot()
    for photo in ids:
        cards.append(tomlkit.item({"id": photo, "front": f"cards/{photo}-front.png", "back": f"cards/{photo}-back.png"}))
    document["card"] = cards
    return tomlkit.dumps(document)


def _save(path: Path, picture: Picture) -> None:
    path.write_bytes(cv2.imencode(".png", picture, [cv2.IMWRITE_PNG_COMPRESSION, 3])[1].tobytes())


@lru_cache(maxsize=24)
def _read(path: Path) -> Picture:
    picture = cv2.imread(str(path), cv2.IMREAD_UNCHANGED)
    if picture is None:
        raise FileNotFoundError(f"{path} is no picture of the deck: remove its folder, it is drawn anew")
    picture.setflags(write=False)
    return np.asarray(picture, dtype=np.uint8)


def _fingerprint() -> str:
    """Changes whenever the drawing would: with this folder's code, the photos, or the libraries that draw."""
    digest = hashlib.sha256(f"{version('reportlab')} {version('pypdfium2')}".encode())
    here = Path(__file__).parent
    for path in sorted([*here.rglob("*.py"), here / "photos.json"]):
        if path.name != "__main__.py":
            digest.update(path.read_bytes())
    return digest.hexdigest()[:12]
