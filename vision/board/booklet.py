"""The escape booklet: where it lies open, and at which page, by the pictures of a pack's pages."""

from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from vision.cards.contours import Boxes, find_boxes, quads_of
from vision.cards.looks import cut, look, vectors
from vision.cards.outlines import Card
from vision.cards.prints import Prints, identify
from vision.deck.pack import Pack
from vision.geometry import contains
from vision.observation import Booklet
from vision.pictures import PictureError, read
from vision.topview import TopView

SIDES_MM = (60.0, 340.0)
SPREAD = 2.0               # a booklet that lies open is two pages wide
SHAPE = 0.16               # log of the sides' ratio, by which a page's outline may depart from its picture's
LIKELY = 0.3               # likeness from which an outline is looked at closely
TRIED = 4
STEPS_MM = (4.0, 2.0, 1.0)
TURN_DEG = (1.5, 0.8, 0.4)
HERE, BEING = 0.45, 16.0   # likeness from which a booklet is likelier there than not, and its log odds a unit
READ = 0.5


def find_booklet(top: TopView, pack: Pack, tiles: Sequence[Card]) -> Booklet | None:
    """The booklet; None where nothing looks like one of the pack's pages. `tiles`: what is none."""
    pages = _pages(pack)
    if pages is None:
        return None
    prints, ratio = pages
    boxes = _outlines(top, ratio, tiles)
    if not len(boxes):
        return None
    likeness = _likeness(top, boxes, prints)
    best = None
    for k in np.argsort(-likeness, kind="stable")[:TRIED]:
        if likeness[k] >= LIKELY:
            box, like = _climbed(top, boxes[k], float(likeness[k]), prints)
            if best is None or like > best[1]:
                best = (box, like)
    if best is None:
        return None
    looks, seen = look([cut(top, quads_of(best[0][None])[0])])
    match = identify(prints, looks, seen, (0, 2))[0]
    here = float(1 / (1 + np.exp(-BEING * (best[1] - HERE))))
    sure = min(match.sure, here)
    return Booklet(page=int(match.label[1] or 0) if sure >= READ else None, sure=sure)


def _outlines(top: TopView, ratio: float, tiles: Sequence[Card]) -> Boxes:
    """Rectangles of a page's shape, the halves of those that two pages would have; the longer side of a page is the width."""
    boxes, _ = find_boxes(top, sides_mm=SIDES_MM, widest=SPREAD * max(ratio, 1 / ratio) * 1.2)
    out: list[NDArray[np.float64]] = []
    for box in boxes:
        if any(contains(quads_of(box[None])[0], t.at) for t in tiles):
            continue
        upright = box.copy()
        if box[3] > box[2]:
            upright[2:4], upright[4] = box[[3, 2]], box[4] + 90
        shape = upright[2] / upright[3]
        if abs(np.log(shape / max(ratio, 1 / ratio))) < SHAPE:
            out.append(upright)
        for halves in (0, 1):
            out += _halves(upright, halves, max(ratio, 1 / ratio))
    return np.array(out, np.float64).reshape(-1, 5)


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
        page = np.array([*(box[:2] + side * along * sides[axis] / 2), *sides, box[4]])
        if page[3] > page[2]:
            page[2:4], page[4] = page[[3, 2]], page[4] + 90
        pages.append(page)
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
    """The pages made ready, and their width over their height."""
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
    return Prints.of(pictures, labels, ["page"] * len(pictures)), ratio
