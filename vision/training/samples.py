"""One training sample: a crop of a table round a marker, a token, or neither, with what is to be said of it."""

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from vision.markers.crops import CLASSES, CROP_PX, CROP_SIZES, NONE, TOKEN_DOWN, TOKEN_NUMBER, TOKEN_PICTURE
from vision.training.fonts import OTHERS, Face
from vision.training.grounds import Canvas, colour, noise, photo, surroundings
from vision.training.pieces import SPRITE_PX, Design, fingers, heap, marker_design, mugs_and_rims, pips, sprite, stand, token_design

CANVAS_PX = 2 * CROP_PX
Value = int | None


@dataclass(frozen=True)
class Sample:
    """A crop and its truth. `pose`: as of `markers.crops.POSE`."""

    crop: NDArray[np.uint8]                # (CROP_PX, CROP_PX, 3) BGR
    classes: NDArray[np.float32]           # (CLASSES,) sums to 1
    pose: NDArray[np.float32]              # (7,)
    posed: float                           # 1 where the pose is to be learnt
    turned: float                          # 1 where the turn is to be learnt


def draw_sample(rng: Generator, faces: Sequence[Face]) -> Sample:
    """One sample; two in three show a marker or token that is to be named."""
    kind = rng.choice(["marker", "tent", "token", "none"], p=[0.44, 0.16, 0.13, 0.27])
    ground = photo(rng, CANVAS_PX) if kind == "none" and rng.random() < 0.3 else surroundings(rng, CANVAS_PX)
    classes, pose, posed, turned = np.zeros(CLASSES, np.float32), np.zeros(7, np.float32), 0.0, 0.0
    if kind == "none":
        classes[NONE] = 1
        _distract(rng, ground, faces)
    else:
        face = faces[int(rng.integers(len(faces)))]
        if kind == "token":
            value, design = _a_token(rng)
        else:
            value, design = int(rng.integers(1, 11)), marker_design(rng)
            if value <= 3 and design.like_token:
                value += 3
        share = rng.uniform(0.72, 1.35)                       # of the size that the crop was cut for
        size = CANVAS_PX / CROP_SIZES * share
        at = CANVAS_PX / 2 + rng.uniform(-0.2, 0.2, 2) * CANVAS_PX * (rng.random() < 0.8)
        turn = rng.uniform(0, 2 * np.pi)
        _neighbours(rng, ground, faces, design, at, size)
        picture = sprite(rng, design, _label(value), face)
        if kind == "tent":
            other = picture if rng.random() < 0.7 else sprite(rng, design, "", face)
            seen, turn = stand(rng, ground, picture, other, at, size, turn)
        else:
            seen = at
            pile = kind == "token" and rng.random() < 0.3
            at = lie(rng, ground, picture, at, size, turn, thick=rng.uniform(0, 0.6 if pile else 0.12))
        classes[:] = _says(value, design)
        pose[:] = [*(seen / CANVAS_PX - 0.5), np.log(share), np.cos(turn), np.sin(turn), *(at / CANVAS_PX - 0.5)]
        posed, turned = 1.0, float(1 <= value <= 10)
        if rng.random() < 0.12:
            _cover(rng, ground, seen, size)
    return Sample(_camera(rng, ground), classes, pose, posed, turned)


def lie(rng: Generator, ground: Canvas, picture: Canvas, at: NDArray[np.float64], size: float, turn: float, *,
        thick: float) -> NDArray[np.float64]:
    """Lay an RGBA picture flat, its top at `at`, `size` wide, turned clockwise, with edge and shadow. Returns where its foot is."""
    side = picture.shape[0]
    c, s = np.cos(turn), np.sin(turn)
    lean = rng.uniform(-0.06, 0.06, (2, 2)) * (rng.random() < 0.5)
    linear = (np.eye(2) + lean) @ np.array([[c, -s], [s, c]]) * (size / side)
    away = rng.uniform(0, 2 * np.pi)
    up = thick * size * rng.uniform(0, 1) * np.array([np.cos(away), np.sin(away)])
    lamp = rng.uniform(-0.12, 0.12, 2) * size
    under(ground, picture, linear, at - up + lamp, darker=rng.uniform(0.3, 0.9), blur=rng.uniform(0.01, 0.1) * size)
    if thick > 0:
        for step in np.linspace(0, 1, max(1, int(np.hypot(*up) / 3)), endpoint=False):
            over(ground, picture * np.array([0.55, 0.55, 0.55, 1], np.float32), linear, at - up * (1 - step))
    over(ground, picture, linear, at)
    return np.asarray(at - up, np.float64)


