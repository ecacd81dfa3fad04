"""From maps to places: one middle a changed thing, the two places of a moved thing linked, and what kind of change it is."""

from dataclasses import dataclass, replace
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.differences.laid import Laid
from vision.differences.maps import STRIDE, Map, Maps
from vision.geometry import Picture
from vision.observation import Box

LINK = 0.12  # what is connected by so much is one thing, unless two middles part it
WEAK = 0.4  # a place reaches as far as this
STRONGEST_AT_LEAST = 0.3  # and its strongest value is at least this, to be a candidate at all
MIDDLE = 0.35  # a cell that is so likely the middle of a thing parts a place from its neighbour
MIDDLES_APART = 2  # cells: how far from each other two middles lie at least
MIDDLES_APART_PART = 0.55  # ... and of the size of the place that they part
PART = 0.45  # of a place: so much of it within another's box makes it a part of that
COVERS = 0.3  # part of a place
LEAST_CELLS = 2  # cells of the map
RIM_CELLS = 2  # round a place: there the edge of the print would lie
SAME_THING = 0.85  # correlation from which two places show one thing
MAY_BE_THE_SAME = 0.6  # ... and at half the size, which is quick, from which that is asked
FLAT = 6.0  # levels: what is spread by less shows too little to be known again
SMALL_PX = 24.0  # what is smaller shows too little at half the size

Mask = NDArray[np.bool_]


@dataclass(frozen=True)
class Candidate:
    """A place that may be a difference. Boxes are pixels of the working frame."""

    boxes: tuple[Box, ...]  # one; two where a thing moved
    peak: float  # strongest value of the map in it
    centre: float  # how likely its likeliest cell is the middle of a thing
    mean: float  # mean of the map over it
    cells: int  # size in cells of the map
    contrast: float  # how much the two pictures differ in it, in units of what is usual in this pair
    unseen: float  # part of it that is burnt out or covered
    border: float  # distance of its middle to the border of what is compared, part of the width
    kind: str | None = None
    inside: float = 1.0  # how far it lies on the print, as the map has it
    rim: float = 1.0  # ... and its surroundings, where they do the least
    certain: bool = False  # two files that are equal elsewhere differ there

    @property
    def box(self) -> Box:
        """The box round all its parts."""
        x0, y0 = min(b[0] for b in self.boxes), min(b[1] for b in self.boxes)
        x1, y1 = max(b[0] + b[2] for b in self.boxes), max(b[1] + b[3] for b in self.boxes)
        return x0, y0, x1 - x0, y1 - y0


def candidates(laid: Laid, maps: Maps, usable: Mask, covered: Mask) -> list[Candidate]:
    """Every place of the map of changes, within `usable` (cells of the map), strongest first.

    Connected cells are one place, but for things that touch: each has a middle of its own. A place that reaches far into what is
    `covered` (hidden) is no difference.
    """
    labels, count = _parted((maps.changed > LINK) & (usable | covered), maps.centre)
    labels[maps.changed <= WEAK] = 0
    depth = cv2.distanceTransform(np.pad(usable, 1).astype(np.uint8), cv2.DIST_L2, 3)[1:-1, 1:-1]
    apart = _apart(laid)
    usual = float(np.median(apart[laid.region])) + 1.0 if laid.region.any() else 1.0
    h, w = laid.a.shape[:2]
    out = []
    for k in range(1, count):
        x, y, bw, bh = cv2.boundingRect((labels == k).astype(np.uint8))
        where = labels[y : y + bh, x : x + bw] == k
        cells = int(where.sum())
        if cells < LEAST_CELLS or (covered[y : y + bh, x : x + bw] & where).sum() > COVERS * cells:
            continue
        values = maps.changed[y : y + bh, x : x + bw][where]
        if values.max() < STRONGEST_AT_LEAST:
            continue
        box = (float(x * STRIDE), float(y * STRIDE), float(min(bw * STRIDE, w - x * STRIDE)), float(min(bh * STRIDE, h - y * STRIDE)))
        patch = apart[y * STRIDE : (y + bh) * STRIDE, x * STRIDE : (x + bw) * STRIDE]
        out.append(
            Candidate(
                (box,),
                float(values.max()),
                float(maps.centre[y : y + bh, x : x + bw][where].max()),
                float(values.mean()),
                cells,
                float(np.percentile(patch, 90)) / usual,
                float((maps.unseen[y : y + bh, x : x + bw][where] > 0.5).mean()),
                float(depth[y : y + bh, x : x + bw].max()) * STRIDE / w,
                kind_of(laid, box),
                float(maps.inside[y : y + bh, x : x + bw][where].mean()),
                float(maps.inside[max(0, y - RIM_CELLS) : y + bh + RIM_CELLS, max(0, x - RIM_CELLS) : x + bw + RIM_CELLS].min()),
            )
        )
    return sorted(_linked(laid, out), key=lambda c: -c.peak)


