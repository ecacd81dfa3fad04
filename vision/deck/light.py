"""The light in which a photo lies, and how noisy it is seen: learned on what the photo has in common with its deck.

A colour matrix, the camera's curve, and, place by place, contrast and veil (glare, haze, shadow) carry the deck's colours to those of the
frame. What then remains is noise: it grows where the picture is steep, since nothing ever lies exactly on its place.
"""

from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.deck.align import Array
from vision.deck.faces import Mask
from vision.glare import BURNT

CAPPED = 16.0           # squared deviations: more than this tells no more
SAMPLE = 3000           # pixels by which light and noise are judged
FEWEST = 500            # of them, to judge at all
SOFT = 0.16             # of the width: light varies so slowly
SHRINK = 4              # light is fitted on a picture so many times smaller
PULL = 150.0            # squared grey levels: contrast less than this tells little of the light
CONTRAST = (0.15, 2.0)
TONES = 12              # classes of lightness of the camera's curve
BEYOND = 100.0          # grey levels past the curve's ends, along which it goes on as steep as along its last classes
ENTRIES = 2048          # of a curve's table: half an entry is an eighth of a grey level
END = 3                 # of which there are so many
STEEP = (0.3, 1.1)
SLOPES = 8              # classes of steepness in which noise is measured
RIDGE = 0.02            # pull of the colour matrix to plain gains
GRAIN = 2.0             # squared grey levels: no camera is better
LITTLE = 0.01           # of a photo: less that is covered changes nothing of its light
STEP = 2                # what covers is sought, and how light varies, on every other pixel
COVER_SOFT = 0.03       # of the width, a Gaussian: what covers is larger
WASHED_OUT = 0.4        # of the usual contrast: less shows nothing
OTHER = 0.45            # of the pixels around that show something else: the place is covered
ON_TOP = 0.2            # the same of what two photos share: the other one lies above

Box = tuple[slice, slice]     # rows and columns
WHOLE: Box = (slice(None), slice(None))
FEW: Box = (slice(None, None, STEP), slice(None, None, STEP))


@dataclass(frozen=True)
class Line:
    """A broken line, level beyond its ends, as a table: read ten times as fast as numpy reckons between nodes."""

    begin: float
    steps: float                          # entries in a unit
    values: NDArray[np.float32]

    @staticmethod
    def through(x: NDArray[np.float32], y: NDArray[np.float32]) -> "Line":
        """Nodes (n,), x rising."""
        begin, end = float(x[0]), float(x[-1])
        at = np.linspace(begin, end, ENTRIES)
        return Line(begin, (ENTRIES - 1) / max(end - begin, 1e-6), np.interp(at, x, y).astype(np.float32))

    def at(self, x: Array) -> Array:
        """Of that shape."""
        index = ((x - np.float32(self.begin)) * np.float32(self.steps) + np.float32(0.5)).astype(np.int32)
        return self.values.take(index, mode="clip")


Curve = tuple[Line, Line, Line]           # of the three channels


@dataclass(frozen=True)
class Light:
    """How a photo laid on its deck is lit."""

    picture: Array                        # (h, w, 3): the photo, in the deck's frame
    colour: NDArray[np.float32]           # (4, 3): the deck's B, G, R, 1 -> the camera's
    curve: Curve                          # as the matrix has it -> as the camera has it
    gain: Array                           # (h, w, 3): contrast
    veil: Array                           # (h, w, 3): light that lies over it
    steepest: float                       # grey levels a pixel, to which noise was measured
    variance: Line                        # by steepness, with its tails
    usual: Line                           # without: what most pixels keep to
    unseen: Mask                          # (h, w): burnt out, washed out or covered
    doubt: Array                          # (h, w): how many times the usual variance is found around: glare and hands have edges

    def as_seen(self, deck: Array, box: Box = WHOLE) -> Array:
        """The deck's pixels (..., h, w, 3) of that box as this camera sees them in this light."""
        return self.under(deck, self.gain[box], self.veil[box])

    def under(self, deck: Array, gain: Array, veil: Array) -> Array:
        """The deck's pixels (..., n, 3) as this camera sees them where contrast and veil (n, 3) are these."""
        return np.asarray(_curved(mixed(deck, self.colour), self.curve) * gain + veil, np.float32)

    def noise(self, slope: Array, *, tails: bool = True) -> Array:
        """The variance to be expected where the deck is so steep; beyond what was measured it grows with the square."""
        beyond = np.maximum(slope * np.float32(1 / max(self.steepest, 1e-3)), np.float32(1)) ** 2
        return np.asarray((self.variance if tails else self.usual).at(slope) * beyond, np.float32)


