"""Circles printed on the backs, and what they say: a witness of its own beside the pictures.

Decks differ. Some ring each photo's own departures: then a ring on one side only says that something differs there. Others ring
every place that varies: then rings come on both sides alike and say only where to look. Which it is, the pair itself tells.

The network marks the inner part of each printed ring; round things of the picture (wheels, plates) it has learnt to pass. Whose ring
it is the thin lines round it tell: what is printed on both sides cancels.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.cv import brightest
from vision.differences.candidates import Candidate
from vision.differences.laid import Laid
from vision.differences.maps import CORE, STRIDE, Map, Maps
from vision.geometry import Picture, Points
from vision.observation import Box

MARKED = 0.5  # the value of a ring's likeliest cell at least
REACHES = 0.3  # its inner part reaches as far as this
LEAST_CELLS = 2
LONG = 1.6  # times as long as wide is a mark of two rings
SAME_PLACE = 0.8  # of the larger radius: centres of two rings round one place
STANDS_OUT = 12.0  # levels by which a ring's line does
ONE_INK = 0.3  # of the clearest ring: a deck's rings are of one ink
LONE = 0.7  # of the clearer side's line: so much of it remains where the other side's is taken off
FAINT_TURN = 25  # per cent of the turn that may be fainter
LINE = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (9, 9))  # thin lines vanish under it
TURN = np.linspace(0, 2 * np.pi, 60, endpoint=False)
RADII = np.arange(0.65, 1.5, 0.07)  # tried, of the radius by the inner part's size
AROUND = np.array([(x, y) for x in (-4.0, 0.0, 4.0) for y in (-4.0, 0.0, 4.0)])  # middles tried, pixels
FORMS = (0.88, 1.13)  # tried beside the circle: across / down, square root


@dataclass(frozen=True)
class Ring:
    """One printed circle, in pixels of the working frame."""

    at: tuple[float, float]
    radius: tuple[float, float]  # across, down
    on: str  # "a", "b" or "both"

    @property
    def box(self) -> Box:
        (x, y), (rx, ry) = self.at, self.radius
        return x - rx, y - ry, 2 * rx, 2 * ry

    def holds_middle(self, c: Candidate) -> bool:
        """Whether the ring's middle lies in one of the candidate's boxes."""
        return any(x <= self.at[0] <= x + w and y <= self.at[1] <= y + h for x, y, w, h in c.boxes)

    def holds(self, box: Box, *, grown: float = 1.25) -> bool:
        """Whether the middle of the box lies in the ring, grown a little."""
        dx, dy = box[0] + box[2] / 2 - self.at[0], box[1] + box[3] / 2 - self.at[1]
        return (dx / (grown * self.radius[0])) ** 2 + (dy / (grown * self.radius[1])) ** 2 <= 1


@dataclass(frozen=True)
class _Circle:
    at: tuple[float, float]
    radius: tuple[float, float]
    strength: float  # how far its line stands out, levels


def find_rings(laid: Laid, maps: Maps) -> list[Ring]:
    """The rings of both sides, clearest first; those that ring one place on both are one ring, on "both"."""
    marked = _marked(maps.ring)
    if not marked:
        return []
    lines = [_lines(p) for p in (laid.a, laid.b)]
    only = [cv2.absdiff(plane_a, plane_b) for plane_a, plane_b in zip(*lines, strict=True)]
    on_a, on_b, on_one = (_Plane.of(cv2.max(*planes)) for planes in (*lines, only))
    seen: list[tuple[float, Ring]] = []
    for at, radius in marked:
        a, b = (_along(plane, at, radius) for plane in (on_a, on_b))
        clearer = max((a, b), key=lambda c: c.strength)
        if clearer.strength > STANDS_OUT:
            lone = _along(on_one, at, radius).strength > LONE * clearer.strength
            ring = Ring(clearer.at, clearer.radius, "both" if not lone else "a" if clearer is a else "b")
            seen.append((clearer.strength, ring))
    out: list[Ring] = []
    clearest = max((strength for strength, _ in seen), default=0.0)
    for strength, ring in sorted(seen, key=lambda s: -s[0]):
        if strength > ONE_INK * clearest and not any(_same(ring, other) for other in out):
            out.append(ring)
    return out


def own_departures(rings: Sequence[Ring]) -> float:
    """How likely this deck rings each photo's own departures (1), not every place that varies (0); 0.5 where nothing tells."""
    alone, shared = sum(r.on != "both" for r in rings), sum(r.on == "both" for r in rings)
    # a deck that rings all sites shows a lone ring only where its twin was missed: about one in ten
    log_odds = alone * np.log(0.75 / 0.12) + shared * np.log(0.25 / 0.88)
    return float(1 / (1 + np.exp(-np.clip(log_odds, -8, 8))))