def _parted(weak: Mask, centre: Map) -> tuple[NDArray[np.int32], int]:
    """Labels of the connected cells; those with several middles are parted, each cell to the nearest."""
    count, labels = cv2.connectedComponents(weak.astype(np.uint8), connectivity=4)
    n = 2 * MIDDLES_APART + 1
    ys, xs = np.nonzero((centre > MIDDLE) & (centre == cv2.dilate(centre, np.ones((n, n), np.uint8))) & weak)
    for k in np.unique(labels[ys, xs]):
        mine = np.flatnonzero(labels[ys, xs] == k)
        if len(mine) < 2:
            continue
        cells = np.argwhere(labels == k)
        kept: list[int] = []
        for m in mine[np.argsort(-centre[ys[mine], xs[mine]], kind="stable")]:
            if all(np.hypot(ys[m] - ys[o], xs[m] - xs[o]) > MIDDLES_APART_PART * np.sqrt(len(cells)) for o in kept):
                kept.append(int(m))
        nearest = np.hypot(cells[:, :1] - ys[kept], cells[:, 1:] - xs[kept]).argmin(1)
        for part in range(1, len(kept)):
            row, column = cells[nearest == part].T
            labels[row, column] = count
            count += 1
    return np.asarray(labels, np.int32), count


def without_parts(found: list[Candidate]) -> list[Candidate]:
    """The candidates without those that lie mostly within another: these are parts of it, and lend it their strength."""
    out: list[Candidate] = []
    for c in sorted(found, key=lambda c: -c.box[2] * c.box[3]):
        whole = next((k for k, other in enumerate(out) if any(_part_within(p, q) > PART for p in c.boxes for q in other.boxes)), None)
        if whole is None:
            out.append(c)
        else:
            other = out[whole]
            out[whole] = replace(other, peak=max(c.peak, other.peak), centre=max(c.centre, other.centre), mean=max(c.mean, other.mean))
    return sorted(out, key=lambda c: -c.peak)


def _part_within(p: Box, q: Box) -> float:
    """How much of the box p lies within q, 0..1."""
    across, down = min(p[0] + p[2], q[0] + q[2]) - max(p[0], q[0]), min(p[1] + p[3], q[1] + q[3]) - max(p[1], q[1])
    return max(0.0, across) * max(0.0, down) / max(1.0, p[2] * p[3])


def overlapping(p: Box, q: Box, grown: float) -> bool:
    """Whether two boxes come nearer to each other than `grown`."""
    return gap(p, q) < grown


def gap(p: Box, q: Box) -> float:
    """How far two boxes lie apart, across or down, whichever is more; below zero how far they reach into each other."""
    return max(p[0] - q[0] - q[2], q[0] - p[0] - p[2], p[1] - q[1] - q[3], q[1] - p[1] - p[3])


