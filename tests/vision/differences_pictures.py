"""Pictures for the tests of the counter: a scene crammed with things, plain changes to it, and cameras that see it."""

from collections.abc import Sequence

import cv2
import numpy as np

from vision.geometry import Picture
from vision.observation import Box


def scene(seed: int = 1, width: int = 800, height: int = 600, *, things: int = 140) -> Picture:
    """A wall with many things of all forms and colours, each with an edge."""
    rng = np.random.default_rng(seed)
    base = rng.uniform(120, 190, (4, 5, 3)).astype(np.float32)
    picture = np.clip(cv2.resize(base, (width, height), interpolation=cv2.INTER_CUBIC), 0, 255).astype(np.uint8)
    for _ in range(things):
        x, y, r = int(rng.integers(0, width)), int(rng.integers(0, height)), int(rng.integers(8, 40) * width / 800)
        colour = [int(v) for v in rng.integers(0, 256, 3)]
        dark = [v // 3 for v in colour]
        if rng.random() < 0.5:
            cv2.circle(picture, (x, y), r, colour, -1, cv2.LINE_AA)
            cv2.circle(picture, (x, y), r, dark, 2, cv2.LINE_AA)
        else:
            corners = cv2.convexHull((rng.normal(0, r, (5, 2)) + np.array([x, y])).astype(np.int32))
            cv2.fillConvexPoly(picture, corners, colour, cv2.LINE_AA)
            cv2.polylines(picture, [corners], True, dark, 2, cv2.LINE_AA)
    return picture


def sticker(picture: Picture, x: int, y: int, size: int, colour: tuple[int, int, int] = (40, 220, 250)) -> Picture:
    """The same picture with a star with a dark edge stuck on it, its middle at (x, y)."""
    out = picture.copy()
    turns = np.arange(10) * np.pi / 5
    radius = np.where(np.arange(10) % 2, 0.45, 1.0) * size / 2
    star = np.stack([x + radius * np.sin(turns), y - radius * np.cos(turns)], 1).astype(np.int32)
    cv2.fillPoly(out, [star], colour, cv2.LINE_AA)
    cv2.polylines(out, [star], True, (20, 20, 60), max(1, size // 16), cv2.LINE_AA)
    return out


def stickers(picture: Picture, where: Sequence[tuple[int, int]], size: int = 44) -> Picture:
    for x, y in where:
        picture = sticker(picture, x, y, size)
    return picture


def greyed(picture: Picture) -> Picture:
    """The same picture without colour, still of three channels."""
    return np.asarray(cv2.cvtColor(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), cv2.COLOR_GRAY2BGR), np.uint8)


def warped(picture: Picture, *, degrees: float = 0.0, scale: float = 1.0, shift: tuple[float, float] = (0.0, 0.0)) -> Picture:
    """Turned about the middle, scaled and shifted; what comes in from outside repeats the border."""
    h, w = picture.shape[:2]
    m = cv2.getRotationMatrix2D(((w - 1) / 2, (h - 1) / 2), degrees, scale)
    m[:, 2] += shift
    return np.asarray(cv2.warpAffine(picture, m, (w, h), flags=cv2.INTER_CUBIC, borderMode=cv2.BORDER_REPLICATE), np.uint8)


def photographed(
    picture: Picture, corners: Sequence[Sequence[float]], size: tuple[int, int], *, seed: int, gradient: float = 0.0
) -> Picture:
    """A print on a table: `corners` of it in a photograph of `size` (width, height), under a lamp from one side, with noise, as JPEG."""
    rng = np.random.default_rng(seed)
    h, w = picture.shape[:2]
    m = cv2.getPerspectiveTransform(np.array([[0, 0], [w, 0], [w, h], [0, h]], np.float32), np.array(corners, np.float32))
    table = cv2.resize(rng.uniform(60, 110, (40, 60, 1)).repeat(3, 2), size, interpolation=cv2.INTER_CUBIC)
    laid = cv2.warpPerspective(picture, m, size, flags=cv2.INTER_AREA)
    covered = cv2.warpPerspective(np.ones((h, w), np.uint8), m, size)[..., None]
    lamp = 1 + gradient * np.linspace(-0.5, 0.5, size[0])[None, :, None]
    shot = np.where(covered > 0, laid, table) * lamp + rng.normal(0, 3, (size[1], size[0], 3))
    return jpeg(np.clip(cv2.GaussianBlur(shot, (0, 0), 0.6), 0, 255).astype(np.uint8), 88)


def jpeg(picture: Picture, quality: int) -> Picture:
    """The picture after a JPEG of that quality."""
    return np.asarray(cv2.imdecode(cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, quality])[1], cv2.IMREAD_COLOR), np.uint8)


def overlap(p: Box, q: Box) -> float:
    """Intersection over union of two boxes (x, y, w, h)."""
    w = max(0.0, min(p[0] + p[2], q[0] + q[2]) - max(p[0], q[0]))
    h = max(0.0, min(p[1] + p[3], q[1] + q[3]) - max(p[1], q[1]))
    return w * h / (p[2] * p[3] + q[2] * q[3] - w * h)
