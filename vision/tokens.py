"""Score tokens: green, yellow and red pieces, by colour and by what the numeral network says is on them."""

from collections.abc import Sequence
from typing import Literal

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.markers.candidates import PX_PER_MM
from vision.markers.crops import TOKEN_NUMBER, cut_crops
from vision.markers.pieces import Piece, look_at_pieces
from vision.observation import Token
from vision.topview import View

CLAIMED = 0.3                      # tokens less probable than this are not told
LEAST_SATURATION = 0.25            # of a token's ground; half of the pieces with this are none
COLOUR_SPARE, COLOUR_DROP = 1.0, 0.5   # of a colour's spread: as far towards the other as a lamp makes it, and how soon more is doubted
SMALL_MM, SMALL_DROP_MM = 22.0, 2.5    # tokens are rarely smaller; how soon what is smaller is doubted
SAME_TOKEN = 0.75                  # of its size: nearer than this two of one colour are one
USUAL_MM = {"green": 34.0}         # a picture's two halves are no two tokens
Colour = Literal["green", "yellow", "red"]
COLOURS: tuple[Colour, ...] = ("green", "yellow", "red")
HUE: dict[Colour, float] = {"red": -2.0, "yellow": 46.0, "green": 140.0}   # degrees
SPREAD: dict[Colour, float] = {"red": 11.0, "yellow": 11.0, "green": 22.0}


def find_tokens(view: View, *, token_mm: dict[str, float] | None = None, pieces: Sequence[Piece] | None = None) -> tuple[Token, ...]:
    """The tokens on the table, a pile of them as one. `token_mm`: sizes by colour where known.

    `pieces`: what `look_at_pieces` found in this view, if it was asked already. A green token shows a picture face up and its points
    face down; yellow and red ones show their points face up.
    """
    pieces = look_at_pieces(view) if pieces is None else pieces
    likely = [p for p in pieces if p.classes[TOKEN_NUMBER:].sum() >= CLAIMED]
    told = [_token(view, p, ground, token_mm or {}) for p, ground in zip(likely, _grounds(view, likely), strict=True)]
    kept: list[Token] = []
    for token, piece in sorted(zip(told, likely, strict=True), key=lambda pair: -pair[0].sure["found"]):
        size = max(piece.size_mm, (token_mm or USUAL_MM).get(str(token.colour), piece.size_mm))
        if token.sure["found"] >= CLAIMED and not any(
                k.colour == token.colour and np.hypot(*np.subtract(k.at, token.at)) < SAME_TOKEN * size for k in kept):
            kept.append(token)
    return tuple(sorted(kept, key=lambda t: t.at))


def _token(view: View, piece: Piece, ground: NDArray[np.float64], token_mm: dict[str, float]) -> Token:
    chance = _colours(ground)
    for k, colour in enumerate(COLOURS):
        if colour in token_mm:
            chance[k] *= np.exp(-0.5 * (np.log(piece.size_mm / token_mm[colour]) / 0.35) ** 2)
    chance /= chance.sum()
    best = int(chance.argmax())
    colour = COLOURS[best]
    number, down, picture = piece.classes[TOKEN_NUMBER:]
    up = picture >= number if colour == "green" else number >= down
    coloured = 1 / (1 + np.exp(-(ground[1] - LEAST_SATURATION) / 0.03)) * _between_colours(ground, colour) * _large_enough(piece.size_mm)
    return Token(colour=colour, face="up" if up else "down", at=piece.at, zone=view.table.zone(piece.at),
                 sure={"found": float(piece.classes[TOKEN_NUMBER:].sum() * coloured), "colour": float(chance[best])})


def _grounds(view: View, pieces: Sequence[Piece]) -> NDArray[np.float64]:
    """(n, 3): hue in degrees, saturation and value 0..1 of each piece's ground, from a ring outside its figure."""
    if not pieces:
        return np.empty((0, 3))
    at, size = np.array([p.seen for p in pieces]), np.array([p.size_mm for p in pieces])
    crops = cut_crops(view.top(PX_PER_MM), at, size, np.zeros(len(pieces))).astype(np.float32) / 255
    n = crops.shape[1]
    x, y = np.meshgrid(np.arange(n) + 0.5 - n / 2, np.arange(n) + 0.5 - n / 2)
    far = np.hypot(x, y) / n * 1.3                                    # in piece sizes
    ring = (far > 0.26) & (far < 0.42)
    medians = np.array([np.median(crop[ring], axis=0) for crop in crops], np.float32)
    return np.asarray(cv2.cvtColor(medians[None], cv2.COLOR_BGR2HSV)[0], np.float64)


def _between_colours(ground: NDArray[np.float64], colour: Colour) -> float:
    """0..1, low where it is neither red nor yellow but skin or wood, which lie between."""
    if colour == "green":
        return 1.0
    hue = (ground[0] + 180) % 360 - 180
    off = (hue - HUE["red"] if colour == "red" else HUE["yellow"] - hue) / SPREAD[colour]
    return float(np.exp(-0.5 * (max(0.0, off - COLOUR_SPARE) / COLOUR_DROP) ** 2))


def _large_enough(size_mm: float) -> float:
    """0..1, low for what is as small as a berry or a bead."""
    return float(np.exp(-0.5 * (max(0.0, SMALL_MM - size_mm) / SMALL_DROP_MM) ** 2))


def _colours(ground: NDArray[np.float64]) -> NDArray[np.float64]:
    """Probabilities of COLOURS by hue; even where there is hardly any colour."""
    hue, saturation, _ = ground
    apart = np.array([abs((hue - HUE[c] + 180) % 360 - 180) / SPREAD[c] for c in COLOURS])
    chance = np.exp(-0.5 * np.minimum(apart, 8) ** 2) + 0.002 + 0.3 * np.exp(-saturation / 0.05)
    return np.asarray(chance / chance.sum(), np.float64)
