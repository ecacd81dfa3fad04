"""The pawn: whatever stands or lies just outside the ring and has colours that the table has not; or a card that lies there alone.

Nothing is known of its shape: it may be a figure, a sack or a card. How rare a colour is on the table round the ring is counted in the
picture itself, so that cloths with patterns and shadows of the lamp are no pawns.
"""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.circle.laid import Laid
from vision.circle.ring import place_of
from vision.cv import NOTHING
from vision.geometry import Points, points
from vision.observation import Pawn
from vision.table import Table
from vision.topview import TopView, View

PX_PER_MM = 1.0
NEAREST, FARTHEST = 0.3, 1.7      # card sides beyond the ring's radius, where the pawn stands
CLOTH = 4.0                       # card sides beyond the ring's radius, up to where the table's colours are counted
STEPS = np.array([12, 8, 8])      # of Lab, that count as one colour
SHAPE = (22, 32, 32)              # so many colours
FLOOR = 1e-5                      # share of the table, below which a colour is not counted
LEVELS = (2.2, 3.2, 4.2)          # rarity (in e-folds) at which blobs are sought
MOST = 6.0
BURNT = 240
AREA_MM2 = (250.0, 4200.0)
LONGEST_MM, NARROWEST_MM = 110.0, 15.0
USUAL_MM2 = 600.0                 # a blob as large is as likely the pawn as not, at USUAL_RARITY
USUAL_RARITY = 3.4
OF_MORE = 0.6                     # how sure a blob can be that is part of something larger: a hand that holds a pawn, or only a hand
TOLD = 0.4                        # pawns less probable are not told
READ = 0.5
SHADOW_CHROMA, SHADOW_DEPTH = 7.0, 0.25
GLARE_MM2, GLOW_MM = 200.0, 80.0  # a burnt place of this size makes the table glow so far around it
GLOW_CHROMA = 12.0
ROOM_MM = 14.0                    # a pawn reaches no farther beyond its rare colours
CUT_ROUNDS = 3
CUT_AREA = (0.45, 2.2)            # of the rare colours: a cut-out of another area has gone wrong
LYING_MM2 = 500.0                 # with less of it seen, nothing tells
LYING = 1.12                      # wider across its lean than along it: it has fallen


@dataclass(frozen=True)
class _Blob:
    mask: NDArray[np.bool_]
    at: NDArray[np.float64]       # mm
    sure: float


def find_pawn(view: View, laid: Laid) -> Pawn | None:
    """The pawn; None where nothing outside the ring looks like one."""
    blob = _rarest(view, laid)
    card = _lone_card(view, laid)
    if card is not None and (blob is None or card[1] > blob.sure):
        at, sure = card
        return _told(laid, at, sure, fallen=False)
    if blob is None or blob.sure < TOLD:
        return None
    fallen, foot = _standing(view, laid, blob)
    return _told(laid, foot, blob.sure, fallen=fallen)


def _told(laid: Laid, at: NDArray[np.float64], sure: float, *, fallen: bool) -> Pawn:
    where = (float(at[0]), float(at[1]))
    place, surely = place_of(laid.ring, where)
    chance = surely * laid.ring.sure * sure
    return Pawn(at=where, place=place + 1 if chance >= READ else None, fallen=fallen, sure={"found": sure, "place": chance})


def _lone_card(view: View, laid: Laid) -> tuple[NDArray[np.float64], float] | None:
    """A card outside the ring that shows no back and lies in no player's area."""
    best = None
    for k, card in enumerate(laid.cards):
        if laid.ring.places[k] is None and _outside(view.table, laid, card.at) and laid.down[k] < 0.5 and card.votes > 1:
            sure = float(1 - laid.down[k]) * min(1.0, card.clear / 0.7)
            if best is None or sure > best[1]:
                best = (card.at, sure)
    return best


def _outside(table: Table, laid: Laid, at: NDArray[np.float64]) -> bool:
    """Whether a place is where a pawn may stand."""
    beyond = (float(np.hypot(*(at - laid.ring.centre))) - laid.ring.radius_mm) / laid.size_mm[0]
    return NEAREST < beyond < FARTHEST and table.zone((float(at[0]), float(at[1]))) in (None, "common")


def _flat(view: View) -> tuple[NDArray[np.uint8], TopView]:
    """The table in Lab, smoothed."""
    top = view.top(PX_PER_MM)
    return np.asarray(cv2.cvtColor(cv2.GaussianBlur(top.picture, (0, 0), 1.0), cv2.COLOR_BGR2Lab), np.uint8), top


def _rarest(view: View, laid: Laid) -> _Blob | None:
    lab, top = _flat(view)
    beyond = _beyond(top, laid)
    free = ~_taken(view, top, laid) & top.seen & ~_glowing(lab, top)
    rare = _rarity(lab, free & (beyond > NEAREST) & (beyond < CLOTH))
    here = free & (beyond > NEAREST) & (beyond < FARTHEST)
    if not here.any():
        return None
    rare = np.where(free, np.clip(rare - np.median(rare[here]), 0, MOST), 0).astype(np.float32)
    smooth = np.asarray(cv2.GaussianBlur(rare, (0, 0), 1.5 * top.px_per_mm), np.float32)
    large = _large(smooth > LEVELS[0], top)
    found = [blob for level in LEVELS for blob in _blobs(view, top, laid, rare, smooth > level, large)]
    return max(found, key=lambda b: b.sure, default=None)


