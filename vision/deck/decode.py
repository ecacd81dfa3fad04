"""Which card of a deck a picture of one side shows: the places that vary, decoded one by one by likelihood.

    decoder = Decoder(face)
    evidence = decoder.read(cut, width_px=240)     # a cut of the photo, with some room round it
    evidence.cards                                  # log likelihood of each card, and `evidence.stranger` of one the deck lacks

The picture is laid on the deck's median, whatever way up it lies. What the deck has in common tells the blur, the light (a colour matrix
and a smooth gain) and the noise; what then remains at an area tells which look lies there. What is burnt out or covered tells nothing.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.deck.align import Array, Fit, Homography, Reference, evened, warped
from vision.deck.faces import Area, Face, Mask
from vision.geometry import Picture

SIZES_PX = (96, 128, 160, 192, 224, 256, 320, 384, 448)   # longer sides in which a photo is decoded: about as large as the camera sees it
BLURS = (0.5, 0.8, 1.1, 1.5, 2.1, 3.0)  # sigma in those pixels
OURS = 0.45                             # correlation with the deck's picture from which the photo can be of this deck
RIM = 0.03                              # of the width: round corners, worn edges and the table under a rim that lies a pixel off
BURNT = 250
CAPPED = 16.0                           # squared deviations that say no more
ANYTHING = 5.0                          # squared deviation a pixel of a thing never seen here
CORRUPT = 0.01                          # an area shows light, dirt or a finger so often
LEAST_DOUBT = 14.0                      # nats: no area says more than this against a card
TOGETHER = 45.0                         # pixel values that err together: three channels and a neighbourhood; measured on frames
LIGHT_SOFT = 0.16                       # of the width: light varies so slowly
SHRINK = 4                              # light is fitted on a picture so many times smaller
PULL = 150.0                            # squared grey levels: contrast less than this tells little of the light
TONES = 12                              # classes of lightness of the camera's curve
INK_SPREAD = 0.25                       # of what a look adds to the common one or takes from it: ink and lamp change it so much
INK = (0.4, 1.5)                        # but never more
SOLID = 0.1                             # the same, pixel by pixel
COVER_SOFT = 0.03                       # of the width, a Gaussian: what covers is larger
OTHER = 0.45                            # of the pixels around that show something else: the place is covered
COVERED = 0.5                           # of an area's pixels that must be seen
TEXTURED = 8                            # classes of gradient in which noise is measured
RIDGE = 0.02
NEW_LOOK = 0.02                         # a card the deck lacks has a look never seen at so many areas


@dataclass(frozen=True)
class Evidence:
    """What one look at a photo tells. Likelihoods are natural logarithms, comparable among themselves only."""

    fit: Fit                             # the deck's frame (-1..1) -> the cut's
    cards: NDArray[np.float64]           # (cards,); -inf for one without this side
    stranger: float                      # a card of this deck that the pack lacks
    seen: float                          # 0..1: the part of the areas that told something
    ours: bool                           # whether this is a photo of this deck at all


@dataclass(frozen=True)
class _Template:
    """An area at one size and blur. `looks` (k, h, w, 3), `slope` (k, h, w, 1): grey levels a pixel."""

    box: tuple[slice, slice]
    mask: Mask
    looks: Array
    slope: Array


@dataclass
class _Scale:
    """The deck at one size: its median at each blur, and the areas' templates, made when first asked for."""

    width: int
    height: int
    medians: list[Array]
    evened: list[Array]
    common: Mask                         # (h, w): no photo departs here
    templates: dict[int, list[_Template]] = field(default_factory=dict)


