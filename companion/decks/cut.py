"""Cards cut out of a scan or photograph: found on their bed, straightened, edge to edge.

A scanner's bed (or a plain table) is what lies along the picture's border; what stands out from it and has a card's shape is a card. Each
of its sides is then fitted to a fraction of a pixel where the bed ends. A picture without a bed that has a card's shape is a card itself.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.cv import NOTHING
from vision.geometry import Picture, Points, begun_like, clockwise, iou, points

ROUGH_PX = 1000                          # the longer side at which outlines are found
LARGEST_PX = 5000                        # the longer side at which they are fitted
LEVELS = (6.0, 9.0, 13.0, 19.0, 28.0, 40.0)   # distances from the bed, in Lab
BORDER = 0.012                           # of the picture: where only the bed lies
PLAIN = 12.0                             # Lab: the bed varies no more ...
PLAINLY = 0.8                            # ... in such a part of the border
LEAST = 0.08                             # of the picture's longer side: a card is longer
FILLED = 0.88                            # of its rectangle, by the contour's hull
SHAPE = 0.10                             # of the sides' ratio: photographs look aslant
WHOLE = 0.04                             # of the ratio: a picture so near a card's shape may be a card
SHOWN = 3.0                              # spread, in Lab: a bare bed shows less
FRAMED, FILLING = 0.01, 0.6              # of the ratio; of the picture: what a card's own rim frames
ONE_SIZE = 0.12                          # of the usual longer side: all cards have one size
POINTS, REACH = 80, 0.03                 # along a side; of the longer side, across it
STEP = 5.0                               # Lab: less is no edge
SOFT_PX = 7                              # an edge, with what JPEG adds to it, is no wider
ON_LINE_PX = 0.8                         # a point of the edge lies so near the line
MOST_PX_MM = 12.0                        # a card is kept no finer
SCANNERS_DPI = (75, 100, 150, 200, 240, 300)
SAME_DPI, STEP_PX_MM = 0.02, 0.5         # one size for all cards: a scanner's own, or a round one


@dataclass(frozen=True)
class Cut:
    """A card out of a picture. `quad` (4, 2): its corners there, pixels, from the top left of `picture`, clockwise."""

    picture: Picture
    quad: Points

    @property
    def on_its_side(self) -> bool:
        """Whether the card's upper edge runs up or down in the scan."""
        across, down = np.abs(self.quad[1] - self.quad[0])
        return bool(down > across)


@dataclass(frozen=True)
class Cuts:
    """The cards of a picture, row by row as they lie, and what was left out, in words."""

    cards: tuple[Cut, ...]
    left_out: tuple[str, ...] = ()


def cut_cards(picture: Picture, *, size_mm: tuple[float, float]) -> Cuts:
    """All cards of that size in a picture. `size_mm`: width and height of an upright card."""
    height, width = picture.shape[:2]
    bed = _bed(picture)
    off_shape = abs(np.log(width / height * size_mm[1] / size_mm[0]))
    whole = Cuts((_straight(picture, points([[0, 0], [width, 0], [width, height], [0, height]]), size_mm),))
    if bed is None and off_shape < WHOLE:
        return whole
    rough = min(1.0, ROUGH_PX / max(width, height))
    small = np.asarray(cv2.resize(picture, None, fx=rough, fy=rough, interpolation=cv2.INTER_AREA), np.uint8)
    ratio = max(size_mm) / min(size_mm)
    found, cut_off = _outlines(small, bed, ratio)
    fine = min(1.0, LARGEST_PX / max(width, height))
    large = picture if fine == 1.0 else np.asarray(cv2.resize(picture, None, fx=fine, fy=fine, interpolation=cv2.INTER_AREA), np.uint8)
    lab = _lab(large)
    if off_shape < WHOLE and not cut_off and _is_card(small, found, off_shape, size_mm):
        return whole
    cards = [_straight(picture, _fitted(lab, quad * (fine / rough)) / fine, size_mm) for quad in found]
    return Cuts(tuple(_as_read(cards)), ("a card runs out of the picture",) if cut_off else ())


