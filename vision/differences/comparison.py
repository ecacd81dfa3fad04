"""Counting the differences of two pictures: align, lay, look, judge."""

from dataclasses import dataclass, field
from dataclasses import replace as altered
from typing import Any

import cv2
import numpy as np
from msgspec.structs import replace
from numpy.typing import NDArray

from vision.beside import both
from vision.cv import brightest
from vision.differences.align import FEW_INLIERS, FINE_PX, Features, Fit, Refusal, align, as_they_lie, features, inside, warp
from vision.differences.align import WORK_PX as FEATURES_PX
from vision.differences.candidates import Candidate, candidates, gap, joined, kind_of, without_parts
from vision.differences.fine import one_grid, specks
from vision.differences.hue import Hue, covered, hue_of, in_grey
from vision.differences.judge import Judged, Look, Spot, faintness, fitted, judged, ringed, verdict
from vision.differences.laid import WHOLE, WORK_PX, Laid, box_in, filled_hull, lay
from vision.differences.maps import STRIDE, Maps, Share, map_differences
from vision.differences.mirrored import whole_mirrored
from vision.differences.nearby import nearby
from vision.differences.patches import pixel_odds
from vision.differences.rings import Ring, find_rings
from vision.geometry import Picture
from vision.observation import Alignment, Box, Differences, Homography, Place, Unseen

BURNT_PART = 0.5  # of a place: it is a burnt spot, not a difference
ON_PRINT = 0.5
CALM = 0.35
ALL_BUT_CORNERS = 0.98  # a print that fills so much of what both show fills it all
EDGE = np.ones((5, 5), np.uint8)
LEAK_CELLS = 9  # a gap in the restless band that is narrower is closed
COVER_PART = 0.08  # of the print: what differs over more than this is a hand or another photo that covers it
LIKELY = 0.8
HINT = 0.05  # of the map: what a residue that a codec may have left needs to count
NEARBY = 0.008  # of the width: residues so near belong together
WHOLE_CELL = 15 * STRIDE**2  # levels: each pixel of a cell adds so many that their mean stays whole
UNSEEN_CELLS = 6  # of the map; a smaller burnt spot hides nothing
EXCHANGED = {"added": "removed", "removed": "added"}
BEYOND = 0.02  # part of either picture that the other does not show
ONE_ONLY = "only one of the pictures shows some of this; what lies there was not compared"
LEFT_OUT = "a part of the two does not agree at all; what lies there was not compared"
OTHERWISE = 30.0  # levels: a patch of two files of one grid that differs by more shows something else
COARSE_GRID = (60, 60)  # patches across and down
NO_HUE = "one side is grey: a change of hue alone cannot be seen"

Mask = NDArray[np.bool_]


@dataclass(frozen=True)
class Side:
    """One of the two pictures and what is known of it."""

    picture: Picture  # (H, W, 3) uint8, BGR
    features: Features | None = None
    hidden: Mask | None = None  # (H, W): covered there; what lies beneath counts as unseen
    ignore: Mask | None = None  # (H, W): not looked at, and nothing said about it
    detail: float = 1.0  # pixels of what the picture was cut from that lie across one of its own; less than 1 where it was enlarged


@dataclass(frozen=True)
class Options:
    """What counts. `sensitivity`: 0 (only what is certain) .. 1 (all that may be); 0.5 counts what is likelier than not."""

    sensitivity: float = 0.5
    least_px: float = 0.0  # smaller places (longer side, pixels of A) do not count
    work_px: int = WORK_PX  # the longer side of the frame in which the two are compared


@dataclass(frozen=True)
class Comparison:
    """The answer and what it rests on."""

    differences: Differences
    why: str = ""  # why the two could not be compared; empty if they could
    notes: tuple[str, ...] = ()  # what a reader of the answer should know
    laid: Laid | None = None
    maps: Maps | None = None
    rings: tuple[Ring, ...] = field(default=())


def count_differences(a: Picture, b: Picture) -> Differences:
    """The differences of two (H, W, 3) BGR pictures of any origin; boxes are pixels of each."""
    return compare(Side(a), Side(b)).differences


