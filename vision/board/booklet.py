"""The escape booklet: where it lies open, and at which page, by the pictures of a pack's pages."""

from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from vision.cards.contours import find_boxes, quads_of
from vision.cards.looks import cut, look, vectors
from vision.cards.outlines import PX_PER_MM, Card
from vision.cards.prints import Prints, identify
from vision.deck.pack import Pack
from vision.geometry import Boxes, Points, points
from vision.observation import Booklet
from vision.pictures import PictureError, read
from vision.topview import TopView, View

SIDES_MM = (60.0, 340.0)
COARSE_PX_PER_MM = 0.75    # for outlines: a page is large
SHAPE = 0.16               # log of the sides' ratio, by which a page's outline may depart from its picture's
LIKELY = 0.3               # likeness from which an outline is looked at closely
PLAIN = 0.6                # likeness of a page that no hand covers
TRIED = 4
STEPS_MM = (4.0, 2.0, 1.0)
TURN_DEG = (1.5, 0.8, 0.4)
HERE, BEING = 0.45, 16.0   # likeness from which a booklet is likelier there than not, and its log odds a unit
READ = 0.5


def find_booklet(view: View, pack: Pack, tiles: Sequence[Card]) -> Booklet | None:
    """The booklet; None where nothing looks like one of the pack's pages. `tiles`: what is none."""
    pages = _pages(pack)
    if pages is None:
        return None
    prints, ratio = pages
    top = view.top(PX_PER_MM)
    boxes, _ = find_boxes(view.top(COARSE_PX_PER_MM), sides_mm=SIDES_MM, widest=2.2 * ratio)
    at = points([t.at for t in tiles])
    free = boxes[~_hold(boxes, at)]
    page = _likeliest(top, [p for box in free for p in _pages_of(box, ratio)], prints)
    if page is None or page[1] < PLAIN:
        completed = np.array([p for box in free for p in _completed(box, ratio)]).reshape(-1, 5)
        partly = _likeliest(top, list(completed[~_hold(completed, at)]), prints)
        page = max((p for p in (page, partly) if p is not None), key=lambda p: p[1], default=None)
    if page is None:
        return None
    looks, seen = look([cut(top, quads_of(page[0][None])[0])])
    match = identify(prints, looks, seen, (0, 2))[0]
    here = float(1 / (1 + np.exp(-BEING * (page[1] - HERE))))
    if here < READ:
        return None
    sure = min(match.sure, here)
    return Booklet(page=int(match.label[1] or 0) if sure >= READ else None, sure=sure)


def _likeliest(top: TopView, boxes: Sequence[NDArray[np.float64]], prints: Prints) -> tuple[NDArray[np.float64], float] | None:
    """The box that looks most like a page, moved to where it does so best, and how alike it is."""
    if not boxes:
        return None
    all_boxes = np.array(boxes)
    likeness = _likeness(top, all_boxes, prints)
    best: tuple[NDArray[np.float64], float] | None = None
    for k in np.argsort(-likeness, kind="stable")[:TRIED]:
        if likeness[k] < LIKELY or (best is not None and best[1] > PLAIN):
            break
        climbed = _climbed(top, all_boxes[k], float(likeness[k]), prints)
        best = climbed if best is None or climbed[1] > best[1] else best
    return best


def _pages_of(box: NDArray[np.float64], ratio: float) -> list[NDArray[np.float64]]:
    """The box if it has a page's shape; its halves if they have."""
    lying = _lying(box)
    out = [lying] if abs(np.log(lying[2] / lying[3] / ratio)) < SHAPE else []
    return out + _halves(lying, 0, ratio) + _halves(lying, 1, ratio)


def _completed(box: NDArray[np.float64], ratio: float) -> list[NDArray[np.float64]]:
    """Pages of which the box is a part that a hand has left: one side of it is a page's, the other ends too soon at either end."""
    out = []
    for axis in (0, 1):
        for length in (box[2 + axis] * ratio, box[2 + axis] / ratio):
            if length < 1.05 * box[3 - axis] or length > 2.5 * box[3 - axis]:
                continue
            across = np.radians(box[4] + (90 if axis == 0 else 0))
            for end in (-1, 1):
                page = box.copy()
                page[:2] += end * np.array([np.cos(across), np.sin(across)]) * (length - box[3 - axis]) / 2
                page[3 - axis] = length
                out.append(_lying(page))
    return out


def _hold(boxes: Boxes, at: Points) -> NDArray[np.bool_]:
    """(k,): which boxes hold any of the points."""
    turn = np.radians(boxes[:, 4])[:, None]
    apart = at[None] - boxes[:, None, :2]
    along = np.cos(turn) * apart[..., 0] + np.sin(turn) * apart[..., 1]
    across = np.cos(turn) * apart[..., 1] - np.sin(turn) * apart[..., 0]
    return np.asarray(((np.abs(along) < boxes[:, 2:3] / 2) & (np.abs(across) < boxes[:, 3:4] / 2)).any(1), np.bool_)


def _lying(box: NDArray[np.float64]) -> NDArray[np.float64]:
    """The same box with its longer side as width."""
    return np.array([box[0], box[1], box[3], box[2], box[4] + 90]) if box[3] > box[2] else box


def _halves(box: NDArray[np.float64], axis: int, ratio: float) -> list[NDArray[np.float64]]:
    """The two pages of a spread whose longer side (axis 0) or shorter side holds both, if they have a page's shape."""
    turn = np.radians(box[4])
    along = np.array([np.cos(turn), np.sin(turn)]) if axis == 0 else np.array([-np.sin(turn), np.cos(turn)])
    sides = box[2:4].copy()
    sides[axis] /= 2
    if abs(np.log(max(sides) / min(sides) / ratio)) >= SHAPE:
        return []
    pages = []
    for side in (-1, 1):
        pages.append(_lying(np.array([*(box[:2] + side * along * sides[axis] / 2), *sides, box[4]])))
    return pages


def _likeness(top: TopView, boxes: Boxes, prints: Prints) -> NDArray[np.float64]:
    """(k,): how like some page each box looks, either way up."""
    looks, seen = look([cut(top, quad) for quad in quads_of(boxes)])
    flat = vectors(looks, seen)
    return np.asarray(np.max([(flat @ prints.flat[k].T).max(1) for k in (0, 2)], axis=0), np.float64)


def _climbed(top: TopView, box: NDArray[np.float64], like: float, prints: Prints) -> tuple[NDArray[np.float64], float]:
    """The box moved, sized and turned by small steps until it looks most like a page."""
    for step, turn in zip(STEPS_MM, TURN_DEG, strict=True):
        moves = np.diag([step, step, step, step, turn])
        for _ in range(3):
            tried = box + np.concatenate([moves, -moves])
            said = _likeness(top, tried, prints)
            if said.max() <= like:
                break
            box, like = tried[int(said.argmax())], float(said.max())
    return box, like


def _pages(pack: Pack) -> tuple[Prints, float] | None:
    """The pages made ready, and their longer side over their shorter one."""
    return _prepared(tuple(sorted(pack.booklet.items())))


@lru_cache(maxsize=4)
def _prepared(pages: tuple[tuple[int, Path], ...]) -> tuple[Prints, float] | None:
    pictures, labels = [], []
    for page, path in pages:
        try:
            pictures.append(read(path))
        except PictureError:
            continue        # `companion deck check` names it
        labels.append(("page", str(page)))
    if len(pictures) < 2:
        return None
    ratio = float(np.median([p.shape[1] / p.shape[0] for p in pictures]))
    return Prints.of(pictures, labels, ["page"] * len(pictures)), max(ratio, 1 / ratio)
