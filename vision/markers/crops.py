"""What the numeral network is shown and what it says: crops of the table, classes and pose."""

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.geometry import Picture, Points
from vision.topview import TopView

CROP_PX = 40            # side of a crop
CROP_SIZES = 1.3        # a crop is this many marker sizes wide
NONE = 0                # class 0: no marker; 1..10: that marker; then tokens
TOKEN_NUMBER, TOKEN_DOWN, TOKEN_PICTURE = 11, 12, 13
CLASSES = 14
POSE = 7                # middle x, y of what is seen; log of its size to the size cut for; turn (cos, sin); foot x, y (in crop sides)


def cut_crops(top: TopView, at_mm: Points, size_mm: NDArray[np.float64], turn: NDArray[np.float64], *, px: int = CROP_PX,
              sizes: float = CROP_SIZES) -> NDArray[np.uint8]:
    """(n, px, px, 3) BGR round n places, each `sizes` times as wide as a piece of that size.

    A piece that lies turned clockwise by `turn` (radians) stands upright in its crop.
    """
    out = np.empty((len(at_mm), px, px, 3), np.uint8)
    middles = top.to_px(at_mm)
    for i, (middle, size, angle) in enumerate(zip(middles, size_mm, turn, strict=True)):
        side = float(size * sizes * top.px_per_mm)
        fine = px if side < 1.3 * px else 2 * px        # sampled finely, then averaged, where the view has more pixels
        linear = _turned(float(angle)) * (side / fine)
        shift = middle - 0.5 - linear @ np.full(2, fine / 2 - 0.5)
        m = np.array([[linear[0, 0], linear[0, 1], shift[0]], [linear[1, 0], linear[1, 1], shift[1]]])
        how = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
        cut = cv2.warpAffine(top.picture, m, (fine, fine), flags=how, borderMode=cv2.BORDER_REPLICATE)
        out[i] = cut if fine == px else cv2.resize(cut, (px, px), interpolation=cv2.INTER_AREA)
    return out


def placed(in_crop: NDArray[np.float64], at_mm: Points, size_mm: NDArray[np.float64], turn: NDArray[np.float64]) -> Points:
    """Places (n, 2) in crop sides off each crop's middle -> table mm."""
    side = (size_mm * CROP_SIZES)[:, None]
    c, s = np.cos(turn), np.sin(turn)
    x, y = in_crop[:, 0], in_crop[:, 1]
    return np.asarray(at_mm + side * np.c_[c * x - s * y, s * x + c * y], np.float64)


def normalised(crops: Picture) -> NDArray[np.float32]:
    """(n, CROP_PX, CROP_PX, 3) BGR -> (n, 3, CROP_PX, CROP_PX), each crop with mean 0 and spread 1 over all its channels."""
    x = np.ascontiguousarray(crops.transpose(0, 3, 1, 2), np.float32)
    x -= x.mean((1, 2, 3), keepdims=True)
    return np.asarray(x / (x.std((1, 2, 3), keepdims=True) + 4), np.float32)


def _turned(angle: float) -> NDArray[np.float64]:
    c, s = np.cos(angle), np.sin(angle)
    return np.array([[c, -s], [s, c]])
