"""Samples and network for reading a numeral that stands upright, or nearly: ten values, or 0 for anything else, turned numerals too.

A piece is shown to it in eight turns; the one that stands upright is read.
"""

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray
from torch import nn

from vision.markers.upright import READ_PX, READ_SIZES, STEP_DEGREES, VALUES
from vision.training.fonts import OTHERS, Face
from vision.training.grounds import Canvas, colour, noise
from vision.training.pieces import marker_design, sprite
from vision.training.samples import over

CANVAS_PX = 2 * READ_PX
CROPS_A_PIECE = 3
UPRIGHT_DEGREES = STEP_DEGREES / 2 + 2
TURNED_DEGREES = STEP_DEGREES - 8      # from here on a numeral counts as turned; between the two lies no sample


def draw_uprights(rng: Generator, faces: Sequence[Face]) -> list[tuple[NDArray[np.uint8], NDArray[np.float32]]]:
    """One drawn piece as several grey crops (READ_PX, READ_PX), each with what it is, (1 + VALUES,)."""
    value = int(rng.integers(1, VALUES + 1))
    other = rng.random() < 0.08
    text = str(rng.choice([*OTHERS, ""])) if other else str(value)
    piece = sprite(rng, marker_design(rng), text, faces[int(rng.integers(len(faces)))])
    return [_seen_once(rng, piece, 0 if other else value) for _ in range(CROPS_A_PIECE)]


def _seen_once(rng: Generator, piece: Canvas, value: int) -> tuple[NDArray[np.uint8], NDArray[np.float32]]:
    degrees = rng.uniform(-UPRIGHT_DEGREES, UPRIGHT_DEGREES)
    upright = rng.random() < 0.72
    on_its_head = False
    if not upright:
        on_its_head = bool(rng.random() < 0.4)
        degrees = 180 + degrees if on_its_head else rng.uniform(TURNED_DEGREES, 360 - TURNED_DEGREES)
    ground = np.ones((CANVAS_PX, CANVAS_PX, 3), np.float32) * colour(rng)
    ground *= (1 + 0.15 * noise(rng, CANVAS_PX, (rng.uniform(2, 20), rng.uniform(2, 20))))[..., None]
    size = CANVAS_PX / READ_SIZES * rng.uniform(0.8, 1.25)
    at = CANVAS_PX / 2 + rng.uniform(-0.09, 0.09, 2) * CANVAS_PX
    over(ground, piece, _linear(rng, np.radians(degrees)) * size / piece.shape[0], at)
    says = np.zeros(1 + VALUES, np.float32)
    says[value if upright or (value == 8 and on_its_head) else 0] = 1
    return _seen(rng, ground), says


def upright_network() -> nn.Sequential:
    """(n, 1, READ_PX, READ_PX) normalised crops -> (n, 1 + VALUES) logits."""
    def block(before: int, after: int) -> list[nn.Module]:
        return [nn.Conv2d(before, after, 3, 1, 1, bias=False), nn.BatchNorm2d(after), nn.ReLU(), nn.MaxPool2d(2)]
    side = READ_PX // 8
    return nn.Sequential(*block(1, 12), *block(12, 24), *block(24, 48), nn.Flatten(), nn.Linear(48 * side * side, 64), nn.ReLU(),
                         nn.Linear(64, 1 + VALUES))


def _linear(rng: Generator, angle: float) -> NDArray[np.float64]:
    """A turn, now and then seen as on a tent: pressed together in one direction, sheared."""
    c, s = np.cos(angle), np.sin(angle)
    turn = np.array([[c, -s], [s, c]])
    if rng.random() < 0.3:
        press = np.array([[1, rng.uniform(-0.5, 0.5)], [0, rng.uniform(0.5, 1.1)]])
        return np.asarray(turn @ (press if rng.random() < 0.7 else press.T), np.float64)
    return np.asarray(turn @ (np.eye(2) + rng.uniform(-0.06, 0.06, (2, 2))), np.float64)


def _seen(rng: Generator, ground: Canvas) -> NDArray[np.uint8]:
    """Grey, as a camera with few pixels gives it."""
    side = CANVAS_PX
    grey = ground @ np.array([0.114, 0.587, 0.299], np.float32) * np.float32(rng.uniform(0.35, 1.3))
    grey = grey * (1 + 0.2 * noise(rng, side, (2, 2)))
    if rng.random() < 0.15:
        grey = grey + rng.uniform(0, 0.6) * np.linspace(0, 1, side, dtype=np.float32)[None]
    grain = int(rng.uniform(0.34, 1.0) * side)
    grey = cv2.resize(cv2.GaussianBlur(np.clip(grey, 0, 1), (0, 0), 0.4 * side / grain + 0.2), (grain, grain), interpolation=cv2.INTER_AREA)
    if rng.random() < 0.2:
        grey = cv2.GaussianBlur(grey, (0, 0), rng.uniform(0.3, 1.0))
    grey = grey + rng.uniform(0, 0.035) * rng.standard_normal(grey.shape).astype(np.float32)
    how = cv2.INTER_AREA if grain > READ_PX else cv2.INTER_LINEAR
    return np.asarray(np.clip(cv2.resize(grey, (READ_PX, READ_PX), interpolation=how) * 255, 0, 255), np.uint8)
