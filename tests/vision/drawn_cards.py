"""Decks of object cards and tiles drawn for tests, packed as a folder, and laid on a table that a camera sees aslant."""

from collections.abc import Sequence
from pathlib import Path

import cv2
import numpy as np

from sample_frames.scene.camera import looking
from vision.deck.pack import Pack, read_pack
from vision.geometry import Picture, Points, rectangle
from vision.table import Seat, Table
from vision.topview import View

PX = 360                                  # of a drawn card
SIZE = (1600, 900)


def table(half_mm: tuple[float, float] = (190.0, 190.0)) -> Table:
    """A webcam 70 cm above the table; Ada sits on the left, Ben on the right of the common area."""
    w, h = half_mm
    left = ((-w - 130, -h), (-w - 5, -h), (-w - 5, h), (-w - 130, h))
    right = tuple((-x, y) for x, y in left)
    camera = looking(eye_mm=(30, 180, 640), at_mm=(0, 0, 0), roll_deg=2.0, fov_deg=64.0, image_size=SIZE, distortion=(-0.05, 0.02, 0, 0, 0))
    return camera.table((Seat("Ada", "red", left), Seat("Ben", "blue", right)), ((-w, -h), (w, -h), (w, h), (-w, h)))


def frame(on: Table, laid: Sequence[tuple[Picture, Points]], *, seed: int = 5) -> View:
    """The table with pictures laid on quads (mm), under a lamp, through a soft lens with a little noise."""
    rng = np.random.default_rng(seed)
    w, h = SIZE
    grain = cv2.resize(rng.normal(0, 8, (60, 9)).astype(np.float32), SIZE, interpolation=cv2.INTER_CUBIC)
    out = np.array([78, 112, 150], np.float32) + grain[..., None]
    for picture, quad in laid:
        side, deep = picture.shape[1], picture.shape[0]
        corners = np.array([[0, 0], [side, 0], [side, deep], [0, deep]], np.float32)
        carry = cv2.getPerspectiveTransform(corners, (on.to_px(quad) - 0.5).astype(np.float32))
        flat = cv2.warpPerspective(picture, carry, SIZE, flags=cv2.INTER_AREA)
        cover = cv2.warpPerspective(np.full((deep, side), 1.0, np.float32), carry, SIZE)[..., None]
        out = out * (1 - cover) + flat * cover
    out *= np.linspace(1.05, 0.8, w, dtype=np.float32)[None, :, None]
    out = cv2.GaussianBlur(out, (0, 0), 0.8) + rng.normal(0, 2.5, (h, w, 3))
    return View(np.clip(out, 0, 255).astype(np.uint8), on)


def thing(seed: int, ground: tuple[int, int, int] = (238, 244, 246)) -> Picture:
    """A card's paper with something on it that no other seed draws."""
    rng = np.random.default_rng(seed)
    out = np.full((PX, PX, 3), ground, np.uint8)
    for _ in range(7):
        x, y = (int(v) for v in rng.uniform(0.32, 0.68, 2) * PX)
        paint = rng.integers(0, 220, 3).tolist()
        if rng.random() < 0.5:
            cv2.circle(out, (x, y), int(rng.uniform(0.06, 0.16) * PX), paint, -1, cv2.LINE_AA)
        else:
            corners = (np.array([x, y]) + rng.uniform(-0.2, 0.2, (4, 2)) * PX).astype(np.int32)
            cv2.fillPoly(out, [cv2.convexHull(corners)], paint, cv2.LINE_AA)
    return out


def object_card(seed: int, arrow: str, steps: int) -> Picture:
    """An object with arrow and number at the top edge."""
    out = thing(seed)
    cv2.rectangle(out, (0, 0), (PX - 1, PX - 1), np.random.default_rng(seed).integers(30, 200, 3).tolist(), 14)
    x = np.array([0.36, 0.43, 0.43, 0.54, 0.54, 0.43, 0.43]) if arrow == "left" else np.array([0.64, 0.57, 0.57, 0.46, 0.46, 0.57, 0.57])
    y = np.array([0.11, 0.065, 0.09, 0.09, 0.13, 0.13, 0.155])
    cv2.fillPoly(out, [np.round(np.c_[x, y] * PX).astype(np.int32)], (30, 30, 40), cv2.LINE_AA)
    at = (round((0.57 if arrow == "left" else 0.36) * PX), round(0.147 * PX))
    cv2.putText(out, str(steps), at, cv2.FONT_HERSHEY_SIMPLEX, 1.1, (30, 30, 40), 4, cv2.LINE_AA)
    return out


