"""Plain plane geometry: points, quads, polygons, homographies.

Points are float64 arrays of shape (n, 2), (x, y), x right and y down; a quad is (4, 2), clockwise as seen.
"""

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import ArrayLike, NDArray

Points = NDArray[np.float64]
Picture = NDArray[np.uint8]
Boxes = NDArray[np.float64]   # (k, 5): centre x, y, width, height, and the turn of the width in degrees clockwise


def points(values: ArrayLike) -> Points:
    """Any nested sequence of pairs as an (n, 2) float64 array."""
    return np.asarray(values, np.float64).reshape(-1, 2)


def transform(homography: ArrayLike, where: ArrayLike) -> Points:
    """Carry (n, 2) points through a 3x3 homography; NaN where a point goes to infinity."""
    p = points(where)
    h = np.asarray(homography, np.float64).reshape(3, 3)
    q = np.c_[p, np.ones(len(p))] @ h.T
    w = np.where(np.abs(q[:, 2:]) < 1e-12, np.nan, q[:, 2:])
    return np.asarray(q[:, :2] / w, np.float64)


def contains(polygon: ArrayLike, point: Sequence[float]) -> bool:
    """Whether the point lies in the polygon or on its border."""
    contour = np.asarray(polygon, np.float32).reshape(-1, 1, 2)
    return cv2.pointPolygonTest(contour, (float(point[0]), float(point[1])), False) >= 0


def inside_convex(quad: ArrayLike, where: ArrayLike) -> NDArray[np.bool_]:
    """Which of the (n, 2) points lie in a convex quad or on its border: (n,)."""
    corners, p = points(quad), points(where)
    along = np.roll(corners, -1, axis=0) - corners
    off = p[:, None] - corners
    side = along[:, 0] * off[..., 1] - along[:, 1] * off[..., 0]
    return np.asarray((side >= 0).all(1) | (side <= 0).all(1))


def depth_inside(polygon: ArrayLike, point: Sequence[float]) -> float:
    """Signed distance to the polygon's border, in the unit of the points; positive inside."""
    contour = np.asarray(polygon, np.float32).reshape(-1, 1, 2)
    return float(cv2.pointPolygonTest(contour, (float(point[0]), float(point[1])), True))


def area(polygon: ArrayLike) -> float:
    """Area of a simple polygon, in the square of the points' unit."""
    return float(cv2.contourArea(np.asarray(polygon, np.float32).reshape(-1, 1, 2)))


def iou(p: ArrayLike, q: ArrayLike) -> float:
    """Intersection over union of two convex polygons, 0..1."""
    a, b = (cv2.convexHull(np.asarray(v, np.float32).reshape(-1, 1, 2)) for v in (p, q))
    common, _ = cv2.intersectConvexConvex(a, b)
    union = cv2.contourArea(a) + cv2.contourArea(b) - common
    return float(common / union) if union > 0 else 0.0


def along_sides(boxes: Boxes, *, samples: int, reach: float) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Points along the sides of boxes (top, right, bottom, left), (k, 4, samples, 2), and the sides' normals, (k, 4, 2).

    `reach`: how far towards its ends a side is sampled, of its half.
    """
    turned = np.radians(boxes[:, 4])
    x = np.c_[np.cos(turned), np.sin(turned)]
    y = np.c_[-np.sin(turned), np.cos(turned)]
    w, h = boxes[:, 2:3] / 2, boxes[:, 3:4] / 2
    t = np.linspace(-reach, reach, samples)[None, :, None]
    centre = boxes[:, None, :2]
    across, down = (x * w)[:, None], (y * h)[:, None]
    along = [centre - down + t * across, centre + across + t * down, centre + down + t * across, centre - across + t * down]
    return np.stack(along, 1), np.stack([y, x, y, x], 1)


def rectangle(centre: Sequence[float], size: Sequence[float], degrees: float = 0.0) -> Points:
    """The four corners of a rectangle, (4, 2), clockwise as seen from its own top left; turned clockwise by `degrees`."""
    w, h = size[0] / 2, size[1] / 2
    turn = np.deg2rad(degrees)
    c, s = np.cos(turn), np.sin(turn)
    corners = np.array([[-w, -h], [w, -h], [w, h], [-w, h]])
    return points(corners @ np.array([[c, s], [-s, c]]) + np.asarray(centre, np.float64))


def clockwise(quad: ArrayLike) -> Points:
    """The same quad with its corners clockwise as seen (x right, y down), the first corner kept."""
    q = points(quad)
    x, y = q[:, 0], q[:, 1]
    turning = float(np.sum(x * np.roll(y, -1) - np.roll(x, -1) * y))
    return q if turning >= 0 else np.roll(q[::-1], 1, axis=0)


def begun_like(quad: Points, like: Points) -> Points:
    """The same quad, (4, 2), begun at the corner from which its corners lie nearest to those of `like`."""
    return min((np.roll(quad, k, axis=0) for k in range(4)), key=lambda q: float(np.abs(q - like).sum()))
