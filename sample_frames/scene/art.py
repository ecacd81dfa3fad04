"""Markers and things of the household, drawn with OpenCV: for pictures of other decks and fuller tables."""

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from sample_frames.scene.surfaces import noise
from sample_frames.scene.things import Texture, Thing, rounded

Picture = NDArray[np.uint8]
Colour = tuple[int, int, int]

PX_PER_MM = 8


@dataclass(frozen=True)
class MarkerStyle:
    """How ten markers are drawn; `size` of the numeral as a part of the side, colours BGR."""

    disc: bool
    ground: Colour
    ink: Colour
    size: float
    weight: int
    italic: bool
    rim: float  # width of an inner line in mm, 0 for none


def marker_style(rng: np.random.Generator) -> MarkerStyle:
    """A style by chance: yellow on most, else another colour."""
    grounds: Sequence[tuple[Colour, Colour]] = (
        ((36, 200, 248), (20, 18, 16)),
        ((60, 215, 245), (30, 30, 30)),
        ((240, 242, 244), (30, 24, 20)),
        ((50, 46, 44), (240, 240, 240)),
        ((52, 50, 190), (245, 245, 245)),
        ((170, 100, 40), (245, 245, 245)),
    )
    ground, ink = grounds[int(rng.choice(len(grounds), p=(0.4, 0.2, 0.15, 0.08, 0.08, 0.09)))]
    return MarkerStyle(
        bool(rng.random() < 0.5),
        ground,
        ink,
        float(rng.uniform(0.36, 0.62)),
        int(rng.choice((400, 600, 800))),
        bool(rng.random() < 0.2),
        float(rng.choice((0.0, 0.5, 0.9))),
    )


def draw_marker(value: int, style: MarkerStyle, size_mm: float) -> Picture:
    """A marker seen from above, BGRA; 6 and 9 are underlined."""
    n = round(size_mm * PX_PER_MM)
    picture, alpha = np.full((n, n, 3), style.ground, np.uint8), np.zeros((n, n), np.uint8)
    line = max(1, round(style.rim * PX_PER_MM))
    if style.disc:
        cv2.circle(alpha, (n // 2, n // 2), n // 2 - 1, 255, -1, cv2.LINE_AA)
        if style.rim:
            cv2.circle(picture, (n // 2, n // 2), int(n * 0.43), style.ink, line, cv2.LINE_AA)
    else:
        alpha[1:-1, 1:-1] = 255
        if style.rim:
            cv2.rectangle(picture, (int(n * 0.07),) * 2, (int(n * 0.93),) * 2, style.ink, line, cv2.LINE_AA)
    face, size, text = cv2.FontFace("italic" if style.italic else "sans"), round(n * style.size), str(value)
    (x, y, w, h) = cv2.getTextSize((0, 0), text, (0, 0), face, size, style.weight)
    at = (round((n - w) / 2 - x), round((n - h) / 2 - y - (n * 0.03 if value in (6, 9) else 0)))
    cv2.putText(picture, text, at, style.ink, face, size, style.weight)
    if value in (6, 9):
        bar = round(at[1] + y + h + n * 0.05)
        cv2.rectangle(picture, (round(n / 2 - w * 0.45), bar), (round(n / 2 + w * 0.45), bar + round(n * 0.045)), style.ink, -1)
    return np.dstack([picture, alpha])


def phone(at: tuple[float, float], turn: float) -> Thing:
    """A telephone with its screen dark."""
    picture = np.full((560, 280, 3), (26, 24, 22), np.uint8)
    cv2.rectangle(picture, (8, 8), (271, 551), (14, 13, 12), -1)
    cv2.line(picture, (40, 540), (250, 30), (34, 33, 32), 40, cv2.LINE_AA)
    return Thing("phone", "prop", rounded(picture, (72, 144), 8), (72, 144), at, turn, thick=8, edge=(40, 38, 36), gloss=0.7)


def pencil(at: tuple[float, float], turn: float) -> Thing:
    """A pencil, sharpened."""
    picture = np.zeros((28, 680, 4), np.uint8)
    picture[:, 90:] = (40, 60, 190, 255)
    picture[9:18, 90:] = (70, 100, 225, 255)
    cv2.fillPoly(picture, [np.array([[90, 0], [90, 27], [8, 14]], np.int32)], (150, 195, 225, 255), cv2.LINE_AA)
    cv2.fillPoly(picture, [np.array([[30, 10], [30, 18], [4, 14]], np.int32)], (50, 48, 46, 255), cv2.LINE_AA)
    return Thing("pencil", "prop", Texture(picture), (170, 7), at, turn, thick=0.2, lift=4, edge=(60, 80, 160), gloss=0.3)


def cup(rng: np.random.Generator, at: tuple[float, float]) -> Thing:
    """A cup of coffee or tea, as its rim."""
    n = 480
    y, x = np.mgrid[:n, :n].astype(np.float32)
    r = np.hypot(x - n / 2, y - n / 2) / (n / 2)
    glaze = np.array(rng.choice(((232, 236, 238), (150, 90, 60), (60, 70, 180), (90, 150, 110))), np.float32)
    drink = np.array((38, 62, 110) if rng.random() < 0.6 else (44, 110, 176), np.float32)
    picture = np.where((r > 0.9)[..., None], glaze, np.where((r > 0.8)[..., None], glaze * 0.62, drink * (0.8 + 0.3 * r[..., None])))
    alpha = (np.clip((1 - r) * n / 4, 0, 1) * 255)[..., None]
    return Thing(
        "cup",
        "prop",
        Texture(np.concatenate([picture, alpha], -1).astype(np.uint8)),
        (84, 84),
        at,
        0,
        thick=88,
        round=True,
        edge=(int(glaze[0]), int(glaze[1]), int(glaze[2])),
        gloss=0.3,
    )


def plate(rng: np.random.Generator, at: tuple[float, float]) -> Thing:
    """A plate of biscuits."""
    n = 560
    y, x = np.mgrid[:n, :n].astype(np.float32)
    r = np.hypot(x - n / 2, y - n / 2) / (n / 2)
    tone = 228 - 26 * np.exp(-(((r - 0.68) / 0.05) ** 2)) - 10 * np.exp(-(((r - 0.95) / 0.04) ** 2))
    picture = np.repeat(tone[..., None], 3, -1) * np.array([1.0, 1.0, 0.99], np.float32)
    for _ in range(int(rng.integers(4, 8))):
        a, far = rng.uniform(0, 2 * np.pi), rng.uniform(0, 0.42) * n / 2
        cx, cy, size = n / 2 + far * np.cos(a), n / 2 + far * np.sin(a), rng.uniform(44, 56)
        d = np.hypot(x - cx, y - cy)
        shade = np.exp(-(((d - size) / 8) ** 2)) * (d > size)
        picture *= 1 - 0.4 * shade[..., None]
        crumb = np.array((96, 152, 200), np.float32) * (1 + 0.10 * noise(rng, (n, n), (12, 12), 2) - 0.35 * (d / size) ** 6)[..., None]
        picture = np.where((d < size)[..., None], crumb, picture)
    alpha = (np.clip((1 - r) * n / 4, 0, 1) * 255)[..., None]
    return Thing(
        "plate",
        "prop",
        Texture(np.clip(np.concatenate([picture, alpha], -1), 0, 255).astype(np.uint8)),
        (150, 150),
        at,
        0,
        thick=12,
        round=True,
        edge=(205, 208, 210),
        gloss=0.25,
    )
