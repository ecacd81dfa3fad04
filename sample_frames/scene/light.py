"""One lamp and the light of the room: how bright each place is, where shadows fall, where the lamp mirrors itself."""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import ArrayLike, NDArray

from sample_frames.scene.camera import Camera

Field = NDArray[np.float32]


@dataclass(frozen=True)
class Light:
    """A lamp at `lamp_mm` (x, y, z), `radius_mm` wide. `room` is the part 0..1 of the light that comes from everywhere."""

    lamp_mm: tuple[float, float, float] = (250.0, -420.0, 950.0)
    radius_mm: float = 60.0
    room: float = 0.45
    gain: float = 1.0
    tint: tuple[float, float, float] = (1.0, 1.0, 1.0)  # BGR
    falloff: float = 1.0  # 0: even; 1: as the square of the distance has it
    glare: float = 0.6  # brightness that a perfect mirror would add, 1 = white
    glare_mm: float = 60.0  # spread of the mirrored lamp

    def cast(self, points_mm: ArrayLike) -> NDArray[np.float64]:
        """(n, 2) where the shadows of (n, 3) points fall on the table."""
        p = np.asarray(points_mm, np.float64).reshape(-1, 3)
        lx, ly, lz = self.lamp_mm
        reach = (p[:, 2] / (lz - p[:, 2]))[:, None]
        return np.asarray(p[:, :2] + (p[:, :2] - np.array([lx, ly])) * reach, np.float64)

    def softness_mm(self, height_mm: float) -> float:
        """Spread of a shadow's border, cast from so high."""
        return 0.5 + self.radius_mm * height_mm / (self.lamp_mm[2] - height_mm)

    def depth(self) -> float:
        """The part of the light that a full shadow takes away, 0..1."""
        return 1.0 - self.room

    def falling(self, camera: Camera) -> NDArray[np.float32]:
        """(h, w, 3) the light on the table as each pixel sees it, 1 = a white thing is white."""
        x, y = np.moveaxis(_coarse(camera), -1, 0)
        lx, ly, lz = self.lamp_mm
        near = (lz**2 / ((x - lx) ** 2 + (y - ly) ** 2 + lz**2)) ** (1.5 * self.falloff)
        middle = (lz**2 / (lx**2 + ly**2 + lz**2)) ** (1.5 * self.falloff)
        field = self.gain * (self.room + (1 - self.room) * near / middle)
        w, h = camera.image_size
        wide = cv2.resize(field.astype(np.float32), (w, h), interpolation=cv2.INTER_LINEAR)
        return np.asarray(wide[..., None] * np.array(self.tint, np.float32), np.float32)

    def mirrored_mm(self, camera: Camera) -> tuple[float, float]:
        """The place on the table where the camera sees the lamp."""
        eye = camera.eye_mm
        share = eye[2] / (eye[2] + self.lamp_mm[2])
        x, y = eye[:2] + (np.array(self.lamp_mm[:2]) - eye[:2]) * share
        return float(x), float(y)

    def glow(self, camera: Camera, at_mm: tuple[float, float] | None = None) -> Field:
        """(h, w) what a perfect mirror on the table would add; `at_mm` moves the spot from where the lamp stands."""
        gx, gy = at_mm or self.mirrored_mm(camera)
        x, y = np.moveaxis(_coarse(camera), -1, 0)
        far = ((x - gx) ** 2 + (y - gy) ** 2) / self.glare_mm**2
        spot = self.glare * (np.exp(-far) + 0.25 * np.exp(-far / 6))  # the lamp, and its haze on rough varnish
        w, h = camera.image_size
        return np.asarray(cv2.resize(spot.astype(np.float32), (w, h), interpolation=cv2.INTER_LINEAR), np.float32)


def lamp_mirrored_at(camera: Camera, at_mm: tuple[float, float], height_mm: float) -> tuple[float, float, float]:
    """Where a lamp of that height hangs so that the camera sees it mirrored at a place of the table."""
    eye = camera.eye_mm
    x, y = eye[:2] + (np.array(at_mm) - eye[:2]) * (eye[2] + height_mm) / eye[2]
    return float(x), float(y), height_mm


def _coarse(camera: Camera) -> Field:
    """Every eighth pixel's table mm: light changes slowly."""
    w, h = camera.image_size
    return np.asarray(cv2.resize(camera.ground, (w // 8, h // 8), interpolation=cv2.INTER_AREA), np.float32)
