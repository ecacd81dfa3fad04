"""Pictures for the page's scenes, drawn from a seed: a table seen from above, and two photos that differ in known places."""

import random
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

Picture = NDArray[np.uint8]
WIDTH, HEIGHT = 900, 620  # a photo
FRAME = (1280, 720)


@dataclass(frozen=True)
class Pair:
    """Two photos and the boxes (x, y, w, h) in which they differ, the same in both."""

    a: Picture
    b: Picture
    boxes: tuple[tuple[int, int, int, int], ...]


def pair(count: int = 7, *, seed: int = 4) -> Pair:
    """A shelf of things, twice; `count` of them are not the same."""
    a = _room(seed)
    b = _room(seed)
    cells = [(column, row) for row in range(4) for column in range(7)]
    changed = random.Random(seed + 1).sample(cells, count)
    boxes = []
    for column, row in cells:
        x, y = 45 + column * 118, 60 + row * 136
        thing = random.Random(f"{seed} {column} {row}")
        _thing(a, x, y, thing.randrange(6), thing.randrange(70, 200))
        again = random.Random(f"{seed} {column} {row}")
        kind, grey = again.randrange(6), again.randrange(70, 200)
        if (column, row) in changed:
            kind = (kind + 1 + len(boxes) % 4) % 6
            boxes.append((x - 4, y - 4, 100, 108))
        _thing(b, x, y, kind, grey)
    return Pair(a, b, tuple(boxes))


def frame(photos: Pair, *, seed: int = 1) -> Picture:
    """The table from above: wood, the two photos side by side, a marker before each of three players."""
    rng = np.random.default_rng(seed)
    w, h = FRAME
    grain = cv2.GaussianBlur(rng.normal(0, 26, (h, w)).astype(np.float32), (0, 0), sigmaX=60, sigmaY=1.2)
    light = 1.12 - 0.35 * np.hypot(*np.meshgrid(np.linspace(-1, 1, w), np.linspace(-1, 1, h)))
    wood = np.array([62, 98, 142], np.float32) + grain[..., None]
    table = np.clip(wood * light[..., None], 0, 255).astype(np.uint8)
    for photo, quad in ((photos.a, PHOTO_QUADS[0]), (photos.b, PHOTO_QUADS[1])):
        _lay(table, cv2.copyMakeBorder(photo, 24, 24, 24, 24, cv2.BORDER_CONSTANT, value=(240, 246, 250)), quad)
    for value, (x, y) in MARKERS:
        cv2.rectangle(table, (x - 22, y - 18), (x + 22, y + 18), (60, 200, 245), -1, cv2.LINE_AA)
        cv2.putText(table, str(value), (x - 12, y + 12), cv2.FONT_HERSHEY_DUPLEX, 1.0, (20, 20, 20), 2, cv2.LINE_AA)
    return table


PHOTO_QUADS = (((300, 232), (610, 222), (616, 452), (296, 456)), ((668, 226), (980, 236), (986, 458), (664, 450)))
MARKERS = ((7, (640, 120)), (6, (1120, 380)), (9, (640, 610)))


def jpeg(picture: Picture) -> bytes:
    return bytes(cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, 85])[1])


def _lay(table: Picture, photo: Picture, quad: tuple[tuple[int, int], ...]) -> None:
    h, w = photo.shape[:2]
    where = cv2.getPerspectiveTransform(np.array([[0, 0], [w, 0], [w, h], [0, h]], np.float32), np.array(quad, np.float32))
    size = (table.shape[1], table.shape[0])
    laid = cv2.warpPerspective(photo, where, size, flags=cv2.INTER_AREA)
    mask = cv2.warpPerspective(np.full((h, w), 255, np.uint8), where, size)
    shade = cv2.GaussianBlur(np.roll(mask, (5, 4), (0, 1)), (0, 0), 5).astype(np.float32) / 255
    table[:] = (table * (1 - 0.5 * shade[..., None])).astype(np.uint8)
    table[mask > 128] = laid[mask > 128]


def _room(seed: int) -> Picture:
    rng = np.random.default_rng(seed)
    picture = np.full((HEIGHT, WIDTH, 3), 214, np.uint8)
    for y in range(60 + 110, HEIGHT, 136):
        cv2.rectangle(picture, (20, y), (WIDTH - 20, y + 12), (92, 92, 92), -1)
    for x in range(20, WIDTH, 12):
        cv2.line(picture, (x, 0), (x, HEIGHT), (206, 206, 206), 1)
    return np.clip(picture + rng.normal(0, 4, picture.shape), 0, 255).astype(np.uint8)


def _thing(picture: Picture, x: int, y: int, kind: int, grey: int) -> None:
    """One of six things on a shelf, in a box of 92 × 110 from (x, y)."""
    ink, body, foot = (40, 40, 40), (grey, grey, grey), y + 110

    def both(draw: object, *shape: object) -> None:
        draw(picture, *shape, body, -1, cv2.LINE_AA)  # type: ignore[operator]
        draw(picture, *shape, ink, 2, cv2.LINE_AA)  # type: ignore[operator]

    if kind == 0:  # books
        for i, tall in enumerate((96, 80, 104, 70)):
            both(cv2.rectangle, (x + 6 + 20 * i, foot - tall), (x + 24 + 20 * i, foot))
    elif kind == 1:  # a lamp
        cv2.line(picture, (x + 46, foot), (x + 46, foot - 60), ink, 6, cv2.LINE_AA)
        both(cv2.ellipse, (x + 46, foot - 62), (38, 34), 0, 180, 360)
        cv2.ellipse(picture, (x + 46, foot - 3), (24, 5), 0, 0, 360, ink, -1, cv2.LINE_AA)
    elif kind == 2:  # a clock
        both(cv2.circle, (x + 46, foot - 46), 42)
        cv2.circle(picture, (x + 46, foot - 46), 33, (235, 235, 235), -1, cv2.LINE_AA)
        cv2.line(picture, (x + 46, foot - 46), (x + 46, foot - 70), ink, 4, cv2.LINE_AA)
        cv2.line(picture, (x + 46, foot - 46), (x + 66, foot - 40), ink, 4, cv2.LINE_AA)
    elif kind == 3:  # a vase with flowers
        for dx in (-22, 0, 22):
            cv2.line(picture, (x + 46, foot - 40), (x + 46 + dx, foot - 82), ink, 2, cv2.LINE_AA)
            both(cv2.circle, (x + 46 + dx, foot - 88), 11)
        both(cv2.ellipse, (x + 46, foot - 24), (22, 26), 0, 0, 360)
    elif kind == 4:  # a teapot
        both(cv2.ellipse, (x + 44, foot - 30), (34, 30), 0, 0, 360)
        cv2.ellipse(picture, (x + 80, foot - 32), (14, 18), 0, -90, 90, ink, 5, cv2.LINE_AA)
        both(cv2.circle, (x + 44, foot - 66), 7)
    else:  # a framed hill
        both(cv2.rectangle, (x + 6, foot - 92), (x + 86, foot - 8))
        cv2.rectangle(picture, (x + 16, foot - 82), (x + 76, foot - 18), (235, 235, 235), -1)
        cv2.ellipse(picture, (x + 40, foot - 18), (24, 30), 0, 180, 360, ink, -1, cv2.LINE_AA)
