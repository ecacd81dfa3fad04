"""How cards look, so that they can be compared: small upright patches, made equal in light, in every turn that a card can have."""

from collections.abc import Sequence
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.geometry import Picture, Points, points
from vision.topview import TopView

LOOK_PX = 40                # side of a patch, whatever the card's shape: finer ones ask for finer outlines, and were worse (60)
CHROMA = 1.5                # what a step of colour counts, of one of lightness
ROOM_PX = 4                 # beyond a patch on every side, in a wide one: outlines of thick tiles are that inexact
EDGE = 0.04                 # of a side, left out all round: outlines are not exact to the millimetre
SQUARE = 0.07               # sides that differ less, of the longer one, are equal
BURNT = 247                 # all channels from here on: nothing but light

Looks = NDArray[np.float32]     # (n, LOOK_PX, LOOK_PX, 3)


def cut(top: TopView, quad_mm: Points, *, room: int = 0) -> Picture:
    """What a quad of the table (from its first corner, clockwise) shows, LOOK_PX a side, and `room` pixels more on every side."""
    fine, more = 2 * LOOK_PX, 2 * room
    margin = EDGE * fine / (1 - 2 * EDGE)
    low, high = more - margin, more + fine + margin
    corners = np.array([[low, low], [high, low], [high, high]], np.float32) - 0.5
    to_card = cv2.getAffineTransform((top.to_px(points(quad_mm)[:3]) - 0.5).astype(np.float32), corners)
    size = (fine + 2 * more,) * 2
    big = cv2.warpAffine(top.picture, to_card, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(cv2.resize(big, (LOOK_PX + 2 * room,) * 2, interpolation=cv2.INTER_AREA), np.uint8)


def inner(wide: NDArray[Any], dx: int = 0, dy: int = 0) -> NDArray[Any]:
    """The patches (n, LOOK_PX, LOOK_PX, …) in wide ones, shifted by whole pixels within their room."""
    room = (wide.shape[1] - LOOK_PX) // 2
    return wide[:, room + dy : room + dy + LOOK_PX, room + dx : room + dx + LOOK_PX]


def of_print(picture: Picture) -> Picture:
    """A pack's picture cut like a card on the table."""
    h, w = picture.shape[:2]
    y, x = round(EDGE * h), round(EDGE * w)
    return np.asarray(cv2.resize(picture[y : h - y, x : w - x], (LOOK_PX, LOOK_PX), interpolation=cv2.INTER_AREA), np.uint8)


def look(patches: Sequence[Picture]) -> tuple[Looks, NDArray[np.bool_]]:
    """Patches made equal in light, and which of their places are seen: not burnt out."""
    stack = np.array(patches, np.uint8).reshape(-1, *(patches[0].shape if len(patches) else (LOOK_PX, LOOK_PX, 3)))
    seen = (stack.min(-1) < BURNT)
    out = np.empty(stack.shape, np.float32)
    for i, patch in enumerate(stack):
        lab = cv2.cvtColor(cv2.GaussianBlur(patch, (0, 0), 0.7).astype(np.float32) / 255, cv2.COLOR_BGR2Lab)
        out[i] = np.asarray(lab, np.float32) * np.array([1, CHROMA, CHROMA], np.float32)
    return out, np.asarray(seen, np.bool_)


def turned(stack: NDArray[Any], quarters: int) -> NDArray[Any]:
    """Patches turned clockwise by quarters."""
    return np.ascontiguousarray(np.rot90(stack, -quarters, axes=(1, 2)))


def turns_of(size_mm: tuple[float, float]) -> tuple[int, ...]:
    """Quarter turns in which a card of that (width, height) may lie in an outline whose first side is the longer one."""
    width, height = size_mm
    if abs(width - height) < SQUARE * max(width, height):
        return 0, 1, 2, 3
    return (0, 2) if width > height else (1, 3)


def upright(quad_mm: Points, turn: int) -> Points:
    """The quad from the picture's own top left, where the picture lies turned clockwise by so many quarters in it."""
    return points(np.roll(quad_mm, -turn, axis=0))


def vectors(looks: NDArray[np.float32], seen: NDArray[np.bool_] | None = None) -> NDArray[np.float32]:
    """(n, d) unit vectors: each look less its mean in every channel; places not seen are nought."""
    n = len(looks)
    flat = looks.reshape(n, -1, 3)
    weight = np.ones(flat.shape[:2], np.float32) if seen is None else seen.reshape(n, -1).astype(np.float32)
    mean = (flat * weight[..., None]).sum(1, keepdims=True) / np.maximum(weight.sum(1)[:, None, None], 1)
    flat = ((flat - mean) * weight[..., None]).reshape(n, -1)
    return np.asarray(flat / np.maximum(np.linalg.norm(flat, axis=1, keepdims=True), 1e-6), np.float32)


def likeness(looks: NDArray[np.float32], turns: Sequence[int]) -> NDArray[np.float32]:
    """(n, n): how alike two cards look in the turn that suits them best, -1..1."""
    base = vectors(looks)
    return np.asarray(np.max([base @ vectors(turned(looks, k)).T for k in turns], axis=0), np.float32)
