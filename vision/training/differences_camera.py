"""What a camera, a lamp and a file format do to a print: the nuisances that are no differences."""

from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image

from vision.geometry import Picture

PALETTES = (0, 0, 0, 64, 256)
OTHER_COLOUR = 20.0  # levels: a palette that moves the mean of a small patch by more has lost a thing's colour
PATCH_PX = (9, 9)
Mask = NDArray[np.uint8]


@dataclass(frozen=True)
class Camera:
    """How one photograph comes about. Fractions are of the picture's width unless said otherwise."""

    native_px: float  # the width of the print in the file
    blur_px: float  # sigma, pixels of the file
    exposure: float  # factor
    gamma: float
    white: tuple[float, float, float]
    haze: float  # 0..1: black lifted
    lamp: tuple[float, float, float]  # gradient strength, direction (rad), falloff of a near lamp
    shadow: float  # darkening beyond a straight soft edge; 0: none
    glare: int  # burnt spots
    cover: bool  # a hand or thing lies over a corner
    noise: float  # sigma of 255
    sharpen: float
    jpeg: int  # quality; 0: none
    misfit_px: float  # residue of the alignment, pixels of the working frame
    screen: float  # strength of a halftone or a screen's grid; 0: none
    moire: float  # strength of the slow coloured bands that such a grid leaves in a camera; 0: none
    palette: int  # colours of the file, dithered; 0: as many as there are

    @staticmethod
    def drawn(rng: np.random.Generator, *, level: float, native_px: float) -> "Camera":
        """A camera by chance; level 0 is a lossless copy, 1 a phone or webcam in a living room."""
        u = rng.random
        if level == 0:
            return Camera(
                native_px,
                0,
                1,
                1,
                (1, 1, 1),
                0,
                (0, 0, 0),
                0,
                0,
                False,
                0,
                0,
                int(rng.choice([0, 0, 90, 75])),
                float(rng.choice([0, 0.3])),
                0,
                0,
                int(rng.choice(PALETTES)),
            )
        w = 1 + level * rng.normal(0, 0.1, 3)
        return Camera(
            native_px,
            float(rng.exponential(0.5 * level) + 0.2),
            float(np.exp(level * rng.normal(0, 0.3))),
            float(np.exp(level * rng.normal(0, 0.15))),
            (float(w[0]), float(w[1]), float(w[2])),
            float(level * rng.uniform(0, 0.3) * (u() < 0.6)),
            (float(level * rng.uniform(0, 0.35)), float(rng.uniform(0, 2 * np.pi)), float(level * rng.uniform(0, 0.4) * (u() < 0.4))),
            float(rng.uniform(0.2, 0.5) * (u() < 0.15 * level)),
            int(u() < 0.06 + 0.14 * level) * int(rng.integers(1, 3)),
            u() < 0.05 * level,
            float(level * rng.uniform(0.5, 7)),
            float(rng.uniform(0, 1.5) * (u() < 0.4)),
            int(rng.integers(45, 96)),
            float(level * rng.exponential(0.6)),
            float(rng.uniform(0.05, 0.35) * (u() < 0.2 * level)),
            float(rng.uniform(0.01, 0.06) * (u() < 0.15 * level)),
            0,
        )


def photographed(rng: np.random.Generator, picture: Picture, camera: Camera) -> tuple[Picture, Mask]:
    """The print as this camera shows it, in the size it came, and where it is burnt out or covered (0 or 1)."""
    h, w = picture.shape[:2]
    light = picture.astype(np.float32)
    y, x = np.mgrid[:h, :w].astype(np.float32)
    u, v = (x - w / 2) / w, (y - h / 2) / w
    if camera.screen:
        period, turn = float(rng.uniform(2.2, 7)), float(rng.uniform(0, np.pi))
        p, q = (u * np.cos(turn) + v * np.sin(turn)) * w, (v * np.cos(turn) - u * np.sin(turn)) * w
        colours = rng.random() < 0.5  # the dots of a print or of a screen's colours do not lie on each other
        dots = [np.sin(2 * np.pi * (p / period + k * colours / 3)) * np.sin(2 * np.pi * q / period) for k in range(3)]
        light = light * (1 + camera.screen * np.dstack(dots)).astype(np.float32)
    if camera.moire:
        period, turn, bend = float(rng.uniform(12, 90)), float(rng.uniform(0, np.pi)), float(rng.uniform(-0.3, 0.3))
        p = (u * np.cos(turn) + v * np.sin(turn) + bend * (v * np.cos(turn) - u * np.sin(turn)) ** 2) * w
        bands = [np.sin(2 * np.pi * (p / period + float(rng.uniform(0, 0.5)))) for _ in range(3)]
        light = light * (1 + camera.moire * np.dstack(bands)).astype(np.float32)
    strength, turn, near = camera.lamp
    lamp = 1 + strength * 2 * (u * np.cos(turn) + v * np.sin(turn))
    if near:
        cx, cy = rng.uniform(-0.5, 0.5, 2)
        lamp = lamp * (1 - near + 2 * near * np.exp(-((u - cx) ** 2 + (v - cy) ** 2) / 0.25))
    if camera.shadow:
        turn, at = float(rng.uniform(0, 2 * np.pi)), float(rng.uniform(-0.3, 0.3))
        soft = float(rng.uniform(0.002, 0.05))
        lamp = lamp * (1 - camera.shadow / (1 + np.exp(np.clip(-(u * np.cos(turn) + v * np.sin(turn) - at) / soft, -50, 50))))
    curve = (255 * (np.arange(256) / 255) ** camera.gamma * camera.exposure).astype(np.float32)
    light = curve[np.clip(light, 0, 255).astype(np.uint8)] * lamp[..., None].astype(np.float32) * np.array(camera.white, np.float32)
    light = light * (1 - camera.haze) + 90 * camera.haze
    hidden = np.zeros((h, w), np.uint8)
    for _ in range(camera.glare):
        cx, cy, r = float(rng.uniform(-0.45, 0.45)), float(rng.uniform(-0.3, 0.3)), float(rng.uniform(0.015, 0.07))
        squeeze, turn = float(rng.uniform(0.5, 1.5)), float(rng.uniform(0, np.pi))
        p, q = (u - cx) * np.cos(turn) + (v - cy) * np.sin(turn), (v - cy) * np.cos(turn) - (u - cx) * np.sin(turn)
        spot = np.exp(-(((p**2 + (q * squeeze) ** 2) / r**2) ** float(rng.uniform(0.8, 2.5))))
        light = light + spot[..., None] * 400
        hidden |= (spot > 0.3).astype(np.uint8)
    if camera.cover:
        _cover(rng, light, hidden)
    light = np.clip(light, 0, 255)
    out = _resampled(rng, light, camera)
    return _misfit(rng, out, camera.misfit_px), hidden


