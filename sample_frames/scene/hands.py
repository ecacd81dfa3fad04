"""Hands with arms and sleeves, made of rounded bones whose heights are blended and lit.

A hand is modelled once in its own flat frame (mm: fingers towards -y, the arm towards +y, the origin where it grips), lit, and kept
as a picture with alpha; the scene then lays that picture level above the table. Skin and sleeve are told apart for the truth.
"""

from dataclasses import dataclass, field

import cv2
import numpy as np
from numpy.typing import NDArray

from sample_frames.scene.surfaces import noise
from sample_frames.scene.things import Texture

Picture = NDArray[np.uint8]
Field = NDArray[np.float32]

PX_PER_MM = 2.0
WIDTH_MM, LENGTH_MM = 210.0, 800.0
ORIGIN_MM = (105.0, 75.0)  # of the grip, from the picture's top left
CUFF_MM = 178.0  # where the sleeve begins, from the grip towards the elbow

SKINS: dict[str, tuple[int, int, int]] = {  # BGR
    "fair": (166, 194, 240),
    "rosy": (140, 168, 232),
    "tan": (98, 142, 206),
    "brown": (58, 92, 150),
    "dark": (38, 54, 90),
}
POSES = ("flat", "pinch", "point", "curled")


@dataclass(frozen=True)
class Sleeve:
    """A sleeve's cloth: colour and second colour (BGR), `plain`, `stripes` or `check`."""

    colour: tuple[int, int, int] = (120, 70, 40)
    second: tuple[int, int, int] = (210, 190, 150)
    weave: str = "plain"


@dataclass(frozen=True)
class Hand:
    """A lit picture of hand and arm, WIDTH_MM x LENGTH_MM, the grip at ORIGIN_MM."""

    whole: Texture = field(repr=False)
    bare: Picture = field(repr=False)  # BGRA of its bare part only
    tip_mm: tuple[float, float]  # the tip of the forefinger, from the grip


@dataclass(frozen=True)
class _Bone:
    """A tapered, round-ended bone: ends (x, y, z) and radii in mm."""

    a: tuple[float, float, float]
    b: tuple[float, float, float]
    ra: float
    rb: float


def hand(
    pose: str, *, skin: tuple[int, int, int], sleeve: Sleeve, left: bool = False, light_from_deg: float = 300.0, seed: int = 0
) -> Hand:
    """Model, light and colour a hand. `light_from_deg` is the lamp's direction in the hand's frame, clockwise from +x."""
    rng = np.random.default_rng(seed)
    bones, tips = _skeleton(pose)
    flesh = _relief(bones, blend_mm=5.0)
    arm = _relief([_Bone((4, 160, 10), (10, 460, 30), 39, 50), _Bone((10, 460, 30), (-10, 780, 40), 50, 58)], blend_mm=3.0)
    x, y = _grid()
    arm = np.where(
        y > CUFF_MM + 2.5 * np.sin(x / 9),
        arm + 1.6 * noise(rng, arm.shape, (50, 90), 3) + 1.4 * np.sin(y / 17 + 2 * noise(rng, arm.shape, (200, 200), 2)),
        -99,
    )
    sleeved = _inside(arm)
    bare = _inside(flesh) * (1 - sleeved)
    light = np.array([0.55 * np.cos(np.deg2rad(light_from_deg)), 0.55 * np.sin(np.deg2rad(light_from_deg)), 0.84])
    shade_skin = _shaded(flesh, light, soften_px=2.2)
    shade_arm = _shaded(arm, light, soften_px=3.0)
    colour = (
        _skin_colour(skin, tips, flesh, rng) * shade_skin[..., None] * (1 - sleeved)[..., None]
        + _cloth(sleeve, rng) * shade_arm[..., None] * sleeved[..., None]
    )
    whole = np.dstack([colour, np.maximum(bare, sleeved) * 255])
    only = np.dstack([colour, bare * 255])
    if left:
        whole, only = whole[:, ::-1], only[:, ::-1]
    tip = (tips[0][0] * (-1 if left else 1), tips[0][1])
    return Hand(Texture(_uint8(whole)), _uint8(only), tip)


