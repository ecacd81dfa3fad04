"""The pair on the table: poses in which the table repeats itself, outlines for them, and the choice of the one that is the pair."""

from dataclasses import dataclass

import numpy as np

from vision.geometry import Points, contains, iou
from vision.observation import Photo
from vision.photos.outline import Outline, fit
from vision.photos.rectangles import Rectangle, find_rectangles
from vision.photos.selfmatch import Pose, find_poses, keypoints
from vision.photos.side import CUT_PX, chroma_spread, side_of
from vision.topview import TopView, View

PX_PER_MM = 1.5
MATCH_PX_PER_MM = 1.0   # SIFT doubles it
APART_MM = 50.0
LAPPED = 0.35     # IoU of two photos that overlap by a corner at most


@dataclass(frozen=True)
class Pair:
    """Two outlines of the same picture; corner k of the one is corner k of the other."""

    pose: Pose
    a: Outline
    b: Points


def find_photos(view: View, *, size_mm: tuple[float, float] | None = None) -> tuple[Photo, ...]:
    """The photos of the pair, the likelier first. `size_mm`: a photo's sides where a pack or an earlier look tells them."""
    top = view.top(PX_PER_MM)
    size = (max(size_mm), min(size_mm)) if size_mm else None
    rectangles = find_rectangles(top)
    pairs = [_outlined(top, pose, rectangles, size) for pose in find_poses(keypoints(view.top(MATCH_PX_PER_MM)))]
    best = min((p for p in pairs if p is not None), key=lambda p: _remoteness(view, p), default=None)
    if best is None:
        return ()
    return tuple(_photo(view, quad) for quad in (best.a.quad, best.b))


def _outlined(top: TopView, pose: Pose, rectangles: tuple[Rectangle, ...], size: tuple[float, float] | None) -> Pair | None:
    beginnings = []
    for r in rectangles:
        for quad in (r.quad, pose.to_a(r.quad)):
            if sum(contains(quad, p) for p in pose.a) > 0.6 * len(pose.a):
                beginnings.append(quad)
    found = fit(top, pose.a, beginnings, pose, size_mm=size)
    if found is None:
        return None
    other = pose.to_b(found.quad)
    if np.hypot(*(other.mean(0) - found.quad.mean(0))) < APART_MM or iou(other, found.quad) > LAPPED:
        return None
    return Pair(pose, found, other)


def _remoteness(view: View, pair: Pair) -> float:
    """How far the pair lies from the table's middle, and apart (mm): the pile and the discards lie aside."""
    a, b = pair.a.quad.mean(0), pair.b.mean(0)
    return float(np.hypot(*((a + b) / 2 - np.array(view.table.centre_mm()))) + np.hypot(*(a - b)) / 2)


def _photo(view: View, quad: Points) -> Photo:
    side, sure = side_of(chroma_spread(view.cut(quad, *CUT_PX)))
    corners = tuple((float(x), float(y)) for x, y in quad)
    return Photo(quad=corners, side=side, sure={"found": 0.9, "side": sure})  # type: ignore[arg-type]
