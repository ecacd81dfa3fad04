"""Drawn object cards of many makes: a picture, and at the top edge an arrow with a number; and cards without one, backs too."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from vision.circle.bands import SIDE_PX, STEPS, bands
from vision.training.fonts import OTHERS, Face
from vision.training.grounds import Canvas, colour, noise, photo

CARD_PX = 2 * SIDE_PX
AROUND_PX = 12                # table round the card, on the canvas
OFF_MIDDLE = np.asarray(np.hypot(*(np.mgrid[:CARD_PX, :CARD_PX] / CARD_PX - 0.5)), np.float32)


@dataclass(frozen=True)
class Band:
    """One band of a card as a camera shows it. `steps` 0: no arrow on this side."""

    shown: NDArray[np.uint8]   # (DEPTH_PX, SIDE_PX, 3) BGR
    steps: int
    right: bool


def draw_bands(rng: Generator, faces: Sequence[Face]) -> list[Band]:
    """The top band of a drawn card, and one of its other sides."""
    card = _ground(rng)
    steps, right = 0, False
    if rng.random() < 0.85:
        _object(rng, card)
        if rng.random() < 0.3:
            _name(rng, card, faces)
        if rng.random() < 0.93:
            steps, right = int(rng.integers(1, STEPS + 1)), bool(rng.random() < 0.5)
            _label(rng, card, faces[int(rng.integers(len(faces)))], steps, right)
    else:
        _back(rng, card, faces)
    seen = bands(_seen(rng, card))
    other = int(rng.integers(1, 4))
    return [Band(seen[0], steps, right), Band(seen[other], 0, False)]


def _ground(rng: Generator) -> Canvas:
    """The card's paper with its border."""
    paper = colour(rng, saturation=(0, 0.2), value=(0.8, 1)) if rng.random() < 0.65 else colour(rng, saturation=(0, 0.8), value=(0.15, 1))
    card = np.ones((CARD_PX, CARD_PX, 3), np.float32) * paper
    if rng.random() < 0.4:
        card *= 1 - np.float32(rng.uniform(0, 0.4)) * OFF_MIDDLE[..., None]
    if rng.random() < 0.1:
        card = photo(rng, CARD_PX)
    if rng.random() < 0.7:
        edge = colour(rng, saturation=(0, 1), value=(0.1, 1)).tolist()
        width = int(rng.uniform(0.01, 0.07) * CARD_PX)
        inner = np.zeros((CARD_PX, CARD_PX), np.uint8)
        _rounded(inner, (width, width, CARD_PX - width, CARD_PX - width), int(rng.uniform(0, 0.1) * CARD_PX), 255)
        if rng.random() < 0.3:                                  # a line inside the edge
            line = cv2.Canny(inner, 50, 100) > 0
            card[cv2.dilate(line.astype(np.uint8), np.ones((2, 2), np.uint8)) > 0] = edge
        else:
            card[inner == 0] = edge
    return card


def _object(rng: Generator, card: Canvas) -> None:
    """Something of several shapes and colours in the middle."""
    middle = np.array([0.5, rng.uniform(0.5, 0.62)]) * CARD_PX
    reach = rng.uniform(0.15, 0.36) * CARD_PX
    for _ in range(int(rng.integers(3, 14))):
        paint = colour(rng, saturation=(0, 1), value=(0, 1)).tolist()
        x, y = middle + rng.uniform(-0.7, 0.7, 2) * reach
        r = rng.uniform(0.08, 0.5) * reach
        kind = rng.integers(4)
        if kind == 0:
            axes = (max(1, int(r)), max(1, int(r * rng.uniform(0.3, 1))))
            cv2.ellipse(card, (int(x), int(y)), axes, rng.uniform(0, 180), 0, 360, paint, -1, cv2.LINE_AA)
        elif kind == 1:
            corners = np.array([x, y]) + rng.uniform(-1.3, 1.3, (int(rng.integers(3, 7)), 2)) * r
            cv2.fillPoly(card, [corners.astype(np.int32)], paint, cv2.LINE_AA)
        elif kind == 2:
            end = middle + rng.uniform(-1, 1, 2) * reach
            cv2.line(card, (int(x), int(y)), (int(end[0]), int(end[1])), paint, int(rng.integers(2, 12)), cv2.LINE_AA)
        else:
            cv2.circle(card, (int(x), int(y)), max(1, int(r)), paint, int(rng.choice([-1, 3])), cv2.LINE_AA)