def compare(a: Side, b: Side, options: Options = Options()) -> Comparison:
    """As `count_differences`, with what the answer rests on. The order of A and B changes nothing but the sides."""
    if same_pixels(a.picture, b.picture) and a.hidden is None and b.hidden is None:
        return Comparison(Differences(True, 0, 1.0, (0, 0), alignment=Alignment((1, 0, 0, 0, 1, 0, 0, 0, 1), 0.0)))
    if _comes_after(a.picture, b.picture):
        return _exchanged(compare(b, a, options))
    fit = _align(a, b)
    if isinstance(fit, Refusal):
        return Comparison(Differences(False, None, 0.0), fit.why)
    return look(a, b, fit, options)


@dataclass(frozen=True)
class Known:
    """What is known of two pictures that lie in one frame already."""

    laid: Laid
    shares: tuple[Share, Share] | None  # in the cues
    hues: tuple[Hue, Hue]


def look(a: Side, b: Side, fit: Fit, options: Options = Options(), known: Known | None = None) -> Comparison:
    """Compares two pictures whose alignment is known; `known`, where they lie in one frame already."""
    seen = evidence(a, b, fit, options, known)
    laid = seen.laid
    places = judged(seen.spots, seen.rings, seen.whole, sensitivity=options.sensitivity)
    places = [p for p in places if _large_enough(p, laid, options)]
    said = verdict(places, seen.rings, seen.whole, model=fitted())
    h = fit.b_to_a / fit.b_to_a[2, 2]
    alignment = Alignment(_homography(h), fit.error_px, fit.mirrored, fit.rotated_deg)
    listed = tuple(_place(n, p, laid) for n, p in enumerate(said.places, 1))
    return Comparison(
        Differences(True, said.count, said.probability, said.range, listed, _unseen(seen.unseen, seen.maps, laid), alignment),
        "",
        seen.notes,
        laid,
        seen.maps,
        tuple(seen.rings),
    )


@dataclass(frozen=True)
class Evidence:
    """What two laid pictures show, before it is judged."""

    laid: Laid
    maps: Maps
    spots: list[Spot]
    rings: list[Ring]
    unseen: Mask  # cells of the map
    whole: Look
    notes: tuple[str, ...]


def evidence(a: Side, b: Side, fit: Fit, options: Options = Options(), known: Known | None = None) -> Evidence:
    """Lays the two on each other and gathers what may be a difference, the rings, and what cannot be seen."""
    if known is None:
        laid = lay(a.picture, b.picture, fit, hidden_a=a.hidden, hidden_b=b.hidden, work_px=options.work_px)
        known = Known(laid, None, (hue_of(laid.a, laid.region), hue_of(laid.b, laid.region)))
    laid, shares, grey = known.laid, known.shares, in_grey(*known.hues)
    notes = [NO_HUE] if any(grey) else []
    if grey[0] != grey[1]:
        laid, shares = laid.in_grey(), None
    if all(grey) and any(h.comes_in.any() for h in known.hues):
        laid = altered(laid, hidden=laid.hidden | covered(*known.hues, laid.hidden))
    maps = map_differences(laid, shares)
    on_print = print_cells(laid, maps) | (_cells(laid.hidden, 0.5) & _cells(laid.both, 0.9))
    if on_print.sum() > WHOLE * _cells(laid.both, 0.9).sum() and _beyond(a.picture, b.picture, fit) > BEYOND:
        notes.append(ONE_ONLY)
    left_out = _left_out(a.picture, b.picture, fit, laid)
    if left_out > BEYOND:
        notes.append(LEFT_OUT)
    ignored = _ignored(laid, a, b)
    usable = on_print & ~ignored & ~_cells(laid.hidden, 0.5)
    rings = [r for r in find_rings(laid, maps) if _usable_at(usable, r.at)] if all(grey) else []
    found = candidates(laid, maps, usable, _cells(laid.hidden, 0.5))
    anywhere = _cells(laid.both, 0.9) & ~ignored & ~_cells(laid.hidden, 0.5)
    found = without_parts(whole_mirrored(laid, _fine(a, b, fit, laid, maps, found, (usable, anywhere))))
    covers = [c for c in found if c.cells > COVER_PART * on_print.sum() or c.unseen > BURNT_PART]
    unseen = on_print & ~ignored & ((maps.unseen > 0.5) | _cells(laid.hidden, 0.5) | _within(covers, on_print))
    hidden = float(unseen.sum() / max(1, (on_print & ~ignored).sum()))
    hidden += (1 - hidden) * left_out
    whole = Look(laid.width, _detail(laid, a, b), faintness(maps, usable), hidden)
    pairs = ringed([c for c in found if c not in covers], rings, maps)
    odds = pixel_odds(laid, [c.boxes for c, _ in pairs])
    spots = [Spot(c, ring, nearby(laid, c.boxes), float(o)) for (c, ring), o in zip(pairs, odds, strict=True)]
    return Evidence(laid, maps, spots, rings, unseen, whole, tuple(notes))


