"""What drawn pairs are made of: scenery, things that lie on it, and the retouching that picture editors do."""

from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont

from vision.geometry import Picture

Mask = NDArray[np.uint8]
Sprite = NDArray[np.uint8]  # (h, w, 4) BGRA
SPRITE_PX = 128  # the longer side of a sprite read from a file


@dataclass(frozen=True)
class Sources:
    """What scenes are made of."""

    sprites: tuple[Sprite, ...] = ()
    photographs: tuple[Picture, ...] = ()


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


def cut_outs(folder: Path) -> list[Sprite]:
    """Pictures of single things with a transparent ground (the stamps of a drawing program), trimmed, at most SPRITE_PX large."""
    out = []
    for path in sorted(folder.rglob("*.png")):
        image = cv2.imread(str(path), cv2.IMREAD_UNCHANGED)
        if image is None or image.ndim != 3 or image.shape[2] != 4 or image.dtype != np.uint8:
            continue
        x, y, w, h = cv2.boundingRect((image[..., 3] > 8).astype(np.uint8))
        if min(w, h) > 20:
            k = min(1.0, SPRITE_PX / max(w, h))
            small = cv2.resize(image[y : y + h, x : x + w], None, fx=k, fy=k, interpolation=cv2.INTER_AREA)
            out.append(np.asarray(small, np.uint8))
    return out


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
    if kind < 0.62:
        return _leaves(rng, width, height)
    if kind < 0.72:
        return _drawing(rng, width, height)
    if kind < 0.87:
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


def _drawing(rng: np.random.Generator, width: int, height: int) -> Picture:
    """A cartoon: flat areas with dark outlines, and pen strokes, on paper."""
    out = np.full((height, width, 3), rng.uniform(200, 255, 3) if rng.random() < 0.7 else rng.uniform(30, 255, 3)).astype(np.uint8)
    ink = [int(v) for v in rng.uniform(0, 70, 3)]
    line = int(rng.integers(1, 5))
    for _ in range(int(rng.integers(10, 90))):
        r = float(np.clip(12 / rng.random() ** 0.7, 6, 220))
        turn = np.sort(rng.uniform(0, 2 * np.pi, int(rng.integers(4, 14))))
        far = r * rng.uniform(0.5, 1.1, len(turn))
        middle = rng.uniform([0, 0], [width, height])
        outline = (np.c_[np.cos(turn), np.sin(turn)] * far[:, None] + middle).astype(np.int32)
        if rng.random() < 0.7:
            cv2.fillPoly(out, [outline], [int(v) for v in rng.integers(40, 256, 3)], cv2.LINE_AA)
        cv2.polylines(out, [outline], rng.random() < 0.7, ink, line, cv2.LINE_AA)
    return out


def to_grey(picture: Picture) -> Picture:
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


def paste(picture: Picture, sprite: Sprite, x: int, y: int, *, shadow: float = 0.0) -> None:
    """Lays the sprite with its top left at (x, y), cut at the borders; with a soft shadow below it and to its right."""
    h, w = sprite.shape[:2]
    if shadow:
        off = max(1, h // 16)
        below = np.zeros((h + 4 * off, w + 4 * off, 4), np.uint8)
        below[off : off + h, off : off + w, 3] = (sprite[..., 3] * shadow).astype(np.uint8)
        paste(picture, cv2.blur(below, (2 * off + 1, 2 * off + 1)), x, y)  # type: ignore[arg-type]
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


# ---------------------------------------------------------------- retouching


def retouch(rng: np.random.Generator, a: Picture, b: Picture, x: int, y: int, side: int) -> str:
    """Changes a patch of one of the two, as picture editors do, and says what kind of change that is."""
    target = a if rng.random() < 0.5 else b
    mask = np.zeros(a.shape[:2], np.float32)
    middle = (x + side // 2, y + side // 2)
    if rng.random() < 0.5:
        axes = (max(3, side // 2), max(3, int(side * rng.uniform(0.4, 1) / 2)))
        cv2.ellipse(mask, middle, axes, float(rng.uniform(0, 180)), 0, 360, 1, -1)
    else:
        corners = (rng.normal(0, side / 3, (int(rng.integers(4, 9)), 2)) + middle).astype(np.int32)
        cv2.fillPoly(mask, [cv2.convexHull(corners) if rng.random() < 0.7 else corners], 1)
    soft = cv2.GaussianBlur(mask, (0, 0), float(rng.uniform(0.5, 0.06 * side + 0.6)))[..., None]
    way = rng.random()
    if way < 0.25:  # cloned over
        dy, dx = (int(rng.integers(side, 3 * side + 2)) * (1 if rng.random() < 0.5 else -1) for _ in range(2))
        new, kind = np.roll(target, (dy, dx), (0, 1)).astype(np.float32), "replaced"
    elif way < 0.45:  # tinted
        new, kind = target.astype(np.float32) + rng.uniform(-80, 80, 3).astype(np.float32), "recoloured"
    elif way < 0.7:  # painted out
        hole = (mask > 0).astype(np.uint8)
        new = cv2.inpaint(target, cv2.dilate(hole, np.ones((3, 3), np.uint8)), 3, cv2.INPAINT_TELEA).astype(np.float32)
        kind = "removed" if target is b else "added"
    elif way < 0.83:  # its content larger, smaller, turned or mirrored
        k = float(rng.choice([0.7, 1.35, -1.0, 1.0]))
        m = cv2.getRotationMatrix2D(middle, float(rng.uniform(20, 90)) if k == 1.0 else 0.0, abs(k))
        if k < 0:
            m = np.array([[-1.0, 0, 2 * middle[0]], [0, 1, 0]])
        size = (a.shape[1], a.shape[0])
        new, kind = cv2.warpAffine(target, m, size, borderMode=cv2.BORDER_REFLECT).astype(np.float32), "mirrored" if k < 0 else "resized"
    else:  # a stroke or a word
        new, kind = target.astype(np.float32), "added" if target is b else "removed"
        colour = [float(v) for v in (rng.uniform(0, 60, 3) if rng.random() < 0.5 else rng.uniform(0, 255, 3))]
        if rng.random() < 0.4:
            text = "".join(chr(int(v)) for v in rng.integers(65, 123, int(rng.integers(1, 5))))
            written = target.copy()
            cv2.putText(written, text, (x, y + side), int(rng.integers(0, 8)), side / 60, colour, max(1, side // 18), cv2.LINE_AA)
            new = written.astype(np.float32)
        else:
            path = (np.cumsum(rng.normal(0, side / 4, (int(rng.integers(2, 7)), 2)), 0) + middle).astype(np.int32)
            cv2.polylines(new, [path], False, colour, max(1, int(side * rng.uniform(0.03, 0.15))), cv2.LINE_AA)
        soft = np.ones_like(soft)
    target[:] = np.clip(target * (1 - soft) + new * soft, 0, 255).astype(np.uint8)
    return kind
