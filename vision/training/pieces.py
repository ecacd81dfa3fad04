"""Drawn markers and tokens of many makes: lying flat or standing as folded cards."""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from vision.training.fonts import Face
from vision.training.grounds import Canvas, colour

SPRITE_PX = 96
TOKEN_HUES = {1: (345.0, 366.0), 2: (36.0, 60.0), 3: (95.0, 172.0)}   # degrees, by points


@dataclass(frozen=True)
class Design:
    """The make of a set of markers or tokens; all colours BGR 0..1."""

    shape: str                             # disc, square, hexagon
    ground: NDArray[np.float32]
    ink: NDArray[np.float32]
    rim: NDArray[np.float32]
    rim_share: float                       # of the size; 0: none
    height: float                          # of the numeral, of the size
    width: float                           # stretch of the numeral
    mark: str                              # of 6 and 9: none, bar, dot, foot
    mark_all: bool
    line: float                            # thin inner line, its place as a share; 0: none
    ticks: bool
    proportion: float                      # of a square: height to width
    corner: float
    token: bool = False
    picture: bool = False

    @property
    def like_token(self) -> bool:
        """A pale numeral on a strong ground: with 1, 2 or 3 on it none could tell it from a token."""
        return float(self.ink.min()) > 0.6 and float(np.ptp(self.ground)) > 0.25


def marker_design(rng: Generator) -> Design:
    """Markers of any make."""
    kind = rng.choice(["pale", "yellow", "tinted", "dark"], p=[0.38, 0.3, 0.2, 0.12])
    ground = {"pale": lambda: colour(rng, saturation=(0, 0.15), value=(0.8, 1)),
              "yellow": lambda: colour(rng, hue=(38, 58), saturation=(0.6, 1), value=(0.75, 1)),
              "tinted": lambda: colour(rng, saturation=(0.2, 0.7), value=(0.65, 1)),
              "dark": lambda: colour(rng, saturation=(0, 0.9), value=(0.05, 0.55))}[kind]()
    pale_ink = kind == "dark" or (kind == "tinted" and rng.random() < 0.2)
    ink = colour(rng, saturation=(0, 0.15), value=(0.8, 1)) if pale_ink else colour(rng, saturation=(0, 0.9), value=(0.02, 0.3))
    if not pale_ink and kind == "pale" and rng.random() < 0.15:
        ink = colour(rng, saturation=(0.6, 1), value=(0.4, 0.8))
    rim = colour(rng, saturation=(0.3, 1), value=(0.1, 0.9)) if rng.random() < 0.7 else ink
    return Design(
        shape=str(rng.choice(["disc", "square"], p=[0.5, 0.5])), ground=ground, ink=ink, rim=rim,
        rim_share=float(rng.choice([0, rng.uniform(0.02, 0.17)])),
        height=float(0.27 + 0.47 * rng.random() ** 1.5), width=float(rng.uniform(0.8, 1.2)),   # often small: those are hard
        mark=str(rng.choice(["none", "bar", "dot", "foot"], p=[0.12, 0.6, 0.18, 0.1])), mark_all=bool(rng.random() < 0.08),
        line=float(rng.choice([0, rng.uniform(0.78, 0.94)])), ticks=bool(rng.random() < 0.25),
        proportion=float(rng.choice([1, rng.uniform(0.7, 1.3)])), corner=float(rng.uniform(0, 0.15)))


def token_design(rng: Generator, points: int, *, picture: bool) -> Design:
    """Tokens: red 1, yellow 2, green 3 points; pale figures on a strong ground."""
    ground = colour(rng, hue=TOKEN_HUES[points], saturation=(0.45, 1), value=(0.35, 1) if points != 2 else (0.75, 1))
    ink = colour(rng, saturation=(0, 0.1), value=(0.85, 1))
    rim = ground * np.float32(rng.uniform(0.4, 1.2))
    return Design(
        shape=str(rng.choice(["disc", "square", "hexagon"], p=[0.7, 0.15, 0.15])), ground=ground, ink=ink, rim=np.clip(rim, 0, 1),
        rim_share=float(rng.choice([0, rng.uniform(0.02, 0.12)])), height=float(rng.uniform(0.3, 0.6)),
        width=float(rng.uniform(0.85, 1.15)), mark="none", mark_all=False, line=0.0, ticks=False, proportion=1.0,
        corner=float(rng.uniform(0, 0.2)), token=True, picture=picture)


