"""Which side of a photo lies up: the colour one, or the black-and-white one."""

import cv2
import numpy as np

from vision.geometry import Picture
from vision.observation import Side

CUT_PX = (120, 80)
GREY, COLOURED = 0.12, 0.45   # spread of the colour: below the one no colour side, above the other no back was seen


def chroma_spread(picture: Picture) -> float:
    """How much the colour varies, whatever the lamp: the spread of log red/green and log blue/green."""
    soft = cv2.GaussianBlur(picture, (0, 0), 1.0).astype(np.float32) + 6
    blue, green, red = cv2.split(soft)
    lit = (np.asarray(green) > 16) & (np.asarray(soft).max(2) < 250)
    if np.count_nonzero(lit) < 100:
        return float("nan")
    ratios = [np.log(np.asarray(c)[lit] / np.asarray(green)[lit]) for c in (red, blue)]
    low, high = zip(*(np.percentile(r, [8, 92]) for r in ratios), strict=True)
    return float(np.hypot(high[0] - low[0], high[1] - low[1]))


def side_of(spread: float) -> tuple[Side | None, float]:
    """The side and its probability."""
    if not np.isfinite(spread):
        return None, 0.5
    middle = np.sqrt(GREY * COLOURED)
    lean = np.log(spread / middle) / np.log(COLOURED / middle)   # -1 at GREY, 1 at COLOURED
    sure = float(1 / (1 + np.exp(-4 * abs(lean))))
    return ("colour" if lean > 0 else "back"), sure
