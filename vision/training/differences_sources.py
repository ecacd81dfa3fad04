"""What pairs are drawn from, parted once and for all: most sprites and photographs train the map, others fit the judge, others measure."""

from functools import lru_cache
from pathlib import Path

import cv2
import numpy as np

from vision.training.differences_scenes import Sources, cut_outs, emoji

PARTS = ("train", "train", "train", "judge", "measure")  # whose the first, second, ... of every five is
LEAST_PX = 200


@lru_cache(maxsize=4)
def sources(font: Path | None, sprites: Path | None, photographs: Path | None, *, part: str) -> Sources:
    """What "train", "judge" or "measure" may use of a bitmap colour emoji font, a folder of cut-out things and one of photographs."""
    things = (emoji(font) if font else []) + (cut_outs(sprites) if sprites else [])
    read = [cv2.imread(str(p)) for p in sorted(photographs.iterdir())] if photographs else []
    pictures = [np.asarray(p, np.uint8) for p in read if p is not None and min(p.shape[:2]) >= LEAST_PX]
    return Sources(
        tuple(s for k, s in enumerate(things) if PARTS[k % len(PARTS)] == part),
        tuple(p for k, p in enumerate(pictures) if PARTS[k % len(PARTS)] == part),
    )
