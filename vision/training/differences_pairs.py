"""Pairs of almost identical pictures with truth, drawn at will: what the difference map is trained, calibrated and measured on.

Every pair is drawn from its seed alone, out of shapes and textures, and (where given) of sprites and photographs. Each side then goes
through a camera of its own: resolution, blur, lamp, shadow, glare, noise, sharpening, JPEG, a residue of misalignment.
"""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.geometry import Picture
from vision.training import grounds
from vision.training.differences_camera import Camera, photographed
from vision.training.differences_circles import Hulls, RingAt, RingStyle, print_rings, ring_places
from vision.training.differences_plain import LEAST_LEVELS, levels, residue, stands_out
from vision.training.differences_scenes import Sources, paste, recoloured, retouch, scenery, thing, to_grey

WIDTH = 768
LEAST_AREA = 30  # pixels of a difference that lie on the print
LEAST_FILE_AREA = 10  # ... and of the poorer file
CUT_OFF = 0.4  # of a difference: where less lies on the print it counts for nothing
MOST_HIDDEN = 0.35
NONE_PART = 0.25  # of all pairs show no difference
# the share of each kind: what changes the least pixels is missed the most, so it comes more often
KINDS = {"added": 0.13, "removed": 0.16, "replaced": 0.13, "recoloured": 0.2, "moved": 0.1, "mirrored": 0.16, "resized": 0.12}
PAPER = (245, 245, 245)
ANYTHING = 0.25  # of the tables
LEVELS = {0.0: 0.15, 0.25: 0.25, 0.5: 0.35, 0.8: 0.15, 1.0: 0.1}  # the share of each level of a camera's faults
Mask = NDArray[np.uint8]
Box = tuple[int, int, int, int]  # x, y, w, h


@dataclass(frozen=True)
class Difference:
    """One true difference: its kind and its boxes (x, y, w, h) in the common frame; two where a thing moved."""

    kind: str
    boxes: tuple[Box, ...]
    hidden: bool


@dataclass(frozen=True)
class Pair:
    """Two aligned pictures and what is true of them; masks are (h, w) uint8, 0 or 1."""

    a: Picture
    b: Picture
    changed: Mask  # convex hull of each difference
    ignore: Mask  # neither right nor wrong to call changed
    inside: Mask  # the print, as against the table round it
    unseen: Mask  # burnt out or covered on one side
    differences: tuple[Difference, ...]
    rings: tuple[list[RingAt], list[RingAt]]  # printed on A, on B
    files_px: tuple[int, int]  # how wide the files of A and of B are; what is more was interpolated


@dataclass(frozen=True)
class Prints:
    """Two prints as they lie on paper, before any camera."""

    a: Picture
    b: Picture
    hulls: Hulls
    rings: tuple[list[RingAt], list[RingAt]]  # printed on A, on B
    one_grey: bool  # only one of the two


def draw_prints(
    rng: np.random.Generator, sources: Sources, *, differences: int | None = None, without: frozenset[int] = frozenset()
) -> Prints:
    """A scene and what differs in it; `differences` fixes how many things do (0..10), else it is drawn.

    Those in `without` (the first that was made: 0) are taken back.
    """
    height = int(WIDTH * rng.choice([0.6, 0.66, 0.7, 0.75, 0.8, 1.0]))
    base = scenery(rng, sources, WIDTH, height)
    a, b = base.copy(), base.copy()
    low, high = (0.025, 0.07) if rng.random() < 0.7 else (0.02, 0.16)
    shadow = float(rng.uniform(0.2, 0.6)) if rng.random() < 0.4 else 0.0
    for _ in range(int(rng.choice([0, 15, 40, 90, 140]))):
        sprite = thing(rng, sources, max(6, int(WIDTH * np.exp(rng.uniform(np.log(low), np.log(high))))))
        x, y = int(rng.uniform(-0.02, 0.98) * WIDTH), int(rng.uniform(-0.02, 0.98) * height)
        for picture in (a, b):
            paste(picture, sprite, x, y, shadow=shadow)
    n = differences if differences is not None else (0 if rng.random() < NONE_PART else int(rng.integers(1, 11)))
    retouched = float(rng.choice([0.1, 0.3, 0.9]))
    grey = rng.random()
    hulls: Hulls = []
    taken: list[Box] = []
    made = 0
    for _ in range(n):
        way = Way(str(rng.choice(list(KINDS), p=list(KINDS.values()))), bool(rng.random() < retouched), shadow, grey < 0.55)
        for _ in range(10):
            before = a.copy(), b.copy()
            change = _change(rng, sources, a, b, taken, way)
            if change is not None:
                if made in without:
                    a, b = before
                else:
                    hulls.append(change)
                made += 1
                break
    a, b = (to_grey(a) if grey < 0.5 else a), (to_grey(b) if grey < 0.42 or 0.5 < grey < 0.55 else b)
    rings: tuple[list[RingAt], list[RingAt]] = ([], [])
    if grey < 0.42 and rng.random() < 0.75:
        style = RingStyle.drawn(rng)
        rings = ring_places(rng, hulls, style, WIDTH, height)
        for picture, where in zip((a, b), rings, strict=True):
            print_rings(rng, picture, where, style)
    return Prints(a, b, hulls, rings, 0.42 <= grey < 0.55)


