"""Pairs of almost identical pictures with truth, drawn at will: what the difference map is trained, calibrated and measured on.

Every pair is drawn from its seed alone, out of shapes and textures, and (where given) of the sprites of an emoji font and of photographs.
Each side then goes through a camera of its own: resolution, blur, lamp, shadow, glare, noise, sharpening, JPEG, a residue of misalignment.
Split sources (sprites, photographs) by hand-over: what a training run is given, a measurement is not.
"""

from dataclasses import dataclass, field
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont

from vision.geometry import Picture
from vision.training.differences_camera import Camera, photographed

WIDTH = 768
KINDS = ("added", "removed", "replaced", "recoloured", "moved", "mirrored", "resized")
Mask = NDArray[np.uint8]
Box = tuple[int, int, int, int]  # x, y, w, h
Sprite = NDArray[np.uint8]  # (h, w, 4) BGRA


@dataclass(frozen=True)
class Sources:
    """What scenes are made of."""

    sprites: tuple[Sprite, ...] = ()
    photographs: tuple[Picture, ...] = ()


@dataclass(frozen=True)
class Difference:
    """One true difference: its kind and its boxes (x, y, w, h) in the common frame; two where a thing moved."""

    kind: str
    boxes: tuple[Box, ...]
    hidden: bool


@dataclass(frozen=True)
class Pair:
    """Two aligned pictures and what is true of them; masks are (h, w) uint8, 0 or 1."""

    a: Picture
    b: Picture
    changed: Mask  # convex hull of each difference
    ignore: Mask  # neither right nor wrong to call changed
    inside: Mask  # the print, as against the table round it
    rings_a: Mask  # the inner half of each printed ring
    rings_b: Mask
    unseen: Mask  # burnt out or covered on one side
    differences: tuple[Difference, ...] = field(default=())


def emoji(font: Path, *, size: int = 109) -> list[Sprite]:
    """The colour emoji of a bitmap font (Noto Color Emoji, OFL), trimmed."""
    face = ImageFont.truetype(str(font), size)
    out = []
    for code in [*range(0x1F300, 0x1F650), *range(0x1F680, 0x1F700), *range(0x1F90C, 0x1FA00), *range(0x1FA70, 0x1FAF0)]:
        image = Image.new("RGBA", (size + 40, size + 40))
        ImageDraw.Draw(image).text((8, 8), chr(code), font=face, embedded_color=True)
        box = image.getbbox()
        if box and min(box[2] - box[0], box[3] - box[1]) > 20:
            rgba = np.asarray(image.crop(box))
            out.append(np.ascontiguousarray(rgba[..., [2, 1, 0, 3]]))
    return out


def draw_pair(seed: int, sources: Sources, *, differences: int | None = None) -> Pair:
    """The pair of this seed; `differences` fixes how many things differ (0..10), else it is drawn."""
    rng = np.random.default_rng(seed)
    height = int(WIDTH * rng.choice([0.6, 0.66, 0.7, 0.75, 0.8, 1.0]))
    base = scenery(rng, sources, WIDTH, height)
    a, b = base.copy(), base.copy()
    size_low, size_high = (0.025, 0.07) if rng.random() < 0.7 else (0.02, 0.16)
    taken: list[Box] = []
    for _ in range(int(rng.choice([0, 15, 40, 90, 140]))):
        thing, x, y = _somewhere(rng, sources, WIDTH, height, size_low, size_high)
        paste(a, thing, x, y)
        paste(b, thing, x, y)
    n = differences if differences is not None else (0 if rng.random() < 0.15 else int(rng.integers(1, 11)))
    changed, ignore = np.zeros((2, height, WIDTH), np.uint8)
    hulls: list[tuple[str, list[NDArray[np.int32]]]] = []
    for _ in range(n):
        for _ in range(6):
            made = _change(rng, sources, a, b, taken)
            if made is not None:
                hulls.append(made)
                break
    for _, parts in hulls:
        for part in parts:
            cv2.fillConvexPoly(changed, part, 1)
    grey = rng.random()
    a, b = (_to_grey(a) if grey < 0.5 else a), (_to_grey(b) if grey < 0.42 or 0.5 < grey < 0.55 else b)
    rings = _rings(rng, hulls, WIDTH, height) if grey < 0.42 and rng.random() < 0.75 else ([], [])
    style = RingStyle.drawn(rng)
    ring_masks = [_print_rings(rng, picture, where, style) for picture, where in zip((a, b), rings, strict=True)]
    inside = np.ones((height, WIDTH), np.uint8)
    a, b = _on_table(rng, sources, a, b, inside)
    shot_a, shot_b, hidden = _photographed(rng, a, b)
    truths = []
    for kind, parts in hulls:
        mask = np.zeros_like(changed)
        for part in parts:
            cv2.fillConvexPoly(mask, part, 1)
        visible = np.abs(shot_a[0].astype(np.int16) - shot_b[0]).max(2)[mask > 0]
        covered = float(hidden[mask > 0].mean()) if mask.any() else 1.0
        weak = visible.size == 0 or float(np.percentile(visible, 90)) < 9
        if weak or covered > 0.35 or not inside[mask > 0].all():
            ignore |= mask
        truths.append(Difference(kind, tuple(_box(p) for p in parts), weak or covered > 0.35))
    ignore |= hidden & changed
    return Pair(shot_a[1], shot_b[1], changed, ignore, inside, ring_masks[0], ring_masks[1], hidden, tuple(truths))


