"""What lies on a table, as data: flat things with a picture on top, a thickness and a place.

A `Thing` says where it is; `faces` and `outlines` say what of it a camera may see, in table mm. Painting is paint.py's job.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.geometry import Points, points, rectangle

Picture = NDArray[np.uint8]
Floats = NDArray[np.float64]

ROUND_CORNER_MM = 3.0
TENT_LEAN_DEG = 52.0  # how steep the two faces of a standing marker are


class Texture:
    """A picture with premultiplied alpha (BGRA bytes), kept at halved sizes, so that a small copy of it is not aliased."""

    def __init__(self, picture: Picture) -> None:
        """`picture`: BGR or BGRA."""
        if picture.shape[2] == 3:
            full = np.dstack([picture, np.full(picture.shape[:2], 255, np.uint8)])
        else:
            full = np.asarray(cv2.cvtColor(picture, cv2.COLOR_RGBA2mRGBA), np.uint8)
        self.levels: list[Picture] = [full]
        while min(self.levels[-1].shape[:2]) >= 8:
            h, w = self.levels[-1].shape[:2]
            half = cv2.resize(self.levels[-1], (w // 2, h // 2), interpolation=cv2.INTER_AREA)
            self.levels.append(np.asarray(half, np.uint8))

    def level(self, width_px: float) -> Picture:
        """The smallest stored copy that is at least about `width_px` wide."""
        fit = [p for p in self.levels if p.shape[1] >= 0.85 * width_px]
        return fit[-1] if fit else self.levels[0]


@dataclass(frozen=True)
class Face:
    """A picture on the plane origin + u right + v down, u and v from 0 to 1; table mm."""

    texture: Texture
    origin: Floats
    right: Floats
    down: Floats

    def normal(self) -> Floats:
        """Unit vector out of the picture's face."""
        n = np.cross(self.right, self.down)
        return np.asarray(n / np.linalg.norm(n), np.float64)


@dataclass(frozen=True)
class Thing:
    """A flat thing. Sizes and places in mm, turns in degrees clockwise seen from above; `lift` is the height of its underside."""

    name: str
    kind: str  # photo, marker, tent, token, pile, prop
    top: Texture = field(repr=False)
    size: tuple[float, float]
    at: tuple[float, float]
    turn: float = 0.0
    thick: float = 1.0
    lift: float = 0.0
    round: bool = False
    edge: tuple[int, int, int] = (150, 165, 175)  # colour of its sides, BGR
    gloss: float = 0.4
    layers: int = 1  # how many pieces lie on one another: `thick` is of all together
    under: Texture | None = field(default=None, repr=False)
    over: float = 0.0  # degrees turned over about its own short axis: 0 top up, 180 underside up

    def moved(self, at: Sequence[float], *, turn: float | None = None, lift: float | None = None, over: float | None = None) -> "Thing":
        """The same thing elsewhere."""
        return replace(
            self,
            at=(float(at[0]), float(at[1])),
            turn=self.turn if turn is None else turn,
            lift=self.lift if lift is None else lift,
            over=self.over if over is None else over,
        )

    @property
    def quad(self) -> Points:
        """(4, 2) its corners from its picture's own top left, clockwise."""
        return rectangle(self.at, self.size, self.turn)

    @property
    def height(self) -> float:
        """Of its highest point above the table."""
        if self.kind == "tent":
            return self.lift + self.size[1] * float(np.sin(np.deg2rad(TENT_LEAN_DEG)))
        return self.lift + self.thick + self.size[0] / 2 * abs(float(np.sin(np.deg2rad(self.over))))

    @cached_property
    def outline(self) -> Points:
        """(n, 2) its contour as it lies."""
        if self.round:
            a = np.linspace(0, 2 * np.pi, 40, endpoint=False)
            return points(np.c_[np.cos(a), np.sin(a)] * self.size[0] / 2 + np.array(self.at))
        if self.kind == "tent":
            return rectangle(self.at, (self.size[0], 2 * self.size[1] * np.cos(np.deg2rad(TENT_LEAN_DEG))), self.turn)
        return self.quad

    def faces(self) -> list[Face]:
        """The pictures that it shows, from above."""
        if self.kind == "tent":
            return self._leaning()
        z = self.lift + self.thick
        along, across = _axes(self.turn)
        tip = np.deg2rad(self.over)
        right = self.size[0] * (np.cos(tip) * along + np.array([0, 0, np.sin(tip)]))
        down = self.size[1] * across
        middle = np.array([*self.at, z + self.size[0] / 2 * abs(np.sin(tip))])
        if np.cos(tip) < 0 and self.under is not None:
            return [Face(self.under, middle + right / 2 - down / 2, -right, down)]
        return [Face(self.top, middle - right / 2 - down / 2, right, down)]

    def _leaning(self) -> list[Face]:
        """Two faces that lean on one another, each with the picture upright towards its side."""
        along, across = _axes(self.turn)
        lean = np.deg2rad(TENT_LEAN_DEG)
        ridge = np.array([*self.at, self.lift + self.size[1] * np.sin(lean)])
        out = []
        for sign in (-1.0, 1.0):
            right = self.size[0] * along * sign
            down = self.size[1] * (np.cos(lean) * across * sign - np.array([0, 0, np.sin(lean)]))
            out.append(Face(self.top, ridge - right / 2, right, down))
        return out