def _resampled(rng: np.random.Generator, light: NDArray[Any], camera: Camera) -> Picture:
    """Down to the file's resolution, through optics, sensor, sharpening and JPEG, and up again."""
    h, w = light.shape[:2]
    k = camera.native_px / w
    size = (max(32, round(w * k)), max(32, round(h * k)))
    if camera.native_px >= 1000 and not camera.noise:
        size = (w, h)
    small = cv2.resize(light, size, interpolation=cv2.INTER_AREA if k < 1 else cv2.INTER_CUBIC)
    if camera.blur_px > 0.25:
        small = cv2.GaussianBlur(small, (0, 0), camera.blur_px)
    if camera.noise:
        grain: NDArray[Any] = rng.standard_normal((size[1], size[0], 3), np.float32) * np.float32(camera.noise)
        if rng.random() < 0.4:
            grain = cv2.GaussianBlur(grain, (0, 0), 0.7) * 1.8
        grain[:] = grain * 0.5 + grain.mean(2, keepdims=True)
        small = small + grain
    if camera.sharpen:
        small = small + camera.sharpen * (small - cv2.GaussianBlur(small, (0, 0), 1.0))
    eight = np.clip(np.rint(small), 0, 255).astype(np.uint8)
    if camera.palette:
        eight = of_few_colours(eight, camera.palette)
    if camera.jpeg:
        eight = cv2.imdecode(cv2.imencode(".jpg", eight, [cv2.IMWRITE_JPEG_QUALITY, camera.jpeg])[1], cv2.IMREAD_COLOR)  # type: ignore[assignment]
    return cv2.resize(eight, (w, h), interpolation=cv2.INTER_AREA if k > 1 else cv2.INTER_CUBIC)  # type: ignore[return-value]


def of_few_colours(picture: Picture, colours: int) -> Picture:
    """As files with a palette keep it: what lies between its colours is dithered (Floyd & Steinberg 1976).

    Where that takes a thing's colour away the picture stays as it is: whoever sees such a file calls it another picture.
    """
    whole = Image.fromarray(np.ascontiguousarray(picture[..., ::-1]))
    few = whole.quantize(palette=whole.quantize(colours), dither=Image.Dither.FLOYDSTEINBERG).convert("RGB")
    dithered = np.ascontiguousarray(np.asarray(few)[..., ::-1])
    moved = cv2.absdiff(cv2.blur(picture, PATCH_PX), cv2.blur(dithered, PATCH_PX)).max()
    return picture if moved > OTHER_COLOUR else dithered


def _misfit(rng: np.random.Generator, picture: Picture, most: float) -> Picture:
    """What alignment leaves: a smooth field of shifts, about `most` pixels."""
    if most < 0.05:
        return picture
    h, w = picture.shape[:2]
    field = cv2.resize(rng.normal(0, most * 0.6, (3, 4, 2)).astype(np.float32), (w, h), interpolation=cv2.INTER_CUBIC)
    field += rng.normal(0, most * 0.4, 2).astype(np.float32)
    y, x = np.mgrid[:h, :w].astype(np.float32)
    return cv2.remap(picture, x + field[..., 0], y + field[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT)  # type: ignore[return-value]


def _cover(rng: np.random.Generator, light: NDArray[Any], hidden: Mask) -> None:
    """A finger or a piece of card reaching in from the border."""
    h, w = hidden.shape
    turn = float(rng.uniform(0, 2 * np.pi))
    edge = np.array([w / 2 + np.cos(turn) * w * 0.7, h / 2 + np.sin(turn) * h * 0.7])
    tip = np.array([w / 2 + np.cos(turn) * w * rng.uniform(0.1, 0.4), h / 2 + np.sin(turn) * h * rng.uniform(0.1, 0.4)])
    colour = [float(v) for v in (rng.uniform([90, 120, 160], [170, 190, 240]) if rng.random() < 0.7 else rng.uniform(20, 235, 3))]
    thick = int(rng.uniform(0.03, 0.12) * w)
    cv2.line(light, [int(v) for v in edge], [int(v) for v in tip], colour, thick, cv2.LINE_AA)
    cv2.line(hidden, [int(v) for v in edge], [int(v) for v in tip], 1, thick)
