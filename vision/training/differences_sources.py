"""What pairs are drawn from, parted once and for all: three quarters of the sprites and photographs train, the rest is held back."""

from functools import lru_cache
from pathlib import Path

import cv2
import numpy as np

from vision.training.differences_pairs import Sources, emoji

HELD_BACK = 4  # every fourth
LEAST_PX = 200


@lru_cache(maxsize=4)
def sources(font: Path | None, photographs: Path | None, *, part: int = 0) -> Sources:
    """Part 0 is for training, part 1 is held back. `photographs` is a folder of pictures, `font` a bitmap colour emoji font."""
    sprites = emoji(font) if font else []
    read = [cv2.imread(str(p)) for p in sorted(photographs.iterdir())] if photographs else []
    pictures = [np.asarray(p, np.uint8) for p in read if p is not None and min(p.shape[:2]) >= LEAST_PX]
    return Sources(
        tuple(s for k, s in enumerate(sprites) if (k % HELD_BACK == HELD_BACK - 1) == bool(part)),
        tuple(p for k, p in enumerate(pictures) if (k % HELD_BACK == HELD_BACK - 1) == bool(part)),
    )
