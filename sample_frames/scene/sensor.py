"""From light to a webcam's picture: exposure, blur, sharpening, vignetting, noise."""

from dataclasses import dataclass
from typing import TypeVar

import cv2
import numpy as np
from numpy.typing import NDArray

from sample_frames.scene.paint import Box, Canvas

Picture = NDArray[np.uint8]
Field = NDArray[np.float32]
Light = TypeVar("Light", Field, Picture)

WHOLE: Box = (slice(None), slice(None))


@dataclass(frozen=True)
class Sensor:
    """`noise` is the standard deviation in levels of 255 in mid grey; `blur_px` the lens's, `sharpen` what the firmware does about it."""

    noise: float = 2.0
    blur_px: float = 0.6
    sharpen: float = 0.35
    vignette: float = 0.12


def lit(canvas: Canvas, falling: Field, glow: Field, box: Box = WHOLE) -> Field:
    """The light that reaches the lens, 1 = white, from `Light.falling` and `Light.glow`; brighter parts bend over to white.

    `box` is the part of the frame that is wanted; shape (rows, columns, 3).
    """
    light = canvas.colour[box] * falling[box]  # in place from here: fresh memory is what costs most
    light *= canvas.shade[box][..., None]
    light += (canvas.mirror[box] * canvas.shade[box] * glow[box])[..., None]
    bent = 0.5 * light
    bent += np.float32(0.4)
    return np.asarray(np.minimum(light, bent, out=light), np.float32)


def vignetting(image_size: tuple[int, int], strength: float) -> Field:
    """(h, w, 1) what the lens lets through towards the corners."""
    w, h = image_size
    y, x = np.mgrid[:h, :w].astype(np.float32)
    far = ((x - w / 2) ** 2 + (y - h / 2) ** 2) / ((w / 2) ** 2 + (h / 2) ** 2)
    return np.asarray((1 - strength * far)[..., None], np.float32)


def exposed(light: Field, sensor: Sensor, rng: np.random.Generator) -> Picture:
    """A still picture (BGR) of that light."""
    h, w = light.shape[:2]
    seen = focused(light * vignetting((w, h), sensor.vignette), sensor)
    level = 255 * seen
    grain = rng.standard_normal((h, w, 1), dtype=np.float32) + 0.5 * rng.standard_normal((h, w, 3), dtype=np.float32)
    level += sensor.noise * grain * np.sqrt(0.35 + 1.3 * np.clip(seen, 0, 1))
    return np.asarray(np.clip(level + 0.5, 0, 255), np.uint8)


def focused(light: Light, sensor: Sensor) -> Light:
    """The lens's blur, and the firmware's sharpening, of light (floats) or of levels (bytes)."""
    soft = cv2.GaussianBlur(light, (0, 0), sensor.blur_px)
    sharp = cv2.addWeighted(soft, 1 + sensor.sharpen, cv2.GaussianBlur(soft, (0, 0), 1.6), -sensor.sharpen, 0)
    return np.asarray(sharp, light.dtype)