def _is_card(picture: Picture, found: list[Points], off_shape: float, size_mm: tuple[float, float]) -> bool:
    """Whether a picture of a card's shape with a plain rim is a card itself: its rim is a card's own.

    Nothing else in it has a card's shape, or one thing that fills it and has that shape less well: what a rim of one width frames.
    """
    if not found:
        return float(_lab(picture).std((0, 1)).max()) > SHOWN
    lengths = np.hypot(*(np.roll(found[0], -1, 0) - found[0]).T)
    one, other = float(lengths[0] + lengths[2]), float(lengths[1] + lengths[3])
    framed = abs(np.log(max(one, other) / min(one, other) * min(size_mm) / max(size_mm)))
    return len(found) == 1 and framed > off_shape + FRAMED and _area(found[0]) > FILLING * picture.shape[0] * picture.shape[1]


# ---------------------------------------------------------------- finding


def _lab(picture: Picture) -> NDArray[np.float32]:
    return np.asarray(cv2.cvtColor(picture.astype(np.float32) / 255, cv2.COLOR_BGR2Lab), np.float32)


def _bed(picture: Picture) -> NDArray[np.float32] | None:
    """(3,) the Lab colour along the border; None where no plain one runs all along it."""
    k = min(1.0, ROUGH_PX / max(picture.shape[:2]))
    lab = _lab(np.asarray(cv2.resize(picture, None, fx=k, fy=k, interpolation=cv2.INTER_AREA), np.uint8))
    n = max(2, round(BORDER * max(lab.shape[:2])))
    border = np.concatenate([lab[:n].reshape(-1, 3), lab[-n:].reshape(-1, 3), lab[:, :n].reshape(-1, 3), lab[:, -n:].reshape(-1, 3)])
    colour = np.median(border, axis=0)
    plain = np.linalg.norm(border - colour, axis=1) < PLAIN
    return np.asarray(colour, np.float32) if plain.mean() > PLAINLY else None


def _outlines(small: Picture, bed: NDArray[np.float32] | None, ratio: float) -> tuple[list[Points], bool]:
    """Rough corners of the cards, and whether one runs out of the picture."""
    height, width = small.shape[:2]
    quads: list[Points] = []
    cut_off = False
    for mask in _masks(small, bed):
        way = cv2.RETR_EXTERNAL if bed is not None else cv2.RETR_LIST
        contours, _ = cv2.findContours(mask, way, cv2.CHAIN_APPROX_NONE)
        for contour in contours:
            x, y, w, h = cv2.boundingRect(contour)
            if max(w, h) < LEAST * max(width, height):
                continue
            if min(x, y) <= 0 or x + w >= width or y + h >= height:
                cut_off |= bed is not None and cv2.contourArea(contour) > LEAST**2 * width * height and max(w, h) < 0.7 * max(width, height)
                continue
            hull = cv2.convexHull(contour)
            (cx, cy), (rw, rh), angle = cv2.minAreaRect(hull)
            if not min(rw, rh) or abs(np.log(max(rw, rh) / min(rw, rh) / ratio)) > SHAPE or cv2.contourArea(hull) < FILLED * rw * rh:
                continue
            quads.append(clockwise(cv2.boxPoints(((cx + 0.5, cy + 0.5), (rw + 1, rh + 1), angle))))
    return _agreed(quads), cut_off


def _masks(small: Picture, bed: NDArray[np.float32] | None) -> Iterator[NDArray[np.uint8]]:
    lab = _lab(np.asarray(cv2.medianBlur(small, 3), np.uint8))
    grain = np.ones((3, 3), np.uint8)
    if bed is not None:
        off = np.linalg.norm(lab - bed, axis=2)
        for level in LEVELS:
            mask = (off > level).astype(np.uint8)
            yield np.asarray(cv2.morphologyEx(cv2.morphologyEx(mask, cv2.MORPH_CLOSE, grain), cv2.MORPH_OPEN, grain), np.uint8)
    else:
        for channel in cv2.split(lab):
            low, high = (float(v) for v in np.percentile(channel, [3, 97]))
            for level in np.linspace(low, high, 11)[1:-1]:
                mask = (channel > level).astype(np.uint8)
                for side in (mask, 1 - mask):
                    yield np.asarray(cv2.morphologyEx(side, cv2.MORPH_OPEN, grain), np.uint8)
    edges = cv2.Canny(cv2.GaussianBlur(cv2.cvtColor(small, cv2.COLOR_BGR2GRAY), (0, 0), 1.0), 15, 40)
    yield (np.asarray(cv2.dilate(edges, grain)) > 0).astype(np.uint8)


