"""The reveal: both black-and-white photos cut out of the frame, straightened and upright, with the places in their pixels."""

from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np

from companion.reading import Counted
from vision.geometry import Picture, Points, begun_like, transform
from vision.observation import Box
from vision.topview import View

LONG_SIDE_PX = 900
FRAME_WIDTH_PX = 960  # of a picture that is kept as evidence
JPEG_QUALITY = 85
SQUARE = 0.9  # a shorter side of so much of the longer one: it may be the picture's width as well


@dataclass(frozen=True)
class Straightened:
    """Two photos of one size, and where the differences lie in each."""

    a: Picture
    b: Picture
    places: tuple[dict[str, Any], ...]


def straighten(view: View, counted: Counted) -> Straightened:
    """Cut both photos out of the frame that was counted on, the same way up."""
    quads = (counted.a, counted.b) if counted.upright else _as_they_may_stand(view, counted)
    w, h = (float(np.hypot(*(quads[0][k + 1] - quads[0][k]))) for k in (0, 1))
    scale = LONG_SIDE_PX / max(w, h)
    size = max(1, round(w * scale)), max(1, round(h * scale))
    to_a, to_b = (_frame_to_cut(view, quad, size) for quad in quads)
    places = tuple(
        {"n": p.n, "a": _box(to_a, p.a), "b": _box(to_b, p.b), "kind": p.kind, "probability": round(p.probability, 3)}
        for p in counted.said.places
    )
    return Straightened(view.cut(quads[0], *size), view.cut(quads[1], *size), places)


def jpeg(picture: Picture, *, width: int | None = None) -> bytes:
    """The picture as JPEG, made smaller to `width` pixels where it is wider."""
    if width is not None and picture.shape[1] > width:
        height = round(picture.shape[0] * width / picture.shape[1])
        picture = np.asarray(cv2.resize(picture, (width, height), interpolation=cv2.INTER_AREA), np.uint8)
    _, data = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, JPEG_QUALITY])
    return data.tobytes()


def _as_they_may_stand(view: View, counted: Counted) -> tuple[Points, Points]:
    """Both quads where nothing tells which way up the picture is: its longer side across, as it stands most upright for the camera."""
    a, b, alignment = view.table.to_px(counted.a), view.table.to_px(counted.b), counted.said.alignment
    lengths = [float(np.hypot(*(counted.a[k] - counted.a[k - 1]))) for k in (1, 2)]
    across = [k for k in range(4) if lengths[k % 2] > SQUARE * max(lengths)]
    upper = [float((a[k] + a[k - 3])[1] - (a[k - 2] + a[k - 1])[1]) for k in range(4)]
    begin = min(across, key=lambda k: upper[k])
    if alignment:
        a_in_b = transform(np.linalg.inv(np.array(alignment.b_to_a).reshape(3, 3)), a)
        b = begun_like(b, a_in_b)
    return view.table.to_mm(np.roll(a, -begin, axis=0)), view.table.to_mm(np.roll(b, -begin, axis=0))


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
