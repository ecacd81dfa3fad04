"""What was seen, drawn onto the frame: for people who look over the companion's shoulder."""

from collections.abc import Sequence

import cv2
import numpy as np
from msgspec import UNSET

from vision.geometry import Picture, Points, points
from vision.observation import ASSERTED, Board, Circle, Observation
from vision.table import Table

Colour = tuple[int, int, int]

PHOTO: dict[str | None, Colour] = {"colour": (60, 200, 60), "back": (230, 170, 60), None: (160, 160, 160)}   # BGR
TOKEN: dict[str | None, Colour] = {"green": (60, 180, 60), "yellow": (40, 210, 240), "red": (60, 60, 230), None: (160, 160, 160)}
CARD: dict[str | None, Colour] = {"up": (60, 200, 60), "down": (230, 170, 60), None: (160, 160, 160)}
TILE: dict[str | None, Colour] = {"suspect": (60, 200, 60), "witness": (230, 170, 60), None: (160, 160, 160)}
MARKER: Colour = (255, 120, 230)
PLACE: Colour = (40, 40, 255)
HAND: Colour = (200, 120, 200)
AREA: Colour = (170, 170, 170)
DASHES = 24     # of an outline that is not asserted


def draw(frame: Picture, observation: Observation, table: Table) -> Picture:
    """A copy of the frame (H, W, 3) with all that was seen drawn on it. `table` is made for the frame's size.

    What is asserted has a whole outline, what is only thought likely a dashed one.
    """
    out = frame.copy()
    unit = max(1, round(frame.shape[1] / 960))
    for seat in table.seats:
        _outline(out, table.to_px(seat.area), AREA, unit, sure=True)
        _word(out, table.to_px([np.mean(seat.area, axis=0)])[0], seat.name, AREA, unit)
    if table.common:
        _outline(out, table.to_px(table.common), AREA, unit, sure=True)
    for photo in observation.photos or ():
        colour = PHOTO[photo.side]
        quad = table.to_px(photo.quad)
        _outline(out, quad, colour, 2 * unit, sure=photo.sure.get("found", 1.0) >= ASSERTED)
        cv2.circle(out, _at(quad[0]), 4 * unit, colour, -1, cv2.LINE_AA)
        words = f"{photo.id or ''} {photo.side or '?'} {photo.sure.get('side', 0):.2f}".strip()
        _word(out, quad.mean(0), words + (f", {photo.hidden:.0%} hidden" if photo.hidden >= 0.1 else ""), colour, unit)
    for marker in observation.markers or ():
        sure = marker.sure.get("value", 1.0) >= ASSERTED
        _ring(out, table, marker.at, 18.0, MARKER, unit, sure=sure)
        rim = _rim(table, marker.at, 18.0)
        above = rim[rim[:, 1].argmin()] - [0, 8 * unit]   # where it hides nothing of what it names
        _word(out, above, str(marker.value or "?"), MARKER, unit)
    for token in observation.tokens or ():
        _ring(out, table, token.at, 15.0, TOKEN[token.colour], unit, sure=token.sure.get("found", 1.0) >= ASSERTED)
    if observation.differences is not UNSET and observation.differences:
        for place in observation.differences.places:
            for x, y, w, h in (place.a, place.b):
                cv2.rectangle(out, _at(np.array([x, y])), _at(np.array([x + w, y + h])), PLACE, unit, cv2.LINE_AA)
    if observation.circle:
        _circle(out, observation.circle, table, unit)
    if observation.board:
        _board(out, observation.board, table, unit)
    for hand in observation.hands or ():
        _outline(out, table.to_px(hand.polygon), HAND, 2 * unit, sure=hand.sure >= ASSERTED)
    return out


def _circle(out: Picture, circle: Circle, table: Table, unit: int) -> None:
    for card in circle.places:
        quad, colour = table.to_px(card.quad), CARD[card.face]
        _outline(out, quad, colour, 2 * unit, sure=card.sure.get("found", 1.0) >= ASSERTED)
        shows = f"{card.object or ''} {card.arrow or '?'} {card.steps or '?'}" if card.face == "up" else card.face or "?"
        _word(out, quad.mean(0), f"{card.place}: {shows}" + (" (inward)" if card.outward is False else ""), colour, unit)
    if circle.pawn:
        _ring(out, table, circle.pawn.at, 18.0, MARKER, 2 * unit, sure=circle.pawn.sure.get("place", 1.0) >= ASSERTED)
        _word(out, table.to_px([circle.pawn.at])[0], f"pawn: {circle.pawn.place or '?'}", MARKER, unit)


def _board(out: Picture, board: Board, table: Table, unit: int) -> None:
    for tile in board.tiles:
        quad, colour = table.to_px(tile.quad), TILE[tile.side]
        _outline(out, quad, colour, 2 * unit, sure=tile.sure.get("side", 1.0) >= ASSERTED)
        group = tile.suspect_group if tile.side == "suspect" else tile.witness_group
        who = (tile.suspect if tile.side == "suspect" else tile.witness) or ("?" if group is UNSET else f"group {group}")
        _word(out, quad.mean(0), f"{tile.cell[0]},{tile.cell[1]} {who}", colour, unit)


def _outline(out: Picture, corners: Points, colour: Colour, width: int, *, sure: bool) -> None:
    if not np.isfinite(corners).all():
        return
    if sure:
        cv2.polylines(out, [np.round(corners - 0.5).astype(np.int32)], True, colour, width, cv2.LINE_AA)
        return
    for start, end in zip(corners, np.roll(corners, -1, 0), strict=True):
        along = np.linspace(start, end, DASHES + 1)
        for a, b in zip(along[:-1:2], along[1::2], strict=True):
            cv2.line(out, _at(a), _at(b), colour, width, cv2.LINE_AA)


def _ring(out: Picture, table: Table, at_mm: Sequence[float], radius_mm: float, colour: Colour, width: int, *, sure: bool) -> None:
    corners = _rim(table, at_mm, radius_mm)
    if sure:
        _outline(out, corners, colour, width, sure=True)
        return
    for a, b in zip(corners[::2], corners[1::2], strict=True):
        cv2.line(out, _at(a), _at(b), colour, width, cv2.LINE_AA)


def _rim(table: Table, at_mm: Sequence[float], radius_mm: float) -> Points:
    """A circle on the table as (2 * DASHES, 2) pixels of the frame."""
    turn = np.linspace(0, 2 * np.pi, 2 * DASHES, endpoint=False)
    return table.to_px(points(at_mm) + radius_mm * np.c_[np.cos(turn), np.sin(turn)])


def _word(out: Picture, at: Points, words: str, colour: Colour, unit: int) -> None:
    (w, h), _ = cv2.getTextSize(words, cv2.FONT_HERSHEY_SIMPLEX, 0.5 * unit, unit)
    where = _at(np.array([at[0] - w / 2, at[1] + h / 2]))
    cv2.putText(out, words, where, cv2.FONT_HERSHEY_SIMPLEX, 0.5 * unit, (0, 0, 0), 3 * unit, cv2.LINE_AA)
    cv2.putText(out, words, where, cv2.FONT_HERSHEY_SIMPLEX, 0.5 * unit, colour, unit, cv2.LINE_AA)


def _at(px: Points) -> tuple[int, int]:
    """A place of the frame, corner-counted, as OpenCV's drawing wants it."""
    x, y = np.round(np.clip(np.nan_to_num(px), -9999, 9999) - 0.5)
    return int(x), int(y)
