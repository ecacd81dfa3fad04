"""The pair on the table: where it repeats itself, the outlines there, and the choice of what is the pair and what a pile or chance."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from vision.geometry import Points, depth_inside, inside_convex, iou, points
from vision.observation import Photo, quad_of
from vision.photos.inside import Inside, look_inside
from vision.photos.outline import Outline, fit
from vision.photos.rectangles import Rectangle, find_rectangles
from vision.photos.selfmatch import Keypoints, Pose, find_poses, keypoints
from vision.topview import TopView, View

PX_PER_MM = 1.5
MATCH_PX_PER_MM = 1.0    # SIFT doubles it
ROOM_MM = 70.0           # beyond the common area: half a photo may lie outside
ASIDE_MM = 30.0          # a photo's middle this far outside the common area is the pile's or the discards'
APART_MM = 50.0
LAPPED = 0.4             # IoU of two photos: they overlap by a corner at most
TRIED = 3                # poses that get an outline
PLAIN = 8                # rectangles that may be photos
SURE = 0.95              # of a pair: no other need be tried
OTHER_SIZE = 0.35        # of an outline's score: by so much better without the told size, these are no photos of that size
CLAIMED = 0.3            # photos less probable than this are not told
CRAMMED = 25             # keypoints on a photo, at least


@dataclass(frozen=True)
class Pair:
    """Two outlines of one picture; corner k of the one is corner k of the other."""

    pose: Pose
    a: Outline
    b: Points
    found: float       # how probable it is that this is the pair


def find_photos(view: View, *, size_mm: tuple[float, float] | None = None) -> tuple[Photo, ...]:
    """The photos of the pair. `size_mm`: a photo's sides where a pack or an earlier look tells them; photos that are
    plainly of another size are told as they are.

    Where a photo's fellow cannot be recognised (burnt out, under a hand), what has a photo's outline in the middle is told, less surely.
    """
    size = (max(size_mm), min(size_mm)) if size_mm else None
    view = _middle(view)
    top = view.top(PX_PER_MM)
    rectangles = find_rectangles(top)
    pair = _plain_pair(view, top, rectangles, size)
    if pair is None:
        seen = keypoints(view.top(MATCH_PX_PER_MM))
        poses = find_poses(seen)
        pair = _best_pair(view, top, poses, rectangles, size)
    if pair is not None and pair.found >= 0.5:
        inside = look_inside(view, pair.a.quad, pair.b)
        return tuple(_photo(quad, pair.found, what) for quad, what in zip((pair.a.quad, pair.b), inside, strict=True))
    lone = _lone(view, top, poses, rectangles, seen, size)
    return tuple(_photo(outline.quad, found, look_inside(view, outline.quad)[0]) for outline, found in lone)


def _middle(view: View) -> View:
    """The part of the table in which the pair can lie."""
    if not view.table.common:
        return view
    (x0, y0), (x1, y1) = points(view.table.common).min(0) - ROOM_MM, points(view.table.common).max(0) + ROOM_MM
    return view.within((float(x0), float(y0), float(x1), float(y1)))


def _plain_pair(view: View, top: TopView, rectangles: Sequence[Rectangle], size: tuple[float, float] | None) -> Pair | None:
    """The pair where both photos stand out from the cloth: only what lies in rectangles is matched, a small part of the table."""
    quads = [r.quad for r in rectangles if _aside_mm(view, r.quad.mean(0)) <= ASIDE_MM][:PLAIN]
    if len(quads) < 2:
        return None
    pair = _best_pair(view, top, find_poses(keypoints(view.top(MATCH_PX_PER_MM), quads=quads)), rectangles, size)
    return pair if pair is not None and pair.found >= SURE else None


def _best_pair(
    view: View, top: TopView, poses: Sequence[Pose], rectangles: Sequence[Rectangle], size: tuple[float, float] | None
) -> Pair | None:
    central = [p for p in poses if _aside_mm(view, p.a.mean(0)) < ROOM_MM and _aside_mm(view, p.b.mean(0)) < ROOM_MM]
    best: Pair | None = None
    for pose in sorted(central, key=lambda p: _remoteness(view, p.a.mean(0), p.b.mean(0)) - 15 * np.log2(len(p.a)))[:TRIED]:
        pair = _outlined(view, top, pose, rectangles, size)
        if pair is not None and (best is None or pair.found > best.found):
            best = pair
        if best is not None and best.found >= SURE:
            break
    return best


def _outlined(
    view: View, top: TopView, pose: Pose, rectangles: Sequence[Rectangle], size: tuple[float, float] | None
) -> Pair | None:
    beginnings = [q for r in rectangles for q in (r.quad, pose.to_a(r.quad)) if _holds(q, pose.a)]
    outline = fit(top, pose.a, beginnings, pose, size_mm=size)
    if size is not None:
        free = fit(top, pose.a, beginnings, pose)
        if free is not None and (outline is None or free.score - outline.score > OTHER_SIZE):
            outline = free
    if outline is None:
        return None
    other = pose.to_b(outline.quad)
    a, b = outline.quad.mean(0), other.mean(0)
    if np.hypot(*(a - b)) < APART_MM or iou(other, outline.quad) > LAPPED or max(_aside_mm(view, a), _aside_mm(view, b)) > ASIDE_MM:
        return None
    return Pair(pose, outline, other, _probable(outline, len(pose.a)))


def _probable(outline: Outline, matches: int) -> float:
    """How probable a pair is, by the agreement of its pictures, its sides, its matches, and whether another size would do."""
    lean = 9 * (outline.alike - 0.18) + 7 * (outline.clear - 0.5) + 0.6 * np.log2(matches / 16) + 3 * min(0.0, outline.lead - 0.8)
    return float(1 / (1 + np.exp(-lean)))


def _lone(
    view: View, top: TopView, poses: Sequence[Pose], rectangles: Sequence[Rectangle], seen: Keypoints, size: tuple[float, float] | None
) -> list[tuple[Outline, float]]:
    """What has a photo's outline in the middle, with how probable it is one, at most two that do not cover each other.

    Lines of the cloth, a row of markers and an arm make rectangles as well: what no contour shows is doubted.
    """
    abouts = [r.quad for r in rectangles] + [matched for p in poses for matched in (p.a, p.b)]
    outlines: list[Outline] = []
    for about in abouts:
        if _aside_mm(view, about.mean(0)) > 0 or any(_holds(o.quad, about) for o in outlines):
            continue
        outline = fit(top, about, [r.quad for r in rectangles if _holds(r.quad, about)], size_mm=size)
        if outline is not None and _aside_mm(view, outline.quad.mean(0)) <= 0:
            outlines.append(outline)
    rated = []
    for outline in outlines:
        crammed = np.count_nonzero(inside_convex(outline.quad, seen.at)) / CRAMMED
        twins = sum(o is not outline and np.abs(np.subtract(o.size(), outline.size())).max() < 4 for o in outlines)
        lean = 8 * (min(outline.sides) - 0.45) + min(crammed, 3) - 2 + (1.0 if twins or size else 0.0)
        stands_out = any(iou(r.quad, outline.quad) > 0.8 for r in rectangles)
        rated.append((outline, float((0.85 if stands_out else 0.45) / (1 + np.exp(-lean)))))
    kept: list[tuple[Outline, float]] = []
    for outline, found in sorted(rated, key=lambda r: -r[1]):
        if found >= CLAIMED and all(iou(outline.quad, k.quad) < 0.15 for k, _ in kept):
            kept.append((outline, found))
    return kept[:2]


def _remoteness(view: View, a: Points, b: Points) -> float:
    """How far two photos lie from the table's middle, and apart (mm): the pile and the discards lie aside."""
    return float(np.hypot(*((a + b) / 2 - np.array(view.table.centre_mm()))) + np.hypot(*(a - b)) / 2)


def _aside_mm(view: View, at: Points) -> float:
    """How far outside the common area a place lies; negative inside, and where no such area is known."""
    return -depth_inside(view.table.common, (at[0], at[1])) if view.table.common else -1.0


def _holds(quad: Points, about: Points) -> bool:
    return bool(inside_convex(quad, about).mean() > 0.6)


def _photo(quad: Points, found: float, inside: Inside) -> Photo:
    sure = {"found": found, "side": inside.sure}
    return Photo(quad=quad_of(quad), side=inside.side, sure=sure, hidden=inside.hidden)