def light_of(picture: Array, median: Array, slope: Array, common: Mask, doubtful: Mask | None = None) -> Light:
    """The light of a photo (h, w, 3) laid on the deck's `median`, whose steepness is `slope` (h, w), by where it is `common`.

    Judged again without what turns out to be covered; `doubtful` (h, w): where another photo lies over this one, or under it. What shows
    the deck's own picture there is this one.
    """
    if doubtful is not None:
        beside = light_of(picture, median, slope, common & ~doubtful)
        there = (common & doubtful)[FEW]
        if there.any() and float(_deviations(beside, median, slope)[1][there].mean()) > ON_TOP:
            return replace(beside, unseen=beside.unseen | doubtful)
    blue, green, red = (picture[..., c] for c in range(3))   # numpy's own max over so short an axis takes forty times as long
    burnt = np.minimum(np.minimum(blue, green), red) >= BURNT
    readable = common & (np.maximum(np.maximum(blue, green), red) < BURNT)
    light = _judged(picture, median, slope, readable)
    covered, doubt = _covered(light, median, slope, common)
    if covered.mean() > LITTLE:
        light = _judged(picture, median, slope, readable & ~covered)
        covered, doubt = _covered(light, median, slope, common)
    contrast = light.gain[..., 0] + light.gain[..., 1] + light.gain[..., 2]
    return replace(light, unseen=burnt | covered | (contrast < WASHED_OUT * float(np.median(contrast))), doubt=doubt)


def mixed(pixels: Array, colour: NDArray[np.float32]) -> Array:
    """(h, w, 3) pixels, each times the first three rows of `colour` (4, 3), plus its last."""
    return np.asarray(cv2.transform(np.ascontiguousarray(pixels), np.ascontiguousarray(colour.T)), np.float32)