# ---------------------------------------------------------------- scenes


def scenery(rng: np.random.Generator, sources: Sources, width: int, height: int) -> Picture:
    """A background: a photograph, dead leaves, boards and bands, or clouds of colour."""
    kind = rng.random()
    if sources.photographs and kind < 0.45:
        photo = sources.photographs[int(rng.integers(len(sources.photographs)))]
        h, w = photo.shape[:2]
        part = float(rng.uniform(0.5, 1.0))
        ch = min(h, int(part * min(h, w * height / width)))
        cw = min(w, int(ch * width / height))
        y, x = int(rng.integers(0, h - ch + 1)), int(rng.integers(0, w - cw + 1))
        out = cv2.resize(photo[y : y + ch, x : x + cw], (width, height), interpolation=cv2.INTER_AREA)
        if rng.random() < 0.5:
            out = out[:, ::-1]
        return np.ascontiguousarray(out)
    if kind < 0.65:
        return _leaves(rng, width, height)
    if kind < 0.85:
        return _boards(rng, width, height)
    return clouds(rng, width, height)


def clouds(rng: np.random.Generator, width: int, height: int) -> Picture:
    """Smooth noise of several sizes."""
    out = np.zeros((height, width, 3), np.float32)
    octaves = int(rng.integers(1, 7))
    for k in range(octaves):
        n = 2 ** (k + 1)
        out += cv2.resize(rng.normal(0, 1, (n + 1, n + 1, 3)).astype(np.float32), (width, height), interpolation=cv2.INTER_CUBIC) * 0.7**k
    out = out @ np.linalg.qr(rng.normal(0, 1, (3, 3)))[0].astype(np.float32) * np.float32(rng.uniform(8, 40)) + rng.uniform(
        50, 210, 3
    ).astype(np.float32)
    return np.clip(out, 0, 255).astype(np.uint8)


def _leaves(rng: np.random.Generator, width: int, height: int) -> Picture:
    out = clouds(rng, width, height)
    for _ in range(int(rng.integers(100, 500))):
        r = float(np.clip(8 / rng.random() ** 0.6, 4, 180))
        x, y = rng.uniform(0, width), rng.uniform(0, height)
        colour = [int(v) for v in rng.integers(0, 256, 3)]
        if rng.random() < 0.5:
            cv2.ellipse(
                out,
                (int(x), int(y)),
                (int(r), max(1, int(r * rng.uniform(0.3, 1)))),
                float(rng.uniform(0, 180)),
                0,
                360,
                colour,
                -1,
                cv2.LINE_AA,
            )
        else:
            cv2.fillConvexPoly(
                out, cv2.convexHull((rng.normal(0, r * 0.7, (5, 2)) + np.array([x, y])).astype(np.int32)), colour, cv2.LINE_AA
            )
    if rng.random() < 0.5:
        grain = rng.normal(0, rng.uniform(2, 14), out.shape[:2]).astype(np.float32)
        out = np.clip(out + cv2.GaussianBlur(grain, (0, 0), float(rng.uniform(0.6, 2)))[..., None], 0, 255).astype(np.uint8)
    return out


