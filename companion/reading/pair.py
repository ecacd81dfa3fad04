"""The round's two photos: when they lie, and when they show their backs."""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.reading.regions import bounds
from vision.geometry import Picture, Points, points
from vision.observation import ASSERTED, Photo, Side
from vision.stillness import CELL, DIFFERENT, Glance, Mask, Stillness, cell_difference, patched
from vision.table import Table
from vision.topview import View

ROOM_MM = 70.0       # half a photo may lie outside of the common area
LIKELY = 0.5         # what is less probably a photo is none that was laid: a single one, half under a hand, resembles two
HELD_MM = 6.0        # so far round a photo no hand may be
COVERED = 0.1        # of a photo's cells may be under a hand's edge: shadows reach far
CHANGED = 0.2        # where so much of a photo's place looks other, something happened to it
ALIKE = 0.5          # correlation of two places that show photos of one deck
MOVED_MM = 45.0      # a photo that is turned lies no farther from where it lay
LOOKED_ALIKE_PX = (48, 32)
WASHED_OUT_PX = 6.0     # spread of the blur in small pixels
SAME_PLACE_MM = 8.0     # a photo this near to where one of the last round lay, and was never seen to leave, is that one
PRESENT = 0.6           # so much of a photo's place looks other than the bare table
INNER = 0.75            # of a photo's sides: what lies in it though the photo was turned or pushed a little
SMALLEST_MM2 = 4000.0   # no photo is smaller
SHOWN_LAID: tuple[Side, ...] = ("colour",)   # what a pair shows when it is laid


@dataclass(frozen=True, slots=True)
class Lying:
    """A photo of the pair as it was last seen clearly."""

    quad: Points          # (4, 2) mm
    side: Side
    sure: float           # of the side
    found: float          # that it is a photo
    id: str | None
    t: float              # since when it lies so
    showed: Picture       # the small picture of that look


