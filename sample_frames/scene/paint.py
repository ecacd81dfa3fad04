"""Paints things, shadows and hands into a camera's frame, from the table upwards.

A `Canvas` keeps what the finished picture needs: the colour of what is seen there (before light), how much it mirrors, what shadows
leave of the light, and, for truth, whose pixel it is. It is painted in the frame's own pixels, through the lens, so nothing is
resampled twice.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

import cv2
import numpy as np
from numpy.typing import NDArray

from sample_frames.scene.camera import Camera
from sample_frames.scene.light import Light
from sample_frames.scene.surfaces import PX_PER_MM, Surface, blurred
from sample_frames.scene.things import Face, Texture, Thing
from vision.geometry import Points, points

Field = NDArray[np.float32]
Box = tuple[slice, slice]

NOBODY = 0
SUB = 4  # fixed-point bits of OpenCV's polygons


@dataclass
class Canvas:
    """A frame under way: `colour` (h, w, 3) BGR 0..1 in even light, `mirror` and `shade` (h, w) 0..1 (1: no shadow),
    `owner` (h, w) the number of the thing seen."""

    camera: Camera
    colour: Field
    mirror: Field
    shade: Field
    owner: NDArray[np.int16]
    touched: list[Box] = field(default_factory=list)  # the parts painted since the list was last emptied

    def copy(self) -> "Canvas":
        """A second canvas that may be painted without changing this one."""
        return Canvas(self.camera, self.colour.copy(), self.mirror.copy(), self.shade.copy(), self.owner.copy())

    def restore(self, other: "Canvas", box: Box) -> None:
        """Make a part look again as on the other canvas, of which this is a copy."""
        self.colour[box], self.mirror[box] = other.colour[box], other.mirror[box]
        self.shade[box], self.owner[box] = other.shade[box], other.owner[box]

    def thing(self, thing: Thing, light: Light, number: int = NOBODY) -> None:
        """Paint a thing with its shadow, its sides and its picture."""
        self._shadow_of(thing, light)
        if thing.kind != "tent" and abs(np.sin(np.deg2rad(thing.over))) < 0.05:
            self._sides(thing, number)
        for face in thing.faces():
            self.face(face, light, gloss=thing.gloss, number=number)

    def face(self, face: Face, light: Light, *, gloss: float, number: int = NOBODY) -> None:
        """Paint a picture that stands anywhere in space; nothing if it shows its back."""
        middle = face.origin + (face.right + face.down) / 2
        normal = face.normal()
        if normal @ (self.camera.eye_mm - middle) <= 0:
            return
        to_lamp = np.array(light.lamp_mm) - middle
        facing = max(0.0, float(normal @ to_lamp / np.linalg.norm(to_lamp))) / max(0.2, float(to_lamp[2] / np.linalg.norm(to_lamp)))
        self._picture(
            face, gloss=gloss * float(normal[2] > 0.98), number=number, brightness=light.room + (1 - light.room) * min(1.25, facing)
        )

    def coverage(self, face: Face, *, step: int = 1) -> tuple[Box, Field] | None:
        """(part of the frame, alpha of every `step`th pixel there): where the face would be seen if nothing were on it."""
        got = self._warp(face, step)
        return None if got is None else (got[0], got[1][..., 3])

    def shadow(self, outline_px: Points, *, soft_px: float, depth: float) -> None:
        """Darken what was painted within a polygon of the frame, with a soft border; `depth` 1 = black."""
        box = self._box(outline_px, 3 * soft_px + 2)
        if box is None or depth <= 0:
            return
        self.darken(box, blurred(_filled(outline_px, box), soft_px), depth)

    def darken(self, box: Box, mask: Field, depth: float) -> None:
        """Take `depth` times `mask` (0..1) of the light away; where two shadows of one lamp fall, it is no darker."""
        self._touch(box)
        np.minimum(self.shade[box], 1 - np.float32(depth) * mask, out=self.shade[box])

    def _shadow_of(self, thing: Thing, light: Light) -> None:
        scale = self.px_per_mm(thing.at)
        low, high = _at_height(thing.outline, thing.lift), _at_height(thing.outline, thing.height)
        if thing.kind == "tent":  # its ridge is a line
            face = thing.faces()[0]
            high = np.stack([face.origin, face.origin + face.right])
        fallen = cv2.convexHull(np.concatenate([light.cast(low), light.cast(high)]).astype(np.float32))[:, 0]
        soft = scale * light.softness_mm((thing.lift + thing.height) / 2)
        self.shadow(self.camera.project(_at_height(points(fallen), 0.0)), soft_px=soft, depth=0.85 * light.depth())
        if thing.lift < 15:  # the dark line where it touches the table
            grown = np.array(thing.at) + (thing.outline - np.array(thing.at)) * (1 + 1.6 / max(thing.size))
            self.shadow(self.camera.project(_at_height(grown, 0.0)), soft_px=1.6 * scale, depth=0.35 / (1 + thing.lift))

    def _sides(self, thing: Thing, number: int) -> None:
        """The rim, piece by piece where several lie on one another."""
        if thing.thick < 0.3:
            return
        step = thing.thick / thing.layers
        for k in range(thing.layers):
            slip = np.array([np.sin(2.4 * k), np.cos(3.1 * k)]) * (0.5 if thing.layers > 1 and k < thing.layers - 1 else 0.0)
            rims = [_at_height(thing.outline + slip, thing.lift + z) for z in (k * step, (k + 1) * step)]
            hull = cv2.convexHull(self.camera.project(np.concatenate(rims)).astype(np.float32))[:, 0]
            shade = 0.8 if k % 2 else 0.62
            self._fill(points(hull), np.array(thing.edge, np.float32) * np.float32(shade / 255), number)

    def _fill(self, outline_px: Points, colour: Field, number: int) -> None:
        box = self._box(outline_px, 2)
        if box is None:
            return
        self._touch(box)
        mask = _filled(outline_px, box)
        self.colour[box] += (colour - self.colour[box]) * mask[..., None]
        self.mirror[box] *= 1 - mask
        self.shade[box] += (1 - self.shade[box]) * mask
        self.owner[box][mask > 0.5] = number

    def _picture(self, face: Face, *, gloss: float, number: int, brightness: float) -> None:
        got = self._warp(face)
        if got is None:
            return
        box, bgra = got
        self._touch(box)
        alpha = bgra[..., 3]
        colour = self.colour[box]
        colour *= (1 - alpha)[..., None]
        colour += bgra[..., :3] * np.float32(brightness)
        self.mirror[box] += (gloss - self.mirror[box]) * alpha
        self.shade[box] += (1 - self.shade[box]) * alpha
        self.owner[box][alpha > 0.5] = number

    def _warp(self, face: Face, step: int = 1) -> tuple[Box, Field] | None:
        """The face's texture in every `step`th frame pixel: (part of the frame, BGRA premultiplied there)."""
        corners = face.origin + np.array([[0, 0], [1, 0], [1, 1], [0, 1.0]]) @ np.stack([face.right, face.down])
        seen = self.camera.project(corners)
        box = self._box(seen, 2)
        if box is None:
            return None
        plane = self.camera.plane(face.origin, face.right, face.down)
        if abs(np.linalg.det(plane)) < 1e-6:
            return None
        rays = self.camera.rays[box][step // 2 :: step, step // 2 :: step]
        if rays.size == 0:
            return None
        uvw = rays @ np.linalg.inv(plane).T.astype(np.float32)
        texture = face.texture.level(max(float(np.linalg.norm(seen[1] - seen[0])), float(np.linalg.norm(seen[2] - seen[3]))) / step)
        h, w = texture.shape[:2]
        u, v = uvw[..., 0] / uvw[..., 2] * w - 0.5, uvw[..., 1] / uvw[..., 2] * h - 0.5
        shown = cv2.remap(texture, u, v, cv2.INTER_LINEAR, borderMode=cv2.BORDER_CONSTANT)
        return box, np.asarray(shown, np.float32) * np.float32(1 / 255)

    def _touch(self, box: Box) -> None:
        for other in [b for b in self.touched if overlap(b, box)]:
            self.touched.remove(other)
            box = joined(box, other)
        self.touched.append(box)

    def px_per_mm(self, at_mm: Sequence[float]) -> float:
        """The frame's scale at a place of the table."""
        a, b = self.camera.project([[at_mm[0] - 5, at_mm[1], 0], [at_mm[0] + 5, at_mm[1], 0]])
        return float(np.linalg.norm(b - a)) / 10

    def _box(self, outline_px: Points, pad: float) -> Box | None:
        w, h = self.camera.image_size
        left, top = np.floor(outline_px.min(0) - pad).astype(int)
        right, bottom = np.ceil(outline_px.max(0) + pad).astype(int)
        left, top, right, bottom = max(0, left), max(0, top), min(w, right), min(h, bottom)
        return (slice(top, bottom), slice(left, right)) if right > left and bottom > top else None


def overlap(a: Box, b: Box) -> bool:
    """Whether two parts of a frame have a pixel in common."""
    return all(p.start < q.stop and q.start < p.stop for p, q in zip(a, b, strict=True))


def joined(a: Box, b: Box) -> Box:
    """The smallest part of a frame that holds two."""
    rows, cols = (slice(min(p.start, q.start), max(p.stop, q.stop)) for p, q in zip(a, b, strict=True))
    return rows, cols


def bare_table(camera: Camera, surface: Surface) -> Canvas:
    """A canvas with the table top, and the floor beyond its border."""
    h, w = surface.picture.shape[:2]
    at = camera.ground * PX_PER_MM + np.array([w, h], np.float32) / 2 - 0.5
    top = cv2.remap(surface.picture, at[..., 0], at[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE).astype(np.float32) / 255
    half = np.array(surface.size_mm) / 2
    inside = np.clip(((half - np.abs(camera.ground)).min(-1) + 0.5) * 2, 0, 1).astype(np.float32)[..., None]
    colour = top * inside + np.array(surface.floor, np.float32) / 255 * (1 - inside)
    h, w = inside.shape[:2]
    return Canvas(camera, colour, surface.gloss * inside[..., 0], np.ones((h, w), np.float32), np.zeros((h, w), np.int16))


def flat(texture: Texture, at_mm: Sequence[float], size_mm: tuple[float, float], turn_deg: float, height_mm: float) -> Face:
    """A picture that lies level at a height; `at_mm` is its middle."""
    c, s = np.cos(np.deg2rad(turn_deg)), np.sin(np.deg2rad(turn_deg))
    right, down = size_mm[0] * np.array([c, s, 0]), size_mm[1] * np.array([-s, c, 0])
    return Face(texture, np.array([at_mm[0], at_mm[1], height_mm]) - (right + down) / 2, right, down)


def _at_height(outline: Points, z: float) -> NDArray[np.float64]:
    return np.asarray(np.c_[outline, np.full(len(outline), z)], np.float64)


def _filled(outline_px: Points, box: Box) -> Field:
    mask = np.zeros((box[0].stop - box[0].start, box[1].stop - box[1].start), np.uint8)
    local = (outline_px - np.array([box[1].start, box[0].start]) - 0.5) * 2**SUB
    cv2.fillPoly(mask, [np.round(local).astype(np.int32)], 255, cv2.LINE_AA, SUB)
    return np.asarray(mask / 255, np.float32)
