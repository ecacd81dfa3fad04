"""What a person could do so that more is seen: about light on a photo, a photo that lies on the other, too little or too much light."""

from collections.abc import Sequence

import numpy as np

from vision.cv import brightest, darkest
from vision.geometry import Picture, Points, iou, points
from vision.glare import BURNT, spots
from vision.stillness import shrink
from vision.topview import View

CUT_PX = (180, 120)      # a photo is looked at in this size
DARK = 70                # the light parts of the picture are no lighter: with the sensor's noise, faint inks begin to get lost
TOO_DARK = 30            # ... and here so much is lost that nothing should be ruled
LIGHT_AGAIN = 40         # ... until it is lighter than this
LIGHT_PARTS = 98         # percentile
TOO_BRIGHT_PART = 0.35   # of the picture, burnt out: a white cloth in the sun, or a camera that takes in too much
OVERLAP = 0.005          # IoU of two photos: outlines that only touch have less

GLARE = ("glare-left-photo", "glare-right-photo")


def brightness(frame: Picture) -> float:
    """How light the light parts of a frame are, 0..255."""
    return float(np.percentile(brightest(shrink(frame)), LIGHT_PARTS))


def advice(view: View, photos: Sequence[Points]) -> tuple[str, ...]:
    """Keys of what hinders: of the whole table, then of the photos (quads (4, 2) in mm), the left one first."""
    small = shrink(view.frame)
    out = ["dark"] if brightness(small) < DARK else []
    out += ["bright"] if float((darkest(small) >= BURNT).mean()) > TOO_BRIGHT_PART else []
    quads = sorted((points(q) for q in photos), key=lambda q: float(q[:, 0].mean()))
    burnt = [bool(spots(view.cut(q, *CUT_PX))) for q in quads]
    if len(quads) == 2:
        out += [key for key, spoilt in zip(GLARE, burnt, strict=True) if spoilt]
        out += ["photos-overlap"] if iou(*quads) > OVERLAP else []
    elif any(burnt):
        out.append("glare")
    return tuple(out)
