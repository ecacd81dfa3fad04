"""Reading any picture file as a viewer shows it: one array, and one clear line when it cannot be read.

EXIF orientation is applied, transparency is laid on a checkerboard (so a change of alpha alone is a change of pixels), 16-bit,
palette, grey and CMYK pictures become 8-bit colour. Only the first picture of a file with several is read.
"""

import io
import os
import stat
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from PIL import ExifTags, Image, ImageOps, UnidentifiedImageError

from vision.files import reason
from vision.geometry import Picture

LARGEST_PIXELS = 120_000_000  # ten times a 12-megapixel photograph; more is a mistake or a bomb
LARGEST_BYTES = 500_000_000  # of a file; an uncompressed picture of so many pixels is smaller
SUFFIXES = frozenset({".jpg", ".jpeg", ".png", ".webp", ".tif", ".tiff", ".bmp", ".gif", ".heic", ".heif", ".avif", ".ppm", ".pgm", ".jp2"})
CHECK_PX = 8  # the side of a square of the checkerboard under transparent pixels
CHECK_LEVELS = (204, 255)
START_OF_SCAN, END_OF_JPEG = b"\xda", b"\xff\xd9"
UPRIGHT: dict[int, tuple[Callable[[Any], Any], ...]] = {  # by EXIF's orientation
    2: (np.fliplr,),
    3: (np.flipud, np.fliplr),
    4: (np.flipud,),
    5: (cv2.transpose,),
    6: (cv2.transpose, np.fliplr),
    7: (cv2.transpose, np.flipud, np.fliplr),
    8: (cv2.transpose, np.flipud),
}

try:  # HEIC is read where its decoder is installed
    from pillow_heif import register_heif_opener  # type: ignore[import-not-found]
except ImportError:
    pass
else:
    register_heif_opener()


class PictureError(ValueError):
    """A picture that cannot be used; the message is one line: what, where, and what to do."""


def is_picture_name(path: Path) -> bool:
    """Whether the file's name ends as a picture's does."""
    return path.suffix.lower() in SUFFIXES


def one_line(path: Path | str) -> str:
    """A path as it can stand in a message: control characters (a newline in a name) written out."""
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in os.fspath(path))


def read(path: Path | str) -> Picture:
    """The picture of a file, (H, W, 3) uint8, BGR, as a viewer shows it. Raises PictureError."""
    return decode(read_bytes(Path(path)), name=one_line(path))


def decode(data: bytes, *, name: str = "the picture") -> Picture:
    """The picture in the bytes of a file, (H, W, 3) uint8, BGR. `name` stands in the message of a PictureError."""
    if not data:
        raise PictureError(f"{name}: the file is empty; copy or save the picture again")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            image = Image.open(io.BytesIO(data))
            w, h = image.size
            if w * h > LARGEST_PIXELS:
                raise PictureError(f"{name}: {w}x{h} pixels are more than {LARGEST_PIXELS // 1_000_000} megapixels; save it smaller")
            picture = _photograph(image, data)
            if picture is not None:
                return picture
            image.load()
            ImageOps.exif_transpose(image, in_place=True)
            return _as_bgr(image)
    except PictureError:
        raise
    except Image.DecompressionBombError as e:
        raise PictureError(f"{name}: more than {LARGEST_PIXELS // 1_000_000} megapixels; save it smaller") from e
    except UnidentifiedImageError as e:
        advice = "HEIC needs the package pillow-heif; or save it as JPEG" if _looks_like_heic(data) else "save it as PNG or JPEG elsewhere"
        raise PictureError(f"{name}: not a picture that can be read here; {advice}") from e
    except Exception as e:  # a decoder may raise anything on broken bytes
        why = str(e).splitlines()[0] if str(e) else type(e).__name__
        raise PictureError(f"{name}: the file is damaged or cut short ({why}); copy or save the picture again") from e