def _skeleton(pose: str) -> tuple[list[_Bone], list[tuple[float, float, float]]]:
    """Bones of a right hand seen from above, and its finger tips (x, y, pointing to), forefinger first.

    The knuckles stand 55 to 75 mm behind the grip when it pinches; a flat hand's grip is under the middle of its fingers.
    """
    # a right hand, palm down: the thumb is on the left (x < 0), the little finger on the right
    knuckles = [(-27.0, 62.0), (-8.0, 55.0), (11.0, 58.0), (28.0, 68.0)]
    if pose == "flat":
        fans, reach, heights, lift = (-14.0, -4.0, 6.0, 17.0), (76.0, 84.0, 78.0, 62.0), (10.0, 7.0), 0.0
        thumb = [(-38.0, 96.0), (-62.0, 70.0), (-74.0, 44.0)]
        knuckles = [(x, y - 12) for x, y in knuckles]
    elif pose == "pinch":
        fans, reach, heights, lift = (22.0, 20.0, 14.0, 8.0), (66.0, 55.0, 47.0, 40.0), (24.0, 8.0), 12.0
        thumb = [(-36.0, 92.0), (-34.0, 50.0), (-12.0, 12.0)]
    elif pose == "point":
        fans, reach, heights, lift = (18.0, 4.0, 0.0, -4.0), (66.0, 40.0, 36.0, 32.0), (20.0, 8.0), 8.0
        thumb = [(-38.0, 96.0), (-40.0, 62.0), (-22.0, 48.0)]
    else:  # curled: a loose fist that carries a photo between thumb and fingers
        fans, reach, heights, lift = (6.0, 4.0, 2.0, 0.0), (58.0, 62.0, 58.0, 48.0), (26.0, 6.0), 14.0
        thumb = [(-40.0, 96.0), (-46.0, 58.0), (-30.0, 22.0)]
    bones: list[_Bone] = []
    tips: list[tuple[float, float, float]] = []
    for (x, y), fan, length, r in zip(knuckles, fans, reach, (9.2, 9.6, 9.2, 8.0), strict=True):
        dx, dy = np.sin(np.deg2rad(fan)), -np.cos(np.deg2rad(fan))
        start, knee, tip = lift + 16, heights[0] + (lift if pose != "flat" else 6), heights[1] + 2
        mid = (x + dx * length * 0.52, y + dy * length * 0.52, knee)
        end = (x + dx * length, y + dy * length, tip)
        bones += [_Bone((x, y, start), mid, r + 1.2, r), _Bone(mid, end, r, r - 1.6)]
        tips.append((end[0], end[1], fan))
        bones.append(_Bone((x * 0.45, 128.0, lift + 16), (x, y, start), 15.0, r + 3.5))  # the back of the hand
    z = lift + 8
    for (ax, ay), (bx, by), ra, rb in zip(thumb, thumb[1:], (14.0, 10.5), (10.5, 8.5), strict=False):
        bones.append(_Bone((ax, ay, z), (bx, by, z - 3), ra, rb))
    bones.append(_Bone((-10.0, 122.0, lift + 14), (-36.0, 94.0, lift + 8), 19.0, 14.0))
    bones.append(_Bone((0.0, 118.0, lift + 14), (2.0, 200.0, lift + 16), 25.0, 28.0))  # the wrist
    (bx, by), (ax, ay) = thumb[2], thumb[1]
    tips.append((bx, by, float(np.rad2deg(np.arctan2(bx - ax, ay - by)))))
    return bones, tips


def _grid() -> tuple[Field, Field]:
    h, w = int(LENGTH_MM * PX_PER_MM), int(WIDTH_MM * PX_PER_MM)
    y, x = np.mgrid[:h, :w].astype(np.float32)
    return (x + 0.5) / PX_PER_MM - ORIGIN_MM[0], (y + 0.5) / PX_PER_MM - ORIGIN_MM[1]


def _around(x_mm: float, y_mm: float, reach_mm: float) -> tuple[slice, slice]:
    """The part of a hand's picture round a place."""
    rows, cols = (
        slice(max(0, int((v + o - reach_mm) * PX_PER_MM)), max(0, int((v + o + reach_mm) * PX_PER_MM)))
        for v, o in ((y_mm, ORIGIN_MM[1]), (x_mm, ORIGIN_MM[0]))
    )
    return rows, cols


def _relief(bones: list[_Bone], *, blend_mm: float) -> Field:
    """(h, w) height in mm of the bones' blended upper side; far below zero outside."""
    x, y = _grid()
    total = np.full(x.shape, 1e-9, np.float32)
    for bone in bones:
        big = max(bone.ra, bone.rb) + 6
        cols = [int((v + ORIGIN_MM[0] + s * big) * PX_PER_MM) for v, s in ((min(bone.a[0], bone.b[0]), -1), (max(bone.a[0], bone.b[0]), 1))]
        rows = [int((v + ORIGIN_MM[1] + s * big) * PX_PER_MM) for v, s in ((min(bone.a[1], bone.b[1]), -1), (max(bone.a[1], bone.b[1]), 1))]
        box = (slice(max(0, rows[0]), rows[1]), slice(max(0, cols[0]), cols[1]))
        a, b = np.array(bone.a), np.array(bone.b)
        axis = b[:2] - a[:2]
        t = np.clip(((x[box] - a[0]) * axis[0] + (y[box] - a[1]) * axis[1]) / max(1e-6, float(axis @ axis)), 0, 1)
        r = bone.ra + (bone.rb - bone.ra) * t
        d2 = (x[box] - a[0] - t * axis[0]) ** 2 + (y[box] - a[1] - t * axis[1]) ** 2
        inside = 1 - d2 / r**2
        # beyond its border the surface falls steeply, so that the blend has a clean outline
        z = a[2] + (b[2] - a[2]) * t + np.where(inside > 0, r * np.sqrt(np.maximum(inside, 0)), -4 * (np.sqrt(d2) - r) - r * 0)
        total[box] += np.exp(np.clip(z, -60, 90) / blend_mm)
    return np.asarray(np.log(total) * blend_mm, np.float32)