def _agreed(quads: list[Points]) -> list[Points]:
    """Outlines that agree are one; of those that overlap the one that most agree on; and all of one size."""
    groups: list[list[Points]] = []
    for quad in quads:
        for group in groups:
            if iou(quad, group[0]) > 0.85:
                group.append(begun_like(quad, group[0]))
                break
        else:
            groups.append([quad])
    groups.sort(key=lambda g: (-len(g), -_longer(g[0])))
    chosen: list[Points] = []
    for group in groups:
        quad = points(np.median(group, axis=0))
        if all(cv2.intersectConvexConvex(quad.astype(np.float32), c.astype(np.float32))[0] < 0.05 * _area(quad) for c in chosen):
            chosen.append(quad)
    if not chosen:
        return []
    usual = float(np.median([_longer(q) for q in chosen]))
    return [q for q in chosen if abs(_longer(q) / usual - 1) < ONE_SIZE]


def _longer(quad: Points) -> float:
    return float(np.hypot(*(np.roll(quad, -1, 0) - quad).T).max())


def _area(quad: Points) -> float:
    return float(cv2.contourArea(quad.astype(np.float32)))


# ---------------------------------------------------------------- fitting


def _fitted(lab: NDArray[np.float32], quad: Points) -> Points:
    """The corners where the lines that fit the four sides cross; `lab` and `quad` of one size."""
    lines = []
    reach = REACH * _longer(quad)
    middle = quad.mean(0)
    for a, b in zip(quad, np.roll(quad, -1, 0), strict=True):
        along = (b - a) / np.hypot(*(b - a))
        outward = np.array([along[1], -along[0]])
        if outward @ ((a + b) / 2 - middle) < 0:
            outward = -outward
        t = np.linspace(0.05, 0.95, POINTS)
        begun = a + t[:, None] * (b - a)
        across = np.arange(reach, -reach - 1, -1.0)                       # from the bed inwards
        at = (begun[:, None] + across[None, :, None] * outward).astype(np.float32) - 0.5
        profile = cv2.remap(lab, at, NOTHING, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        edge = _edges(np.asarray(profile, np.float32), across)
        lines.append(_line(t, edge, a, b, outward))
    corners = [np.cross(lines[k - 1], lines[k]) for k in range(4)]
    return points([c[:2] / c[2] for c in corners])


def _edges(profile: NDArray[np.float32], across: NDArray[np.float64]) -> NDArray[np.float64]:
    """(n,) where each profile (n, m, 3) leaves the bed: half way up the first step; NaN where it never does."""
    m = len(across)
    outer = max(3, m // 5)
    bed = np.median(profile[:, :outer], axis=1)
    off = np.linalg.norm(profile - bed[:, None], axis=2)
    step = STEP + 2 * off[:, :outer].max(1)
    out = np.full(len(profile), np.nan)
    for n in range(len(profile)):
        beyond = np.flatnonzero(off[n] > step[n])
        if not len(beyond):
            continue
        first = int(beyond[0])
        half = off[n, first : first + SOFT_PX].max() / 2
        k = int(np.argmax(off[n] >= half))
        if k == 0:
            continue
        low, high = off[n, k - 1], off[n, k]
        out[n] = across[k - 1] - (half - low) / max(high - low, 1e-6)
    return out


def _line(t: NDArray[np.float64], edge: NDArray[np.float64], a: Points, b: Points, outward: Points) -> NDArray[np.float64]:
    """(3,) the line on which most points of the edge lie, homogeneous; the side as it was where too few do."""
    seen = np.isfinite(edge)
    x, y = t[seen], edge[seen]
    shift = (0.0, 0.0)
    if len(x) >= POINTS // 5:
        i, j = np.triu_indices(len(x), 1)
        far = x[j] - x[i] > 0.25
        i, j = i[far][::7], j[far][::7]
        slope = (y[j] - y[i]) / (x[j] - x[i])
        near = np.abs(y[None] - (y[i] + (0 - x[i]) * slope)[:, None] - slope[:, None] * x[None]) < ON_LINE_PX
        if len(i) and (best := near[int(near.sum(1).argmax())]).sum() >= POINTS // 5:
            fit = np.polyfit(x[best], y[best], 1)
            shift = float(fit[1]), float(fit[0] + fit[1])
    p, q = a + shift[0] * outward, b + shift[1] * outward
    return np.cross(np.append(p, 1.0), np.append(q, 1.0))


# ---------------------------------------------------------------- straightening


def _straight(picture: Picture, quad: Points, size_mm: tuple[float, float]) -> Cut:
    """The card as a picture of its own, as fine as it was and no finer than MOST_PX_MM, as upright as it lay."""
    quad = _upright(clockwise(quad), size_mm)
    lengths = np.hypot(*(np.roll(quad, -1, 0) - quad).T)
    scale = _round_scale(float(lengths[0] + lengths[2]) / 2 / size_mm[0])
    width, height = max(8, round(size_mm[0] * scale)), max(8, round(size_mm[1] * scale))
    finer = float(lengths.max()) / max(width, height)
    source, corners = picture, quad
    if finer > 1.5:
        source = np.asarray(cv2.resize(picture, None, fx=1 / finer, fy=1 / finer, interpolation=cv2.INTER_AREA), np.uint8)
        corners = quad / finer
    ends = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32) - 0.5
    matrix = cv2.getPerspectiveTransform((corners - 0.5).astype(np.float32), ends.astype(np.float32))
    cut = cv2.warpPerspective(source, matrix, (width, height), flags=cv2.INTER_CUBIC, borderMode=cv2.BORDER_REPLICATE)
    return Cut(np.asarray(cut, np.uint8), quad)


def _round_scale(px_mm: float) -> float:
    """Pixels a millimetre, such that cards cut one by one come out in one size."""
    near = [dpi / 25.4 for dpi in SCANNERS_DPI if abs(np.log(px_mm * 25.4 / dpi)) < SAME_DPI]
    return min(MOST_PX_MM, near[0] if near else max(STEP_PX_MM, round(px_mm / STEP_PX_MM) * STEP_PX_MM))


def _upright(quad: Points, size_mm: tuple[float, float]) -> Points:
    """The corners from that one on which makes the card's width its width and its top lie highest."""
    def fits(k: int) -> tuple[bool, float]:
        q = np.roll(quad, -k, 0)
        width, height = np.hypot(*(q[1] - q[0])), np.hypot(*(q[2] - q[1]))
        square = abs(np.log(size_mm[0] / size_mm[1])) < 0.02
        return square or bool((width > height) == (size_mm[0] > size_mm[1])), -float((q[0] + q[1] - q[2] - q[3])[1]) + 1e-3 * float(q[1][0])

    return points(np.roll(quad, -max(range(4), key=fits), 0))


def _as_read(cards: list[Cut]) -> list[Cut]:
    """Row by row, from the left."""
    rows: list[list[Cut]] = []
    for cut in sorted(cards, key=lambda c: float(c.quad[:, 1].mean())):
        for row in rows:
            if abs(cut.quad[:, 1].mean() - row[0].quad[:, 1].mean()) < 0.5 * (np.ptp(row[0].quad[:, 1])):
                row.append(cut)
                break
        else:
            rows.append([cut])
    return [cut for row in rows for cut in sorted(row, key=lambda c: float(c.quad[:, 0].mean()))]