def photo(
    name: str,
    front: Texture,
    back: Texture,
    size: tuple[float, float],
    at: Sequence[float],
    turn: float,
    *,
    over: float = 0.0,
    lift: float = 0.0,
) -> Thing:
    """A photo of half a millimetre of cardboard; `over` 180 shows its black-and-white side."""
    return Thing(
        name,
        "photo",
        front,
        size,
        (float(at[0]), float(at[1])),
        turn,
        thick=0.6,
        lift=lift,
        edge=(170, 180, 186),
        gloss=0.55,
        under=back,
        over=over,
    )


def pile(name: str, top: Texture, size: tuple[float, float], at: Sequence[float], turn: float, *, cards: int) -> Thing:
    """Photos on one another, the topmost's picture up."""
    return Thing(
        name,
        "pile",
        top,
        size,
        (float(at[0]), float(at[1])),
        turn,
        thick=0.55 * cards,
        edge=(186, 194, 198),
        gloss=0.55,
        layers=min(cards, 12),
    )


def marker(
    name: str, top: Texture, size: float, at: Sequence[float], turn: float, *, disc: bool, tent: bool = False, gloss: float = 0.35
) -> Thing:
    """An evidence marker of two millimetres of cardboard, lying or standing as a tent."""
    return Thing(
        name,
        "tent" if tent else "marker",
        top,
        (size, size),
        (float(at[0]), float(at[1])),
        turn,
        thick=0.0 if tent else 2.0,
        round=disc and not tent,
        edge=(60, 130, 150),
        gloss=gloss,
    )


def token(
    name: str,
    top: Texture,
    size: float,
    at: Sequence[float],
    turn: float,
    *,
    edge: tuple[int, int, int],
    stack: int = 1,
    lift: float = 0.0,
    under: Texture | None = None,
) -> Thing:
    """A disc of two millimetres of cardboard, or several on one another."""
    return Thing(
        name,
        "token",
        top,
        (size, size),
        (float(at[0]), float(at[1])),
        turn,
        thick=2.0 * stack,
        lift=lift,
        round=True,
        edge=edge,
        gloss=0.4,
        layers=stack,
        under=under,
    )


def rounded(picture: Picture, size_mm: tuple[float, float], radius_mm: float = ROUND_CORNER_MM) -> Texture:
    """The texture of a picture that covers `size_mm`, its corners cut round."""
    h, w = picture.shape[:2]
    radius = round(radius_mm * w / size_mm[0])
    alpha = np.zeros((h, w), np.uint8)
    cv2.rectangle(alpha, (radius, 0), (w - 1 - radius, h - 1), 255, -1)
    cv2.rectangle(alpha, (0, radius), (w - 1, h - 1 - radius), 255, -1)
    for x in (radius, w - 1 - radius):
        for y in (radius, h - 1 - radius):
            cv2.circle(alpha, (x, y), radius, 255, -1, cv2.LINE_AA)
    return Texture(np.dstack([picture[..., :3], alpha]))


def _axes(turn_deg: float) -> tuple[Floats, Floats]:
    """Unit vectors along a thing's own x and y axis."""
    c, s = np.cos(np.deg2rad(turn_deg)), np.sin(np.deg2rad(turn_deg))
    return np.array([c, s, 0.0]), np.array([-s, c, 0.0])
