"""Which card of a deck a picture of one side shows: the places that vary, decoded one by one by likelihood.

    decoder = Decoder(face)
    evidence = decoder.read(cut, longer_px=240)    # a cut of the photo, with some room round it
    evidence.cards                                 # log likelihood of each card, and `evidence.stranger` of one the deck lacks

The picture is laid on the deck's median, whatever way up it lies. What the deck has in common tells the blur, the light and the noise;
what then remains at an area tells which look lies there. What is burnt out or covered tells nothing.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.deck.align import Fit, Homography, Reference, evened, warped
from vision.deck.faces import Face, Mask
from vision.deck.light import CAPPED, Light, light_of
from vision.deck.templates import BLURS, Sized, Templates, sized
from vision.geometry import Picture

SIZES_PX = (96, 128, 160, 192, 224, 256, 320)   # longer sides in which a photo is decoded: about as large as the camera sees it
OURS = 0.45                             # correlation with the deck's picture from which the photo can be of this deck
ANYTHING = 5.0                          # squared deviation a pixel of a thing never seen here
CORRUPT = 0.01                          # an area shows light, dirt or a finger so often
# LEAST_DOUBT and OTHERWISE were chosen on frames. On drawn decks (five of the sample deck's code from other seeds, six as
# `benchmarks/lacking.py` draws them; each card taken out of its pack in turn) 190 of 760 photos that lack are named surely. With 7 nats
# 245 are, with 14 or more 191; with 0 instead of 0.1 267, with 0.03 213, with 0.2 188. Of 760 that are there none is named wrongly and
# surely with any of these, and 722 or 723 rightly and surely. 14 nats and more would call more of the lacking ones lacking, 275 instead
# of 165: to be tried on frames first.
LEAST_DOUBT = 10.0                      # nats: no area says more than this against a card; on frames one of 600 areas is read so wrongly
TOGETHER = 45.0                         # pixel values that err together: three channels and a neighbourhood; measured on frames
OPPONENT = np.array([[1, 1, 1], [-1, 0, 1], [1, -2, 1]], np.float32).T / np.sqrt(np.array([3, 2, 6], np.float32))   # B, G, R -> light, hues
INK_SPREAD = 0.25                       # of what a look adds to the common one: ink and lamp make it stronger or weaker by so much
IN_COLOUR = np.full(3, INK_SPREAD)      # the same, of lightness and hues
IN_GREY = np.array([INK_SPREAD, 0.8, 0.8])   # colour on a grey side is ink alone: files and printers keep its hue, but not how strong it is
INK = (0.35, 3.0)                       # but never by more
GREY = 12.0                             # grey levels between a pixel's channels, as a rule, up to which a side is a grey one
SOLID = 0.1                             # the same, pixel by pixel
COVERED = 0.5                           # of an area's pixels that must be seen
OTHERWISE = 0.1                         # a card the deck lacks may be one that it has, but for so many of the areas
NEW_LOOK = 0.02                         # a card the deck lacks has a look never seen at so many areas


@dataclass(frozen=True)
class Evidence:
    """What one look at a photo tells. Likelihoods are natural logarithms, comparable among themselves only."""

    fit: Fit                             # the deck's frame (-1..1) -> the cut's
    cards: NDArray[np.float64]           # (cards,); -inf for one without this side
    stranger: float                      # a card of this deck that the pack lacks
    seen: float                          # 0..1: the part of the areas that told something
    ours: bool                           # whether this is a photo of this deck at all


class Decoder:
    """Reads photos of one side of a deck."""

    def __init__(self, face: Face) -> None:
        self.face = face
        self.reference = Reference(face.median)
        self.ink = IN_GREY if float(np.ptp(face.median.astype(np.int16), axis=2).mean()) < GREY else IN_COLOUR
        self._often = [_often(face.looks[:, n], len(area.looks)) for n, area in enumerate(face.areas)]
        self._sized: dict[int, Sized] = {}

    def read(
        self, cut: Picture, *, longer_px: float, turns: Sequence[int] = (0, 2), begin: Homography | None = None,
        doubtful: Mask | None = None,
    ) -> Evidence:
        """What the cut tells.

        `longer_px`: the photo's longer side in the camera's pixels; `begin`: where in the cut the photo lies (the frame -1..1 of an
        outline carried into the cut's); `turns`: quarters, clockwise, by which the photo may lie turned in it; `doubtful` (the
        cut's height and width): where another photo may lie above.
        """
        start = np.eye(3) if begin is None else begin
        fit = self.reference.fit(cut, begins=[start @ quarter(turn) for turn in turns])
        cards = np.where(self.face.known, 0.0, -np.inf)
        if fit.alike < OURS:
            return Evidence(fit, cards, 0.0, 0.0, False)
        deck = self.at_size(longer_px)
        picture = np.asarray(warped(cut, fit.matrix, deck.width, deck.height), np.uint8)
        blur = _blur(deck, picture)
        shared = None if doubtful is None else np.asarray(warped(doubtful.astype(np.uint8), fit.matrix, deck.width, deck.height)) > 0
        light = light_of(picture.astype(np.float32), deck.medians[blur], deck.slopes[blur], deck.common, shared)
        told = look_likelihoods(light, deck.templates(blur), blur=BLURS[blur], ink=self.ink)
        unlike, akin = 0.0, cards.copy()     # a card of any looks, and one that is each of these cards but for a look here or there
        for n, looks, anything in told:
            index = self.face.looks[:, n]
            doubted = np.maximum(np.logaddexp(looks, anything + np.log(CORRUPT)), looks.max() - LEAST_DOUBT)
            mine = np.where(index >= 0, doubted[index], -np.inf)
            any_look = float(np.logaddexp.reduce([*(doubted + self._often[n]), anything + np.log(NEW_LOOK)]))
            cards += mine
            unlike += any_look
            akin += np.logaddexp(mine + np.log(1 - OTHERWISE), any_look + np.log(OTHERWISE))
        kin = max(1.0, float(self.face.known.sum()))
        stranger = float(np.logaddexp(unlike, np.logaddexp.reduce(akin) - np.log(kin)))
        return Evidence(fit, cards, stranger, len(told) / max(1, len(self.face.areas)), True)

    def at_size(self, longer_px: float) -> Sized:
        """The deck about as large as the camera sees it."""
        size = min(SIZES_PX, key=lambda s: abs(np.log(s / max(longer_px, 1))))
        if size not in self._sized:
            self._sized[size] = sized(self.face, size)
        return self._sized[size]


def look_likelihoods(
    light: Light, t: Templates, *, blur: float, ink: NDArray[np.float64] = IN_COLOUR
) -> list[tuple[int, NDArray[np.float64], float]]:
    """Each area that is not hidden: the log likelihood of each of its looks, and of a thing never seen there."""
    if not t.areas:
        return []
    here = (t.rows, t.columns)
    weight = np.where(light.unseen[here], np.float32(0), t.weight)
    doubt = light.doubt[here]
    gain, veil = light.gain[here], light.veil[here]
    common = light.under(t.common[None], gain, veil)[0]
    # channels first: numpy's inner loops are as long as the last axis
    shown = _opponent(light.picture[here] - common)
    usual = light.noise(t.slope) * doubt
    log_usual = 3 * np.log(usual) * weight
    off_usual = np.minimum(shown * shown / usual, CAPPED).sum(0) * weight
    # a look is as likely as the common one but for the pixels that it has otherwise
    seen = light.under(t.looks[None], gain.take(t.place, axis=0), veil.take(t.place, axis=0))[0]
    added, shown, heavy = _opponent(seen - common.take(t.place, axis=0)), shown.take(t.place, axis=1), weight[t.place]
    noise = light.noise(t.look_slope) * doubt[t.place] + (SOLID * added) ** 2
    log_more = np.log(noise[0] * noise[1] * noise[2]) * heavy - log_usual[t.place]
    together = TOGETHER * (0.5 + blur)
    # ink and lamp make what a look adds stronger or weaker than the deck has it, each channel alike all over the area
    pull = (together / ink**2)[:, None]
    certain = added * heavy / noise
    strength = np.clip((_sums(certain * shown, t.look_begins) + pull) / (_sums(certain * added, t.look_begins) + pull), *INK)
    lengths = np.diff(np.r_[t.look_begins, len(t.place)])
    left = shown - added * np.repeat(strength.astype(np.float32), lengths, axis=1)
    off_more = np.minimum(left * left / noise, CAPPED).sum(0) * heavy - off_usual[t.place]
    off_of_looks, log_of_looks = _sums(off_more, t.look_begins), _sums(log_more, t.look_begins)
    odd_ink = ((strength - 1) ** 2 / (ink**2)[:, None]).sum(0)
    off_of_areas, log_of_areas, pixels = (_sums(v, t.area_begins) for v in (off_usual, log_usual, weight))
    sizes = _sums(t.weight, t.area_begins)
    out = []
    for k, (n, part) in enumerate(t.areas):
        if pixels[k] < COVERED * sizes[k]:
            continue
        off, log = off_of_areas[k] + np.r_[0.0, off_of_looks[part]], log_of_areas[k] + np.r_[0.0, log_of_looks[part]]
        looks = -0.5 * ((off + log) / together + np.r_[0.0, odd_ink[part]])
        # where even the best look fits badly, a shadow or a finger lies there: what is left between the looks tells as much less
        best = int(looks.argmax())
        misfit = off[best] / (3 * pixels[k])
        looks = looks[best] + (looks - looks[best]) / max(1.0, float(misfit))
        anything = -0.5 * (ANYTHING * 3 * pixels[k] + log_of_areas[k]) / together
        out.append((n, looks, float(anything)))
    return out


def _sums(values: NDArray[np.floating], begins: NDArray[np.intp]) -> NDArray[np.float64]:
    """Of each part of the last axis; none is empty."""
    return np.asarray(np.add.reduceat(values, begins, axis=-1, dtype=np.float64))


def _opponent(colours: NDArray[np.float32]) -> NDArray[np.float32]:
    """(n, 3) differences of B, G, R as (3, n) of light and two hues."""
    return np.ascontiguousarray(cv2.transform(colours[None], OPPONENT.T)[0].T)


def _often(looks: NDArray[np.int16], kinds: int) -> NDArray[np.float64]:
    """(kinds,): the log of how often the deck's cards have each look of an area, if it is no new one."""
    known = looks[looks >= 0]
    often = (np.bincount(known, minlength=kinds) + 0.2) / (len(known) + 0.2 * kinds)
    return np.asarray(np.log(often * (1 - NEW_LOOK)), np.float64)


def _blur(deck: Sized, picture: Picture) -> int:
    """Which of BLURS makes the median most like the picture."""
    off = np.abs(deck.evened - evened(picture)[deck.common])
    return int(np.minimum(off, 1.0).mean(1).argmin())


def quarter(turns: int) -> Homography:
    """A turn of the frame -1..1 by quarters, clockwise as seen: the deck's top left comes to lie at the cut's k-th corner."""
    c, s = [(1, 0), (0, 1), (-1, 0), (0, -1)][turns % 4]
    return np.array([[c, -s, 0], [s, c, 0], [0, 0, 1.0]])
