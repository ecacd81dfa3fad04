"""One side of all photos of a deck: their common picture, and where and how they depart from it.

The pictures are laid on each other, lit alike and compared with their median. `Face` is what is kept of it: the median, the areas in
which any photo departs, and how each area looks in each photo. On backs the printed circles are part of the looks.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.deck.align import Array, Reference, evened, warped
from vision.geometry import Picture
from vision.pictures import read

WIDTH_PX = 640              # the longer side of the common frame: 5 px/mm of a postcard
TINY_PX = (60, 60)          # at which the most typical picture is chosen
SOFT_PX = 1.2               # Gaussian under which pictures are compared: noise and half a pixel of shift fade
LEAST = 5.0                 # a difference in Lab that a person sees at a glance
NOISE_FACTOR = 5.0          # of the usual difference at this place among the deck's pictures
STRONG = 1.6                # times what is just noticed: a departure is so somewhere
SMALLEST_PX = 14            # changed pixels (of WIDTH_PX) that make a departure: 4 x 4 at least
GAIN_SOFT = 0.2             # of the width: light varies no faster between two scans
LIGHT_PX = 160              # width at which light is compared
SAME_LIGHT = 0.06           # of the logarithm: what differs more from the usual is another thing
GRAIN_PX = 2                # areas this near are one
LARGEST = 0.3               # of the width: an area that is larger is cut up
UNLIKE_ALIGNED = 0.4        # correlation with the deck's picture below which a card is of another deck

Mask = NDArray[np.bool_]


@dataclass(frozen=True)
class Area:
    """A part of the frame in which photos depart. `looks` (k, h, w, 3) uint8: the different looks, the common one first."""

    x: int
    y: int
    looks: NDArray[np.uint8]
    mask: Mask                   # (h, w): where the looks differ

    @property
    def box(self) -> tuple[slice, slice]:
        """Rows and columns in the frame."""
        h, w = self.mask.shape
        return slice(self.y, self.y + h), slice(self.x, self.x + w)


@dataclass(frozen=True)
class Face:
    """One side of a deck, in a frame of `median`'s size."""

    median: Picture
    areas: tuple[Area, ...]
    looks: NDArray[np.int16]     # (cards, areas): which look a card has in an area; -1 in all where the card lacks this side,
                                 # or shows another scene

    @property
    def known(self) -> Mask:
        """(cards,): which cards have this side."""
        return np.asarray((self.looks >= 0).all(1)) if self.looks.shape[1] else np.ones(len(self.looks), bool)


@dataclass(frozen=True)
class Laid:
    """The pictures of one side as they lie on each other."""

    stack: NDArray[np.uint8]     # (n, H, W, 3), lit alike
    changed: NDArray[np.bool_]   # (n, H, W): departs from the median
    median: Picture
    noise: Array                 # (H, W): the usual difference from the median
    alike: NDArray[np.float64]   # (n,): correlation with the median


def lay(paths: Sequence[Path]) -> Laid:
    """All pictures laid on their median. Raises PictureError where one cannot be read."""
    pictures = [small(read(path)) for path in paths]
    shapes = [p.shape[:2] for p in pictures]
    height, width = max(set(shapes), key=shapes.count)
    first = Reference(_typical([p for p in pictures if p.shape[:2] == (height, width)]))
    fits = [first.fit(p) for p in pictures]
    stack = np.stack([np.asarray(warped(p, f.matrix, width, height), np.uint8) for p, f in zip(pictures, fits, strict=True)])
    median = _median(stack)
    for n, picture in enumerate(stack):
        stack[n] = lit_like(picture, median)
    median = _median(stack)
    reference = Reference(median)
    alike = np.array([reference.likeness(np.asarray(p, np.uint8)) for p in stack])
    middle = lab(median)
    off = np.stack([distance(lab(np.asarray(p, np.uint8)), middle) for p in stack])
    noise = cv2.dilate(np.median(off, axis=0).astype(np.float32), np.ones((3, 3)))
    ours = alike >= UNLIKE_ALIGNED
    changed = np.stack([_departing(o, np.asarray(noise, np.float32)) & ok for o, ok in zip(off, ours, strict=True)])
    return Laid(stack, changed, median, np.asarray(noise, np.float32), alike)


def _typical(pictures: Sequence[Picture]) -> Picture:
    """The picture that is most like the others: never a stranger among them."""
    tiny = np.stack([evened(np.asarray(cv2.resize(p, TINY_PX, interpolation=cv2.INTER_AREA), np.uint8)).ravel() for p in pictures])
    tiny /= np.linalg.norm(tiny, axis=1, keepdims=True) + 1e-6
    return pictures[int(np.median(tiny @ tiny.T, axis=1).argmax())]


def small(picture: Picture) -> Picture:
    """The picture with a longer side of WIDTH_PX."""
    h, w = picture.shape[:2]
    k = WIDTH_PX / max(h, w)
    way = cv2.INTER_AREA if k < 1 else cv2.INTER_CUBIC
    return np.asarray(cv2.resize(picture, (max(8, round(w * k)), max(8, round(h * k))), interpolation=way), np.uint8)


def lab(picture: Picture) -> Array:
    """Lab, softened."""
    return np.asarray(cv2.GaussianBlur(cv2.cvtColor(picture.astype(np.float32) / 255, cv2.COLOR_BGR2Lab), (0, 0), SOFT_PX), np.float32)


