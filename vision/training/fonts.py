"""Numerals, letters and signs from a folder of fonts, as ink masks.

numerals.onnx and glance.onnx saw 317 faces of free fonts, all of them Debian packages: fonts-dejavu, -liberation, -urw-base35, -lato,
-roboto-unhinted, -roboto-slab, -open-sans, -cantarell, -comic-neue, -crosextra-carlito, -crosextra-caladea, -dosis, -cabin, -quicksand,
-league-spartan, -bebas-neue, -ebgaramond, -jura, -karla, -lobstertwo, -oldstandard, -play, -quattrocento, -sora, -vollkorn, -tuffy,
-texgyre, -b612, -comfortaa, -courier-prime, -opendin, -arapey, -go, -yanone-kaffeesatz, -sil-andika-compact, -paratype, -manrope,
-inconsolata, -humor-sans, -atarismall, -allerta, -dustin, -national-park, -oxygen, -averia-sans-gwf, -blankenburg, -femkeklaver,
-gfs-didot, -linuxlibertine, -junction, -breip, -isabella. None of them is shipped.

Faces with hairlines are read worst: a camera loses the thin strokes first. upright.onnx learnt from 579 faces and was judged by 94 of
other families: those above, and of -cmu, -lmodern, -solide-mirage, -century-catalogue, -gfs-bodoni-classic, -gfs-artemisia,
-gfs-neohellenic, -stix, -goudybookletter, -prociono, -lindenhill, -adf-romande, -freefont-ttf, -gnutypewriter, -sil-charis and
-noto-core.
"""

import re
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont

GLYPH_PX = 72                                     # height of a stored mask
NUMERALS = tuple(str(n) for n in range(1, 11))
OTHERS = (*"ABCDEFGHKLMNPRSTUVXYZ&%#+=", "0", "11", "12", "17", "20", "34", "50", "100")
SPLIT_EVERY = 7                                   # each seventh family is kept for judging
TOO_THIN = re.compile("thin|hairline|extralight|outline", re.IGNORECASE)   # nothing of their ink is left at ten pixels

Mask = NDArray[np.uint8]


class FontsError(ValueError):
    """The folder gives too few usable faces; the message says what to do."""


@dataclass(frozen=True)
class Face:
    """One typeface: text -> (GLYPH_PX, width) uint8 mask of its ink, cut to the ink."""

    name: str
    ink: dict[str, Mask]


def read_faces(folder: Path, *, at_least: int = 80) -> tuple[tuple[Face, ...], tuple[Face, ...]]:
    """Faces to train on and faces to judge by, from all .ttf and .otf files under `folder`, in the order of their names.

    A face that lacks a numeral or draws two numerals alike (icon fonts) is left out. Raises FontsError if fewer than `at_least` remain.
    """
    files = [p for p in folder.rglob("*") if p.suffix.lower() in (".ttf", ".otf") and not TOO_THIN.search(p.stem)]
    faces = [face for face in map(_read, sorted(files, key=lambda p: p.name)) if face]
    if len(faces) < at_least:
        raise FontsError(f"{folder}: {len(faces)} usable fonts, {at_least} or more are needed; "
                         "the head of vision/training/fonts.py says where to get them")
    families = sorted({family(f) for f in faces})
    kept = set(families[::SPLIT_EVERY])
    return tuple(f for f in faces if family(f) not in kept), tuple(f for f in faces if family(f) in kept)


def family(face: Face) -> str:
    """The part of a face's name that its bold and italic sisters share."""
    return face.name.split("-")[0].split("_")[0]


def _read(path: Path) -> Face | None:
    try:
        font = ImageFont.truetype(str(path), GLYPH_PX)
        ink = {text: _draw(font, text) for text in (*NUMERALS, *OTHERS, "?")}
    except (OSError, ValueError):
        return None
    shapes = {cv2.resize(ink[n], (24, 24), interpolation=cv2.INTER_AREA).tobytes() for n in NUMERALS}
    return Face(path.stem, ink) if len(shapes) == len(NUMERALS) else None


def _draw(font: ImageFont.FreeTypeFont, text: str) -> Mask:
    """Raises ValueError where the font draws nothing."""
    left, top, right, bottom = (int(v) for v in font.getbbox(text))
    if right <= left or bottom <= top:
        raise ValueError(text)
    page = Image.new("L", (right - left + 4, bottom - top + 4))
    ImageDraw.Draw(page).text((2 - left, 2 - top), text, fill=255, font=font)
    mask = np.asarray(page, np.uint8)
    rows, columns = np.flatnonzero(mask.max(1)), np.flatnonzero(mask.max(0))
    if len(rows) == 0:
        raise ValueError(text)
    mask = mask[rows[0]:rows[-1] + 1, columns[0]:columns[-1] + 1]
    width = max(3, round(mask.shape[1] * GLYPH_PX / mask.shape[0]))
    if width > 4 * GLYPH_PX:
        raise ValueError(text)
    return np.asarray(cv2.resize(mask, (width, GLYPH_PX), interpolation=cv2.INTER_AREA), np.uint8)