def over(ground: Canvas, picture: Canvas, linear: NDArray[np.float64], at: NDArray[np.float64]) -> None:
    """Paint an RGBA picture on the ground, its middle carried to `at` by a 2x2 matrix."""
    m = np.c_[linear, np.asarray(at) - linear @ np.full(2, picture.shape[0] / 2)]
    warped = cv2.warpAffine(picture, m, ground.shape[1::-1], flags=cv2.INTER_AREA)
    ground *= 1 - warped[..., 3:]
    ground += warped[..., :3] * warped[..., 3:]


def under(ground: Canvas, picture: Canvas, linear: NDArray[np.float64], at: NDArray[np.float64], *, darker: float, blur: float) -> None:
    """The soft shadow of an RGBA picture."""
    m = np.c_[linear, np.asarray(at) - linear @ np.full(2, picture.shape[0] / 2)]
    shape = cv2.warpAffine(picture[..., 3], m, ground.shape[1::-1], flags=cv2.INTER_AREA)
    ground *= 1 - (1 - darker) * cv2.GaussianBlur(shape, (0, 0), max(0.5, blur))[..., None]


def _label(value: int) -> str:
    return {TOKEN_DOWN: "?", TOKEN_PICTURE: ""}.get(value, str(value))


def _a_token(rng: Generator) -> tuple[int, Design]:
    """A token and what it shows: 1..3 stand for the number's class here, else TOKEN_DOWN or TOKEN_PICTURE."""
    points = int(rng.integers(1, 4))
    up = rng.random() < 0.65
    shows = (points if not up else TOKEN_PICTURE) if points == 3 else (points if up else TOKEN_DOWN)
    return shows, token_design(rng, points, picture=shows == TOKEN_PICTURE)


def _says(value: int, design: Design) -> NDArray[np.float32]:
    """What is to be said: 6 and 9 without a mark are each other's equals."""
    out = np.zeros(CLASSES, np.float32)
    if design.token:
        out[value if value in (TOKEN_DOWN, TOKEN_PICTURE) else TOKEN_NUMBER] = 1
    elif value in (6, 9) and design.mark == "none":
        out[[6, 9]] = 0.5
    else:
        out[value] = 1
    return out


def _neighbours(rng: Generator, ground: Canvas, faces: Sequence[Face], design: Design, at: NDArray[np.float64], size: float) -> None:
    """Markers of the same make, or tokens, that touch or nearly touch."""
    for _ in range(rng.choice([0, 1, 2], p=[0.45, 0.35, 0.2])):
        turn = rng.uniform(0, 2 * np.pi)
        gap = at + rng.uniform(1.0, 1.4) * size * np.array([np.cos(turn), np.sin(turn)])
        own = design if rng.random() < 0.7 else token_design(rng, int(rng.integers(1, 4)), picture=False)
        text = str(rng.integers(1, 11)) if not own.token else "?"
        other = sprite(rng, own, text, faces[int(rng.integers(len(faces)))])
        lie(rng, ground, other, gap, size, rng.uniform(0, 2 * np.pi), thick=0.05)