def draw_pair(seed: int, sources: Sources, *, differences: int | None = None) -> Pair:
    """The pair of this seed as two cameras show it.

    What a careful person would not find in it, since it hardly shows or nearly all of it was cut off, is taken back, and drawn once more.
    """
    pair, faint = _seen(draw_prints(np.random.default_rng(seed), sources, differences=differences), seed, sources)
    if not faint:
        return pair
    return _seen(draw_prints(np.random.default_rng(seed), sources, differences=differences, without=faint), seed, sources)[0]


def _seen(prints: Prints, seed: int, sources: Sources) -> tuple[Pair, frozenset[int]]:
    """Two prints as two cameras show them; and which of their differences hardly show."""
    rng = np.random.default_rng([seed, 2])
    a, b, hulls = prints.a, prints.b, prints.hulls
    height = a.shape[0]
    inside = np.ones((height, WIDTH), np.uint8)
    a, b = _on_table(rng, sources, a, b, inside)
    cameras = _cameras(rng)
    if prints.one_grey:  # a grey side can only be compared with a grey one
        a, b = to_grey(a), to_grey(b)
    (shot_a, hidden_a), (shot_b, hidden_b) = (photographed(rng, p, camera) for p, camera in zip((a, b), cameras, strict=True))
    if prints.one_grey:
        shot_a, shot_b = to_grey(shot_a), to_grey(shot_b)
    hidden = hidden_a | hidden_b
    files = [min(WIDTH, round(c.native_px)) for c in cameras]
    changed, ignore = np.zeros((2, height, WIDTH), np.uint8)
    rest = residue(shot_a, shot_b, inside > 0) if hulls else np.zeros(inside.shape, np.float32)
    everywhere = [[_box(part) for part in parts] for _, parts in hulls]
    truths, faint = [], set()
    for n, (kind, parts) in enumerate(hulls):
        whole = np.zeros_like(changed)
        for part in parts:
            cv2.fillConvexPoly(whole, part, 1)
        mask = whole & inside
        least = max(LEAST_AREA, CUT_OFF * whole.sum(), LEAST_FILE_AREA * (WIDTH / min(files)) ** 2)
        boxes = tuple(box for part in parts if (box := _shown(part, inside)) is not None)
        others = [box for k, some in enumerate(everywhere) if k != n for box in some]
        covered = bool(mask.any() and hidden[mask > 0].mean() > MOST_HIDDEN)
        plain = covered or (levels(rest, boxes) >= LEAST_LEVELS and stands_out(rest, boxes, others, inside > 0))
        shows = plain and mask.sum() >= least
        if not shows:
            faint.add(n)
        if covered or not shows:
            ignore |= mask
        changed |= mask
        if boxes:
            truths.append(Difference(kind, boxes, covered or not shows))
    ignore |= hidden & changed
    pair = Pair(shot_a, shot_b, changed, ignore, inside, hidden, tuple(truths), prints.rings, (files[0], files[1]))
    return pair, frozenset(faint)


def _shown(part: NDArray[np.int32], inside: Mask) -> Box | None:
    """The box of what of a part lies on the print."""
    mask = np.zeros_like(inside)
    cv2.fillConvexPoly(mask, part, 1)
    box = _box(mask & inside)
    return box if box[2] else None


# ---------------------------------------------------------------- differences


@dataclass(frozen=True)
class Way:
    """How something is to be changed."""

    kind: str
    retouched: bool  # as picture editors do, whatever kind that makes; else a thing is laid there
    shadow: float
    in_grey: bool  # a change of hue alone does not show


