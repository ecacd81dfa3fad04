"""What a deck pack says of the things' sizes: enough to find them; who they are is another's job."""

import math
import tomllib
from dataclasses import dataclass, field
from pathlib import Path


class PackError(ValueError):
    """A pack that cannot be used; the message says what, where, and what to do."""


@dataclass(frozen=True, slots=True)
class Sizes:
    """Lengths in mm; None where nothing tells them."""

    photo: tuple[float, float] | None = None          # longer and shorter side of a photo, card or tile
    marker: float | None = None                       # diameter or side
    token: dict[str, float] = field(default_factory=dict)   # by colour


def read_sizes(folder: Path) -> Sizes:
    """The sizes in the pack's `deck.toml` (contract §3). Raises PackError with one line."""
    file = folder / "deck.toml"
    try:
        data = tomllib.loads(file.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as e:
        raise PackError(f"{file}: cannot be read as a deck pack ({e}); name the folder that holds deck.toml") from e
    try:
        photo = data.get("size_mm")
        marker = data.get("marker_mm")
        return Sizes(
            photo=_photo(photo) if photo is not None else None,
            marker=_length(marker) if marker is not None else None,
            token={str(k): _length(v) for k, v in (data.get("token_mm") or {}).items()},
        )
    except (AttributeError, TypeError, ValueError) as e:
        raise PackError(f"{file}: a size is no length in mm ({e}); correct size_mm, marker_mm or token_mm") from e


def _photo(values: list[float]) -> tuple[float, float]:
    w, h = (_length(v) for v in values)
    return max(w, h), min(w, h)


def _length(value: float) -> float:
    mm = float(value)
    if not math.isfinite(mm) or mm <= 0:
        raise ValueError(f"{value!r}")
    return mm
