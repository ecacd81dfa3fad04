"""A picture cut into masks at many thresholds: a thing lends its outline at most of those between it and its ground."""

from collections.abc import Sequence
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

Mask = NDArray[np.uint8]   # (H, W), 0 or 1

FLAT = 8               # a channel whose values lie nearer together shows nothing
EDGES = (20, 50)       # Canny's thresholds


def level_masks(channels: Sequence[NDArray[Any]], *, levels: int, every: int = 1) -> list[Mask]:
    """What is lighter and what is darker than each of some levels of each channel (H, W), single pixels taken out.

    `every`: so many-th pixels tell the span in which the levels lie.
    """
    masks: list[Mask] = []
    for channel in channels:
        low, high = np.percentile(channel[::every, ::every], [2, 98])
        if high - low < FLAT:
            continue
        for level in np.linspace(low, high, levels + 2)[1:-1]:
            lighter = (channel > level).astype(np.uint8)
            for side in (lighter, 1 - lighter):
                masks.append(np.asarray(cv2.morphologyEx(side, cv2.MORPH_OPEN, np.ones((3, 3), np.uint8)), np.uint8))
    return masks


def edge_masks(light: Mask, *, softness_px: float, widths_px: Sequence[int]) -> list[Mask]:
    """The edges (Canny) of lightness (H, W) drawn so wide, and what they enclose."""
    edges = cv2.Canny(cv2.GaussianBlur(light, (0, 0), softness_px), *EDGES)
    masks: list[Mask] = []
    for width in widths_px:
        drawn = (np.asarray(cv2.dilate(edges, np.ones((width, width), np.uint8))) > 0).astype(np.uint8)
        masks += [drawn, 1 - drawn]
    return masks