def sprite(rng: Generator, design: Design, text: str, face: Face) -> Canvas:
    """The piece from above, upright, as (SPRITE_PX, SPRITE_PX, 4) float, BGR and cover; an empty text leaves it blank."""
    n = SPRITE_PX
    outline = _outline(design, 1.0)
    cover = np.zeros((n, n), np.uint8)
    cv2.fillConvexPoly(cover, outline, 255, cv2.LINE_AA)
    top = np.ones((n, n, 3), np.float32) * design.ground
    if design.rim_share > 0:
        inner = np.zeros((n, n), np.uint8)
        cv2.fillConvexPoly(inner, _outline(design, 1 - 2 * design.rim_share), 255, cv2.LINE_AA)
        part = inner.astype(np.float32)[..., None] / 255
        top = top * part + design.rim * (1 - part)
    if design.line:
        inside = _outline(design, design.line - 2 * design.rim_share)
        cv2.polylines(top, [inside], True, design.ink.tolist(), int(rng.integers(1, 3)), cv2.LINE_AA)
    if design.ticks:
        for k, x in enumerate(np.linspace(0.1, 0.9, int(rng.integers(8, 22))) * n):
            cv2.line(top, (int(x), int(0.97 * n)), (int(x), int((0.9 - 0.04 * (k % 2)) * n)), design.ink.tolist(), 1, cv2.LINE_AA)
    if design.picture:
        _little_photos(rng, top)
    elif design.token and rng.random() < 0.5:
        for turn in np.arange(10) * np.pi / 5:
            at = (int(n / 2 + 0.33 * n * np.cos(turn)), int(n / 2 + 0.33 * n * np.sin(turn)))
            cv2.circle(top, at, 1, design.ink.tolist(), -1, cv2.LINE_AA)
    if text:
        _write(rng, top, design, text, face)
    return np.dstack([top, cover.astype(np.float32) / 255])


def stand(rng: Generator, ground: Canvas, front: Canvas, back: Canvas, at: NDArray[np.float64], size: float,
          turn: float) -> tuple[NDArray[np.float64], float]:
    """A folded card that stands, its foot at `at`, as the top view shows it. Returns the middle of the face best seen and its turn."""
    steep, zenith, away = rng.uniform(0.8, 1.2), rng.uniform(0.15, 0.95), rng.uniform(0, 2 * np.pi)
    half, height = 0.5 * size, size * np.sin(steep)
    foot = size * np.cos(steep)
    side, out = np.array([np.cos(turn), np.sin(turn)]), np.array([-np.sin(turn), np.cos(turn)])
    ridge = at + height * np.tan(zenith) * np.array([np.cos(away), np.sin(away)])
    lamp = rng.uniform(-1, 1, 2)
    shadow = np.array([at - half * side, at + half * side, at + lamp * size + half * side, at + lamp * size - half * side])
    dark = np.zeros(ground.shape[:2], np.float32)
    cv2.fillConvexPoly(dark, cv2.convexHull(shadow.astype(np.int32)), 1.0)
    ground *= 1 - np.float32(rng.uniform(0.1, 0.5)) * cv2.GaussianBlur(dark, (0, 0), 0.06 * size)[..., None]
    best, seen, shown = 0.0, at, turn
    for picture, way, facing in ((back, -1.0, turn + np.pi), (front, 1.0, turn)):
        low = at + way * foot * out
        quad = np.array([ridge - way * half * side, ridge + way * half * side, low + way * half * side, low - way * half * side])
        visible = cv2.contourArea(quad.astype(np.float32), True) / size ** 2
        if visible <= 0.05:
            continue
        n = picture.shape[0]
        m = cv2.getPerspectiveTransform(np.array([[0, 0], [n, 0], [n, n], [0, n]], np.float32), quad.astype(np.float32))
        solid = picture.copy()
        solid[..., 3] = 1
        warped = cv2.warpPerspective(solid, m, ground.shape[1::-1], flags=cv2.INTER_AREA)
        lit = warped[..., :3] * np.float32(rng.uniform(0.45, 1.05))
        ground *= 1 - warped[..., 3:]
        ground += lit * warped[..., 3:]
        marked = bool(np.ptp(picture[24:72, 24:72, :3], axis=(0, 1)).max() > 0.15)
        if visible * (1 if marked else 0.2) > best:
            best, seen, shown = visible, quad.mean(0), facing
    return seen, shown


