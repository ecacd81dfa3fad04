"""Circles printed on the backs, and what they say: a witness of its own beside the pictures.

Decks differ. Some ring each photo's own departures: then a ring on one side only says that something differs there. Others ring
every place that varies: then rings come on both sides alike and say only where to look. Which it is, the pair itself tells.

Every thin line votes for the circles that it may be part of; a circle is one where nearly the whole turn stands out from its ground.
Round things of the picture (wheels, plates) come on both sides alike and so say nothing.
"""

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.differences.candidates import Candidate
from vision.differences.laid import Laid
from vision.geometry import Picture, Points
from vision.observation import Box

SMALLEST, LARGEST = 0.022, 0.08  # radius, of the width
STEP = 1.12  # from one radius that is voted for to the next
LEAST_VOTE = 0.2
MOST_RINGS = 30  # looked at on one side
STANDS_OUT = 3.0  # how far a ring's line stands out, in units of what lines usually do in this picture
STANDS_OUT_ALONE = 1.6  # ... where the other side shows that the picture has no such thing
STANDS_OUT_AT_A_GLANCE = 1.0  # ... before its place and form were fitted
ONE_INK = 0.3  # of the clearest lone ring: a deck's rings are of one ink
AS_STRONG = 0.45  # of the stronger side's line: the other side has the ring, too
FAINT_TURN = 25  # per cent of the turn that may be fainter
SAME_PLACE = 0.8  # of the larger radius: centres of two rings round one place
GREY_PART = 90  # per cent of a back's pixels that have no colour of their own ...
GREY_CHROMA = 8.0  # ... farther than this from the picture's cast
INK_PART = 0.25  # per cent of the pixels at least that are coloured ink, where rings are of it
INK_CHROMA = 12.0
THICK = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (25, 25))  # coloured lines, blurred by the codec, vanish under it
LINE = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (9, 9))  # thin lines vanish under it
TURN = np.linspace(0, 2 * np.pi, 72, endpoint=False)
RADII = np.arange(0.75, 1.3, 0.05)  # tried, of the voted radius
SHIFTS = (-3.0, 0.0, 3.0)  # tried, pixels
FORMS = (0.88, 1.0, 1.13)  # tried: across / down, square root

Map = NDArray[Any]


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
    strength: float


def find_rings(laid: Laid) -> list[Ring]:
    """The rings of both sides, clearest first; those that ring one place on both are one ring, on "both"."""
    inks = [_ink(p) for p in (laid.a, laid.b)]
    sides = [_Lines.on(ink) for ink in inks if ink is not None]
    if len(sides) < 2 or not any(map(_is_there, sides)):
        sides = [_Lines.of(p) for p in (laid.a, laid.b)]
    seen: list[tuple[float, Ring]] = []
    votes = [lines.votes() for lines in sides]
    for x, y, r in _peaks(*votes[0], votes[1][0]) + _peaks(*votes[1], votes[0][0]):
        glance = max(lines.along((x, y), (r, r), (0.0,), (1.0,)).strength for lines in sides)
        if glance < STANDS_OUT_AT_A_GLANCE:
            continue
        a, b = (lines.along((x, y), (r, r), SHIFTS, FORMS) for lines in sides)
        strongest = max((a, b), key=lambda c: c.strength)
        least = AS_STRONG * strongest.strength
        on = "both" if min(a.strength, b.strength) >= least else "a" if a.strength >= least else "b"
        if strongest.strength >= (STANDS_OUT if on == "both" else STANDS_OUT_ALONE):
            seen.append((strongest.strength, Ring(strongest.at, strongest.radius, on)))
    out: list[Ring] = []
    clearest = max((s for s, ring in seen if ring.on != "both"), default=0.0)
    for strength, ring in sorted(seen, key=lambda s: -s[0]):
        of_one_ink = ring.on == "both" or strength >= ONE_INK * clearest
        if of_one_ink and not any(_same(ring, other) for other in out):
            out.append(ring)
    return out


def own_departures(rings: list[Ring]) -> float:
    """How likely this deck rings each photo's own departures (1), not every place that varies (0); 0.5 where nothing tells."""
    alone, shared = sum(r.on != "both" for r in rings), sum(r.on == "both" for r in rings)
    # a deck that rings all sites shows a lone ring only where its twin was missed: about one in ten
    log_odds = alone * np.log(0.75 / 0.12) + shared * np.log(0.25 / 0.88)
    return float(1 / (1 + np.exp(-np.clip(log_odds, -8, 8))))


def _same(r: Ring, s: Ring) -> bool:
    return float(np.hypot(r.at[0] - s.at[0], r.at[1] - s.at[1])) < SAME_PLACE * max(*r.radius, *s.radius)