def joined(boxes: list[Box], grown: float) -> list[Box]:
    """Boxes that come nearer to each other than `grown` as one."""
    out: list[Box] = []
    for box in boxes:
        while (near := next((k for k, other in enumerate(out) if overlapping(box, other, grown)), None)) is not None:
            other = out.pop(near)
            x0, y0 = min(box[0], other[0]), min(box[1], other[1])
            x1, y1 = max(box[0] + box[2], other[0] + other[2]), max(box[1] + box[3], other[1] + other[3])
            box = (x0, y0, x1 - x0, y1 - y0)
        out.append(box)
    return out


def _apart(laid: Laid) -> Map:
    """How much the two differ at each pixel once their light is equal over a fifth of the width, the best of one pixel's shifts."""
    a, b = (cv2.cvtColor(p, cv2.COLOR_BGR2GRAY).astype(np.float32) for p in (laid.a, laid.b))
    size = laid.width // 5 | 1
    a, b = (v - cv2.blur(v, (size, size)) for v in (a, b))
    spread = float(a[laid.region].std()) / (float(b[laid.region].std()) + 1e-3) if laid.region.any() else 1.0
    mine, other = cv2.blur(a, (3, 3)), cv2.blur(b * spread, (3, 3))
    low, high = cv2.erode(other, np.ones((5, 5), np.uint8)), cv2.dilate(other, np.ones((5, 5), np.uint8))
    return np.asarray(np.maximum(np.maximum(mine - high, low - mine), 0), np.float32)


# ---------------------------------------------------------------- moved things


def _linked(laid: Laid, found: list[Candidate]) -> list[Candidate]:
    """Joins two places where one side of the first shows what the other side of the second shows: a thing that moved."""
    near = [
        (i, j) for i, p in enumerate(found) for j, q in enumerate(found) if i != j and _comparable(p.box, q.box) and not _ground_only(p, q)
    ]
    if not near:
        return found
    boxes = [c.box for c in found]
    half_a, half_b = (np.asarray(cv2.resize(p, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA), np.uint8) for p in (laid.a, laid.b))
    halved = [(x / 2, y / 2, w / 2, h / 2) for x, y, w, h in boxes]
    hinted = [
        (i, j)
        for i, j in near
        if min(*boxes[i][2:], *boxes[j][2:]) < SMALL_PX or _same_thing(half_a, half_b, halved[i], halved[j]) > MAY_BE_THE_SAME
    ]
    scores = [(score, i, j) for i, j in hinted if (score := _same_thing(laid.a, laid.b, boxes[i], boxes[j])) > SAME_THING]
    taken: set[int] = set()
    out = []
    for _, i, j in sorted(scores, reverse=True):
        if i in taken or j in taken:
            continue
        taken |= {i, j}
        p, q = found[i], found[j]
        out.append(
            Candidate(
                p.boxes + q.boxes,
                max(p.peak, q.peak),
                max(p.centre, q.centre),
                max(p.mean, q.mean),
                p.cells + q.cells,
                max(p.contrast, q.contrast),
                min(p.unseen, q.unseen),
                max(p.border, q.border),
                "moved",
                max(p.inside, q.inside),
                max(p.rim, q.rim),
            )
        )
    return out + [c for k, c in enumerate(found) if k not in taken]


def _comparable(p: Box, q: Box) -> bool:
    """Of one size, roughly, and not far apart."""
    far = np.hypot(p[0] + p[2] / 2 - q[0] - q[2] / 2, p[1] + p[3] / 2 - q[1] - q[3] / 2)
    sizes = [max(p[2], 8) / max(q[2], 8), max(p[3], 8) / max(q[3], 8)]
    return all(0.5 < s < 2 for s in sizes) and far < 5 * max(p[2], p[3], q[2], q[3])


def _ground_only(p: Candidate, q: Candidate) -> bool:
    """Whether A has the ground at p or B at q: that of two things on one shelf or wall agrees, but it is not what moved."""
    return p.kind == "added" or q.kind == "removed"