def _boards(rng: np.random.Generator, width: int, height: int) -> Picture:
    """Walls, boards, shelves: flat or striped rectangles with dark joints."""
    out = clouds(rng, width, height)
    for _ in range(int(rng.integers(4, 24))):
        x, y = int(rng.uniform(-0.1, 0.9) * width), int(rng.uniform(-0.1, 0.9) * height)
        w, h = int(rng.uniform(0.1, 0.6) * width), int(rng.uniform(0.1, 0.6) * height)
        patch = out[max(0, y) : max(0, y + h), max(0, x) : max(0, x + w)]
        if patch.size == 0:
            continue
        colour = rng.uniform(20, 235, 3)
        patch[:] = np.clip(patch * 0.25 + colour * 0.75, 0, 255)
        step = int(rng.integers(8, 60))
        dark = [int(v) for v in colour * rng.uniform(0.4, 1.2)]
        for k in range(0, max(patch.shape[:2]), step):
            if rng.random() < 0.5:
                cv2.line(patch, (0, k), (patch.shape[1], k + int(rng.normal(0, 4))), dark, 1, cv2.LINE_AA)
            else:
                cv2.line(patch, (k, 0), (k + int(rng.normal(0, 4)), patch.shape[0]), dark, 1, cv2.LINE_AA)
    return out


def _to_grey(picture: Picture) -> Picture:
    return cv2.cvtColor(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), cv2.COLOR_GRAY2BGR)  # type: ignore[return-value]


# ---------------------------------------------------------------- things


def thing(rng: np.random.Generator, sources: Sources, side: int) -> Sprite:
    """A thing about `side` pixels large: a sprite, a piece of a photograph, or a few shapes."""
    kind = rng.random()
    if sources.sprites and kind < 0.6:
        sprite = sources.sprites[int(rng.integers(len(sources.sprites)))]
    elif sources.photographs and kind < 0.7:
        photo = sources.photographs[int(rng.integers(len(sources.photographs)))]
        y, x = (int(rng.integers(0, max(1, n - 64))) for n in photo.shape[:2])
        patch = photo[y : y + 64, x : x + 64]
        alpha = np.zeros(patch.shape[:2], np.uint8)
        cv2.fillConvexPoly(alpha, cv2.convexHull((rng.normal(0, 14, (7, 2)) + 32).astype(np.int32)), 255)
        sprite = np.dstack([patch, alpha])
    else:
        sprite = _shapes(rng)
    k = side / max(sprite.shape[:2])
    size = (max(2, round(sprite.shape[1] * k)), max(2, round(sprite.shape[0] * k)))
    out = cv2.resize(sprite, size, interpolation=cv2.INTER_AREA if k < 1 else cv2.INTER_LINEAR)
    if rng.random() < 0.5:
        m = cv2.getRotationMatrix2D(
            (size[0] / 2, size[1] / 2), float(rng.uniform(-180, 180) if rng.random() < 0.3 else rng.uniform(-25, 25)), 0.9
        )
        out = cv2.warpAffine(out, m, size, flags=cv2.INTER_LINEAR)
    if rng.random() < 0.25:
        out = recoloured(rng, out)  # type: ignore[arg-type]
    return out  # type: ignore[return-value]