class Decoder:
    """Reads photos of one side of a deck."""

    def __init__(self, face: Face) -> None:
        self.face = face
        self.reference = Reference(face.median)
        self._scales: dict[int, _Scale] = {}

    def lay(self, cut: Picture, turns: Sequence[int], *, begin: Homography | None = None) -> Fit:
        """Lays a cut of the photo on the deck, in the best of the turns (quarters clockwise)."""
        start = np.eye(3) if begin is None else begin
        tries = [self.reference.fit(cut, begin=start @ quarter(turn), levels=(0,)) for turn in turns]
        best = max(tries, key=lambda f: f.alike)
        return self.reference.fit(cut, begin=best.matrix, levels=(1, 2))

    def read(self, cut: Picture, *, width_px: float, turns: Sequence[int] = (0, 2), begin: Homography | None = None) -> Evidence:
        """What the cut tells. `width_px`: the photo's longer side in the camera's pixels; `begin`: where in the cut the photo lies."""
        fit = self.lay(cut, turns, begin=begin)
        cards = np.where(self.face.known, 0.0, -np.inf)
        if fit.alike < OURS:
            return Evidence(fit, cards, 0.0, 0.0, False)
        scale = self._scale(min(SIZES_PX, key=lambda s: abs(np.log(s / max(width_px, 1)))))
        picture = np.asarray(warped(cut, fit.matrix, scale.width, scale.height), np.uint8)
        blur = self._blur(scale, picture)
        lit = _lit(picture.astype(np.float32), scale.medians[blur], scale.common)
        tables = [self._table(lit, t, BLURS[blur]) for t in self._templates(scale, blur)]
        seen = 0.0
        stranger = 0.0
        for n, table in enumerate(tables):
            if table is None:
                continue
            looks, anything = table
            seen += 1 / len(tables)
            index = self.face.looks[:, n]
            often = (np.bincount(index[index >= 0], minlength=len(looks)) + 0.2) / (np.count_nonzero(index >= 0) + 0.2 * len(looks))
            doubted = np.maximum(np.logaddexp(looks, anything + np.log(CORRUPT)), looks.max() - LEAST_DOUBT)
            cards += np.where(index >= 0, doubted[index], -np.inf)
            stranger += float(np.logaddexp.reduce([*(doubted + np.log(often * (1 - NEW_LOOK))), anything + np.log(NEW_LOOK)]))
        return Evidence(fit, cards, stranger, seen, True)

    def _blur(self, scale: _Scale, picture: Picture) -> int:
        """Which of BLURS makes the median most like the picture."""
        now = evened(picture)[scale.common]
        off = [float(np.minimum(np.abs(now - e[scale.common]), 1.0).mean()) for e in scale.evened]
        return int(np.argmin(off))

    def _scale(self, width: int) -> _Scale:
        if width not in self._scales:
            h, w = self.face.median.shape[:2]
            k = width / max(h, w)
            size = (round(w * k), round(h * k))
            medians = [_soft(self.face.median, size, blur) for blur in BLURS]
            common = np.zeros((h, w), np.uint8)
            rim = round(RIM * w)
            common[rim:-rim, rim:-rim] = 1
            for area in self.face.areas:
                common[area.box][area.mask] = 0
            little = cv2.resize(common * 255, size, interpolation=cv2.INTER_AREA) > 250
            self._scales[width] = _Scale(size[0], size[1], medians, [evened(np.asarray(m, np.uint8)) for m in medians], np.asarray(little))
        return self._scales[width]

    def _templates(self, scale: _Scale, blur: int) -> list[_Template]:
        if blur not in scale.templates:
            scale.templates[blur] = [_template(self.face, area, scale, blur) for area in self.face.areas]
        return scale.templates[blur]

    def _table(self, lit: "_Lit", t: _Template, blur: float) -> tuple[NDArray[np.float64], float] | None:
        """The log likelihood of each look, and of a thing never seen; None where the area is hidden."""
        usable = t.mask & ~lit.unseen[t.box]
        if np.count_nonzero(usable) < COVERED * np.count_nonzero(t.mask):
            return None
        here = usable[None, :, :, None]
        seen = lit.as_seen(t.looks, t.box)
        added = (seen - seen[0]) * here
        noise = lit.noise(t.slope) + (SOLID * added) ** 2
        shown = (lit.picture[t.box] - seen[0]) * here
        # ink and lamp make what a look adds stronger or weaker than the deck has it, each channel alike all over the area
        together = TOGETHER * (0.5 + blur)
        pull = together / INK_SPREAD**2
        strength = ((added * shown / noise).sum((1, 2)) + pull) / ((added**2 / noise).sum((1, 2)) + pull)
        strength = np.clip(strength, *INK)
        off = (shown - added * strength[:, None, None]) ** 2 / noise
        log_noise = np.log(noise)
        looks = -0.5 * ((np.minimum(off, CAPPED) + log_noise) * here).sum((1, 2, 3)) / together
        looks = looks - 0.5 * ((strength - 1) ** 2).sum(1) / INK_SPREAD**2
        anything = -0.5 * ((ANYTHING + log_noise[0]) * here[0]).sum() / together
        return np.asarray(looks, np.float64), float(anything)


def quarter(turns: int) -> Homography:
    """A turn of the frame -1..1 by quarters, clockwise as seen: the deck's top left comes to lie at the cut's k-th corner."""
    c, s = [(1, 0), (0, 1), (-1, 0), (0, -1)][turns % 4]
    return np.array([[c, -s, 0], [s, c, 0], [0, 0, 1.0]])