def _inside(relief: Field) -> Field:
    """(h, w) 0..1: the silhouette, where the surface is above the table."""
    return np.asarray(cv2.GaussianBlur(np.clip(relief / 3.0, 0, 1), (0, 0), 0.8), np.float32)


def _shaded(relief: Field, light: NDArray[np.float64], *, soften_px: float) -> Field:
    """(h, w) brightness from the relief's slope, with the darker rim of round things."""
    z = cv2.GaussianBlur(np.maximum(relief, -4) * PX_PER_MM, (0, 0), soften_px)
    gx, gy = cv2.Sobel(z, cv2.CV_32F, 1, 0, ksize=3) / 8, cv2.Sobel(z, cv2.CV_32F, 0, 1, ksize=3) / 8
    up = 1 / np.sqrt(1 + gx**2 + gy**2)
    lambert = np.maximum(0, (-gx * light[0] - gy * light[1] + light[2]) * up)
    hollow = np.clip((cv2.GaussianBlur(z, (0, 0), 14) - z) / (22 * PX_PER_MM), 0, 0.5)  # between the fingers it is darker
    return np.asarray((0.42 + 0.72 * lambert) * (0.72 + 0.28 * up) * (1 - hollow), np.float32)


def _skin_colour(skin: tuple[int, int, int], tips: list[tuple[float, float, float]], relief: Field, rng: np.random.Generator) -> Field:
    """Skin with blotches, redder finger tips and knuckles, nails and creases."""
    x, y = _grid()
    base = np.array(skin, np.float32) * (1 + 0.045 * noise(rng, relief.shape, (60, 60), 4))[..., None]
    red = np.zeros(relief.shape, np.float32)
    for tx, ty, _ in tips:
        tip = _around(tx, ty, 40.0)
        red[tip] += np.exp(-((x[tip] - tx) ** 2 + (y[tip] - ty) ** 2) / 13**2)
    base *= 1 - np.minimum(red, 1)[..., None] * np.array([0.14, 0.12, 0.0], np.float32)
    nail_colour = np.clip(np.array(skin, np.float32) * 1.06 + np.array([24, 18, 22], np.float32), 0, 250)
    for tx, ty, fan in tips[:4]:
        c, s = np.cos(np.deg2rad(fan)), np.sin(np.deg2rad(fan))
        finger = _around(tx, ty, 52.0)
        fx, fy = x[finger] - tx, y[finger] - ty
        along, across = fx * s - fy * c, fx * c + fy * s
        nail = np.clip(2.2 - 2.2 * ((along + 0.5) ** 2 / 5.2**2 + across**2 / 4.0**2), 0, 1)[..., None]
        base[finger] += (nail_colour - base[finger]) * 0.8 * nail
        for back in (17.0, 20.0, 38.0, 41.5):
            crease = np.exp(-(((along + back) / 0.8) ** 2)) * np.clip(1 - (across / 7) ** 2, 0, 1)
            base[finger] *= 1 - 0.16 * crease[..., None]
    return np.asarray(base, np.float32)


def _cloth(sleeve: Sleeve, rng: np.random.Generator) -> Field:
    x, y = _grid()
    if sleeve.weave == "stripes":
        ink = ((y % 24) < 7).astype(np.float32)
    elif sleeve.weave == "check":
        ink = 0.5 * ((y % 22) < 5).astype(np.float32) + 0.5 * ((x % 22) < 5)
    else:
        ink = np.zeros(x.shape, np.float32)
    ink[(y > CUFF_MM) & (y < CUFF_MM + 9)] *= 0.3
    thread = 1 + 0.05 * noise(rng, x.shape, (3, 3), 2)
    cloth = np.array(sleeve.colour, np.float32) * (1 - ink)[..., None] + np.array(sleeve.second, np.float32) * ink[..., None]
    return np.asarray(cloth * thread[..., None], np.float32)


def _uint8(picture: Field) -> NDArray[np.uint8]:
    return np.ascontiguousarray(np.clip(picture, 0, 255).astype(np.uint8))