@dataclass(frozen=True)
class _Lines:
    """How strongly each pixel of a picture lies on a thin line, dark or bright."""

    plane: Map  # (h, w), 0..255
    wide: Map  # the same, lines a pixel wider on both sides
    usual: float  # what lines usually do in this picture

    @staticmethod
    def of(picture: Picture) -> "_Lines":
        grey = cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY)
        bright, dark = (cv2.morphologyEx(grey, f, LINE) for f in (cv2.MORPH_TOPHAT, cv2.MORPH_BLACKHAT))
        return _Lines.on(np.maximum(bright, dark).astype(np.float32))

    @staticmethod
    def on(plane: Map) -> "_Lines":
        """Lines of a map that is bright where ink lies."""
        return _Lines(plane, np.asarray(cv2.dilate(plane, np.ones((3, 3), np.uint8))), float(np.median(plane)) + 2)

    def votes(self) -> tuple[Map, Map]:
        """At half the size: how much more line lies on the best circle round each place than beside it, and that circle's radius."""
        half = cv2.dilate(self.plane, np.ones((2, 2), np.uint8), anchor=(0, 0))[::2, ::2]
        lines = np.clip(half / (4 * self.usual), 0, 1)
        radii, spectra = _annuli(*lines.shape)
        votes = np.fft.irfft2(np.fft.rfft2(lines)[None] * spectra, s=lines.shape)
        return votes.max(0), np.array(radii)[votes.argmax(0)]

    def along(self, at: tuple[float, float], radius: tuple[float, float], shifts: tuple[float, ...], forms: tuple[float, ...]) -> _Circle:
        """The best closed line near a circle, and how far it stands out from its ground nearly all the way round."""
        h, w = self.plane.shape
        best = _Circle(at, radius, 0.0)
        for form in forms:
            rx, ry = RADII * radius[0] * form, RADII * radius[1] / form
            for dx in shifts:
                for dy in shifts:
                    x, y = at[0] + dx + np.outer(rx, np.cos(TURN)), at[1] + dy + np.outer(ry, np.sin(TURN))
                    seen = (x >= 1) & (x < w - 1) & (y >= 1) & (y < h - 1)
                    column, row = np.clip(x, 0, w - 1).astype(int), np.clip(y, 0, h - 1).astype(int)
                    stands = self.wide[row, column] - np.median(self.plane[row, column], axis=0)
                    stands[~seen] = np.nan
                    enough = seen.sum(1) >= len(TURN) // 2
                    enough[[0, -1]] = False
                    if not enough.any():
                        continue
                    strength = _low_part(stands[enough])
                    k = int(strength.argmax())
                    if strength[k] / self.usual > best.strength:
                        n = np.flatnonzero(enough)[k]
                        best = _Circle((at[0] + dx, at[1] + dy), (float(rx[n]), float(ry[n])), float(strength[k]) / self.usual)
        return best


def _ink(picture: Picture) -> Map | None:
    """How coloured each pixel of a grey picture's thin lines is, beside its cast; None where the picture itself has colours."""
    lab = cv2.cvtColor(picture, cv2.COLOR_BGR2LAB).astype(np.float32)[..., 1:]
    chroma = np.hypot(*np.moveaxis(lab - np.median(lab.reshape(-1, 2), axis=0), -1, 0))
    if np.percentile(chroma, GREY_PART) > GREY_CHROMA:
        return None
    return np.asarray(cv2.morphologyEx(chroma, cv2.MORPH_TOPHAT, THICK), np.float32)


def _is_there(lines: _Lines) -> bool:
    return float(np.percentile(lines.plane, 100 - INK_PART)) > INK_CHROMA


def _peaks(best: Map, radius: Map, other: Map) -> list[tuple[float, float, float]]:
    """Middles and radii (x, y, r) of what may be circles; first what the other side does not have, too."""
    peaks = (best == cv2.dilate(best, np.ones((9, 9), np.uint8))) & (best > LEAST_VOTE)
    ys, xs = np.nonzero(peaks)
    there = cv2.dilate(other, np.ones((5, 5), np.uint8))
    order = np.argsort(-(best - 0.5 * there)[ys, xs], kind="stable")[:MOST_RINGS]
    return [(2.0 * xs[k] + 1, 2.0 * ys[k] + 1, 2.0 * float(radius[ys[k], xs[k]])) for k in order]


def _low_part(rows: Points) -> Points:
    """The FAINT_TURN percentile of each row, NaN left out."""
    ordered = np.sort(rows, axis=1)  # NaN last
    n = (~np.isnan(rows)).sum(1)
    return np.asarray(ordered[np.arange(len(rows)), np.maximum(0, (n * FAINT_TURN) // 100)])


@lru_cache(maxsize=16)
def _annuli(height: int, width: int) -> tuple[tuple[float, ...], NDArray[np.complex128]]:
    """The radii that are voted for, and for each the spectrum of its line less its ground."""
    radii = []
    r = SMALLEST * width
    while r < LARGEST * width:
        radii.append(r)
        r *= STEP
    y, x = np.meshgrid(np.fft.fftfreq(height, 1 / height), np.fft.fftfreq(width, 1 / width), indexing="ij")
    far = np.hypot(x, y)
    spectra = []
    for r in radii:
        on, beside = np.abs(far - r) <= 1, ((far > 0.5 * r) & (far < 0.8 * r)) | ((far > 1.2 * r) & (far < 1.45 * r))
        spectra.append(np.fft.rfft2(on / on.sum() - beside / beside.sum()))
    return tuple(radii), np.stack(spectra)