def pips(rng: Generator) -> Canvas:
    """A die or half a domino."""
    n = SPRITE_PX
    top = np.ones((n, n, 3), np.float32) * colour(rng, saturation=(0, 0.9), value=(0.1, 1))
    ink = (1 - top[0, 0]).round().tolist()
    spots = [(0.5, 0.5), (0.25, 0.25), (0.75, 0.75), (0.25, 0.75), (0.75, 0.25), (0.25, 0.5), (0.75, 0.5)]
    for x, y in spots[:int(rng.integers(1, 8))]:
        cv2.circle(top, (int(x * n), int(y * n)), int(rng.uniform(0.06, 0.11) * n), ink, -1, cv2.LINE_AA)
    return np.dstack([top, np.ones((n, n), np.float32)])


def mugs_and_rims(rng: Generator, ground: Canvas) -> None:
    """Rings and discs: mugs, lids, coins, keys."""
    side = ground.shape[0]
    for _ in range(rng.integers(1, 5)):
        at = tuple(int(v) for v in rng.uniform(0, side, 2))
        r = rng.uniform(0.05, 0.6) * side
        cv2.circle(ground, at, int(r), colour(rng).tolist(), -1, cv2.LINE_AA)
        cv2.circle(ground, at, int(r * rng.uniform(0.5, 0.95)), colour(rng).tolist(), int(rng.choice([-1, 2, 5])), cv2.LINE_AA)


def heap(rng: Generator, ground: Canvas) -> None:
    """Fruit, sweets or beads of one colour, lit from one side, each with its highlight."""
    side = ground.shape[0]
    hue = TOKEN_HUES[int(rng.integers(1, 4))] if rng.random() < 0.6 else (0.0, 360.0)
    skin = colour(rng, hue=hue, saturation=(0.3, 1), value=(0.25, 1))
    lamp = rng.uniform(-1, 1, 2)
    r = rng.uniform(0.08, 0.45) * side
    for at in rng.uniform(0.2, 0.8, (int(rng.integers(1, 14)), 2)) * side:
        _ball(ground, at, r * rng.uniform(0.7, 1.2, 2), rng.uniform(0, np.pi), skin * np.float32(rng.uniform(0.8, 1.1)), lamp)


def _ball(ground: Canvas, at: NDArray[np.float64], axes: NDArray[np.float64], turn: float, skin: NDArray[np.float32],
          lamp: NDArray[np.float64]) -> None:
    """An egg-shaped body: darker at its edge and away from the lamp, with a small pale spot towards it."""
    y, x = np.mgrid[:ground.shape[0], :ground.shape[1]] - at[::-1, None, None]
    u, v = (np.cos(turn) * x + np.sin(turn) * y) / axes[0], (np.cos(turn) * y - np.sin(turn) * x) / axes[1]
    far = np.sqrt(u * u + v * v)
    light = 1 - 0.55 * far ** 2 + 0.3 * (lamp[0] * u + lamp[1] * v)
    shine = 0.8 * np.exp(-((u - 0.35 * lamp[0]) ** 2 + (v - 0.35 * lamp[1]) ** 2) / 0.03)
    cover = np.clip((1 - far) * min(axes), 0, 1).astype(np.float32)[..., None]
    ground *= 1 - cover
    ground += cover * np.clip(skin * light[..., None].astype(np.float32) + shine[..., None].astype(np.float32), 0, 1)


def fingers(rng: Generator, ground: Canvas) -> None:
    """A hand's fingers, or an arm: long, round, of skin, with nails at their ends."""
    side = ground.shape[0]
    skin = colour(rng, hue=(5, 35), saturation=(0.2, 0.7), value=(0.2, 0.95))
    way, r = rng.uniform(0, 2 * np.pi), rng.uniform(0.08, 0.4) * side
    along, across = np.array([np.cos(way), np.sin(way)]), np.array([-np.sin(way), np.cos(way)])
    for k in range(int(rng.integers(1, 5))):
        tip = side / 2 + across * r * (2.1 * k - 2) + along * rng.uniform(-0.3, 0.4) * side
        lean = rng.uniform(-0.2, 0.2)
        back = tip - (along + lean * across) * 2 * side
        for share in np.linspace(1, 0.2, 6):                      # a round body: lighter towards its middle
            paint = (skin * np.float32(0.7 + 0.35 * (1 - share))).tolist()
            cv2.line(ground, _px(back), _px(tip), paint, max(1, round(2 * r * share)), cv2.LINE_AA)
        if rng.random() < 0.5:
            nail = np.clip(skin * np.float32(1.15) + np.float32(0.08), 0, 1)
            middle, axes = _px(tip + along * 0.35 * r), (max(1, round(0.6 * r)), max(1, round(0.45 * r)))
            cv2.ellipse(ground, middle, axes, np.degrees(way), 0, 360, nail.tolist(), -1, cv2.LINE_AA)