def _opened(mask: NDArray[np.bool_]) -> NDArray[np.uint8]:
    brush = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (7, 7))
    return np.asarray(cv2.morphologyEx(mask.astype(np.uint8), cv2.MORPH_OPEN, brush), np.uint8)


def _large(mask: NDArray[np.bool_], top: TopView) -> NDArray[np.bool_]:
    """What belongs to something larger than any pawn."""
    _, labels, stats, _ = cv2.connectedComponentsWithStats(_opened(mask))
    large = stats[:, cv2.CC_STAT_AREA] > AREA_MM2[1] * top.px_per_mm**2
    large[0] = False
    return np.asarray(large[labels], np.bool_)


def _blobs(
    view: View, top: TopView, laid: Laid, rare: NDArray[np.float32], mask: NDArray[np.bool_], large: NDArray[np.bool_]
) -> list[_Blob]:
    _, labels, stats, middles = cv2.connectedComponentsWithStats(_opened(mask))
    out = []
    for k in range(1, len(stats)):
        area = float(stats[k, cv2.CC_STAT_AREA]) / top.px_per_mm**2
        at = top.to_mm([middles[k] + 0.5])[0]
        if not AREA_MM2[0] < area < AREA_MM2[1] or not _outside(view.table, laid, at):
            continue
        inside = labels == k
        y, x = np.nonzero(inside)
        _, sides, _ = cv2.minAreaRect(np.c_[x, y].astype(np.float32))
        longer, shorter = (max(sides) + 1) / top.px_per_mm, (min(sides) + 1) / top.px_per_mm
        if longer > LONGEST_MM or shorter < NARROWEST_MM:
            continue
        rarity = float(rare[inside].mean())
        lean = 3 * (rarity - USUAL_RARITY) + 2.5 * np.log(min(area, 2 * USUAL_MM2) / USUAL_MM2) + 3 * (min(1.0, shorter / 28.0) - 0.7)
        sure = float(1 / (1 + np.exp(-lean)))
        out.append(_Blob(inside, np.asarray(at, np.float64), min(sure, OF_MORE) if large[inside].mean() > 0.5 else sure))
    return out


def _beyond(top: TopView, laid: Laid) -> NDArray[np.float64]:
    """(H, W): how many card sides beyond the ring's radius each pixel lies."""
    h, w = top.picture.shape[:2]
    x = (np.arange(w) + 0.5) / top.px_per_mm + top.origin_mm[0] - laid.ring.centre[0]
    y = (np.arange(h) + 0.5) / top.px_per_mm + top.origin_mm[1] - laid.ring.centre[1]
    return np.asarray((np.hypot(x[None], y[:, None]) - laid.ring.radius_mm) / laid.size_mm[0], np.float64)


def _taken(view: View, top: TopView, laid: Laid) -> NDArray[np.bool_]:
    """Where cards lie, and the players' areas. What only looks like a card where the pawn may stand is left."""
    mask = np.zeros(top.picture.shape[:2], np.uint8)
    for k, card in enumerate(laid.cards):
        if laid.ring.places[k] is not None or laid.down[k] >= 0.5 or not _outside(view.table, laid, card.at):
            _fill(mask, top, card.quad)
    mask = np.asarray(cv2.dilate(mask, np.ones((5, 5), np.uint8)))
    for seat in view.table.seats:
        _fill(mask, top, points(seat.area))
    return mask > 0


def _fill(mask: NDArray[np.uint8], top: TopView, quad: Points) -> None:
    cv2.fillPoly(mask, [np.round(top.to_px(quad) - 0.5).astype(np.int32)], 1)