def card_back() -> Picture:
    """A dark pattern with a sign."""
    out = np.full((PX, PX, 3), (110, 60, 30), np.uint8)
    for k in range(0, 2 * PX, 30):
        cv2.line(out, (k, 0), (k - PX, PX), (140, 90, 60), 6, cv2.LINE_AA)
    cv2.circle(out, (PX // 2, PX // 2), 80, (60, 170, 210), -1, cv2.LINE_AA)
    cv2.putText(out, "?", (140, 230), cv2.FONT_HERSHEY_DUPLEX, 4, (40, 30, 20), 12, cv2.LINE_AA)
    return out


def witness_side(number: int) -> Picture:
    """A witness in a pale disc."""
    out = np.full((PX, PX, 3), np.random.default_rng(900 + number).integers(90, 200, 3), np.uint8)
    cv2.circle(out, (PX // 2, PX // 2), 150, (225, 235, 240), -1, cv2.LINE_AA)
    person = thing(700 + number, (225, 235, 240))
    disc = np.zeros((PX, PX), np.uint8)
    cv2.circle(disc, (PX // 2, PX // 2), 140, 255, -1)
    out[disc > 0] = person[disc > 0]
    cv2.rectangle(out, (0, 0), (PX - 1, PX - 1), (30, 50, 70), 16)
    return out


def suspect_side(suspect: int, witness: int) -> Picture:
    """A suspect from edge to edge, the witness small in a corner."""
    ground = tuple(int(v) for v in np.random.default_rng(300 + suspect).integers(20, 130, 3))
    out = thing(500 + suspect, (ground[0], ground[1], ground[2]))
    cv2.rectangle(out, (40, 290), (320, 345), (210, 230, 235), -1)
    out[18:118, 242:342] = cv2.resize(witness_side(witness), (100, 100), interpolation=cv2.INTER_AREA)
    cv2.rectangle(out, (0, 0), (PX - 1, PX - 1), (90, 170, 200), 12)
    return out


def page(number: int) -> Picture:
    """A page of the booklet, half as wide again as high: paper, and two signs of its own."""
    out = np.full((PX, PX * 3 // 2, 3), (160, 195, 215), np.uint8)
    for k, x in enumerate((60, 350)):
        mark = cv2.resize(thing(1000 + 10 * number + k, (160, 195, 215)), (150, 150), interpolation=cv2.INTER_AREA)
        y = 40 + (37 * number * (k + 1)) % 150
        out[y : y + 150, x : x + 150] = mark
    cv2.rectangle(out, (0, 0), (out.shape[1] - 1, PX - 1), (70, 100, 130), 8)
    return out


def circle_pack(folder: Path, *, first_seed: int = 0, cards: int = 14, size_mm: float = 64.0) -> Pack:
    """A deck of object cards; its pictures lie in `folder`."""
    lines = [f'format = 1\ngame = "sherlock"\nname = "Drawn"\nsize_mm = [{size_mm}, {size_mm}]']
    (folder / "cards").mkdir(parents=True)
    cv2.imwrite(str(folder / "cards" / "back.png"), card_back())
    for k in range(cards):
        arrow, steps = ("left", "right")[k % 2], 1 + k % 8
        cv2.imwrite(str(folder / "cards" / f"c{k:02d}.png"), object_card(first_seed + k, arrow, steps))
        lines.append(f'[[card]]\nid = "c{k:02d}"\nfront = "cards/c{k:02d}.png"\nback = "cards/back.png"\n'
                     f'object = "thing {k}"\narrow = "{arrow}"\nsteps = {steps}')
    (folder / "deck.toml").write_text("\n".join(lines), encoding="utf-8")
    return read_pack(folder)


def tile_pack(folder: Path, *, size_mm: float = 56.0) -> Pack:
    """Thirty tiles, s1..s5 with w1..w6, and a booklet of five pages."""
    lines = [f'format = 1\ngame = "sherlock-2011"\nname = "Drawn"\nsize_mm = [{size_mm}, {size_mm}]']
    (folder / "cards").mkdir(parents=True)
    (folder / "booklet").mkdir()
    for n in range(1, 6):
        cv2.imwrite(str(folder / "booklet" / f"{n:02d}.png"), page(n))
    for suspect in range(1, 6):
        for witness in range(1, 7):
            tile = f"t{suspect}{witness}"
            cv2.imwrite(str(folder / "cards" / f"{tile}-front.png"), suspect_side(suspect, witness))
            cv2.imwrite(str(folder / "cards" / f"{tile}-back.png"), witness_side(witness))
            lines.append(f'[[card]]\nid = "{tile}"\nfront = "cards/{tile}-front.png"\nback = "cards/{tile}-back.png"\n'
                         f'suspect = "s{suspect}"\nwitness = "w{witness}"')
    (folder / "deck.toml").write_text("\n".join(lines), encoding="utf-8")
    return read_pack(folder)


def in_ring(clock_deg: float, *, radius_mm: float = 108.0, size_mm: float = 64.0, inward: bool = False) -> Points:
    """A card at this hour of the ring, its own top outward (or inward)."""
    a = np.radians(clock_deg)
    return rectangle((radius_mm * np.sin(a), -radius_mm * np.cos(a)), (size_mm, size_mm), clock_deg + (180 if inward else 0))


def in_cell(row: int, column: int, *, rows: int = 5, columns: int = 6, size_mm: float = 56.0, turn: float = 2.0) -> Points:
    """A tile in its cell, laid a little askew."""
    rng = np.random.default_rng(row * 10 + column)
    at = np.array([(column - (columns - 1) / 2) * 61.0, (row - (rows - 1) / 2) * 60.0]) + rng.normal(0, 1.2, 2)
    return rectangle((float(at[0]), float(at[1])), (size_mm, size_mm), turn + float(rng.normal(0, 1.5)))