def distance(a: Array, b: Array) -> Array:
    """Euclidean, of the last axis."""
    return np.asarray(np.sqrt(((a - b) ** 2).sum(-1)), np.float32)


def lit_like(picture: Picture, model: Picture) -> Picture:
    """The picture under the model's light: each channel by a smooth gain, in which things that differ have no say."""
    k = LIGHT_PX / picture.shape[1]
    little, like = (np.asarray(cv2.resize(p, None, fx=k, fy=k, interpolation=cv2.INTER_AREA), np.float32) + 8 for p in (picture, model))
    ratio = np.log(like / little)
    usual = np.median(ratio.reshape(-1, 3), axis=0)
    weight = (np.abs(ratio - usual).max(2) < SAME_LIGHT).astype(np.float32) + 1e-3
    n = round(GAIN_SOFT * ratio.shape[1]) | 1
    smooth = cv2.blur((ratio - usual) * weight[..., None], (n, n)) / cv2.blur(weight, (n, n))[..., None]
    gain = cv2.resize(np.exp(smooth + usual), picture.shape[1::-1], interpolation=cv2.INTER_LINEAR)
    return np.asarray(np.clip((picture + np.float32(8)) * gain - np.float32(7.5), 0, 255), np.uint8)


def face(laid: Laid) -> Face:
    """The areas in which photos depart, and the looks there."""
    areas, rows = [], []
    for box, mask in _areas(np.asarray(laid.changed.any(0))):
        patches = laid.stack[:, box[0], box[1]]
        here = laid.changed[:, box[0], box[1]] & mask
        index, looks = _looks(patches, here, laid.noise[box])
        if len(looks) > 1:
            areas.append(Area(box[1].start, box[0].start, looks, mask))
            rows.append(index)
    looks_of = np.stack(rows, 1) if rows else np.zeros((len(laid.stack), 0), np.int16)
    looks_of[laid.alike < UNLIKE_ALIGNED] = -1
    return Face(laid.median, tuple(areas), np.asarray(looks_of, np.int16))


def differ(a: NDArray[np.uint8], b: NDArray[np.uint8], mask: Mask, noise: Array) -> bool:
    """Whether two patches show different things within the mask, beyond what is usual there."""
    off = distance(lab(np.asarray(a, np.uint8)), lab(np.asarray(b, np.uint8)))
    return bool((_departing(off, noise) & mask).any())


def _looks(patches: NDArray[np.uint8], changed: NDArray[np.bool_], noise: Array) -> tuple[NDArray[np.int16], NDArray[np.uint8]]:
    """(n,) the look of each card and (k, h, w, 3) the looks: the common one, then those of cards that depart, likes together."""
    index = np.zeros(len(patches), np.int16)
    groups: list[list[int]] = [[n for n in range(len(patches)) if np.count_nonzero(changed[n]) < SMALLEST_PX]]
    for n in range(len(patches)):
        if n in groups[0]:
            continue
        for k, group in enumerate(groups[1:], 1):
            both = np.asarray(changed[n] | changed[group[0]])
            if not differ(patches[n], patches[group[0]], both, noise):
                group.append(n)
                index[n] = k
                break
        else:
            index[n] = len(groups)
            groups.append([n])
    common = groups[0] or list(range(len(patches)))
    return index, np.stack([_median(patches[g]) for g in (common, *groups[1:])])


def _median(stack: NDArray[np.uint8]) -> Picture:
    """(H, W, 3) the median over the first axis; in strips, to spare memory."""
    return np.concatenate([np.median(stack[:, y : y + 32], axis=0).astype(np.uint8) for y in range(0, stack.shape[1], 32)])


def _departing(off: Array, noise: Array) -> Mask:
    """Where a picture departs: clearly somewhere, and what hangs together with that."""
    limit = np.maximum(LEAST, NOISE_FACTOR * noise)
    weak = (off > limit).astype(np.uint8)
    count, labels, stats, _ = cv2.connectedComponentsWithStats(weak, connectivity=8)
    strong = np.bincount(labels[off > STRONG * limit], minlength=count) > 0
    kept = (stats[:, cv2.CC_STAT_AREA] >= SMALLEST_PX) & strong
    kept[0] = False
    return np.asarray(kept[labels], bool)


def _areas(changed: Mask) -> list[tuple[tuple[slice, slice], Mask]]:
    """Boxes and masks of what hangs together; what is too large is cut up."""
    n = 2 * GRAIN_PX + 1
    joined = cv2.dilate(changed.astype(np.uint8), np.ones((n, n)))
    count, labels, stats, _ = cv2.connectedComponentsWithStats(joined, connectivity=8)
    most = round(LARGEST * changed.shape[1])
    out: list[tuple[tuple[slice, slice], Mask]] = []
    for k in range(1, count):
        x, y, w, h = (int(v) for v in stats[k, :4])
        across, down = -(-w // most), -(-h // most)
        for j in range(down):
            for i in range(across):
                rows = slice(y + j * h // down, y + (j + 1) * h // down)
                columns = slice(x + i * w // across, x + (i + 1) * w // across)
                mask = np.asarray(labels[rows, columns] == k)
                if mask.any():
                    out.append(((rows, columns), mask))
    return out
