"""What lies under and around a marker: wood, cloth, plain tables, photos full of small things, hands."""

import cv2
import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

Canvas = NDArray[np.float32]   # (H, W, 3), 0..1, RGB in no particular order of channels


def colour(rng: Generator, *, saturation: tuple[float, float] = (0, 1), value: tuple[float, float] = (0, 1),
           hue: tuple[float, float] = (0, 360)) -> NDArray[np.float32]:
    """One BGR colour, 0..1; hue in degrees."""
    h, s, v = rng.uniform(*hue) % 360, rng.uniform(*saturation), rng.uniform(*value)
    rgb = [v - v * s * max(0.0, min(k, 4 - k, 1.0)) for k in ((n + h / 60) % 6 for n in (5, 3, 1))]
    return np.array(rgb[::-1], np.float32)


def noise(rng: Generator, size: int, cells: tuple[float, float]) -> NDArray[np.float32]:
    """Smooth noise, (size, size), about -1..1, with that many cells across and down."""
    small = rng.standard_normal((max(2, round(cells[1])), max(2, round(cells[0])))).astype(np.float32)
    return np.asarray(cv2.resize(small, (size, size), interpolation=cv2.INTER_CUBIC), np.float32) * 0.6


def turned(rng: Generator, picture: Canvas, *, around: float | None = None) -> Canvas:
    """The picture turned by any angle about its middle."""
    size = picture.shape[0]
    m = cv2.getRotationMatrix2D((size / 2, size / 2), rng.uniform(0, 360) if around is None else around, 1.45)
    return np.asarray(cv2.warpAffine(picture, m, (size, size), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT), np.float32)


def table(rng: Generator, size: int) -> Canvas:
    """A piece of table or cloth."""
    base = colour(rng, saturation=(0, 0.7), value=(0.1, 0.95))
    kind = rng.integers(6)
    out = np.ones((size, size, 3), np.float32) * base
    if kind == 0:                                             # wood
        grain = noise(rng, size, (rng.uniform(12, 60), rng.uniform(2, 5)))
        out *= (1 + rng.uniform(0.04, 0.3) * grain)[..., None]
    elif kind == 1:                                           # checked cloth
        step = rng.uniform(0.15, 1.2) * size
        at = np.arange(size) + rng.uniform(0, step)
        stripe = ((at // (step / 2)) % 2).astype(np.float32)
        other = colour(rng, saturation=(0, 0.8), value=(0.2, 1))
        share = (stripe[:, None] + stripe[None]) / 2
        out = out * (1 - share[..., None]) + other * share[..., None]
    elif kind == 2:                                           # printed cloth: flowers, dots, lines
        other = colour(rng, saturation=(0, 0.8), value=(0.1, 1))
        for _ in range(rng.integers(2, 12)):
            x, y, r = rng.uniform(0, size), rng.uniform(0, size), rng.uniform(0.04, 0.25) * size
            petals = rng.integers(1, 9)
            for turn in np.arange(petals) * np.pi / petals:
                axes = (round(r), max(1, round(r * rng.uniform(0.05, 0.5))))
                cv2.ellipse(out, (int(x), int(y)), axes, np.degrees(turn), 0, 360, other.tolist(), -1, cv2.LINE_AA)
    elif kind == 3:                                           # woven or speckled
        out *= (1 + rng.uniform(0.02, 0.12) * rng.standard_normal((size, size)).astype(np.float32))[..., None]
    elif kind == 4:                                           # edges of boards, seams
        for _ in range(rng.integers(1, 4)):
            p = rng.uniform(-0.2, 1.2, 4) * size
            seam = (base * rng.uniform(0.3, 1.5)).tolist()
            cv2.line(out, (int(p[0]), int(p[1])), (int(p[2]), int(p[3])), seam, int(rng.integers(1, 5)), cv2.LINE_AA)
    out *= (1 + 0.06 * noise(rng, size, (3, 3)))[..., None]
    return turned(rng, np.clip(out, 0, 1)) if kind < 3 else np.clip(out, 0, 1)


def photo(rng: Generator, size: int) -> Canvas:
    """A piece of a photo crammed with things, in colour or grey, as the decks have them."""
    grey = rng.random() < 0.4
    out = np.ones((size, size, 3), np.float32) * colour(rng, saturation=(0, 0.8), value=(0.2, 1))
    for _ in range(rng.integers(6, 45)):
        paint = colour(rng, value=(0, 1)).tolist()
        x, y = (int(v) for v in rng.uniform(-0.1, 1.1, 2) * size)
        r = max(1, int(rng.uniform(0.02, 0.25) * size))
        kind = rng.integers(5)
        if kind == 0:
            cv2.circle(out, (x, y), r, paint, -1 if rng.random() < 0.6 else max(1, r // 5), cv2.LINE_AA)
        elif kind == 1:
            box = cv2.boxPoints(((x, y), (r, r * rng.uniform(0.3, 2.5)), rng.uniform(0, 90)))
            cv2.fillConvexPoly(out, box.astype(np.int32), paint, cv2.LINE_AA)
        elif kind == 2:
            corners = (np.array([x, y]) + rng.uniform(-r, r, (rng.integers(3, 7), 2))).astype(np.int32)
            cv2.fillPoly(out, [corners], paint, cv2.LINE_AA)
        elif kind == 3:
            lean, arc = rng.uniform(0, 180), rng.uniform(90, 360)
            cv2.ellipse(out, (x, y), (r, max(1, r // 3)), lean, 0, arc, paint, int(rng.integers(1, 4)), cv2.LINE_AA)
        else:
            end = rng.uniform(-0.1, 1.1, 2) * size
            cv2.line(out, (x, y), (int(end[0]), int(end[1])), paint, int(rng.integers(1, 5)), cv2.LINE_AA)
    if grey:
        out = np.repeat(out.mean(2, keepdims=True), 3, 2) * 0.8 + rng.uniform(0, 0.2)
        for _ in range(rng.integers(0, 4)):                   # the backs' small circles
            at = tuple(int(v) for v in rng.uniform(0, 1, 2) * size)
            cv2.circle(out, at, int(rng.uniform(0.06, 0.2) * size), (0.1, 0.1, rng.uniform(0.1, 0.8)), 2, cv2.LINE_AA)
    return np.clip(turned(rng, out), 0, 1)


def surroundings(rng: Generator, size: int) -> Canvas:
    """A table, now and then with the edge of a photo on it."""
    out = table(rng, size)
    if rng.random() < 0.15:
        cut = rng.uniform(0.5, 0.95)
        edge = turned(rng, np.repeat(np.repeat((np.arange(size) > cut * size)[None, :, None], size, 0), 3, 2).astype(np.float32))
        out = out * (1 - edge) + photo(rng, size) * edge
    return out
