"""A table seen from straight above with drawn markers and tokens on it, for tests."""

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.table import Lens, Seat, Table
from vision.topview import View

PX_PER_MM = 2.2
SIZE = (1540, 1100)                       # 700 x 500 mm
YELLOW, WHITE, INK = (40, 205, 245), (235, 240, 242), (25, 22, 20)
TOKEN_PAINT = {"green": (90, 160, 60), "yellow": (40, 215, 250), "red": (60, 60, 225)}


def table() -> Table:
    """(0, 0) mm in the middle of the picture; Ada sits below, Ben above."""
    w, h = SIZE
    f = 1 / PX_PER_MM

    def box(x0: float, y0: float, x1: float, y1: float) -> tuple[tuple[float, float], ...]:
        return (x0, y0), (x1, y0), (x1, y1), (x0, y1)

    return Table(SIZE, Lens((w, w, w / 2, h / 2), (0, 0, 0, 0, 0)), (f, 0, -w / 2 * f, 0, f, -h / 2 * f, 0, 0, 1),
                 (Seat("Ada", "red", box(-150, 130, 150, 240)), Seat("Ben", "blue", box(-150, -240, 150, -130))), box(-200, -110, 200, 110))


def wood(light: float = 1.0) -> NDArray[np.uint8]:
    """Wood under a lamp that burns brighter on the left."""
    w, h = SIZE
    grain = np.random.default_rng(3).normal(0, 5, (h, w // 30, 1))
    grain = cv2.resize(grain, (w, h), interpolation=cv2.INTER_LINEAR)[..., None] + np.linspace(20, -20, w)[None, :, None]
    return np.clip((np.array([90, 130, 170]) + grain) * light, 0, 255).astype(np.uint8)


def view(frame: NDArray[np.uint8]) -> View:
    """The frame as a camera gives it: a little soft."""
    return View(cv2.GaussianBlur(frame, (0, 0), 0.8), table())


def lay(frame: NDArray[np.uint8], text: str, at: tuple[float, float], *, turn: float = 0.0, size_mm: float = 30.0, disc: bool = False,
        paint: tuple[int, int, int] = YELLOW, ink: tuple[int, int, int] = INK, bar: bool = True) -> None:
    """Draw a square or a disc with a numeral, turned clockwise in degrees; a bar under 6 and 9."""
    n = 180
    piece = np.full((n, n, 3), paint, np.uint8)
    (w, h), _ = cv2.getTextSize(text, cv2.FONT_HERSHEY_DUPLEX, 3.4, 12)
    cv2.putText(piece, text, ((n - w) // 2, (n + h) // 2 - 8), cv2.FONT_HERSHEY_DUPLEX, 3.4, ink, 12, cv2.LINE_AA)
    if bar and text in ("6", "9"):
        cv2.rectangle(piece, (62, 140), (118, 150), ink, -1)
    mask = np.zeros((n, n), np.uint8)
    cv2.circle(mask, (n // 2, n // 2), n // 2 - 1, 255, -1, cv2.LINE_AA) if disc else cv2.rectangle(mask, (0, 0), (n, n), 255, -1)
    x, y = np.array(at) * PX_PER_MM + np.array(SIZE) / 2 - 0.5
    m = cv2.getRotationMatrix2D((n / 2 - 0.5, n / 2 - 0.5), -turn, size_mm * PX_PER_MM / n)
    m[:, 2] += np.array([x, y]) - (n / 2 - 0.5)
    cover = cv2.warpAffine(mask, m, SIZE, flags=cv2.INTER_AREA)[..., None] / 255
    frame[:] = frame * (1 - cover) + cv2.warpAffine(piece, m, SIZE, flags=cv2.INTER_AREA) * cover


def lay_token(frame: NDArray[np.uint8], colour: str, at: tuple[float, float], *, turn: float = 0.0) -> None:
    """Draw a round token with its points in white."""
    points, size_mm = {"green": ("3", 40.0), "yellow": ("2", 25.0), "red": ("1", 25.0)}[colour]
    lay(frame, points, at, turn=turn, size_mm=size_mm, disc=True, paint=TOKEN_PAINT[colour], ink=(250, 250, 250))


def photo(frame: NDArray[np.uint8], at: tuple[float, float], size_mm: tuple[float, float] = (120, 80), seed: int = 1) -> None:
    """Lay a photo crammed with little shapes."""
    rng = np.random.default_rng(seed)
    w, h = (round(v * PX_PER_MM) for v in size_mm)
    picture = np.full((h, w, 3), rng.integers(80, 230, 3), np.uint8)
    for _ in range(160):
        x, y, r = int(rng.integers(w)), int(rng.integers(h)), int(rng.integers(3, 22))
        paint = rng.integers(0, 255, 3).tolist()
        if rng.random() < 0.5:
            cv2.circle(picture, (x, y), r, paint, -1 if rng.random() < 0.6 else 2, cv2.LINE_AA)
        else:
            cv2.rectangle(picture, (x, y), (x + r, y + int(rng.integers(3, 22))), paint, -1)
    left, top = (round(v) for v in np.array(at) * PX_PER_MM + np.array(SIZE) / 2 - np.array([w, h]) / 2)
    frame[top:top + h, left:left + w] = picture