# ---------------------------------------------------------------- steps


def _align(a: Side, b: Side) -> Fit | Refusal:
    """Coarsely, then with more detail where that gave little; then as they lie; then with B mirrored."""
    coarse = _features(a, b)
    fit = align(a.picture, b.picture, *coarse)
    if isinstance(fit, Fit) and len(fit.inliers) >= FEW_INLIERS:
        return fit
    fine = _features(a, b, work_px=FINE_PX)
    finer = align(a.picture, b.picture, *fine)
    fits = [f for f in (fit, finer) if isinstance(f, Fit)]
    if fits:
        return max(fits, key=lambda f: len(f.inliers))
    if a.picture.shape == b.picture.shape and (lying := as_they_lie(a.picture, b.picture)) is not None:
        return lying
    flipped = np.ascontiguousarray(b.picture[:, ::-1])
    mirrored = align(a.picture, flipped, fine[0], features(flipped, work_px=FINE_PX), mirrored=True)
    if isinstance(mirrored, Refusal):
        return fit
    flip = np.array([[-1.0, 0, b.picture.shape[1]], [0, 1, 0], [0, 0, 1]])
    return Fit(mirrored.b_to_a @ flip, mirrored.error_px, mirrored.inliers, mirrored.agreement, True, mirrored.bend)


def _features(a: Side, b: Side, *, work_px: int = FEATURES_PX) -> tuple[Features, Features]:
    """Both sides' features, sought at the same time; those that are known already are taken."""

    def of(side: Side) -> Features:
        known = side.features if work_px == FEATURES_PX else None
        return known or features(side.picture, work_px=work_px)

    return both(lambda: of(a), lambda: of(b))


def _cells(mask: Mask, part: float) -> Mask:
    """A mask of the working frame in cells of the map: true where more than `part` of a cell is."""
    h, w = mask.shape
    levels = mask.astype(np.uint8) * np.uint8(WHOLE_CELL)
    padded = cv2.copyMakeBorder(levels, 0, -h % STRIDE, 0, -w % STRIDE, cv2.BORDER_CONSTANT)
    size = (padded.shape[1] // STRIDE, padded.shape[0] // STRIDE)
    return np.asarray(cv2.resize(padded, size, interpolation=cv2.INTER_AREA) > part * WHOLE_CELL)


def _beyond(a: Picture, b: Picture, fit: Fit) -> float:
    """The larger part of A or of B that lies beyond the other."""
    parts = []
    for one, other, carry in ((a, b, fit.b_to_a), (b, a, np.linalg.inv(fit.b_to_a))):
        k = 200 / max(one.shape[:2])
        w, h = max(1, round(one.shape[1] * k)), max(1, round(one.shape[0] * k))
        parts.append(1 - float(inside(other.shape[1::-1], np.diag([k, k, 1.0]) @ carry, w, h).mean()))
    return max(parts)


def _left_out(a: Picture, b: Picture, fit: Fit, laid: Laid) -> float:
    """The part of two files of one grid that lies beyond the frame and shows something else: one broke off, or something lies over it.

    Of two photographs that part is the table.
    """
    if not one_grid(a, b, fit.b_to_a):
        return 0.0
    m = np.linalg.inv(np.diag([a.shape[1] / COARSE_GRID[0], a.shape[0] / COARSE_GRID[1], 1.0])) @ laid.to_a
    beyond = ~inside((laid.width, laid.a.shape[0]), m, *COARSE_GRID)
    if beyond.mean() < BEYOND:
        return 0.0
    small_a, small_b = (cv2.resize(p, COARSE_GRID, interpolation=cv2.INTER_AREA) for p in (a, b))
    return float((brightest(np.asarray(cv2.absdiff(small_a, small_b), np.uint8))[beyond] > OTHERWISE).sum() / beyond.size)


def print_cells(laid: Laid, maps: Maps) -> Mask:
    """The cells that lie on the print on both sides.

    Round a print that lies on two tables the map is restless; what is calm and not table is the print, its differences are holes in it.
    """
    both = _cells(laid.both & ~laid.hidden, 0.9)
    calm = ((maps.changed < CALM) & (maps.inside > ON_PRINT) & both).astype(np.uint8)
    opened = cv2.morphologyEx(calm, cv2.MORPH_OPEN, cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (LEAK_CELLS, LEAK_CELLS)))
    count, labels, stats, _ = cv2.connectedComponentsWithStats(opened, connectivity=4)
    if count < 2:
        return _cells(laid.region, 0.99)
    largest = labels == 1 + int(stats[1:, cv2.CC_STAT_AREA].argmax())
    both = _cells(laid.both, 0.9)
    hull = filled_hull(largest) & both
    if hull.sum() > ALL_BUT_CORNERS * both.sum():
        return both
    return (
        np.asarray(cv2.erode(hull.astype(np.uint8), EDGE, borderValue=1), bool) & both
    )  # a straight edge that is a cell off is no difference