def _rarity(lab: NDArray[np.uint8], table: NDArray[np.bool_]) -> NDArray[np.float32]:
    """(H, W): minus the logarithm of each colour's share of the places `table`."""
    steps = np.minimum(lab // STEPS, np.array(SHAPE) - 1).astype(np.int64)
    index = (steps[..., 0] * SHAPE[1] + steps[..., 1]) * SHAPE[2] + steps[..., 2]
    counts = np.bincount(index[table], minlength=int(np.prod(SHAPE))).reshape(SHAPE).astype(np.float64)
    for axis in range(3):
        counts = 0.5 * counts + 0.25 * (np.roll(counts, 1, axis) + np.roll(counts, -1, axis))
    rarity = -np.log(counts / max(counts.sum(), 1.0) + FLOOR).astype(np.float32)
    return np.asarray(rarity.ravel()[index], np.float32)


def _standing(view: View, laid: Laid, blob: _Blob) -> tuple[bool, NDArray[np.float64]]:
    """Whether it has fallen, and where its foot is. What stands leans away from below the camera, and is no wider across than along."""
    lab, top = _flat(view)
    y, x = np.nonzero(_cut_out(lab, top, blob.mask))
    if len(x) < LYING_MM2 * top.px_per_mm**2:
        return False, blob.at
    at = top.to_mm(np.c_[x, y] + 0.5)
    away = at.mean(0) - _below_camera(view.table)
    lean = away / max(float(np.hypot(*away)), 1e-6)
    across = np.array([-lean[1], lean[0]])
    spread = [float(np.subtract(*np.percentile(at @ axis, [96, 4]))) for axis in (lean, across)]
    foot = at.mean(0) - lean * max(0.0, spread[0] - spread[1]) / 2
    return spread[1] > LYING * spread[0], np.asarray(foot, np.float64)


def _cut_out(lab: NDArray[np.uint8], top: TopView, mask: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """The pawn without its shadow and with what of it lies over a card: GrabCut (Rother, Kolmogorov, Blake 2004) about its rare colours."""
    glowing = _glowing(lab, top)
    core = mask & ~_shadow(lab, mask) & ~glowing
    y, x = np.nonzero(core)
    if len(x) < 50:
        return core
    margin = round(2 * ROOM_MM * top.px_per_mm)
    part = np.s_[max(0, y.min() - margin) : y.max() + margin, max(0, x.min() - margin) : x.max() + margin]
    round_brush = np.ones((2 * round(ROOM_MM * top.px_per_mm) + 1,) * 2, np.uint8)
    labels = np.full(core[part].shape, cv2.GC_BGD, np.uint8)
    labels[cv2.dilate(mask[part].astype(np.uint8), round_brush) > 0] = cv2.GC_PR_BGD
    labels[core[part]] = cv2.GC_PR_FGD
    labels[cv2.erode(core[part].astype(np.uint8), np.ones((7, 7), np.uint8)) > 0] = cv2.GC_FGD
    labels[glowing[part]] = cv2.GC_BGD
    if not (labels == cv2.GC_FGD).any() or not (labels == cv2.GC_BGD).any():
        return core
    cv2.setRNGSeed(1)
    models = np.zeros((1, 65)), np.zeros((1, 65))
    cv2.grabCut(np.ascontiguousarray(top.picture[part]), labels, NOTHING, *models, CUT_ROUNDS, cv2.GC_INIT_WITH_MASK)
    cut = np.zeros_like(core)
    cut[part] = (labels == cv2.GC_FGD) | (labels == cv2.GC_PR_FGD)
    _, pieces = cv2.connectedComponents(cv2.morphologyEx(cut.astype(np.uint8), cv2.MORPH_OPEN, np.ones((3, 3), np.uint8)))
    held = np.bincount(pieces[core], minlength=2)
    cut = pieces == 1 + int(held[1:].argmax())
    return cut if CUT_AREA[0] * core.sum() < cut.sum() < CUT_AREA[1] * core.sum() else core


def _glowing(lab: NDArray[np.uint8], top: TopView) -> NDArray[np.bool_]:
    """Burnt places, and the table round them where it is only lighter."""
    burnt = np.asarray(top.picture.min(-1) > BURNT)
    side = max(1, round(np.sqrt(GLARE_MM2) * top.px_per_mm / 2))
    spots = cv2.morphologyEx(burnt.astype(np.uint8), cv2.MORPH_OPEN, np.ones((side, side), np.uint8))
    if not spots.any():
        return burnt
    near = cv2.distanceTransform(1 - spots, cv2.DIST_L2, 3) < GLOW_MM * top.px_per_mm
    light, a, b = np.median(lab[top.seen & ~burnt].astype(np.float64), axis=0)
    chroma = np.hypot(lab[..., 1] - a, lab[..., 2] - b)
    return np.asarray(burnt | (near & (lab[..., 0] > light) & (chroma < GLOW_CHROMA)), np.bool_)


def _shadow(lab: NDArray[np.uint8], mask: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """What is the table's own colour round the mask, only darker."""
    near = np.asarray(cv2.dilate(mask.astype(np.uint8), np.ones((31, 31), np.uint8))).astype(bool) & ~mask
    if not near.any():
        return np.zeros_like(mask)
    light, a, b = np.median(lab[near].astype(np.float64), axis=0)
    chroma = np.hypot(lab[..., 1] - a, lab[..., 2] - b)
    return np.asarray((lab[..., 0] < light) & (lab[..., 0] > SHADOW_DEPTH * light) & (chroma < SHADOW_CHROMA), np.bool_)


def _below_camera(table: Table) -> NDArray[np.float64]:
    """The place on the table (mm) straight below the camera: from the plane's homography, as Zhang (2000) reads a pose."""
    matrix = np.linalg.inv(table.lens.camera_matrix()) @ np.linalg.inv(np.array(table.homography).reshape(3, 3))
    matrix /= np.sqrt(np.linalg.norm(matrix[:, 0]) * np.linalg.norm(matrix[:, 1]))
    matrix *= np.sign(matrix[2, 2]) or 1.0
    turn = np.c_[matrix[:, 0], matrix[:, 1], np.cross(matrix[:, 0], matrix[:, 1])]
    u, _, v = np.linalg.svd(turn)
    return np.asarray((-(u @ v).T @ matrix[:, 2])[:2], np.float64)
