"""Whether two pictures are of one card: scanned twice, a pixel off, under another lamp, saved as another JPEG."""

from dataclasses import dataclass
from functools import cached_property

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.deck.align import Array, Reference, warped
from vision.deck.faces import distance, lab, lit_like, small
from vision.geometry import Picture

THUMB_PX = 24           # the side at which pictures are compared first
NEAR = 0.7              # correlation of two such thumbs from which a closer look is worth while
SAME_SHAPE = 0.05       # of the sides' ratio
SLACK_PX = 5            # of the common width (640): an edge may lie so far off, as a kernel's side
FACTOR = 4.0            # times the usual difference of the two: more is another thing there
LEAST = 12.0            # in Lab: less may be ink, lamp or JPEG
SMALLEST_PX = 30        # pixels of another thing, of the common width
RIM = 0.02              # of the width: how a scan was cut


@dataclass(frozen=True)
class Glance:
    """A picture at the common size, and what is compared of it."""

    picture: Picture

    @classmethod
    def of(cls, picture: Picture) -> "Glance":
        """Of a picture of any size."""
        return cls(small(picture))

    @cached_property
    def reference(self) -> Reference:
        """For others to be laid on."""
        return Reference(self.picture)

    @cached_property
    def thumb(self) -> Array:
        """(THUMB_PX ** 2 * 3,) with mean 0 and length 1."""
        little = cv2.resize(self.picture, (THUMB_PX, THUMB_PX), interpolation=cv2.INTER_AREA).astype(np.float32)
        values = cv2.GaussianBlur(little, (0, 0), 1.0).ravel()
        values -= values.mean()
        return np.asarray(values / max(float(np.linalg.norm(values)), 1e-6), np.float32)


def one_card(a: Glance, b: Glance) -> bool:
    """Whether both pictures show the same side of one card (or of two that no scan tells apart)."""
    (h, w), (p, q) = a.picture.shape[:2], b.picture.shape[:2]
    if abs(np.log((w / h) / (q / p))) > SAME_SHAPE or float(a.thumb @ b.thumb) < NEAR:
        return False
    fit = a.reference.fit(b.picture)
    laid = lit_like(np.asarray(warped(b.picture, fit.matrix, w, h), np.uint8), a.picture)
    off = _off(lab(a.picture), lab(laid))
    rim = round(RIM * w)
    inner = off[rim:-rim, rim:-rim]
    more = (inner > max(LEAST, FACTOR * float(np.median(inner)))).astype(np.uint8)
    count, _, stats, _ = cv2.connectedComponentsWithStats(more, connectivity=8)
    return not any(stats[k, cv2.CC_STAT_AREA] >= SMALLEST_PX for k in range(1, count))


def _off(a: Array, b: Array) -> NDArray[np.float32]:
    """(H, W) how far each is from what the other shows within SLACK_PX, the lesser."""
    box = np.ones((SLACK_PX, SLACK_PX), np.uint8)

    def beyond(x: Array, y: Array) -> Array:
        low, high = np.asarray(cv2.erode(y, box)), np.asarray(cv2.dilate(y, box))
        return distance(np.asarray(np.clip(x, low, high), np.float32), x)

    return np.asarray(np.maximum(beyond(a, b), beyond(b, a)), np.float32)