def _ignored(laid: Laid, a: Side, b: Side) -> Mask:
    h, w = laid.a.shape[:2]
    out = np.zeros((h, w), bool)
    for mask, back in ((a.ignore, laid.to_a), (b.ignore, laid.to_b)):
        if mask is not None:
            carried = warp(np.repeat(mask[..., None].astype(np.uint8) * 255, 3, 2), np.linalg.inv(back), w, h, border=cv2.BORDER_CONSTANT)
            out |= carried[..., 0] > 127
    return _cells(out, 0.5)


def _fine(a: Side, b: Side, fit: Fit, laid: Laid, maps: Maps, found: list[Candidate], where: tuple[Mask, Mask]) -> list[Candidate]:
    """The candidates of a clean pair: each with what the fine look saw in it, as certain; what only it saw as its own.

    In a pair that agrees exactly elsewhere, a candidate without any residue is none. `where`: the print; and all that may be compared,
    which is the print too where two files are equal but for their changes.
    """
    clean = specks(a.picture, b.picture, fit.b_to_a)
    if clean is None:
        return found
    from_a = np.linalg.inv(laid.to_a)
    usable = where[clean.lossless]
    loose: list[Box] = []
    seen: dict[int, list[Box]] = {}
    for speck in clean.specks:
        box = box_in(speck.box, from_a)
        if not _usable_at(usable, (box[0] + box[2] / 2, box[1] + box[3] / 2)):
            continue
        beside = {k: min(gap(box, b) for b in c.boxes) for k, c in enumerate(found)}
        holder = min(beside, key=lambda k: beside[k], default=None)
        if holder is None or beside[holder] >= NEARBY * laid.width:
            if clean.lossless or _strongest(maps.changed, box) > HINT:
                loose.append(box)
        else:
            seen.setdefault(holder, []).append(box)
    kept = []
    for k, c in enumerate(found):
        if k in seen:
            boxes = c.boxes if c.kind == "moved" else tuple(joined(seen[k], float(laid.width)))
            kept.append(altered(c, boxes=boxes, certain=clean.lossless))
        elif not clean.exact:
            kept.append(c)
    new = joined(loose, NEARBY * laid.width)
    p = LIKELY
    return kept + [Candidate((box,), p, p, p, 16, 10.0, 0.0, 0.05, kind_of(laid, box), certain=clean.lossless) for box in new]


def _strongest(plane: NDArray[Any], box: Box) -> float:
    """The largest value of a map of cells in and beside a box of pixels."""
    x, y, w, h = (int(v / STRIDE) for v in box)
    part = plane[max(0, y - 1) : y + h + 2, max(0, x - 1) : x + w + 2]
    return float(part.max()) if part.size else 0.0


def _within(covers: list[Candidate], like: Mask) -> Mask:
    """The cells in the boxes of these candidates."""
    out = np.zeros_like(like)
    for c in covers:
        for x, y, w, h in c.boxes:
            out[int(y / STRIDE) : int((y + h) / STRIDE) + 1, int(x / STRIDE) : int((x + w) / STRIDE) + 1] = True
    return out