def _change(
    rng: np.random.Generator, sources: Sources, a: Picture, b: Picture, taken: list[Box], way: Way
) -> tuple[str, list[NDArray[np.int32]]] | None:
    """Makes one difference in place; its kind and the hulls of its parts, or None where there was no room or nothing to see."""
    height, width = a.shape[:2]
    side = int(width * np.exp(rng.uniform(np.log(0.012), np.log(0.09 if rng.random() < 0.85 else 0.2))))
    x, y = (int(rng.integers(-side // 3, max(3, n - 2 * side // 3))) for n in (width, height))
    margin = int(rng.integers(2, 16))
    if _crowded((x, y, side, side), taken, margin):
        return None
    # all happens in a window round the place
    left, top = max(0, x - 2 * side), max(0, y - 2 * side)
    a, b = (picture[top : y + 3 * side, left : x + 3 * side] for picture in (a, b))
    others = [(tx - left, ty - top, tw, th) for tx, ty, tw, th in taken]
    made = _change_here(rng, sources, a, b, (x - left, y - top), side, others, margin, way)
    if made is None:
        return None
    kind, hulls = made
    hulls = [hull + np.array([left, top], np.int32) for hull in hulls]
    taken.extend(_box(hull) for hull in hulls)
    return kind, hulls


def _change_here(
    rng: np.random.Generator,
    sources: Sources,
    a: Picture,
    b: Picture,
    at: tuple[int, int],
    side: int,
    taken: list[Box],
    margin: int,
    way: Way,
) -> tuple[str, list[NDArray[np.int32]]] | None:
    x, y = at
    height, width = a.shape[:2]
    before_a, before_b = a.copy(), b.copy()
    kind, shadow = way.kind, way.shadow
    if way.retouched:
        kind = retouch(rng, a, b, x, y, side)
    else:
        first = thing(rng, sources, side)
        paste(a, first, x, y, shadow=shadow)
        if kind == "added":
            paste(b, first, x, y, shadow=shadow)
            a[:] = before_a
        elif kind == "removed":
            pass
        elif kind == "replaced":
            second = thing(rng, sources, int(side * rng.uniform(0.7, 1.2)))
            paste(b, second, x + int(rng.normal(0, 2)), y + int(rng.normal(0, 2)), shadow=shadow)
        elif kind == "recoloured":
            paste(b, recoloured(rng, first), x, y, shadow=shadow)
        elif kind == "mirrored":
            paste(b, np.ascontiguousarray(first[:, ::-1]), x, y, shadow=shadow)
        elif kind == "resized":
            k = float(rng.choice([rng.uniform(0.5, 0.75), rng.uniform(1.3, 1.7)]))
            size = (max(3, round(first.shape[1] * k)), max(3, round(first.shape[0] * k)))
            paste(
                b,
                cv2.resize(first, size, interpolation=cv2.INTER_AREA),  # type: ignore[arg-type]
                x + (first.shape[1] - size[0]) // 2,
                y + (first.shape[0] - size[1]) // 2,
                shadow=shadow,
            )
        else:
            angle, far = rng.uniform(0, 2 * np.pi), side * rng.uniform(0.35, 1.6)
            nx, ny = int(np.clip(x + far * np.cos(angle), 0, width - side)), int(np.clip(y + far * np.sin(angle), 0, height - side))
            if _crowded((nx, ny, side, side), taken, margin):
                a[:], b[:] = before_a, before_b
                return None
            paste(b, first, nx, ny, shadow=shadow)
    seen = np.abs(a.astype(np.int16) - b).max(2) - np.abs(before_a.astype(np.int16) - before_b).max(2)
    apart = (seen > 12).astype(np.uint8)
    shown = [cv2.cvtColor(p, cv2.COLOR_BGR2GRAY) if way.in_grey else p for p in (a, b)]
    levels = cv2.absdiff(*shown).reshape(height, width, -1).max(2)[apart > 0]
    if apart.sum() < 30 or np.percentile(levels, 75) < (14 if way.in_grey else 28):
        a[:], b[:] = before_a, before_b
        return None
    joined = cv2.morphologyEx(apart, cv2.MORPH_CLOSE, np.ones((3, 3), np.uint8))
    if kind != "moved":
        parts = [np.argwhere(joined)[:, ::-1]]
    else:
        grown = cv2.dilate(joined, np.ones((5, 5), np.uint8))
        count, labels = cv2.connectedComponents(grown)
        parts = [np.argwhere((labels == k) & (joined > 0))[:, ::-1] for k in range(1, count)]
        parts = [p for p in parts if len(p) >= 12]
    hulls = [np.asarray(cv2.convexHull(p.astype(np.int32)), np.int32) for p in parts]
    if not hulls or any(_crowded(_box(hull), taken, margin) for hull in hulls):
        a[:], b[:] = before_a, before_b
        return None
    return kind, hulls


def _box(where: NDArray[np.int32] | Mask) -> Box:
    """Round points (n, 2) or a mask."""
    x, y, w, h = (int(v) for v in cv2.boundingRect(where))
    return x, y, w, h


def _crowded(box: Box, taken: list[Box], margin: int) -> bool:
    x, y, w, h = box
    return any(x < tx + tw + margin and tx < x + w + margin and y < ty + th + margin and ty < y + h + margin for tx, ty, tw, th in taken)


# ---------------------------------------------------------------- surroundings and cameras


def _on_table(rng: np.random.Generator, sources: Sources, a: Picture, b: Picture, inside: Mask) -> tuple[Picture, Picture]:
    """Sometimes the print covers a part of the view only, on two tables; sometimes it has a white margin."""
    height, width = a.shape[:2]
    if rng.random() < 0.3:
        m = int(rng.uniform(0.005, 0.03) * width)
        for picture in (a, b):
            cv2.rectangle(picture, (0, 0), (width - 1, height - 1), PAPER, 2 * m)
    if rng.random() < 0.55:
        return a, b
    reach = float(rng.choice([0.015, 0.05, 0.12])) * width
    corners = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float64)
    inward = np.array([[1, 1], [-1, 1], [-1, -1], [1, -1]]) * rng.uniform(0.1, 1, (4, 2)) * reach
    quad = (corners + inward).astype(np.int32)
    inside[:] = 0
    cv2.fillConvexPoly(inside, quad, 1)
    outs = []
    cropped = int(rng.integers(2)) if rng.random() < 0.25 else None  # one shows less of the print, the other more
    same = _table(rng, sources, width, height) if rng.random() < 0.3 else None
    for side, picture in enumerate((a, b)):
        if side == cropped:
            outs.append(picture)
            continue
        moved = (int(rng.integers(0, 99)), int(rng.integers(0, 99)))
        table = _table(rng, sources, width, height) if same is None else np.roll(same, moved, (0, 1))
        outs.append(np.where(inside[..., None] > 0, picture, _beneath(rng, table, quad)))
    return outs[0], outs[1]


def _table(rng: np.random.Generator, sources: Sources, width: int, height: int) -> Picture:
    """Wood, cloth, a plain top; now and then a picture of anything, as a magazine or a rug shows."""
    if rng.random() < ANYTHING:
        return scenery(rng, sources, width, height)
    return np.asarray(255 * grounds.table(rng, max(width, height))[:height, :width], np.uint8)


def _beneath(rng: np.random.Generator, table: Picture, quad: NDArray[np.int32]) -> Picture:
    """A table on which a print lies: with its shadow, and its white margin where the other print was cut without one."""
    width = table.shape[1]
    lit = table.copy()
    if rng.random() < 0.5:
        shade = np.zeros(table.shape[:2], np.float32)
        cv2.fillConvexPoly(shade, quad + rng.integers(-8, 9, 2, np.int32), float(rng.uniform(0.2, 0.6)))
        shade = np.asarray(cv2.GaussianBlur(shade, (0, 0), float(rng.uniform(1, 8))), np.float32)
        lit = np.asarray(lit * (1 - shade[..., None]), np.uint8)
    if rng.random() < 0.25:
        cv2.polylines(lit, [quad], True, PAPER, 2 * int(rng.uniform(0.005, 0.04) * width))
    return lit


def _cameras(rng: np.random.Generator) -> tuple[Camera, Camera]:
    """Two cameras of one occasion."""
    level = float(rng.choice(list(LEVELS), p=list(LEVELS.values())))
    low = 240 if rng.random() < 0.3 else 480  # most prints fill a good part of a photo
    native = float(np.exp(rng.uniform(np.log(low), np.log(1200)))) if level > 0 else 1000.0
    a, b = (native * float(np.exp(rng.normal(0, 0.2))) if level > 0 else native for _ in range(2))
    return Camera.drawn(rng, level=level, native_px=a), Camera.drawn(rng, level=level, native_px=b)