def _photograph(image: Image.Image, data: bytes) -> Picture | None:
    """A whole JPEG in colour, as cameras write them: OpenCV reads it to the same pixels in a third of the time. None: it is no such."""
    if image.format not in ("JPEG", "MPO") or image.mode != "RGB" or not _is_whole(data):
        return None
    picture: Any = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR | cv2.IMREAD_IGNORE_ORIENTATION)
    if picture is None or picture.shape[:2] != image.size[::-1]:
        return None
    for turn in UPRIGHT.get(image.getexif().get(ExifTags.Base.Orientation, 1), ()):
        picture = turn(picture)
    return np.ascontiguousarray(picture, np.uint8)


def _is_whole(jpeg: bytes) -> bool:
    """Whether the end of the picture follows its beginning; a thumbnail among what is told of it has an end of its own."""
    at = 2
    while jpeg[at : at + 1] == b"\xff" and jpeg[at + 1 : at + 2] != START_OF_SCAN:
        at += 2 + int.from_bytes(jpeg[at + 2 : at + 4], "big")
    return jpeg.find(END_OF_JPEG, at) > 0


def read_bytes(path: Path) -> bytes:
    """The bytes of a file. Raises PictureError where there is no file to read."""
    name = one_line(path)
    try:
        found = os.stat(path)
    except FileNotFoundError as e:
        raise PictureError(f"{name}: there is no such file; check the name") from e
    except (OSError, ValueError) as e:
        raise PictureError(f"{name}: cannot be read ({reason(e)}); check the file and its permissions") from e
    if stat.S_ISDIR(found.st_mode):
        raise PictureError(f"{name}: this is a folder; name a picture file (or compare a whole folder with `companion audit`)")
    if not stat.S_ISREG(found.st_mode):
        raise PictureError(f"{name}: not a file; name a picture file")
    if found.st_size > LARGEST_BYTES:
        raise PictureError(f"{name}: larger than {LARGEST_BYTES // 1_000_000} MB; save it smaller")
    try:
        return path.read_bytes()
    except OSError as e:
        raise PictureError(f"{name}: cannot be read ({reason(e)}); check the file and its permissions") from e


def _as_bgr(image: Image.Image) -> Picture:
    if image.mode in ("I;16", "I;16B", "I;16L", "I", "F"):
        return cv2.cvtColor(_eight_bits(np.asarray(image)), cv2.COLOR_GRAY2BGR)  # type: ignore[return-value]
    if image.mode in ("RGBA", "LA", "PA", "La", "RGBa") or "transparency" in image.info:
        return _on_checkerboard(np.asarray(image.convert("RGBA")))
    return cv2.cvtColor(np.asarray(image if image.mode == "RGB" else image.convert("RGB")), cv2.COLOR_RGB2BGR)  # type: ignore[return-value]


def _eight_bits(grey: np.ndarray) -> Picture:
    """Grey of more than 8 bits: 16-bit values by their high byte; floats of 0..1 as 0..255, others by their own range."""
    if grey.dtype.kind in "ui" and grey.size and grey.min() >= 0 and grey.max() <= 0xFFFF:
        return (grey.astype(np.uint32) >> 8).astype(np.uint8)
    values = np.nan_to_num(grey.astype(np.float64))
    low, high = (0.0, 1.0) if values.min() >= 0 and values.max() <= 1 else (float(values.min()), float(values.max()))
    return np.rint((values - low) * (255 / max(high - low, 1e-12))).astype(np.uint8)


def _on_checkerboard(rgba: np.ndarray) -> Picture:
    h, w = rgba.shape[:2]
    alpha = rgba[..., 3:].astype(np.uint32)
    y, x = np.ogrid[:h, :w]
    board = np.where((x // CHECK_PX + y // CHECK_PX) % 2, CHECK_LEVELS[1], CHECK_LEVELS[0]).astype(np.uint32)[..., None]
    mixed = (rgba[..., 2::-1] * alpha + board * (255 - alpha) + 127) // 255
    return np.ascontiguousarray(mixed.astype(np.uint8))


def _looks_like_heic(data: bytes) -> bool:
    return data[4:8] == b"ftyp" and data[8:12] in (b"heic", b"heix", b"mif1", b"msf1", b"hevc")