def _distract(rng: Generator, ground: Canvas, faces: Sequence[Face]) -> None:
    """What could be taken for a piece: blank ones, letters, pips, rims of mugs, fruit, hands, a photo's corner, pieces half out."""
    side = CANVAS_PX
    middle = np.full(2, side / 2) + rng.uniform(-0.15, 0.15, 2) * side
    size = side / CROP_SIZES * rng.uniform(0.5, 1.6)
    face = faces[int(rng.integers(len(faces)))]
    kinds = {"nothing": 0.1, "blank": 0.15, "letter": 0.1, "pips": 0.06, "rim": 0.09, "heap": 0.1, "fingers": 0.1, "corner": 0.06,
             "aside": 0.16, "huge": 0.08}
    kind = rng.choice(list(kinds), p=list(kinds.values()))
    turn = rng.uniform(0, 2 * np.pi)
    if kind == "blank":
        design = marker_design(rng) if rng.random() < 0.6 else token_design(rng, int(rng.integers(1, 4)), picture=False)
        blank = sprite(rng, design, "", face)
        if rng.random() < 0.3:
            stand(rng, ground, blank, blank, middle, size, turn)
        else:
            lie(rng, ground, blank, middle, size, turn, thick=0.06)
    elif kind == "letter":
        lie(rng, ground, sprite(rng, marker_design(rng), str(rng.choice(OTHERS)), face), middle, size, turn, thick=0.06)
    elif kind == "pips":
        lie(rng, ground, pips(rng), middle, size, turn, thick=rng.uniform(0, 0.5))
    elif kind == "rim":
        mugs_and_rims(rng, ground)
    elif kind == "heap":
        heap(rng, ground)
    elif kind == "fingers":
        fingers(rng, ground)
    elif kind == "corner":
        sheet = np.dstack([photo(rng, SPRITE_PX), np.ones((SPRITE_PX, SPRITE_PX), np.float32)])
        lie(rng, ground, sheet, middle + rng.uniform(-1, 1, 2) * size, 2 * size, turn, thick=0.0)
    elif kind in ("aside", "huge"):
        design = marker_design(rng)
        far = rng.uniform(0.6, 0.9) * side / CROP_SIZES if kind == "aside" else rng.uniform(0, 0.5) * side
        grown = side / CROP_SIZES * (rng.uniform(0.8, 1.3) if kind == "aside" else rng.uniform(2.6, 4))
        for _ in range(rng.integers(1, 3)):
            way = rng.uniform(0, 2 * np.pi)
            piece = sprite(rng, design, str(rng.integers(1, 11)), face)
            lie(rng, ground, piece, side / 2 + far * np.array([np.cos(way), np.sin(way)]), grown, rng.uniform(0, 2 * np.pi), thick=0.06)


def _cover(rng: Generator, ground: Canvas, seen: NDArray[np.float64], size: float) -> None:
    """A fingertip or another thing's edge over a part of it."""
    way, far = rng.uniform(0, 2 * np.pi), rng.uniform(0.55, 0.85) * size
    at = seen + far * np.array([np.cos(way), np.sin(way)])
    skin = colour(rng, hue=(5, 35), saturation=(0.2, 0.6), value=(0.3, 0.95))
    middle, axes = (int(at[0]), int(at[1])), (int(0.5 * size), int(0.3 * size))
    cv2.ellipse(ground, middle, axes, float(np.degrees(way)), 0, 360, skin.tolist(), -1, cv2.LINE_AA)


def _camera(rng: Generator, ground: Canvas) -> NDArray[np.uint8]:
    """The canvas as a camera gives it: lamp, glare, focus, few pixels, noise, compression; cut to the crop's size."""
    side = ground.shape[0]
    light = rng.uniform(0.35, 1.25) * (1 + 0.25 * noise(rng, side, (2, 2)))[..., None]
    out = ground * light * rng.uniform(0.75, 1.25, 3).astype(np.float32)
    if rng.random() < 0.2:                                     # glare, or a lamp that burns white out
        at, r = rng.uniform(0, side, 2), rng.uniform(0.2, 1.0) * side
        y, x = np.mgrid[:side, :side]
        out += (rng.uniform(0.1, 0.8) * np.exp(-((x - at[0]) ** 2 + (y - at[1]) ** 2) / (2 * r * r)))[..., None]
    elif rng.random() < 0.15:
        out = out * rng.uniform(1.3, 2.2)
    out = np.clip(out, 0, float(rng.choice([1.0, 1.7])))       # beyond 1 light still spills over thin strokes
    grain = int(np.exp(rng.uniform(np.log(26), np.log(CANVAS_PX))))   # the pixels that the camera spent on the crop
    out = cv2.resize(cv2.GaussianBlur(out, (0, 0), 0.35 * side / grain + 0.3), (grain, grain), interpolation=cv2.INTER_AREA)
    if rng.random() < 0.2:
        out = cv2.GaussianBlur(out, (0, 0), rng.uniform(0.3, 0.04 * grain + 0.1))
    out = out + rng.uniform(0, 0.04) * rng.standard_normal(out.shape)
    byte = np.asarray(np.clip(out * 255, 0, 255), np.uint8)
    if rng.random() < 0.6:
        file = cv2.imencode(".jpg", byte, [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(40, 95))])[1]
        byte = np.asarray(cv2.imdecode(file, cv2.IMREAD_COLOR), np.uint8)
    how = cv2.INTER_AREA if grain > CROP_PX else cv2.INTER_LINEAR
    return np.asarray(cv2.resize(byte, (CROP_PX, CROP_PX), interpolation=how), np.uint8)