@dataclass(frozen=True)
class _Lit:
    """A photo laid on the deck, with the light it lies in."""

    picture: Array                        # (h, w, 3)
    colour: NDArray[np.float32]           # (4, 3): the deck's B, G, R, 1 -> the camera's
    tone: tuple[NDArray[np.float32], NDArray[np.float32]]   # (bins, 3) each: as the matrix has it -> as the camera has it
    gain: Array                           # (h, w, 3): contrast, place by place: glare and haze take it
    veil: Array                           # (h, w, 3): light that lies over it
    classes: NDArray[np.float32]          # slopes at which noise was measured
    variance: NDArray[np.float32]         # (classes, 3)
    unseen: Mask                          # (h, w)

    def as_seen(self, deck: Array, box: tuple[slice, slice]) -> Array:
        """The deck's pixels (…, h, w, 3) of that box as this camera sees them in this light."""
        return np.asarray(_toned(deck @ self.colour[:3] + self.colour[3], self.tone) * self.gain[box] + self.veil[box], np.float32)

    def noise(self, slope: Array) -> Array:
        """The variance to be expected at pixels of that slope (…, 1): it grows with the square of the slope."""
        top = self.classes[-1]
        beyond = np.maximum(slope / max(float(top), 1e-3), 1.0) ** 2
        return np.asarray(np.concatenate([np.interp(slope, self.classes, self.variance[:, c]) * beyond for c in range(3)], -1), np.float32)


def _lit(picture: Array, median: Array, common: Mask) -> _Lit:
    """The light and the noise, by what the deck has in common. Twice: what the first look finds covered has no say in the second."""
    trusted = common & (picture.max(2) < BURNT)
    unseen = picture.min(2) >= BURNT
    slope = _slope(median).max(2, keepdims=True)
    for _ in range(2):
        colour = _colour(picture, median, trusted)
        plain = np.asarray(median @ colour[:3] + colour[3], np.float32)
        tone = _tone(plain, picture, trusted)
        toned = _toned(plain, tone)
        gain, veil = _local_light(toned, picture, trusted)
        seen = toned * gain + veil
        classes, variance = _noise((picture - seen)[trusted], slope[trusted])
        lit = _Lit(picture, colour, tone, gain, veil, classes, variance, unseen)
        off = ((picture - seen) ** 2 / lit.noise(slope)).mean(2)
        other = ((off > CAPPED / 2) & common).astype(np.float32)
        spread = COVER_SOFT * picture.shape[1]
        part = cv2.GaussianBlur(other, (0, 0), spread) / np.maximum(cv2.GaussianBlur(common.astype(np.float32), (0, 0), spread), 0.02)
        unseen = np.asarray((part > OTHER) | (picture.min(2) >= BURNT))
        trusted = common & ~unseen & (picture.max(2) < BURNT)
    return _Lit(picture, colour, tone, gain, veil, classes, variance, unseen)


def _tone(plain: Array, picture: Array, trusted: Mask) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """The camera's curve, each channel: medians over classes of lightness; beyond them it goes on half as steep."""
    if np.count_nonzero(trusted) < 40 * TONES:
        return np.tile(np.array([[0.0], [255.0]], np.float32), 3), np.tile(np.array([[0.0], [255.0]], np.float32), 3)
    x, y = plain[trusted], picture[trusted]
    knots_x, knots_y = np.empty((TONES + 2, 3), np.float32), np.empty((TONES + 2, 3), np.float32)
    for c in range(3):
        order = np.argsort(x[:, c])
        parts = np.array_split(order, TONES)
        knots_x[1:-1, c] = [np.median(x[part, c]) for part in parts]
        knots_y[1:-1, c] = np.maximum.accumulate([np.median(y[part, c]) for part in parts])
    for end, inner in ((0, 1), (-1, -2)):
        knots_x[end] = knots_x[inner] + (-100 if end == 0 else 100)
        knots_y[end] = knots_y[inner] + (-50 if end == 0 else 50)
    return knots_x, knots_y


def _toned(plain: Array, tone: tuple[NDArray[np.float32], NDArray[np.float32]]) -> Array:
    return np.stack([np.interp(plain[..., c], tone[0][:, c], tone[1][:, c]) for c in range(3)], -1).astype(np.float32)