class Pair:
    """Watches for the pair of one table."""

    def __init__(self, table: Table, side: Callable[[View, Points], tuple[Side | None, float]]) -> None:
        """`side`: which side a photo shows within a quad (mm), and how probably."""
        self.table = table
        self._side = side
        self.photos: tuple[Lying, Lying] | None = None
        self._last: tuple[Lying, Lying] | None = None   # of the round that was over, or whose laying was undone
        self._bare: View | None = None
        self._bare_small: Picture | None = None
        self._renew = True                    # the bare table is to be looked at anew
        self._leaving: list[Points] = []      # where the last round's photos lie until they are cleared away
        self._areas: NDArray[np.float64] | None = None
        self._unknown: Mask | None = None     # cells that were under a hand whenever the bare table was looked at

    def begin(self) -> None:
        """A new round: the photos that lie are to be cleared away, and the next look shows what is no pair of this round."""
        self._leaving, self._last, self.photos, self._renew = list(self.quads()), self.photos, None, True

    def take_back(self) -> None:
        """The laying of the photos was undone."""
        self._last, self.photos = self.photos, None

    def lying_still(self, glance: Glance, blocked: Mask) -> tuple[Lying, Lying] | None:
        """The last photos that were laid, if they lie there as they did. Those that do not are forgotten."""
        known = self._last
        if known is None or not all(self._clear(glance, p.quad, blocked) for p in known):
            return None
        self._last = None
        return None if any(self._changed(glance, p.quad, p.showed) for p in known) else known

    def take_up(self, found: Sequence[Photo], glance: Glance, stillness: Stillness, blocked: Mask, *, sides: Collection[Side]) -> None:
        """Takes `found` for a pair that was laid before anybody watched, if it is one that lies clear and shows these sides."""
        if self._plain(found, glance, blocked, sides):
            a, b = (self._lying(p, glance, stillness) for p in found)
            self.photos = a, b

    def learn(self, view: View, glance: Glance, blocked: Mask) -> None:
        """What this picture shows is no pair that is laid later, but for what hands cover and for the last round's photos.

        What has been under a hand at every look so far stays unknown until it is seen.
        """
        if self._bare is None or self._bare_small is None or self._unknown is None:
            self._bare, self._bare_small, self._unknown, self._renew = view, glance.small, blocked, False
            return
        fresh = ~blocked if self._renew else self._unknown & ~blocked
        for quad in self._leaving:
            fresh &= ~glance.cells(self.table.to_px(quad), margin_px=self._px(quad))
        if fresh.any():
            there = cv2.resize(fresh.astype(np.uint8), view.frame.shape[1::-1], interpolation=cv2.INTER_NEAREST) > 0
            self._bare = View(np.asarray(np.where(there[..., None], view.frame, self._bare.frame), np.uint8), view.table)
            self._bare_small = patched(self._bare_small, glance.small, fresh)
            self._unknown = self._unknown & ~fresh
        self._renew = False
        self._leaving = [quad for quad in self._leaving if not self._clear(glance, quad, blocked) or self._present(glance, quad)]

    def disturbed(self, glance: Glance, blocked: Mask) -> bool:
        """Whether a hand is over the middle, or something moves there."""
        return bool((blocked & glance.cells(self.table.to_px(points(self.table.common)))).any() if self.table.common else blocked.any())

    def worth_a_look(self, glance: Glance, blocked: Mask) -> bool:
        """Whether so much has come to lie in the middle since `begin` that it may be two photos."""
        if self._bare_small is None or self._unknown is None:
            return False
        new = (cell_difference(glance.small, self._bare_small) > DIFFERENT) & ~blocked & ~self._unknown
        if self.table.common:
            new &= glance.cells(self.table.to_px(points(self.table.common)))
        return float(self._cell_mm2(glance)[new].sum()) >= 2 * SMALLEST_MM2

    def only_new(self, view: View, glance: Glance, blocked: Mask) -> View:
        """The view with all that has not changed since `begin` washed out: markers, piles and won tokens are no photos.

        It shows the part of the table in which something has come to lie.
        """
        if self._bare_small is None:
            return view
        new = cv2.morphologyEx((cell_difference(glance.small, self._bare_small) > DIFFERENT).astype(np.uint8),
                               cv2.MORPH_CLOSE, np.ones((5, 5), np.uint8))
        soft = cv2.GaussianBlur(self._bare_small, (0, 0), WASHED_OUT_PX)
        size = view.frame.shape[1::-1]
        there = cv2.resize(cv2.dilate(new, np.ones((3, 3), np.uint8)), size, interpolation=cv2.INTER_NEAREST) > 0
        rest = cv2.resize(soft, size, interpolation=cv2.INTER_LINEAR)
        washed = View(np.asarray(np.where(there[..., None], view.frame, rest), np.uint8), view.table)
        box = bounds((new > 0) & ~blocked & self._about_the_middle(glance), glance, self.table)
        return washed if box is None else washed.within(box)

    def laid(self, found: Sequence[Photo], view: View, glance: Glance, stillness: Stillness, blocked: Mask) -> tuple[Lying, Lying] | None:
        """The pair, if `found` is one that was laid since `begin` and lies clear, colour up."""
        quads = [points(p.quad) for p in found]
        if not self._plain(found, glance, blocked, SHOWN_LAID) or not all(self._new(view, glance, quad) for quad in quads):
            return None
        if any(float(np.abs(quad.mean(0) - old.mean(0)).max()) < SAME_PLACE_MM for quad in quads for old in self._leaving):
            return None
        a, b = (self._lying(p, glance, stillness) for p in found)
        return a, b

    def stirred(self, glance: Glance, blocked: Mask) -> bool:
        """Whether a photo's place is clear and looks other than it did: it was turned, or is gone."""
        return self.photos is not None and any(
            self._clear(glance, p.quad, blocked) and self._changed(glance, p.quad, p.showed) for p in self.photos)

    def look(self, found: Sequence[Photo], view: View, glance: Glance, stillness: Stillness, blocked: Mask) -> None:
        """Take in how the photos lie now. One that is lifted, or under a hand, stays known as it was.

        `found` tells exactly where they lie; where it does not, the side is judged at the old place.
        """
        if self.photos is None:
            return
        a, b = (self._again(old, found, view, glance, stillness, blocked) for old in self.photos)
        self.photos = a, b

    def clear(self, glance: Glance, blocked: Mask) -> bool:
        """Whether no hand is over the pair and nothing moves there."""
        return self.photos is not None and all(self._clear(glance, p.quad, blocked) for p in self.photos)

    def quads(self) -> tuple[Points, ...]:
        """Where the photos lie, each (4, 2) mm."""
        return () if self.photos is None else tuple(p.quad for p in self.photos)

    def _again(self, old: Lying, found: Sequence[Photo], view: View, glance: Glance, stillness: Stillness, blocked: Mask) -> Lying:
        near = [p for p in found if _centre_distance(points(p.quad), old.quad) < MOVED_MM]
        hit = min(near, key=lambda p: _centre_distance(points(p.quad), old.quad), default=None)
        if hit is not None and hit.side is not None and self._clear(glance, points(hit.quad), blocked):
            return self._lying(hit, glance, stillness)
        if not self._clear(glance, old.quad, blocked) or not self._present(glance, old.quad):
            return old
        middle = old.quad.mean(0)
        side, sure = self._side(view, middle + INNER * (old.quad - middle))
        if side is None:
            return old
        return replace(old, side=side, sure=sure, t=self._since(glance, stillness, old.quad), showed=glance.small)

    def _present(self, glance: Glance, quad: Points) -> bool:
        """Whether something lies there that is not the bare table."""
        if self._bare_small is None:
            return True
        here = glance.cells(self.table.to_px(quad))
        return bool((cell_difference(glance.small, self._bare_small)[here] > DIFFERENT).mean() >= PRESENT)

    def _plain(self, found: Sequence[Photo], glance: Glance, blocked: Mask, sides: Collection[Side]) -> bool:
        """Whether these are two photos that surely show one of the sides, and lie clear in the middle."""
        if len(found) != 2 or any(p.side not in sides or p.sure["side"] < ASSERTED or p.sure["found"] < LIKELY for p in found):
            return False
        return all(self._clear(glance, points(p.quad), blocked) and self._on_the_middle(points(p.quad)) for p in found)

    def _lying(self, photo: Photo, glance: Glance, stillness: Stillness) -> Lying:
        quad = points(photo.quad)
        assert photo.side is not None
        named = photo.id if photo.sure.get("id", 0.0) >= ASSERTED else None
        return Lying(quad, photo.side, photo.sure["side"], photo.sure["found"], named, self._since(glance, stillness, quad), glance.small)

    def _since(self, glance: Glance, stillness: Stillness, quad: Points) -> float:
        return stillness.since(glance, self.table.to_px(quad), margin_px=self._px(quad))

    def _on_the_middle(self, quad: Points) -> bool:
        x, y = quad.mean(0)
        zone = self.table.zone((float(x), float(y)))
        return zone == "common" if self.table.common else zone is None

    def _new(self, view: View, glance: Glance, quad: Points) -> bool:
        """Whether no photo lay there at `begin`: the pile and the discards are no pair."""
        if self._bare is None or self._bare_small is None or self._unknown is None:
            return False
        if not self._clear(glance, quad, self._unknown) or not self._changed(glance, quad, self._bare_small):
            return False
        now, then = (_grey(v.cut(quad, *LOOKED_ALIKE_PX)) for v in (view, self._bare))
        return float((now * then).mean()) < ALIKE

    def _about_the_middle(self, glance: Glance) -> Mask:
        """The cells in which a photo can lie."""
        if not self.table.common:
            return np.ones_like(glance.changed)
        common = points(self.table.common)
        return glance.cells(self.table.to_px(common), margin_px=self._px(common) / HELD_MM * ROOM_MM)

    def _changed(self, glance: Glance, quad: Points, then: Picture) -> bool:
        here = glance.cells(self.table.to_px(quad))
        return bool((cell_difference(glance.small, then)[here] > DIFFERENT).mean() > CHANGED)

    def _clear(self, glance: Glance, quad: Points, blocked: Mask) -> bool:
        here = glance.cells(self.table.to_px(quad), margin_px=self._px(quad))
        return bool(blocked[here].mean() <= COVERED)

    def _cell_mm2(self, glance: Glance) -> NDArray[np.float64]:
        """(rows, columns) the area of each cell on the table."""
        if self._areas is None or self._areas.shape != glance.changed.shape:
            rows, columns = glance.changed.shape
            y, x = np.mgrid[0:rows + 1, 0:columns + 1]
            corners = self.table.to_mm(np.c_[x.ravel(), y.ravel()] * CELL / glance.scale).reshape(rows + 1, columns + 1, 2)
            right, down = corners[:-1, 1:] - corners[:-1, :-1], corners[1:, :-1] - corners[:-1, :-1]
            self._areas = np.nan_to_num(np.abs(right[..., 0] * down[..., 1] - right[..., 1] * down[..., 0]))
        return self._areas

    def _px(self, quad: Points) -> float:
        a, b = self.table.to_px(quad[:2])
        return float(np.hypot(*(b - a)) / np.hypot(*(quad[1] - quad[0])) * HELD_MM)


def _grey(picture: Picture) -> NDArray[np.float32]:
    """Lightness with mean 0 and spread 1, a little soft."""
    grey = cv2.GaussianBlur(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY).astype(np.float32), (0, 0), 1.0)
    return np.asarray((grey - grey.mean()) / (grey.std() + 1e-3), np.float32)


def _centre_distance(a: Points, b: Points) -> float:
    return float(np.hypot(*(a.mean(0) - b.mean(0))))