def _same_thing(a: Picture, b: Picture, p: Box, q: Box) -> float:
    """Correlation of A's content at p with B's content at q (best shift); 0 where either is flat."""
    size = max(p[2], p[3], q[2], q[3])
    template = _around(a, p, 0.5 * min(p[2], q[2]), 0.5 * min(p[3], q[3]))
    search = _around(b, q, size * 0.75 + 3, size * 0.75 + 3)
    if template is None or search is None or search.shape[0] < template.shape[0] or search.shape[1] < template.shape[1]:
        return 0.0
    if _spreads(template, template.shape)[0, 0] < FLAT:
        return 0.0
    alike = cv2.matchTemplate(search, template, cv2.TM_CCOEFF_NORMED)
    alike[_spreads(search, template.shape)[: alike.shape[0], : alike.shape[1]] < FLAT] = 0  # there the correlation is a division by nothing
    return float(alike.max())


def _spreads(picture: Picture | NDArray[np.uint8], size: tuple[int, ...]) -> Map:
    """The standard deviation in the window of (rows, columns) whose top left each pixel is."""
    grey = cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY).astype(np.float32)
    window = size[1], size[0]
    mean, square = (cv2.boxFilter(v, cv2.CV_32F, window, anchor=(0, 0)) for v in (grey, grey * grey))
    return np.asarray(np.sqrt(np.maximum(square - mean * mean, 0)), np.float32)


def _around(picture: Picture, box: Box, half_w: float, half_h: float) -> NDArray[np.uint8] | None:
    cx, cy = box[0] + box[2] / 2, box[1] + box[3] / 2
    x0, y0, x1, y1 = (round(v) for v in (cx - half_w, cy - half_h, cx + half_w, cy + half_h))
    x0, y0, x1, y1 = max(0, x0), max(0, y0), min(picture.shape[1], x1), min(picture.shape[0], y1)
    if x1 - x0 < 6 or y1 - y0 < 6:
        return None
    return np.ascontiguousarray(picture[y0:y1, x0:x1])


# ---------------------------------------------------------------- kinds


def kind_of(laid: Laid, box: Box) -> str | None:
    """What happened there, from A to B; None where it cannot be told."""
    a, b = (_around(p, box, box[2] / 2 + 2, box[3] / 2 + 2) for p in (laid.a, laid.b))
    if a is None or b is None:
        return None
    ga, gb = (cv2.GaussianBlur(cv2.cvtColor(p, cv2.COLOR_BGR2GRAY).astype(np.float32), (0, 0), 1.0) for p in (a, b))
    if _correlation(ga, gb[:, ::-1]) > 0.8 and _correlation(ga, gb) < 0.7:
        return "mirrored"
    ea, eb = (cv2.magnitude(cv2.Sobel(g, cv2.CV_32F, 1, 0), cv2.Sobel(g, cv2.CV_32F, 0, 1)) for g in (ga, gb))
    if _correlation(ea, eb) > 0.7:
        return "recoloured"
    strength_a, strength_b = float(np.percentile(ea, 85)), float(np.percentile(eb, 85))
    if strength_b > 1.7 * strength_a:
        return "added"
    if strength_a > 1.7 * strength_b:
        return "removed"
    for k in (0.6, 0.7, 0.8, 1.25, 1.45, 1.65):
        if _correlation(_scaled(ga, k), gb) > 0.75:
            return "resized"
    return "replaced"


def _correlation(a: NDArray[Any], b: NDArray[Any]) -> float:
    a, b = a - a.mean(), b - b.mean()
    return float((a * b).sum() / (np.sqrt(float((a * a).sum()) * float((b * b).sum())) + 1e-6))


def _scaled(grey: NDArray[Any], k: float) -> NDArray[Any]:
    h, w = grey.shape
    m = np.array([[k, 0, (1 - k) * (w - 1) / 2], [0, k, (1 - k) * (h - 1) / 2]])
    return np.asarray(cv2.warpAffine(grey, m, (w, h), borderMode=cv2.BORDER_REPLICATE), np.float32)
