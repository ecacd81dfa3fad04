"""The reveal: both black-and-white photos cut out of the frame, straightened and upright, with the places in their pixels."""

from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np

from vision.geometry import Picture, Points, transform
from vision.observation import Box, Differences
from vision.topview import View

LONG_SIDE_PX = 900
FRAME_WIDTH_PX = 960  # of a picture that is kept as evidence
JPEG_QUALITY = 85


@dataclass(frozen=True)
class Straightened:
    """Two photos of one size, and where the differences lie in each."""

    a: Picture
    b: Picture
    places: tuple[dict[str, Any], ...]


def straighten(view: View, quad_a: Points, quad_b: Points, counted: Differences) -> Straightened:
    """Cut both photos (quads in mm) out of the frame that was counted on."""
    upright = _upright(view, quad_a)
    quads = upright, _like_a(upright, quad_b, view, counted)
    w, h = (float(np.hypot(*(quads[0][k + 1] - quads[0][k]))) for k in (0, 1))
    scale = LONG_SIDE_PX / max(w, h)
    size = max(1, round(w * scale)), max(1, round(h * scale))
    to_a, to_b = (_frame_to_cut(view, quad, size) for quad in quads)
    places = tuple(
        {"n": p.n, "a": _box(to_a, p.a), "b": _box(to_b, p.b), "kind": p.kind, "probability": round(p.probability, 3)}
        for p in counted.places
    )
    return Straightened(view.cut(quads[0], *size), view.cut(quads[1], *size), places)


def jpeg(picture: Picture, *, width: int | None = None) -> bytes:
    """The picture as JPEG, made smaller to `width` pixels where it is wider."""
    if width is not None and picture.shape[1] > width:
        height = round(picture.shape[0] * width / picture.shape[1])
        picture = np.asarray(cv2.resize(picture, (width, height), interpolation=cv2.INTER_AREA), np.uint8)
    _, data = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, JPEG_QUALITY])
    return data.tobytes()


def _upright(view: View, quad: Points) -> Points:
    """The quad begun at the corner that makes the picture stand most upright for the camera: nearest a landscape or portrait as it lies."""
    px = view.table.to_px(quad)
    tops = [(px[k] + px[(k + 1) % 4])[1] - (px[(k + 2) % 4] + px[(k + 3) % 4])[1] for k in range(4)]
    return np.roll(quad, -int(np.argmin(tops)), axis=0)


def _like_a(a: Points, b: Points, view: View, counted: Differences) -> Points:
    """B's quad begun at the corner that lies on A's first corner, by the alignment that was counted with."""
    if not counted.alignment:
        return b
    first = transform(counted.alignment.b_to_a, view.table.to_px(b) - 0.5) + 0.5
    target = view.table.to_px(a)
    errors = [float(np.abs(np.roll(first, -k, axis=0) - target).sum()) for k in range(4)]
    return np.roll(b, -int(np.argmin(errors)), axis=0)


def _frame_to_cut(view: View, quad: Points, size: tuple[int, int]) -> Any:
    """Frame pixels -> pixels of the cut."""
    w, h = size
    to_cut = cv2.getPerspectiveTransform(quad.astype(np.float32), np.array([[0, 0], [w, 0], [w, h], [0, h]], np.float32))
    return lambda px: transform(to_cut, view.table.to_mm(px)).clip(0, size)


def _box(to_cut: Any, box: Box) -> list[float]:
    x, y, w, h = box
    corners = to_cut([[x, y], [x + w, y], [x + w, y + h], [x, y + h]])
    (x0, y0), (x1, y1) = corners.min(0), corners.max(0)
    return [round(float(v), 1) for v in (x0, y0, x1 - x0, y1 - y0)]
