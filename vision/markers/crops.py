"""What the numeral network is shown and what it says: crops of the table, classes and pose."""

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.geometry import Points
from vision.topview import TopView

CROP_PX = 40            # side of a crop
CROP_SIZES = 1.3        # a crop is this many marker sizes wide
NONE = 0                # class 0: no marker; 1..10: that marker; then tokens
TOKEN_NUMBER, TOKEN_DOWN, TOKEN_PICTURE = 11, 12, 13
CLASSES = 14
POSE = 7                # middle x, y of what is seen; log of its size to the size cut for; turn (cos, sin); foot x, y (in crop sides)


def cut_crops(top: TopView, at_mm: Points, size_mm: NDArray[np.float64], turn: NDArray[np.float64], *, px: int = CROP_PX,
              sizes: float = CROP_SIZES) -> NDArray[np.uint8]:
    """(n, px, px, …) crops of the view's picture round n places, each `sizes` times as wide as a piece of that size.

    A piece that lies turned clockwise by `turn` (radians) stands upright in its crop.
    """
    out = np.empty((len(at_mm), px, px, *top.picture.shape[2:]), np.uint8)
    side = np.asarray(size_mm) * sizes * top.px_per_mm
    fine = np.where(side < 1.3 * px, px, 2 * px)             # sampled finely, then averaged, where the view has more pixels
    c, s = np.cos(turn) * side / fine, np.sin(turn) * side / fine
    start = top.to_px(at_mm).T - 0.5 - np.array([c - s, s + c]) * (fine / 2 - 0.5)
    matrices = np.array([[c, -s, start[0]], [s, c, start[1]]]).transpose(2, 0, 1)
    how = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    for i, (m, n) in enumerate(zip(matrices, fine.tolist(), strict=True)):
        cut = cv2.warpAffine(top.picture, m, (n, n), flags=how, borderMode=cv2.BORDER_REPLICATE)
        out[i] = cut if n == px else cv2.resize(cut, (px, px), interpolation=cv2.INTER_AREA)
    return out


def placed(in_crop: NDArray[np.float64], at_mm: Points, size_mm: NDArray[np.float64], turn: NDArray[np.float64]) -> Points:
    """Places (n, 2) in crop sides off each crop's middle -> table mm."""
    side = (size_mm * CROP_SIZES)[:, None]
    c, s = np.cos(turn), np.sin(turn)
    x, y = in_crop[:, 0], in_crop[:, 1]
    return np.asarray(at_mm + side * np.c_[c * x - s * y, s * x + c * y], np.float64)


def normalised(crops: NDArray[np.uint8], *, least_spread: float = 4) -> NDArray[np.float32]:
    """(n, h, w, channels) -> (n, channels, h, w), each crop with mean 0 and spread 1 over all its channels.

    `least_spread` is added to what it is divided by, so that the noise of an even crop stays small.
    """
    n, height, width, channels = crops.shape
    x = np.ascontiguousarray(crops.transpose(0, 3, 1, 2), np.float32).reshape(n, channels * height * width)
    x -= x.mean(1, keepdims=True)
    spread = np.sqrt(np.einsum("ij,ij->i", x, x) / x.shape[1])
    x /= spread[:, None] + least_spread
    return x.reshape(n, channels, height, width)