def _local_light(toned: Array, picture: Array, trusted: Mask) -> tuple[Array, Array]:
    """Contrast and veil, place by place: a line fitted to each neighbourhood, pulled to contrast 1 where little is to be seen."""
    h, w = trusted.shape
    size = (max(8, w // SHRINK), max(8, h // SHRINK))
    weight = trusted.astype(np.float32)[..., None]

    def little(values: Array) -> Array:
        return np.asarray(cv2.resize(values, size, interpolation=cv2.INTER_AREA), np.float32)

    n = round(LIGHT_SOFT * size[0]) | 1
    some = cv2.blur(little(np.asarray(weight, np.float32)), (n, n))[..., None] + 1e-3

    def mean(values: Array) -> Array:
        return np.asarray(cv2.blur(little(values * weight), (n, n)) / some, np.float32)

    x, y = mean(toned), mean(picture)
    variance, together = mean(toned * toned) - x * x, mean(toned * picture) - x * y
    gain = np.clip((together + PULL) / (np.maximum(variance, 0) + PULL), 0.15, 2.0)
    veil = y - gain * x

    def large(values: Array) -> Array:
        return np.asarray(cv2.resize(values, (w, h), interpolation=cv2.INTER_LINEAR), np.float32)

    return large(np.asarray(gain, np.float32)), large(np.asarray(veil, np.float32))


def _colour(picture: Array, median: Array, trusted: Mask) -> NDArray[np.float32]:
    """(4, 3): the camera's colours from the deck's, by least squares with a pull to plain gains."""
    step = max(1, int(np.count_nonzero(trusted)) // 6000)
    x, y = median[trusted][::step].astype(np.float64), picture[trusted][::step].astype(np.float64)
    if len(x) < 50:
        return np.asarray(np.vstack([np.eye(3), np.zeros(3)]), np.float32)
    gain = float((x * y).sum() / max((x * x).sum(), 1e-9))
    pull = np.vstack([np.eye(3) * gain, np.zeros(3)])
    ones = np.c_[x, np.ones(len(x))]
    weight = np.ones(len(x))
    colour = pull
    strength = np.diag([RIDGE * float((x * x).mean())] * 3 + [RIDGE]) * len(x)
    for _ in range(4):
        weighted = ones * weight[:, None]
        colour = np.linalg.solve(weighted.T @ ones + strength, weighted.T @ y + strength @ pull)
        off = np.abs(y - ones @ colour).max(1)
        limit = 2.5 * float(np.median(off)) + 1
        weight = limit / np.maximum(off, limit)
    return np.asarray(colour, np.float32)


def _noise(off: NDArray[np.float32], slope: NDArray[np.float32]) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Variance by slope, each channel: the more the picture changes from pixel to pixel, the more a small shift does."""
    if len(off) < 20 * TEXTURED:
        return np.ones(1, np.float32), np.full((1, 3), 400.0, np.float32)
    steep = slope.max(1)
    edges = np.quantile(steep, np.linspace(0, 1, TEXTURED + 1))
    index = np.clip(np.searchsorted(edges, steep, side="right") - 1, 0, TEXTURED - 1)
    classes, variance = [], []
    for k in range(TEXTURED):
        ours = off[index == k]
        if len(ours) < 20:
            continue
        classes.append(float(np.median(steep[index == k])))
        usual = (1.4826 * np.median(np.abs(ours), axis=0)) ** 2 + 2.0
        variance.append(usual * np.minimum(ours**2 / usual, CAPPED).mean(0))   # the tails count, but not without end
    order = np.argsort(classes)
    return np.asarray(classes, np.float32)[order], np.maximum.accumulate(np.asarray(variance, np.float32)[order], axis=0)


def _soft(picture: Picture | Array, size: tuple[int, int], blur: float) -> Array:
    little = cv2.resize(picture, size, interpolation=cv2.INTER_AREA).astype(np.float32)
    return np.asarray(cv2.GaussianBlur(little, (0, 0), blur), np.float32)


def _slope(picture: Array) -> Array:
    """Grey levels a pixel, each channel."""
    x, y = (cv2.Scharr(picture, cv2.CV_32F, *d, scale=1 / 32) for d in ((1, 0), (0, 1)))
    return np.asarray(np.sqrt(x * x + y * y), np.float32)


def _template(face: Face, area: Area, scale: _Scale, blur: int) -> _Template:
    """The area's looks within the median, at one size and blur."""
    h, w = face.median.shape[:2]
    kx, ky = scale.width / w, scale.height / h
    rows, columns = area.box
    x0, y0 = max(0, int(columns.start * kx) - 1), max(0, int(rows.start * ky) - 1)
    x1, y1 = min(scale.width, int(np.ceil(columns.stop * kx)) + 1), min(scale.height, int(np.ceil(rows.stop * ky)) + 1)
    looks, slopes = [], []
    for look in area.looks:
        whole = face.median.copy()
        whole[area.box] = np.where(area.mask[..., None], look, whole[area.box])
        soft = _soft(whole, (scale.width, scale.height), BLURS[blur])
        looks.append(soft[y0:y1, x0:x1])
        slopes.append(_slope(soft)[y0:y1, x0:x1])
    mask = np.zeros((h, w), np.uint8)
    mask[area.box][area.mask] = 255
    little = cv2.resize(mask, (scale.width, scale.height), interpolation=cv2.INTER_AREA)[y0:y1, x0:x1] > 60
    return _Template((slice(y0, y1), slice(x0, x1)), np.asarray(little), np.stack(looks), np.stack(slopes).max(-1, keepdims=True))