def _marked(inner: Map) -> list[tuple[Points, float]]:
    """The middle (2,) and the radius, pixels, of each ring whose inner part the map marks, likeliest first."""
    count, labels, stats, _ = cv2.connectedComponentsWithStats((inner > REACHES).astype(np.uint8), connectivity=4)
    out = []
    for k in range(1, count):
        x, y, w, h = (int(v) for v in stats[k][:4])
        here = labels[y : y + h, x : x + w] == k
        for cells in _parted(np.argwhere(here)[:, ::-1] + (x, y)):
            strongest = float(inner[cells[:, 1], cells[:, 0]].max())
            if len(cells) >= LEAST_CELLS and strongest > MARKED:
                out.append((strongest, (cells.mean(0) + 0.5) * STRIDE, float(np.sqrt(len(cells) / np.pi)) * STRIDE / CORE))
    return [(at, radius) for _, at, radius in sorted(out, key=lambda ring: -ring[0])]


def _parted(cells: NDArray[np.intp]) -> list[NDArray[np.intp]]:
    """The cells (n, 2) of one mark; of a long one its two halves, for two rings lie there that touch."""
    if len(cells) < 2 * LEAST_CELLS:
        return [cells]
    spreads, axes = np.linalg.eigh(np.cov(cells.T) + np.eye(2) / 12)  # a cell is as wide as itself
    if spreads[1] < LONG**2 * spreads[0]:
        return [cells]
    first = (cells - cells.mean(0)) @ axes[:, 1] > 0
    return [cells[first], cells[~first]]


def _lines(picture: Picture) -> tuple[NDArray[np.uint8], NDArray[np.uint8]]:
    """How strongly each pixel lies on a thin bright line, and on a dark one, in the colour that shows it best: red on grey is both."""
    bright, dark = (cv2.morphologyEx(picture, f, LINE) for f in (cv2.MORPH_TOPHAT, cv2.MORPH_BLACKHAT))
    return brightest(np.asarray(bright, np.uint8)), brightest(np.asarray(dark, np.uint8))


@dataclass(frozen=True)
class _Plane:
    """How strongly each pixel lies on a line, and the same with lines a pixel wider on both sides."""

    lines: Map
    wide: Map

    @staticmethod
    def of(strength: NDArray[Any]) -> "_Plane":
        lines = strength.astype(np.float32)
        return _Plane(lines, np.asarray(cv2.dilate(lines, np.ones((3, 3), np.uint8))))


def _along(plane: _Plane, at: Points, radius: float) -> _Circle:
    """The best closed line near a circle, and how far it stands out from its ground nearly all the way round."""
    best = _clearest(_Circle((float(at[0]), float(at[1])), (radius, radius), 0.0), plane, at + AROUND, radius, np.ones(len(AROUND)))
    return _clearest(best, plane, np.tile(best.at, (len(FORMS), 1)), radius, np.array(FORMS))


def _clearest(best: _Circle, plane: _Plane, at: Points, radius: float, form: Points) -> _Circle:
    """The clearest of the circles round some middles (n, 2), each of its form (n,), if it is clearer than the best so far."""
    h, w = plane.lines.shape
    rx, ry = np.outer(form, RADII * radius), np.outer(1 / form, RADII * radius)  # (n, radii)
    x, y = at[:, :1, None] + rx[..., None] * np.cos(TURN), at[:, 1:, None] + ry[..., None] * np.sin(TURN)
    seen = (x >= 1) & (x < w - 1) & (y >= 1) & (y < h - 1)
    where = np.clip(y, 0, h - 1).astype(np.intp) * w + np.clip(x, 0, w - 1).astype(np.intp)
    ground = np.sort(plane.lines.ravel()[where], axis=1)[:, len(RADII) // 2]  # the median over the radii, which are odd in number
    stands = plane.wide.ravel()[where] - ground[:, None]
    enough = seen.sum(2) >= len(TURN) // 2
    enough[:, [0, -1]] = False
    if not enough.any():
        return best
    stands[~seen] = np.nan
    strength = np.full(enough.shape, -np.inf)
    strength[enough] = _low_part(stands[enough])
    n, k = np.unravel_index(int(strength.argmax()), strength.shape)
    if strength[n, k] <= best.strength:
        return best
    return _Circle((float(at[n, 0]), float(at[n, 1])), (float(rx[n, k]), float(ry[n, k])), float(strength[n, k]))


def _low_part(rows: Points) -> Points:
    """The FAINT_TURN percentile of each row, NaN left out."""
    ordered = np.sort(rows, axis=1)  # NaN last
    n = (~np.isnan(rows)).sum(1)
    return np.asarray(ordered[np.arange(len(rows)), np.maximum(0, (n * FAINT_TURN) // 100)])


def _same(r: Ring, s: Ring) -> bool:
    return float(np.hypot(r.at[0] - s.at[0], r.at[1] - s.at[1])) < SAME_PLACE * max(*r.radius, *s.radius)