def _shapes(rng: np.random.Generator) -> Sprite:
    out = np.zeros((96, 96, 4), np.uint8)
    for k in range(int(rng.integers(1, 6))):
        colour = [*(int(v) for v in rng.integers(0, 256, 3)), 255]
        centre = [int(v) for v in (rng.uniform(30, 66, 2) if k else (48, 48))]
        r = int(rng.uniform(18, 42) if k == 0 else rng.uniform(4, 22))
        form = rng.random()
        if form < 0.4:
            cv2.ellipse(out, centre, (r, max(2, int(r * rng.uniform(0.4, 1)))), float(rng.uniform(0, 180)), 0, 360, colour, -1)
        elif form < 0.7:
            cv2.fillPoly(out, [(rng.normal(0, r * 0.8, (int(rng.integers(3, 8)), 2)) + centre).astype(np.int32)], colour)
        elif form < 0.85:
            cv2.rectangle(out, [c - r for c in centre], [c + int(r * rng.uniform(0.3, 1)) for c in centre], colour, -1)
        else:
            cv2.putText(
                out,
                chr(int(rng.integers(48, 91))),
                (20, 70),
                int(rng.choice([0, 2, 3, 4])),
                float(rng.uniform(1.4, 2.4)),
                colour,
                int(rng.integers(2, 8)),
            )
    ys, xs = np.nonzero(out[..., 3])
    if len(ys) < 30:
        out[20:76, 20:76] = [*(int(v) for v in rng.integers(0, 256, 3)), 255]
        return out[20:76, 20:76]
    return out[ys.min() : ys.max() + 1, xs.min() : xs.max() + 1]


def recoloured(rng: np.random.Generator, sprite: Sprite) -> Sprite:
    """The same thing in another colour, plainly so."""
    hsv = cv2.cvtColor(np.ascontiguousarray(sprite[..., :3]), cv2.COLOR_BGR2HSV).astype(np.int16)
    hsv[..., 0] = (hsv[..., 0] + int(rng.integers(25, 155))) % 180
    hsv[..., 1] = np.clip(hsv[..., 1] * rng.uniform(0.5, 1.6) + (60 if rng.random() < 0.5 else 0), 0, 255)
    shift = float(rng.uniform(25, 80)) * (1 if rng.random() < 0.5 else -1)
    hsv[..., 2] = np.clip(hsv[..., 2] + shift, 0, 255)
    return np.dstack([cv2.cvtColor(hsv.astype(np.uint8), cv2.COLOR_HSV2BGR), sprite[..., 3]])


def paste(picture: Picture, sprite: Sprite, x: int, y: int) -> None:
    """Lays the sprite with its top left at (x, y), cut at the borders."""
    h, w = sprite.shape[:2]
    x0, y0, x1, y1 = max(0, x), max(0, y), min(picture.shape[1], x + w), min(picture.shape[0], y + h)
    if x0 >= x1 or y0 >= y1:
        return
    part = sprite[y0 - y : y1 - y, x0 - x : x1 - x].astype(np.float32)
    alpha = part[..., 3:] / 255
    where = picture[y0:y1, x0:x1]
    where[:] = np.rint(part[..., :3] * alpha + where * (1 - alpha)).astype(np.uint8)


def _somewhere(rng: np.random.Generator, sources: Sources, width: int, height: int, low: float, high: float) -> tuple[Sprite, int, int]:
    side = int(width * np.exp(rng.uniform(np.log(low), np.log(high))))
    return thing(rng, sources, max(6, side)), int(rng.uniform(-0.02, 0.98) * width), int(rng.uniform(-0.02, 0.98) * height)


# ---------------------------------------------------------------- differences


def _change(
    rng: np.random.Generator, sources: Sources, a: Picture, b: Picture, taken: list[Box]
) -> tuple[str, list[NDArray[np.int32]]] | None:
    """Makes one difference in place; its kind and the hulls of its parts, or None where there was no room or nothing to see."""
    height, width = a.shape[:2]
    side = int(width * np.exp(rng.uniform(np.log(0.012), np.log(0.09 if rng.random() < 0.85 else 0.2))))
    x, y = int(rng.integers(2, max(3, width - side - 2))), int(rng.integers(2, max(3, height - side - 2)))
    margin = int(rng.integers(2, 16))
    if _crowded((x, y, side, side), taken, margin):
        return None
    # all happens in a window round the place
    left, top = max(0, x - 2 * side), max(0, y - 2 * side)
    a, b = (picture[top : y + 3 * side, left : x + 3 * side] for picture in (a, b))
    made = _change_here(rng, sources, a, b, (x - left, y - top), side, [(tx - left, ty - top, tw, th) for tx, ty, tw, th in taken], margin)
    if made is None:
        return None
    kind, hulls = made
    hulls = [hull + np.array([left, top], np.int32) for hull in hulls]
    taken.extend(_box(hull) for hull in hulls)
    return kind, hulls


