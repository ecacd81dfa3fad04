"""Scans for the tests: cards laid on a scanner's bed, a little turned, with the scanner's noise."""

from collections.abc import Sequence

import cv2
import numpy as np

from vision.geometry import Picture, Points, rectangle

WIDTH, HEIGHT = 1480, 1050          # A4 at 127 dpi: five pixels a millimetre
AT = ((380, 270), (1080, 270), (380, 770), (1080, 770))


def scan(cards: Sequence[Picture], rng: np.random.Generator, *, bed: int = 246, most_deg: float = 4.0,
         turns: Sequence[float] = (0, 0, 0, 0)) -> tuple[Picture, list[Points]]:
    """Up to four cards, each turned by `turns` degrees and some more; and their corners."""
    picture = np.full((HEIGHT, WIDTH, 3), bed, np.float32)
    quads = []
    for card, at, turn in zip(cards, AT, turns, strict=False):
        h, w = card.shape[:2]
        centre = np.array(at) + rng.uniform(-15, 15, 2)
        quad = rectangle(centre, (w, h), turn + float(rng.uniform(-most_deg, most_deg)))
        corners = np.array([[0, 0], [w, 0], [w, h], [0, h]], np.float32) - 0.5
        matrix = cv2.getPerspectiveTransform(corners.astype(np.float32), (quad - 0.5).astype(np.float32))
        laid = cv2.warpPerspective(card, matrix, (WIDTH, HEIGHT), flags=cv2.INTER_AREA)
        there = cv2.warpPerspective(np.full((h, w), 1.0, np.float32), matrix, (WIDTH, HEIGHT), flags=cv2.INTER_LINEAR)[..., None]
        picture = picture * (1 - there) + laid * there
        quads.append(quad)
    picture = cv2.GaussianBlur(picture, (0, 0), 0.6) + rng.normal(0, 2.0, picture.shape)
    return np.asarray(np.clip(picture, 0, 255), np.uint8), quads
