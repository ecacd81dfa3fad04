"""Which card of a deck a picture of one side shows: the places that vary, decoded one by one by likelihood.

    decoder = Decoder(face)
    evidence = decoder.read(cut, longer_px=240)    # a cut of the photo, with some room round it
    evidence.cards                                 # log likelihood of each card, and `evidence.stranger` of one the deck lacks

The picture is laid on the deck's median, whatever way up it lies. What the deck has in common tells the blur, the light and the noise;
what then remains at an area tells which look lies there. What is burnt out or covered tells nothing.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.deck.align import Fit, Homography, Reference, evened, warped
from vision.deck.faces import Face
from vision.deck.light import CAPPED, Light, light_of
from vision.deck.templates import BLURS, Sized, Template, sized
from vision.geometry import Picture

SIZES_PX = (96, 128, 160, 192, 224, 256, 320, 384, 448)   # longer sides in which a photo is decoded: about as large as the camera sees it
OURS = 0.45                             # correlation with the deck's picture from which the photo can be of this deck
ANYTHING = 5.0                          # squared deviation a pixel of a thing never seen here
CORRUPT = 0.01                          # an area shows light, dirt or a finger so often
LEAST_DOUBT = 14.0                      # nats: no area says more than this against a card
TOGETHER = 45.0                         # pixel values that err together: three channels and a neighbourhood; measured on frames
OPPONENT = np.array([[1, 1, 1], [-1, 0, 1], [1, -2, 1]], np.float32).T / np.sqrt(np.array([3, 2, 6], np.float32))   # B, G, R -> light, hues
INK_SPREAD = 0.25                       # of what a look adds to the common one: ink and lamp make it stronger or weaker by so much
IN_COLOUR = np.full(3, INK_SPREAD)      # the same, of lightness and hues
IN_GREY = np.array([INK_SPREAD, 0.8, 0.8])   # colour on a grey side is ink alone: files and printers keep its hue, but not how strong it is
INK = (0.35, 3.0)                       # but never by more
GREY = 12.0                             # grey levels between a pixel's channels, as a rule, up to which a side is a grey one
SOLID = 0.1                             # the same, pixel by pixel
COVERED = 0.5                           # of an area's pixels that must be seen
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
        self._sized: dict[int, Sized] = {}

    def read(self, cut: Picture, *, longer_px: float, turns: Sequence[int] = (0, 2), begin: Homography | None = None) -> Evidence:
        """What the cut tells.

        `longer_px`: the photo's longer side in the camera's pixels; `begin`: where in the cut the photo lies (the frame -1..1 of an
        outline carried into the cut's); `turns`: quarters, clockwise, by which the photo may lie turned in it.
        """
        start = np.eye(3) if begin is None else begin
        fit = self.reference.fit(cut, begins=[start @ quarter(turn) for turn in turns])
        cards = np.where(self.face.known, 0.0, -np.inf)
        if fit.alike < OURS:
            return Evidence(fit, cards, 0.0, 0.0, False)
        deck = self.at_size(longer_px)
        picture = np.asarray(warped(cut, fit.matrix, deck.width, deck.height), np.uint8)
        blur = _blur(deck, picture)
        light = light_of(picture.astype(np.float32), deck.medians[blur], deck.slopes[blur], deck.common)
        seen, stranger = 0.0, 0.0
        for n, template in enumerate(deck.templates(blur)):
            table = look_likelihoods(light, template, blur=BLURS[blur], ink=self.ink)
            if table is None:
                continue
            looks, anything = table
            seen += 1 / len(self.face.areas)
            index = self.face.looks[:, n]
            doubted = np.maximum(np.logaddexp(looks, anything + np.log(CORRUPT)), looks.max() - LEAST_DOUBT)
            cards += np.where(index >= 0, doubted[index], -np.inf)
            often = (np.bincount(index[index >= 0], minlength=len(looks)) + 0.2) / (np.count_nonzero(index >= 0) + 0.2 * len(looks))
            stranger += float(np.logaddexp.reduce([*(doubted + np.log(often * (1 - NEW_LOOK))), anything + np.log(NEW_LOOK)]))
        return Evidence(fit, cards, stranger, seen, True)

    def at_size(self, longer_px: float) -> Sized:
        """The deck about as large as the camera sees it."""
        size = min(SIZES_PX, key=lambda s: abs(np.log(s / max(longer_px, 1))))
        if size not in self._sized:
            self._sized[size] = sized(self.face, size)
        return self._sized[size]


def look_likelihoods(
    light: Light, t: Template, *, blur: float, ink: NDArray[np.float64] = IN_COLOUR
) -> tuple[NDArray[np.float64], float] | None:
    """The log likelihood of each look of an area, and of a thing never seen there; None where the area is hidden."""
    usable = ~light.unseen[t.rows, t.columns]
    if np.count_nonzero(usable) < COVERED * len(usable):
        return None
    here = (t.rows[usable], t.columns[usable])
    seen = light.as_seen(t.looks[:, usable], here)
    added = (seen - seen[0]) @ OPPONENT
    noise = (light.noise(t.slope[:, usable]) * light.doubt[here])[..., None] + (SOLID * added) ** 2
    shown = (light.picture[here] - seen[0]) @ OPPONENT
    together = TOGETHER * (0.5 + blur)
    # ink and lamp make what a look adds stronger or weaker than the deck has it, each channel alike all over the area
    pull = together / ink**2
    certain = added / noise
    strength = np.clip(((certain * shown).sum(1) + pull) / ((certain * added).sum(1) + pull), *INK)
    off = np.minimum((shown - added * strength[:, None]) ** 2 / noise, CAPPED)
    log_noise = np.log(noise)
    looks = -0.5 * ((off + log_noise).sum((1, 2)) / together + ((strength - 1) ** 2 / ink**2).sum(1))
    # where even the best look fits badly, a shadow or a finger lies there: what is left between the looks tells as much less
    best = int(looks.argmax())
    looks = looks[best] + (looks - looks[best]) / max(1.0, float(off[best].mean()))
    anything = -0.5 * (ANYTHING * log_noise[0].size + log_noise[0].sum()) / together
    return np.asarray(looks, np.float64), float(anything)


def _blur(deck: Sized, picture: Picture) -> int:
    """Which of BLURS makes the median most like the picture."""
    now = evened(picture)[deck.common]
    return int(np.argmin([float(np.minimum(np.abs(now - e[deck.common]), 1.0).mean()) for e in deck.evened]))


def quarter(turns: int) -> Homography:
    """A turn of the frame -1..1 by quarters, clockwise as seen: the deck's top left comes to lie at the cut's k-th corner."""
    c, s = [(1, 0), (0, 1), (-1, 0), (0, -1)][turns % 4]
    return np.array([[c, -s, 0], [s, c, 0], [0, 0, 1.0]])