def _change_here(
    rng: np.random.Generator, sources: Sources, a: Picture, b: Picture, at: tuple[int, int], side: int, taken: list[Box], margin: int
) -> tuple[str, list[NDArray[np.int32]]] | None:
    x, y = at
    height, width = a.shape[:2]
    before_a, before_b = a.copy(), b.copy()
    kind = str(rng.choice(KINDS))
    way = rng.random()
    if way < 0.18:
        kind = _retouch(rng, a, b, x, y, side)
    else:
        first = thing(rng, sources, side)
        paste(a, first, x, y)
        if kind == "added":
            paste(b, first, x, y)
            a[:] = before_a
        elif kind == "removed":
            pass
        elif kind == "replaced":
            second = thing(rng, sources, int(side * rng.uniform(0.7, 1.2)))
            paste(b, second, x + int(rng.normal(0, 2)), y + int(rng.normal(0, 2)))
        elif kind == "recoloured":
            paste(b, recoloured(rng, first), x, y)
        elif kind == "mirrored":
            paste(b, np.ascontiguousarray(first[:, ::-1]), x, y)
        elif kind == "resized":
            k = float(rng.choice([rng.uniform(0.5, 0.75), rng.uniform(1.3, 1.7)]))
            size = (max(3, round(first.shape[1] * k)), max(3, round(first.shape[0] * k)))
            paste(
                b,
                cv2.resize(first, size, interpolation=cv2.INTER_AREA),  # type: ignore[arg-type]
                x + (first.shape[1] - size[0]) // 2,
                y + (first.shape[0] - size[1]) // 2,
            )
        else:
            angle, far = rng.uniform(0, 2 * np.pi), side * rng.uniform(0.35, 1.6)
            nx, ny = int(np.clip(x + far * np.cos(angle), 0, width - side)), int(np.clip(y + far * np.sin(angle), 0, height - side))
            if _crowded((nx, ny, side, side), taken, margin):
                a[:], b[:] = before_a, before_b
                return None
            paste(b, first, nx, ny)
    seen = np.abs(a.astype(np.int16) - b).max(2) - np.abs(before_a.astype(np.int16) - before_b).max(2)
    apart = (seen > 12).astype(np.uint8)
    grey_apart = np.abs(cv2.cvtColor(a, cv2.COLOR_BGR2GRAY).astype(np.int16) - cv2.cvtColor(b, cv2.COLOR_BGR2GRAY))[apart > 0]
    if apart.sum() < 30 or np.percentile(grey_apart, 75) < 14:
        a[:], b[:] = before_a, before_b
        return None
    joined = cv2.morphologyEx(apart, cv2.MORPH_CLOSE, np.ones((3, 3), np.uint8))
    if kind != "moved":
        parts = [np.argwhere(joined)[:, ::-1]]
    else:
        grown = cv2.dilate(joined, np.ones((5, 5), np.uint8))
        count, labels = cv2.connectedComponents(grown)
        parts = [np.argwhere((labels == k) & (joined > 0))[:, ::-1] for k in range(1, count)]
        parts = [p for p in parts if len(p) >= 12]
    hulls = [np.asarray(cv2.convexHull(p.astype(np.int32)), np.int32) for p in parts]
    if not hulls or any(_crowded(_box(hull), taken, margin) for hull in hulls):
        a[:], b[:] = before_a, before_b
        return None
    return kind, hulls


def _box(hull: NDArray[np.int32]) -> Box:
    x, y, w, h = (int(v) for v in cv2.boundingRect(hull))
    return x, y, w, h


def _crowded(box: Box, taken: list[Box], margin: int) -> bool:
    x, y, w, h = box
    return any(x < tx + tw + margin and tx < x + w + margin and y < ty + th + margin and ty < y + h + margin for tx, ty, tw, th in taken)