def _usable_at(usable: Mask, at: tuple[float, float]) -> bool:
    row, column = int(at[1] / STRIDE), int(at[0] / STRIDE)
    return 0 <= row < usable.shape[0] and 0 <= column < usable.shape[1] and bool(usable[row, column])


def _large_enough(p: Judged, laid: Laid, options: Options) -> bool:
    if options.least_px <= 0:
        return True
    _, _, w, h = box_in(p.candidate.box, laid.to_a)
    return max(w, h) >= options.least_px


def _detail(laid: Laid, a: Side, b: Side) -> float:
    """The width of the compared part in pixels of the poorer original."""
    whole = (0.0, 0.0, float(laid.width), float(laid.a.shape[0]))
    sides = ((laid.to_a, a.detail), (laid.to_b, b.detail))
    return min(box_in(whole, back)[2 if abs(back[0, 0]) > abs(back[1, 0]) else 3] * detail for back, detail in sides)


def _place(n: int, p: Judged, laid: Laid) -> Place:
    c = p.candidate
    first, last = c.boxes[0], c.boxes[-1]
    return Place(n, box_in(first, laid.to_a), box_in(last, laid.to_b), c.kind, p.probability, p.ring is not None)  # type: ignore[arg-type]


def _unseen(unseen: Mask, maps: Maps, laid: Laid) -> tuple[Unseen, ...]:
    count, labels, stats, _ = cv2.connectedComponentsWithStats(unseen.astype(np.uint8))
    out = []
    for k in range(1, count):
        x, y, w, h, cells = (int(v) for v in stats[k])
        if cells >= UNSEEN_CELLS:
            box: Box = (float(x * STRIDE), float(y * STRIDE), float(w * STRIDE), float(h * STRIDE))
            why = _why(laid, box)
            covered = why != "glare" and _cells(laid.hidden, 0.5)[labels == k].mean() > 0.5
            out.append(Unseen(box_in(box, laid.to_a), "hand" if covered else why))
    return tuple(out)


def _why(laid: Laid, box: Box) -> str:
    """Burnt out (`glare`), or something lying over it (`covered`)."""
    x, y, w, h = (int(v) for v in box)
    brightest = max(float(np.percentile(p[y : y + h, x : x + w], 90)) for p in (laid.a, laid.b))
    return "glare" if brightest > 225 else "covered"


def _homography(h: NDArray[Any]) -> Homography:
    return tuple(float(v) for v in h.ravel())  # type: ignore[return-value]


# ---------------------------------------------------------------- order


def same_pixels(a: Picture, b: Picture) -> bool:
    """Whether two pictures are equal to the last bit."""
    return a.shape == b.shape and np.array_equal(a[:1], b[:1]) and np.array_equal(a, b)


def _comes_after(a: Picture, b: Picture) -> bool:
    """An order of pictures that does not depend on which is named first."""
    if a.shape != b.shape:
        return a.shape > b.shape
    for row_a, row_b in zip(a, b, strict=True):
        if not np.array_equal(row_a, row_b):
            first = np.flatnonzero(row_a.ravel() != row_b.ravel())[0]
            return bool(row_a.ravel()[first] > row_b.ravel()[first])
    return False


def _exchanged(c: Comparison) -> Comparison:
    """The same comparison with A and B exchanged."""
    d = c.differences
    places = tuple(replace(p, a=p.b, b=p.a, kind=EXCHANGED.get(p.kind or "", p.kind)) for p in d.places)
    alignment = d.alignment
    laid = c.laid and c.laid.exchanged()
    unseen = d.unseen
    if isinstance(alignment, Alignment):
        h = np.linalg.inv(np.array(alignment.b_to_a).reshape(3, 3))
        turn = alignment.rotated_deg if alignment.mirrored else -alignment.rotated_deg
        unseen = tuple(replace(u, a=box_in(u.a, h)) for u in d.unseen)
        alignment = replace(alignment, b_to_a=_homography(h / h[2, 2]), rotated_deg=turn)
    return Comparison(replace(d, places=places, unseen=unseen, alignment=alignment), c.why, c.notes, laid, c.maps, c.rings)


__all__ = ["Comparison", "Known", "Options", "Side", "compare", "count_differences", "look", "same_pixels"]