def _px(at: NDArray[np.float64]) -> tuple[int, int]:
    return round(float(at[0])), round(float(at[1]))


def _outline(design: Design, share: float) -> NDArray[np.int32]:
    n, r = SPRITE_PX, max(0.1, share) / 2
    if design.shape in ("disc", "hexagon"):
        turn = np.arange(48 if design.shape == "disc" else 6) * 2 * np.pi / (48 if design.shape == "disc" else 6)
        corners = np.c_[np.sin(turn), np.cos(turn)] * r
    else:
        w, h = (r, r * design.proportion) if design.proportion <= 1 else (r / design.proportion, r)
        cut = design.corner * r
        quarter = np.array([[w - cut, h], [w, h - cut]])
        corners = np.concatenate([quarter, quarter[::-1] * [1, -1], -quarter, quarter[::-1] * [-1, 1]])
    return np.asarray(np.round((corners + 0.5) * n), np.int32)


def _write(rng: Generator, top: Canvas, design: Design, text: str, face: Face) -> None:
    """Numeral, and the mark that tells 6 from 9, in the middle."""
    n = SPRITE_PX
    ink = face.ink[text]
    h = design.height * n
    w = ink.shape[1] / ink.shape[0] * h * design.width
    widest = (0.72 - 1.6 * design.rim_share) * n
    if w > widest:
        h, w = h * max(0.7, widest / w), widest
    flat = cv2.resize(ink, (max(3, round(w)), max(6, round(h))), interpolation=cv2.INTER_AREA)
    if rng.random() < 0.15:
        flat = cv2.dilate(flat, np.ones((3, 3)))
    mask = flat.astype(np.float32)[..., None] / 255
    marked = design.mark != "none" and (text in ("6", "9") or (design.mark_all and not design.token))
    lift = 0.05 * h if marked else 0.0
    x = round(n / 2 - mask.shape[1] / 2 + rng.uniform(-0.03, 0.03) * n)
    y = round(n / 2 - mask.shape[0] / 2 - lift + rng.uniform(-0.03, 0.03) * n)
    part = top[y:y + mask.shape[0], x:x + mask.shape[1]]
    part *= 1 - mask
    part += design.ink * mask
    if marked:
        low = y + mask.shape[0] + max(2, round(rng.uniform(0.06, 0.12) * h))
        thick = max(2, round(rng.uniform(0.06, 0.13) * h))
        middle = x + mask.shape[1] / 2
        if design.mark == "bar":
            half = rng.uniform(0.3, 0.6) * mask.shape[1]
            cv2.rectangle(top, (round(middle - half), low), (round(middle + half), low + thick - 1), design.ink.tolist(), -1)
        elif design.mark == "foot":
            cv2.circle(top, (round(middle), low + thick // 2), max(2, thick), design.ink.tolist(), -1, cv2.LINE_AA)
        else:
            cv2.circle(top, (x + mask.shape[1] + thick, y + mask.shape[0] - thick), max(2, thick), design.ink.tolist(), -1, cv2.LINE_AA)


def _little_photos(rng: Generator, top: Canvas) -> None:
    """The two little photos on a green token's face."""
    n = SPRITE_PX
    for at in rng.uniform(0.33, 0.67, (2, 2)) * n:
        box = cv2.boxPoints(((float(at[0]), float(at[1])), (0.26 * n, 0.18 * n), float(rng.choice([0, 90, rng.uniform(0, 180)]))))
        paper, print_ = colour(rng, saturation=(0, 0.2), value=(0.8, 1)), colour(rng, saturation=(0.4, 1), value=(0.2, 0.9))
        cv2.fillConvexPoly(top, np.round(box).astype(np.int32), paper.tolist(), cv2.LINE_AA)
        cv2.circle(top, (int(at[0]), int(at[1])), int(0.04 * n), print_.tolist(), -1, cv2.LINE_AA)