def _retouch(rng: np.random.Generator, a: Picture, b: Picture, x: int, y: int, side: int) -> str:
    """What picture editors do to a photograph: clone over, tint, or lighten a soft patch of B."""
    mask = np.zeros(a.shape[:2], np.float32)
    ratio = float(rng.uniform(0.4, 1))
    cv2.ellipse(
        mask, (x + side // 2, y + side // 2), (max(3, side // 2), max(3, int(side * ratio / 2))), float(rng.uniform(0, 180)), 0, 360, 1, -1
    )
    mask = cv2.GaussianBlur(mask, (0, 0), float(rng.uniform(0.5, 0.06 * side + 0.6)))[..., None]  # type: ignore[assignment]
    way = rng.random()
    if way < 0.5:
        dy, dx = (int(rng.integers(side, 3 * side + 2)) * (1 if rng.random() < 0.5 else -1) for _ in range(2))
        new, kind = np.roll(b, (dy, dx), (0, 1)).astype(np.float32), "replaced"
    elif way < 0.75:
        new, kind = b.astype(np.float32) + rng.uniform(-70, 70, 3).astype(np.float32), "recoloured"
    else:
        new, kind = cv2.GaussianBlur(b, (0, 0), side / 2.5).astype(np.float32), "removed"
    b[:] = np.clip(b * (1 - mask) + new * mask, 0, 255).astype(np.uint8)
    if rng.random() < 0.5:
        keep = a.copy()
        a[:], b[:] = b, keep
    return kind


# ---------------------------------------------------------------- printed rings


@dataclass(frozen=True)
class RingStyle:
    """How one deck prints its circles."""

    ink: tuple[int, int, int]
    edge: tuple[int, int, int] | None
    line: float  # of the width
    radius: tuple[float, float]  # of the width
    aspect: float
    number: str  # none, disc, inside

    @staticmethod
    def drawn(rng: np.random.Generator) -> "RingStyle":
        ink, edge = [
            ((15, 15, 15), None),
            ((245, 245, 245), (20, 20, 20)),
            ((240, 240, 240), None),
            ((30, 30, 200), None),
            ((40, 40, 170), (235, 235, 235)),
            ((90, 90, 90), (210, 210, 210)),
            ((10, 10, 10), (240, 240, 240)),
        ][int(rng.integers(7))]
        low = float(rng.uniform(0.022, 0.05))
        return RingStyle(
            ink,
            edge,
            float(rng.uniform(0.0018, 0.008)),
            (low, low * float(rng.uniform(1, 1.8))),
            float(rng.choice([1, 1, rng.uniform(0.75, 1.3)])),
            str(rng.choice(["none", "none", "disc", "inside"])),
        )


RingAt = tuple[float, float, float]


def _rings(
    rng: np.random.Generator, hulls: list[tuple[str, list[NDArray[np.int32]]]], width: int, height: int
) -> tuple[list[RingAt], list[RingAt]]:
    """Where rings are printed on A and on B: round departures (mostly) and round things that do not differ."""
    both: tuple[list[RingAt], list[RingAt]] = ([], [])
    everywhere = rng.random() < 0.35
    for _, parts in hulls:
        x, y, w, h = cv2.boundingRect(np.concatenate(parts))
        if rng.random() < 0.7:
            at = (x + w / 2 + rng.normal(0, 3), y + h / 2 + rng.normal(0, 3), max(w, h) / 2 * float(rng.uniform(1.0, 1.4)))
            sides = (0, 1) if everywhere or rng.random() < 0.12 else (int(rng.integers(2)),)
            for side in sides:
                both[side].append(at)
    for _ in range(int(rng.integers(0, 6))):
        at = (float(rng.uniform(0.02, 0.98) * width), float(rng.uniform(0.02, 0.98) * height), 0.0)
        for side in (0, 1) if everywhere else (int(rng.integers(2)),):
            both[side].append(at)
    return both


def _print_rings(rng: np.random.Generator, picture: Picture, where: list[RingAt], style: RingStyle) -> Mask:
    height, width = picture.shape[:2]
    cores = np.zeros((height, width), np.uint8)
    four = cv2.resize(picture, None, fx=2, fy=2, interpolation=cv2.INTER_LINEAR)
    for n, (x, y, least) in enumerate(where, 1):
        r = max(least, width * float(rng.uniform(*style.radius)))
        if r > 0.12 * width:
            continue
        axes = (round(2 * r * style.aspect**0.5), round(2 * r / style.aspect**0.5))
        line = max(1, round(2 * width * style.line))
        centre = (round(2 * x), round(2 * y))
        if style.edge is not None:
            cv2.ellipse(four, centre, axes, 0, 0, 360, style.edge, line + max(2, round(line * 0.8)), cv2.LINE_AA)
        cv2.ellipse(four, centre, axes, 0, 0, 360, style.ink, line, cv2.LINE_AA)
        if style.number != "none":
            scale = r / 22 * float(rng.uniform(0.5, 0.7))
            at = (centre[0] - axes[0] * 7 // 10, centre[1] - axes[1] * 7 // 10)
            if style.number == "disc":
                cv2.circle(four, at, round(0.55 * r), style.ink, -1, cv2.LINE_AA)
                paper = (250, 250, 250) if sum(style.ink) < 400 else (10, 10, 10)
                cv2.putText(
                    four, str(n), (at[0] - round(0.22 * r), at[1] + round(0.25 * r)), 0, scale, paper, max(1, round(2 * scale)), cv2.LINE_AA
                )
            else:
                inside = (centre[0] - axes[0] // 2, centre[1] - axes[1] // 5)
                cv2.putText(four, str(n), inside, 0, scale, (250, 250, 250), max(2, round(4 * scale)), cv2.LINE_AA)
                cv2.putText(four, str(n), inside, 0, scale, style.ink, max(1, round(2 * scale)), cv2.LINE_AA)
        cv2.ellipse(cores, (round(x), round(y)), (max(2, axes[0] // 4), max(2, axes[1] // 4)), 0, 0, 360, 1, -1)
    picture[:] = cv2.resize(four, (width, height), interpolation=cv2.INTER_AREA)
    return cores


# ---------------------------------------------------------------- surroundings and cameras


def _on_table(rng: np.random.Generator, sources: Sources, a: Picture, b: Picture, inside: Mask) -> tuple[Picture, Picture]:
    """Sometimes the print covers a part of the view only, on two tables; sometimes it has a white margin."""
    height, width = a.shape[:2]
    if rng.random() < 0.3:
        m = int(rng.uniform(0.005, 0.03) * width)
        for picture in (a, b):
            cv2.rectangle(picture, (0, 0), (width - 1, height - 1), (245, 245, 245), 2 * m)
    if rng.random() < 0.55:
        return a, b
    reach = float(rng.choice([0.015, 0.05, 0.12])) * width
    corners = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float64)
    inward = np.array([[1, 1], [-1, 1], [-1, -1], [1, -1]]) * rng.uniform(0.1, 1, (4, 2)) * reach
    quad = (corners + inward).astype(np.int32)
    inside[:] = 0
    cv2.fillConvexPoly(inside, quad, 1)
    outs = []
    same = scenery(rng, sources, width, height) if rng.random() < 0.3 else None
    for picture in (a, b):
        table = (
            scenery(rng, sources, width, height) if same is None else np.roll(same, tuple(int(v) for v in rng.integers(0, 99, 2)), (0, 1))
        )
        outs.append(np.where(inside[..., None] > 0, picture, table))
    return outs[0], outs[1]


def _photographed(rng: np.random.Generator, a: Picture, b: Picture) -> tuple[tuple[Picture, Picture], tuple[Picture, Picture], Mask]:
    """Both sides through their cameras. Each side: (clean picture, photograph); and what is hidden on either."""
    level = float(rng.choice([0.0, 0.35, 0.7, 1.0, 1.0]))
    native = float(np.exp(rng.uniform(np.log(230), np.log(1100)))) if level > 0 else 1000.0
    shots, hidden = [], np.zeros(a.shape[:2], np.uint8)
    for picture in (a, b):
        own = native * float(np.exp(rng.normal(0, 0.25))) if level > 0 else native
        shot, burnt = photographed(rng, picture, Camera.drawn(rng, level=level, native_px=own))
        shots.append((picture, shot))
        hidden |= burnt
    return shots[0], shots[1], hidden