def _judged(picture: Array, median: Array, slope: Array, trusted: Mask) -> Light:
    some = np.flatnonzero(trusted)
    some = some[:: max(1, len(some) // SAMPLE)]
    wanted, deck = _at(picture, some), _at(median, some)
    colour = _colour(deck, wanted)
    plain = np.asarray(deck @ colour[:3] + colour[3], np.float32)
    curve = _curve(plain, wanted)
    gain, veil = _local(_curved(mixed(median[FEW], colour), curve), picture[FEW], trusted[FEW], trusted.shape)
    off = wanted - _curved(plain, curve) * _at(gain, some) - _at(veil, some)
    nothing = np.zeros(trusted.shape, bool), np.ones(trusted.shape, np.float32)
    return Light(picture, colour, curve, gain, veil, *_noise(off, slope.ravel()[some]), *nothing)


def _at(values: Array, where: NDArray[np.intp]) -> Array:
    """(n, channels) the values at flat places."""
    return np.asarray(values.reshape(-1, values.shape[2])[where], np.float32)


def _colour(deck: Array, seen: Array) -> NDArray[np.float32]:
    """(4, 3): the camera's colours from the deck's at (n, 3) pixels, by least squares with a pull to plain gains (Huber's weights)."""
    x, y = deck.astype(np.float64), seen.astype(np.float64)
    if len(x) < FEWEST:
        return np.asarray(np.vstack([np.eye(3), np.zeros(3)]), np.float32)
    pull = np.vstack([np.eye(3) * float((x * y).sum() / max((x * x).sum(), 1e-9)), np.zeros(3)])
    ones = np.c_[x, np.ones(len(x))]
    strength = np.diag([RIDGE * float((x * x).mean())] * 3 + [RIDGE]) * len(x)
    weight = np.ones(len(x))
    colour = pull
    for _ in range(3):
        weighted = ones * weight[:, None]
        colour = np.linalg.solve(weighted.T @ ones + strength, weighted.T @ y + strength @ pull)
        off = np.abs(y - ones @ colour).max(1)
        limit = 2.5 * float(np.median(off)) + 1
        weight = limit / np.maximum(off, limit)
    return np.asarray(colour, np.float32)


def _curve(plain: Array, seen: Array) -> Curve:
    """The camera's curve, each channel: medians over classes of lightness."""
    each = len(plain) // TONES
    if len(plain) < FEWEST:
        straight = np.array([0, 255], np.float32)
        return (Line.through(straight, straight),) * 3
    x, y = np.empty((TONES + 2, 3), np.float32), np.empty((TONES + 2, 3), np.float32)
    for c in range(3):
        order = np.argsort(plain[:, c])[: each * TONES].reshape(TONES, each)
        x[1:-1, c] = np.median(plain[:, c][order], axis=1)
        y[1:-1, c] = np.maximum.accumulate(np.median(seen[:, c][order], axis=1))
    x[0], x[-1] = x[1] - BEYOND, x[-2] + BEYOND
    for end, inner, further in ((0, 1, 1 + END), (-1, -2, -2 - END)):
        steep = np.clip((y[inner] - y[further]) / np.where(x[inner] == x[further], 1e-3, x[inner] - x[further]), *STEEP)
        y[end] = y[inner] + (x[end] - x[inner]) * steep
    return Line.through(x[:, 0], y[:, 0]), Line.through(x[:, 1], y[:, 1]), Line.through(x[:, 2], y[:, 2])


def _curved(plain: Array, curve: Curve) -> Array:
    return np.stack([line.at(plain[..., c]) for c, line in enumerate(curve)], -1)


def _local(curved: Array, picture: Array, trusted: Mask, whole: tuple[int, int]) -> tuple[Array, Array]:
    """Contrast and veil, place by place: a line fitted to each neighbourhood, pulled to contrast 1 where little is to be seen.

    Given on every other pixel of a picture of the `whole` (height, width), for which they are made.
    """
    h, w = whole
    size = (max(8, w // SHRINK), max(8, h // SHRINK))
    n = round(SOFT * size[0]) | 1
    weight = trusted.astype(np.float32)
    some = cv2.blur(cv2.resize(weight, size, interpolation=cv2.INTER_AREA), (n, n))[..., None] + 1e-3

    def mean(values: Array) -> Array:
        return np.asarray(cv2.blur(cv2.resize(values * weight[..., None], size, interpolation=cv2.INTER_AREA), (n, n)) / some, np.float32)

    def large(values: Array) -> Array:
        return np.asarray(cv2.resize(values, (w, h), interpolation=cv2.INTER_LINEAR), np.float32)

    x, y = mean(curved), mean(picture)
    variance, together = mean(curved * curved) - x * x, mean(curved * picture) - x * y
    gain = np.clip((together + PULL) / (np.maximum(variance, 0) + PULL), *CONTRAST)
    return large(np.asarray(gain, np.float32)), large(np.asarray(y - gain * x, np.float32))


def _noise(off: Array, slope: Array) -> tuple[float, Line, Line]:
    """The steepest class of pixels, and the variance by steepness: with its tails, but not without end, and without."""
    each = len(off) // SLOPES
    if len(off) < FEWEST:
        unknown = Line.through(np.ones(1, np.float32), np.full(1, 400.0, np.float32))
        return 1.0, unknown, unknown
    order = np.argsort(slope)[: each * SLOPES].reshape(SLOPES, each)
    squares = (off[order] ** 2).reshape(SLOPES, -1)
    usual = 1.4826**2 * np.median(squares, axis=1) + GRAIN
    variance = usual * np.minimum(squares / usual[:, None], CAPPED).mean(1)
    steep = np.median(slope[order], axis=1).astype(np.float32)
    with_tails, without = (Line.through(steep, np.maximum.accumulate(v).astype(np.float32)) for v in (variance, usual))
    return float(steep[-1]), with_tails, without


def _deviations(light: Light, median: Array, slope: Array) -> tuple[Array, Mask]:
    """By how much each of FEW pixels errs, in units of its noise, squared; and whether it shows something else than the deck does."""
    square = ((light.picture[FEW] - light.as_seen(median[FEW], FEW)) ** 2) @ np.full(3, 1 / 3, np.float32)
    return square / light.noise(slope[FEW]), square > CAPPED / 2 * light.noise(slope[FEW], tails=False)


def _covered(light: Light, median: Array, slope: Array, common: Mask) -> tuple[Mask, Array]:
    """Where most of the common pixels around show something else than the deck does; and by how much they err, as a factor from 1."""
    known = common[FEW].astype(np.float32)
    off, other = _deviations(light, median, slope)
    both = np.stack([other * known, np.minimum(off, CAPPED) * known, known], -1)
    around = cv2.GaussianBlur(both, (0, 0), COVER_SOFT * common.shape[1] / STEP)
    around = cv2.resize(around[..., :2] / np.maximum(around[..., 2:], 0.02), common.shape[::-1], interpolation=cv2.INTER_LINEAR)
    return np.asarray(around[..., 0] > OTHER), np.asarray(np.maximum(around[..., 1], 1.0), np.float32)