def _name(rng: Generator, card: Canvas, faces: Sequence[Face]) -> None:
    """Letters at the lower edge, as a name would stand."""
    ink = _against(rng, card[-CARD_PX // 8 :].mean((0, 1)))
    face, size = faces[int(rng.integers(len(faces)))], rng.uniform(0.05, 0.1) * CARD_PX
    x = rng.uniform(0.1, 0.35) * CARD_PX
    for _ in range(int(rng.integers(3, 9))):
        mask = face.ink[str(rng.choice(OTHERS[:20]))]
        x = _stamp(card, mask, (x, 0.9 * CARD_PX), size, ink) + 0.15 * size


def _back(rng: Generator, card: Canvas, faces: Sequence[Face]) -> None:
    """A back: a pattern, a frame, a sign in the middle."""
    ink = colour(rng).tolist()
    step = int(rng.uniform(6, 30))
    for k in range(0, 2 * CARD_PX, step):
        if rng.random() < 0.98:
            cv2.line(card, (k, 0), (k - CARD_PX, CARD_PX), ink, int(rng.integers(1, 3)), cv2.LINE_AA)
            cv2.line(card, (CARD_PX - k, 0), (2 * CARD_PX - k, CARD_PX), ink, 1, cv2.LINE_AA)
    cv2.circle(card, (CARD_PX // 2,) * 2, int(rng.uniform(0.1, 0.4) * CARD_PX), colour(rng).tolist(), -1, cv2.LINE_AA)
    mask = faces[int(rng.integers(len(faces)))].ink["?"]
    _stamp(card, mask, (0.4 * CARD_PX, 0.5 * CARD_PX), rng.uniform(0.2, 0.4) * CARD_PX, colour(rng))


def _label(rng: Generator, card: Canvas, face: Face, steps: int, right: bool) -> None:
    """Arrow and number at the top edge, in its middle or at an end, on the card or on a patch of its own."""
    number = face.ink[str(steps)]
    size = rng.uniform(0.065, 0.15) * CARD_PX
    wide = size * number.shape[1] / number.shape[0] * rng.uniform(0.85, 1.15)
    arrow = size * rng.uniform(1.0, 2.2)
    gap = size * rng.uniform(0.15, 0.6)
    inside = rng.random() < 0.15                                # the number stands in the arrow
    total = arrow * 1.5 + wide if inside else arrow + gap + wide
    pad = size * rng.uniform(0.1, 0.5)
    room = 0.06 * CARD_PX + pad
    spot = rng.random()
    low, high = room, CARD_PX - room - total
    x = (low + high) / 2 + rng.uniform(-0.06, 0.06) * CARD_PX if spot < 0.6 else (low if spot < 0.8 else high) + rng.uniform(-4, 4)
    y = rng.uniform(0.02, 0.07) * CARD_PX + pad + size / 2
    box = (int(x - pad), int(y - size / 2 - pad), int(x + total + pad), int(y + size / 2 + pad))
    if rng.random() < 0.55:
        patch = colour(rng, saturation=(0, 0.2), value=(0.85, 1)) if rng.random() < 0.6 else colour(rng)
        mask = np.zeros((CARD_PX, CARD_PX), np.uint8)
        _rounded(mask, box, int(rng.uniform(0, 0.6) * (box[3] - box[1])), 255)
        card[mask > 0] = patch
        if rng.random() < 0.5:
            line = cv2.dilate(mask, np.ones((3, 3), np.uint8)) - mask
            card[line > 0] = _against(rng, patch)
    else:
        patch = card[max(0, box[1]) : box[3], max(0, box[0]) : box[2]].mean((0, 1))
    ink = _against(rng, patch)
    if inside:
        _arrow(rng, card, (x, y), total, size * 1.5, right, ink, whole=True)
        start = x + (total - wide) / 2 + (-0.1 if right else 0.1) * size
        _stamp(card, number, (start, y), 0.8 * size, _against(rng, ink), width=wide * 0.8)
        return
    first = bool(rng.random() < 0.5)                             # the number stands before the arrow
    arrow_at = x + wide + gap if first else x
    _stamp(card, number, (x if first else x + arrow + gap, y), size, ink, width=wide)
    _arrow(rng, card, (arrow_at, y), arrow, size * rng.uniform(0.55, 1.1), right, ink if rng.random() < 0.8 else _against(rng, patch))


def _arrow(
    rng: Generator, card: Canvas, at: tuple[float, float], length: float, height: float, right: bool, ink: NDArray[np.float32],
    *, whole: bool = False,
) -> None:
    """An arrow from `at` (left end, middle) on: a block, a line, a triangle, chevrons or a bow."""
    kind = "block" if whole else str(rng.choice(["block", "line", "triangle", "chevrons", "bow"], p=[0.42, 0.25, 0.13, 0.06, 0.14]))
    head, shaft = rng.uniform(0.3, 0.6), rng.uniform(0.15, 0.3)
    if whole:
        head, shaft = 0.25, 0.36
    pen = max(1, round(rng.uniform(0.1, 0.22) * height))
    tip = np.array([1.0, 0.0])
    if kind == "block":
        shape = [[(0, -shaft), (1 - head, -shaft), (1 - head, -0.5), tip, (1 - head, 0.5), (1 - head, shaft), (0, shaft)]]
    elif kind == "triangle":
        shape = [[(0.1, -0.5), (0.95, 0), (0.1, 0.5)]]
    elif kind == "chevrons":
        shape = [[(a, -0.5), (a + 0.15, -0.5), (a + 0.5, 0), (a + 0.15, 0.5), (a, 0.5), (a + 0.33, 0)] for a in (0.05, 0.45)]
    else:
        shape = []
    place = _placed(at, length, height, right)
    for corners in shape:
        cv2.fillPoly(card, [place(np.array(corners, float))], ink.tolist(), cv2.LINE_AA)
    if kind == "line":
        cv2.polylines(card, [place(np.array([[0, 0], [0.96, 0]]))], False, ink.tolist(), pen, cv2.LINE_AA)
        if rng.random() < 0.5:
            cv2.polylines(card, [place(np.array([[1 - head, -0.5], tip, [1 - head, 0.5]]))], False, ink.tolist(), pen, cv2.LINE_AA)
        else:
            cv2.fillPoly(card, [place(np.array([[1 - head, -0.5], tip, [1 - head, 0.5]]))], ink.tolist(), cv2.LINE_AA)
    if kind == "bow":
        bend = rng.choice([-1, 1]) * rng.uniform(0.3, 0.7)
        t = np.linspace(0, 1, 12)
        line = np.c_[0.9 * t, bend * (4 * t * (1 - t) - 0.5)]
        cv2.polylines(card, [place(line)], False, ink.tolist(), pen + 1, cv2.LINE_AA)
        end, before = line[-1], line[-3]
        way = (end - before) / np.linalg.norm(end - before)
        side = np.array([-way[1], way[0]])
        cv2.fillPoly(card, [place(np.array([end - 0.35 * side, end + 0.3 * way, end + 0.35 * side]))], ink.tolist(), cv2.LINE_AA)


def _placed(at: tuple[float, float], length: float, height: float, right: bool) -> Callable[[NDArray[np.float64]], NDArray[np.int32]]:
    """Carries a shape of 0..1 by -0.5..0.5, its tip at 1, to where an arrow lies."""
    def place(shape: NDArray[np.float64]) -> NDArray[np.int32]:
        x = shape[:, 0] if right else 1 - shape[:, 0]
        return np.asarray(np.c_[at[0] + x * length, at[1] + shape[:, 1] * height], np.int32)
    return place


def _stamp(
    card: Canvas, mask: NDArray[np.uint8], at: tuple[float, float], size: float, ink: NDArray[np.float32], *, width: float | None = None
) -> float:
    """Ink in the shape of a mask, `size` high, its left end at `at`; returns where its right end lies."""
    high, wide = max(3, round(size)), max(2, round(width or size * mask.shape[1] / mask.shape[0]))
    x, y = round(at[0]), round(at[1] - high / 2)
    cover = cv2.resize(mask, (wide, high), interpolation=cv2.INTER_AREA).astype(np.float32)[..., None] / 255
    x0, y0, x1, y1 = max(x, 0), max(y, 0), min(x + wide, CARD_PX), min(y + high, CARD_PX)
    if x1 > x0 and y1 > y0:
        part = cover[y0 - y : y1 - y, x0 - x : x1 - x]
        card[y0:y1, x0:x1] = card[y0:y1, x0:x1] * (1 - part) + ink * part
    return float(x + wide)


def _against(rng: Generator, ground: NDArray[np.float32]) -> NDArray[np.float32]:
    """A colour that stands out from the ground."""
    light = float(ground @ np.array([0.114, 0.587, 0.299]))
    for _ in range(20):
        ink = colour(rng, saturation=(0, 0.9), value=(0, 0.6) if light > 0.5 else (0.6, 1))
        if abs(float(ink @ np.array([0.114, 0.587, 0.299])) - light) > 0.3:
            return ink
    return np.full(3, 0.0 if light > 0.5 else 1.0, np.float32)


def _rounded(mask: NDArray[np.uint8], box: tuple[int, int, int, int], radius: int, value: int) -> None:
    x0, y0, x1, y1 = box
    r = max(0, min(radius, (x1 - x0) // 2, (y1 - y0) // 2))
    cv2.rectangle(mask, (x0 + r, y0), (x1 - r, y1), value, -1)
    cv2.rectangle(mask, (x0, y0 + r), (x1, y1 - r), value, -1)
    for x in (x0 + r, x1 - r):
        for y in (y0 + r, y1 - r):
            cv2.circle(mask, (x, y), r, value, -1)


def _seen(rng: Generator, card: Canvas) -> NDArray[np.uint8]:
    """The card cut from a camera's picture by an outline that is not exact, (SIDE_PX, SIDE_PX, 3)."""
    size = CARD_PX + 2 * AROUND_PX
    scene = np.ones((size, size, 3), np.float32) * colour(rng, saturation=(0, 0.7), value=(0.1, 0.95))
    scene[AROUND_PX:-AROUND_PX, AROUND_PX:-AROUND_PX] = card
    corners = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float32) * CARD_PX + AROUND_PX
    cut = corners + rng.normal(0, 0.012, (4, 2)).astype(np.float32) * CARD_PX + rng.normal(0, 0.01, 2).astype(np.float32) * CARD_PX
    grain = int(rng.uniform(0.62, 1.5) * SIDE_PX)
    to_cut = cv2.getPerspectiveTransform(cut, np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float32) * grain)
    blurred = cv2.GaussianBlur(scene, (0, 0), max(0.3, 0.42 * CARD_PX / grain))
    out = cv2.warpPerspective(blurred, to_cut, (grain, grain), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    gain = np.asarray(rng.uniform(0.4, 1.25) * rng.uniform(0.85, 1.15, 3), np.float32)
    out = out * gain * (1 + 0.15 * noise(rng, grain, (2, 2)))[..., None]
    if rng.random() < 0.2:
        y, x = np.mgrid[:grain, :grain] / grain - rng.uniform(-0.2, 1.2, 2)[:, None, None]
        out = out + np.asarray(rng.uniform(0.1, 0.9) * np.exp(-(x**2 + y**2) / rng.uniform(0.02, 0.3)), np.float32)[..., None]
    if rng.random() < 0.25:
        out = cv2.GaussianBlur(out, (0, 0), rng.uniform(0.3, 0.8))
    out = out + rng.uniform(0, 0.035) * rng.standard_normal(out.shape).astype(np.float32)
    how = cv2.INTER_AREA if grain > SIDE_PX else cv2.INTER_LINEAR
    return np.asarray(np.clip(cv2.resize(out, (SIDE_PX, SIDE_PX), interpolation=how) * 255, 0, 255), np.uint8)


