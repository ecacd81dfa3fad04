"""Counting the differences of two pictures: align, lay, look, decide."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from msgspec.structs import replace
from numpy.typing import ArrayLike, NDArray

from vision.differences.align import Features, Fit, Refusal, align, features
from vision.differences.evidence import evidence
from vision.differences.laid import Laid, box_in, lay
from vision.differences.places import Blob, blobs
from vision.geometry import Picture, points, transform
from vision.observation import Alignment, Box, Differences, Place
from vision.topview import View

CUT_PX = 600           # a photo of a table frame is cut out at least this wide


@dataclass(frozen=True)
class Comparison:
    """The answer and what it rests on."""

    differences: Differences
    why: str = ""                              # why the two could not be compared; empty if they could
    laid: Laid | None = None
    heat: NDArray[np.float32] | None = None    # evidence in the working frame, 0..1


def count_differences(a: Picture, b: Picture) -> Differences:
    """The differences of two (H, W, 3) BGR pictures of any origin; boxes are pixels of each."""
    return compare(a, b).differences


def compare(a: Picture, b: Picture, *, features_a: Features | None = None, features_b: Features | None = None,
            hidden_a: NDArray[np.bool_] | None = None, hidden_b: NDArray[np.bool_] | None = None) -> Comparison:
    """As `count_differences`, with what the answer rests on. The order of A and B changes nothing but the sides."""
    if a.shape == b.shape and np.array_equal(a, b) and hidden_a is None and hidden_b is None:
        return Comparison(Differences(True, 0, 1.0, (0, 0), alignment=Alignment((1, 0, 0, 0, 1, 0, 0, 0, 1), 0.0)))
    if _comes_after(a, b):
        turned = compare(b, a, features_a=features_b, features_b=features_a, hidden_a=hidden_b, hidden_b=hidden_a)
        return _exchanged(turned)
    fa, fb = features_a or features(a), features_b or features(b)
    fit = align(a, b, fa, fb)
    if isinstance(fit, Refusal):
        fit = _align_mirrored(a, b, fa) or fit
    if isinstance(fit, Refusal):
        return Comparison(Differences(False, None, 0.0), fit.why)
    laid = lay(a, b, fit, hidden_a=hidden_a, hidden_b=hidden_b)
    heat = evidence(laid)
    found = blobs(heat, laid.region & ~laid.hidden)
    return Comparison(_answer(laid, fit, found), "", laid, heat)


def count_in_frame(view: View, quad_a: ArrayLike, quad_b: ArrayLike, *, hidden: NDArray[np.bool_] | None = None) -> Differences:
    """The differences of two photos in one table frame.

    Quads are (4, 2) table mm in any turn; `hidden` is (H, W), true where a hand or glare covers the frame. Boxes are pixels of the frame.
    """
    cuts, carries, masks = [], [], []
    for quad in (points(quad_a), points(quad_b)):
        cut, to_mm = _cut(view, quad)
        cuts.append(cut)
        carries.append(to_mm)
        masks.append(None if hidden is None else _cut(View(np.repeat(hidden[..., None].astype(np.uint8) * 255, 3, 2), view.table), quad)[0][..., 0] > 64)
    said = compare(cuts[0], cuts[1], hidden_a=masks[0], hidden_b=masks[1]).differences
    boxes = [lambda box, m=m: _frame_box(view, box, m) for m in carries]
    return replace(said, places=tuple(replace(p, a=boxes[0](p.a), b=boxes[1](p.b)) for p in said.places),
                   unseen=tuple(replace(u, a=boxes[0](u.a)) for u in said.unseen))


def count_in_frames(views: Sequence[View], quad_a: ArrayLike, quad_b: ArrayLike) -> Differences:
    """As `count_in_frame`, over several frames of one still table (for now: the last)."""
    return count_in_frame(views[-1], quad_a, quad_b)


def _cut(view: View, quad: NDArray[np.float64]) -> tuple[Picture, NDArray[np.float64]]:
    """The photo cut out of the frame, and the homography from its pixels to table mm."""
    import cv2

    w_mm, h_mm = (float(np.hypot(*(quad[i] - quad[j]))) for i, j in ((0, 1), (0, 3)))
    k = CUT_PX / max(w_mm, h_mm)
    width, height = max(16, round(w_mm * k)), max(16, round(h_mm * k))
    corners = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32)
    return view.cut(quad, width, height), np.asarray(cv2.getPerspectiveTransform(corners, quad.astype(np.float32)), np.float64)


def _frame_box(view: View, box: Box, to_mm: NDArray[np.float64]) -> Box:
    x, y, w, h = box
    px = view.table.to_px(transform(to_mm, [[x, y], [x + w, y], [x + w, y + h], [x, y + h]]))
    low, high = px.min(0), px.max(0)
    return float(low[0]), float(low[1]), float(high[0] - low[0]), float(high[1] - low[1])


def _align_mirrored(a: Picture, b: Picture, fa: Features) -> Fit | None:
    flipped = np.ascontiguousarray(b[:, ::-1])
    fit = align(a, flipped, fa, features(flipped), mirrored=True)
    if isinstance(fit, Refusal):
        return None
    flip = np.array([[-1.0, 0, b.shape[1]], [0, 1, 0], [0, 0, 1]])
    return Fit(fit.b_to_a @ flip, fit.error_px, fit.inliers, fit.agreement, True)


def _comes_after(a: Picture, b: Picture) -> bool:
    """An order of pictures that does not depend on which is named first."""
    if a.shape != b.shape:
        return a.shape > b.shape
    unequal = np.flatnonzero(a.ravel() != b.ravel())
    return bool(len(unequal)) and bool(a.ravel()[unequal[0]] > b.ravel()[unequal[0]])


def _exchanged(c: Comparison) -> Comparison:
    """The same comparison with A and B exchanged."""
    d = c.differences
    names = {"added": "removed", "removed": "added"}
    places = tuple(replace(p, a=p.b, b=p.a, kind=names.get(p.kind or "", p.kind)) for p in d.places)
    al = d.alignment
    if isinstance(al, Alignment):
        h = np.linalg.inv(np.array(al.b_to_a).reshape(3, 3))
        al = replace(al, b_to_a=tuple(float(v) for v in (h / h[2, 2]).ravel()), rotated_deg=-al.rotated_deg if not al.mirrored else al.rotated_deg)
    laid = c.laid and Laid(c.laid.b, c.laid.a, c.laid.region, c.laid.to_b, c.laid.to_a, c.laid.hidden)
    return Comparison(replace(d, places=places, alignment=al), c.why, laid, c.heat)


def _answer(laid: Laid, fit: Fit, found: list[Blob]) -> Differences:
    places = tuple(Place(n, box_in(f.box, laid.to_a), box_in(f.box, laid.to_b), None, f.probability) for n, f in enumerate(found, 1))
    sure = float(np.prod([max(f.probability, 1 - f.probability) for f in found])) * 0.8
    doubtful = sum(f.probability < 0.8 for f in found)
    h = fit.b_to_a / fit.b_to_a[2, 2]
    return Differences(True, len(places), sure, (len(places) - doubtful, len(places) + 1), places,
                       alignment=Alignment(tuple(float(v) for v in h.ravel()), fit.error_px, fit.mirrored, fit.rotated_deg))
