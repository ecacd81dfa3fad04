"""Table tops, drawn from chance: planks, cloths, felt. Each is a picture of the table from above at PX_PER_MM."""

from collections.abc import Callable
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

Picture = NDArray[np.uint8]
Field = NDArray[np.float32]

PX_PER_MM = 2.0


@dataclass(frozen=True)
class Surface:
    """A table top: `picture` (BGR) spans `size_mm` about the origin; beyond its border lies the floor. `gloss` 0..1."""

    picture: Picture
    size_mm: tuple[float, float]
    gloss: float
    floor: tuple[int, int, int] = (38, 42, 48)


def noise(rng: np.random.Generator, shape: tuple[int, int], grain: tuple[float, float], octaves: int = 3) -> Field:
    """(rows, columns) of smooth noise, about -1..1; `grain` is the size of the largest grains in pixels, (along y, along x)."""
    out = np.zeros(shape, np.float32)
    for k in range(octaves):
        rows, cols = (max(2, int(np.ceil(n / g * 2**k)) + 2) for n, g in zip(shape, grain, strict=True))
        small = rng.normal(0, 1, (min(rows, shape[0]), min(cols, shape[1]))).astype(np.float32)
        out += cv2.resize(small, (shape[1], shape[0]), interpolation=cv2.INTER_CUBIC) * 0.6**k
    return out / 1.7


def blurred(field: Field, sigma_px: float) -> Field:
    """Blurred by a Gaussian; as it is where the spread is next to nothing."""
    return np.asarray(cv2.GaussianBlur(field, (0, 0), sigma_px), np.float32) if sigma_px > 0.2 else field


def wood(
    rng: np.random.Generator,
    size_mm: tuple[float, float],
    *,
    light: tuple[int, int, int],
    dark: tuple[int, int, int],
    plank_mm: float,
    gloss: float = 0.5,
) -> Surface:
    """Planks along x with grain and seams, between two colours (BGR)."""
    w, h = (int(v * PX_PER_MM) for v in size_mm)
    warp = noise(rng, (h, w), (160, 900), 2) * 14
    fibres = noise(rng, (h, w), (5, 420), 3)
    rows = np.arange(h, dtype=np.float32)[:, None] + warp
    rings = np.sin(rows / 11 + noise(rng, (h, w), (90, 1300), 2) * 5)
    tone = 0.45 + 0.16 * rings + 0.24 * fibres
    edges, y = [], float(rng.uniform(0.3, 1)) * plank_mm
    while y * PX_PER_MM < h:
        edges.append(int(y * PX_PER_MM))
        y += plank_mm * float(rng.uniform(0.95, 1.05))
    seam = np.zeros((h, w), np.float32)
    for top, bottom in zip([0, *edges], [*edges, h], strict=True):
        end = int(rng.integers(w))  # here two boards meet
        tone[top:bottom] = np.roll(tone[top:bottom], end, axis=1) + float(rng.normal(0, 0.07))
        cv2.line(seam, (0, bottom), (w, bottom), 1.0, 2)
        cv2.line(seam, (end, top), (end, bottom), 1.0, 2)
    seam = blurred(seam, 0.8)
    mix = np.clip(tone, 0, 1)[..., None]
    colour = np.array(dark, np.float32) * mix + np.array(light, np.float32) * (1 - mix)
    return Surface(_picture(colour * (1 - 0.55 * np.minimum(seam, 1)[..., None])), size_mm, gloss)


def cloth(
    rng: np.random.Generator,
    size_mm: tuple[float, float],
    *,
    base: tuple[int, int, int],
    motif: str = "plain",
    second: tuple[int, int, int] = (255, 255, 255),
    pitch_mm: float = 60.0,
) -> Surface:
    """A woven cloth: `plain`, `check` (crossing stripes), `grid` (thin lines) or `dots` in a second colour (BGR)."""
    w, h = (int(v * PX_PER_MM) for v in size_mm)
    y, x = np.mgrid[:h, :w].astype(np.float32)
    bend = noise(rng, (h, w), (500, 500), 2) * 6
    u, v = (x + bend) / (pitch_mm * PX_PER_MM), (y - bend) / (pitch_mm * PX_PER_MM)
    if motif == "check":
        ink = 0.45 * ((u % 1) < 0.5).astype(np.float32) + 0.45 * ((v % 1) < 0.5)
    elif motif == "grid":
        ink = 0.6 * (np.minimum(u % 1, v % 1) < 0.05).astype(np.float32)
    elif motif == "dots":
        ink = 0.8 * (np.hypot(u % 1 - 0.5, (v + 0.5 * (np.floor(u) % 2)) % 1 - 0.5) < 0.16).astype(np.float32)
    else:
        ink = np.zeros((h, w), np.float32)
    soft = blurred(ink, 1.0)[..., None]
    weave = (
        1
        + 0.035 * np.sin(x * 2.1) * np.sin(y * 2.1)
        + 0.05 * rng.standard_normal((h, w), dtype=np.float32)
        + 0.05 * noise(rng, (h, w), (300, 300), 3)
    )
    colour = np.array(base, np.float32) * (1 - soft) + np.array(second, np.float32) * soft
    return Surface(_picture(colour * weave[..., None]), size_mm, gloss=0.05)


SURFACES: dict[str, Callable[[np.random.Generator, tuple[float, float]], Surface]] = {
    "oak": lambda rng, size: wood(rng, size, light=(150, 190, 222), dark=(82, 120, 160), plank_mm=110),
    "walnut": lambda rng, size: wood(rng, size, light=(72, 98, 132), dark=(30, 46, 70), plank_mm=90),
    "pine": lambda rng, size: wood(rng, size, light=(158, 206, 238), dark=(98, 150, 196), plank_mm=140, gloss=0.35),
    "white": lambda rng, size: wood(rng, size, light=(226, 230, 232), dark=(205, 210, 214), plank_mm=2000, gloss=0.6),
    "felt": lambda rng, size: cloth(rng, size, base=(72, 96, 44)),
    "linen": lambda rng, size: cloth(rng, size, base=(196, 208, 214)),
    "check": lambda rng, size: cloth(rng, size, base=(222, 226, 228), motif="check", second=(60, 50, 170), pitch_mm=44),
    "grid": lambda rng, size: cloth(rng, size, base=(88, 78, 58), motif="grid", second=(190, 180, 150), pitch_mm=70),
    "dots": lambda rng, size: cloth(rng, size, base=(140, 96, 70), motif="dots", second=(235, 235, 235), pitch_mm=52),
}


def _picture(colour: Field) -> Picture:
    return np.clip(colour, 0, 255).astype(np.uint8)
