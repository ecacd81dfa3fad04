"""A small deck of photos, drawn from a seed: a crammed scene, and cards that depart from it at some of its places."""

from collections.abc import Mapping
from pathlib import Path

import cv2
import numpy as np

from vision.geometry import Picture, Points, rectangle
from vision.observation import Photo, Side
from vision.table import Lens, Table
from vision.topview import View

SIZE_MM = (120.0, 80.0)
TABLE = Table((960, 540), Lens((960.0, 960.0, 480.0, 270.0), (0.0,) * 5), (0.5, 0, -240, 0, 0.5, -135, 0, 0, 1.0))   # 2 px/mm
LEFT, RIGHT = rectangle((-75, 0), SIZE_MM, 4), rectangle((75, 5), SIZE_MM, -170)
WIDTH, HEIGHT = 600, 400
COLUMNS, ROWS = 6, 4          # places where something can vary
Departures = Mapping[int, int]   # place -> the number of what is shown there instead

CARDS: dict[str, Departures] = {
    "p1": {0: 1}, "p2": {0: 2, 5: 1}, "p3": {0: 1, 5: 1, 9: 1}, "p4": {9: 2, 14: 1}, "p5": {14: 1, 17: 1, 20: 1}, "p6": {17: 2},
    "p7": {20: 2, 22: 1, 3: 1}, "p8": {3: 2, 22: 1},
}  # fmt: skip


def truth(a: str, b: str, cards: Mapping[str, Departures] = CARDS) -> int:
    """In how many places two cards differ."""
    return sum(cards[a].get(place, 0) != cards[b].get(place, 0) for place in {*cards[a], *cards[b]})


def front(card: Departures) -> Picture:
    """The colour side, HEIGHT x WIDTH."""
    rng = np.random.default_rng(7)
    picture = np.full((HEIGHT, WIDTH, 3), (150, 180, 170), np.uint8)
    for _ in range(400):
        centre = tuple(int(v) for v in rng.integers(0, (WIDTH, HEIGHT)))
        colour = tuple(int(v) for v in rng.integers(30, 230, 3))
        axes = (int(rng.integers(4, 26)), int(rng.integers(4, 16)))
        cv2.ellipse(picture, centre, axes, float(rng.uniform(0, 180)), 0, 360, colour, -1, cv2.LINE_AA)
    for place in range(COLUMNS * ROWS):
        _thing(picture, place, card.get(place, 0))
    return picture


def back(card: Departures) -> Picture:
    """The black-and-white side, with a circle round each departure."""
    picture = cv2.cvtColor(cv2.cvtColor(front(card), cv2.COLOR_BGR2GRAY), cv2.COLOR_GRAY2BGR)
    for place in card:
        cv2.circle(picture, _at(place), 32, (20, 20, 20), 3, cv2.LINE_AA)
    return np.asarray(picture, np.uint8)


def numbered_back(card: Departures, ink: tuple[int, int, int]) -> Picture:
    """The black-and-white side of a deck that numbers its circles, in coloured ink."""
    picture = cv2.cvtColor(cv2.cvtColor(front(card), cv2.COLOR_BGR2GRAY), cv2.COLOR_GRAY2BGR)
    for number, place in enumerate(card, 1):
        x, y = _at(place)
        cv2.circle(picture, (x, y), 32, ink, 3, cv2.LINE_AA)
        cv2.putText(picture, str(number), (x + 8, y - 14), cv2.FONT_HERSHEY_SIMPLEX, 0.5, ink, 2, cv2.LINE_AA)
    return np.asarray(picture, np.uint8)


def write(folder: Path, cards: Mapping[str, Departures] = CARDS, *, backs: bool = True) -> Path:
    """The pack in a folder."""
    (folder / "cards").mkdir(parents=True, exist_ok=True)
    lines = [f'format = 1\ngame = "sherlook"\nname = "Drawn"\nsize_mm = [{SIZE_MM[0]}, {SIZE_MM[1]}]\n']
    for name, card in cards.items():
        lines.append(f'[[card]]\nid = "{name}"\nfront = "cards/{name}-front.png"\n')
        cv2.imwrite(str(folder / "cards" / f"{name}-front.png"), front(card))
        if backs:
            lines.append(f'back = "cards/{name}-back.png"\n')
            cv2.imwrite(str(folder / "cards" / f"{name}-back.png"), back(card))
    (folder / "deck.toml").write_text("".join(lines), encoding="utf-8")
    return folder


def _at(place: int) -> tuple[int, int]:
    return 50 + 100 * (place % COLUMNS), 50 + 100 * (place // COLUMNS)


def _thing(picture: Picture, place: int, kind: int) -> None:
    x, y = _at(place)
    rng = np.random.default_rng(place)
    colour = tuple(int(v) for v in rng.integers(60, 220, 3))
    other = tuple(255 - c for c in colour)
    shape = int(rng.integers(3))
    if kind == 1:                       # another colour
        colour = other
    elif kind == 2:                     # another shape
        shape = (shape + 1) % 3
    if shape == 0:
        cv2.rectangle(picture, (x - 14, y - 12), (x + 14, y + 12), colour, -1)
    elif shape == 1:
        cv2.circle(picture, (x, y), 15, colour, -1, cv2.LINE_AA)
    else:
        cv2.fillPoly(picture, [np.array([[x, y - 17], [x + 17, y + 13], [x - 17, y + 13]])], colour, cv2.LINE_AA)


def a_table(*laid: tuple[Picture, Points], seed: int = 1) -> View:
    """A table with pictures on it: another lamp, a soft lens, noise."""
    frame = np.full((540, 960, 3), (70, 90, 80), np.uint8)
    for picture, quad in laid:
        h, w = picture.shape[:2]
        corners = np.array([[0, 0], [w, 0], [w, h], [0, h]], np.float32)
        m = cv2.getPerspectiveTransform(corners, (TABLE.to_px(quad) - 0.5).astype(np.float32))
        soft = cv2.GaussianBlur(picture, (0, 0), 1.2)
        cv2.warpPerspective(soft, m, (960, 540), dst=frame, borderMode=cv2.BORDER_TRANSPARENT)
    rng = np.random.default_rng(seed)
    lamp = np.linspace(0.6, 0.95, 960)[None, :, None] * np.array([0.85, 0.95, 1.0])
    return View(np.clip(frame * lamp + rng.normal(0, 4, frame.shape) + 8, 0, 255).astype(np.uint8), TABLE)


def a_photo(quad: Points, side: Side) -> Photo:
    """A photo as a finder tells it."""
    a, b, c, d = ((float(x), float(y)) for x, y in quad)
    return Photo(quad=(a, b, c, d), side=side, sure={"found": 0.99, "side": 0.99})
