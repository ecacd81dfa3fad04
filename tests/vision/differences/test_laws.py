"""The laws of counting: exactly, on any readable picture; and on pairs whose differences are plain to see."""

import io
import tempfile
from pathlib import Path

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image

from tests.vision.differences_pictures import jpeg, scene, stickers, warped
from vision.differences import count_differences
from vision.geometry import Picture
from vision.pictures import decode, read

SITES = [(x, y) for x in (90, 240, 400, 560, 710) for y in (90, 230, 370, 510)]
LOSSLESS = {
    "png": {},
    "bmp": {},
    "tiff": {"compression": "tiff_lzw"},
    "webp": {"lossless": True, "exact": True},
    "ppm": {},
    "jpeg2000": {"irreversible": False},
}
UNDONE = {1: None, 2: 0, 3: 3, 4: 1, 5: 5, 6: 2, 7: 6, 8: 4}  # Pillow's transposition that each EXIF tag takes back


@given(
    seed=st.integers(0, 2**32 - 1),
    width=st.integers(1, 70),
    height=st.integers(1, 70),
    kind=st.sampled_from(sorted(LOSSLESS)),
    orientation=st.integers(1, 8),
)
@settings(max_examples=60, deadline=None)
def test_file_format_and_exif_change_nothing(seed: int, width: int, height: int, kind: str, orientation: int) -> None:
    """Any picture, saved in any lossless format, or as PNG turned by its EXIF tag, is the same picture to the last bit."""
    picture = np.random.default_rng(seed).integers(0, 256, (height, width, 3), np.uint8)
    image = Image.fromarray(picture[..., ::-1].copy())
    plain, tagged = io.BytesIO(), io.BytesIO()
    image.save(plain, kind, **LOSSLESS[kind])
    exif = Image.Exif()
    exif[0x0112] = orientation
    undone = UNDONE[orientation]
    (image if undone is None else image.transpose(Image.Transpose(undone))).save(tagged, "png", exif=exif)

    for data in (plain, tagged):
        said = count_differences(picture, decode(data.getvalue()))
        assert (said.same_picture, said.count, said.probability) == (True, 0, 1.0)


def turned(quarters: int, picture: Picture) -> Picture:
    return np.ascontiguousarray(np.rot90(picture, quarters))


PLAIN = st.one_of(
    st.integers(0, 3).map(lambda k: ("turned", lambda p: turned(k, p))),
    st.just(("jpeg 90", lambda p: jpeg(p, 90))),
    st.floats(0.75, 1.0).map(lambda k: (f"exposure {k:.2f}", lambda p: (p * k).astype(np.uint8))),
    st.tuples(st.floats(-2, 2), st.floats(-2, 2)).map(lambda s: (f"shift {s}", lambda p: warped(p, shift=s))),
)


@given(seed=st.integers(0, 10**6), where=st.sets(st.sampled_from(SITES), max_size=6), seen=PLAIN)
@settings(max_examples=8, deadline=None, derandomize=True)  # minutes are not spent on luck
def test_what_plainly_differs_is_counted_however_it_is_seen(seed: int, where: set[tuple[int, int]], seen: tuple) -> None:  # type: ignore[type-arg]
    """Quarter turns, JPEG of quality 90, less light and a shift by up to two pixels do not change the count."""
    _, look = seen
    first = scene(seed)

    assert count_differences(first, look(stickers(first, sorted(where)))).count == len(where)


@pytest.mark.parametrize("where", [[], SITES[:3]], ids=["none", "three"])
def test_more_light_does_not_change_the_count(where: list[tuple[int, int]]) -> None:
    """A quarter more exposure, with whatever burns out."""
    first = scene(3)

    assert count_differences(first, np.clip(stickers(first, where) * 1.25, 0, 255).astype(np.uint8)).count == len(where)


INPUTS = {
    "half the size": lambda p: cv2.resize(p, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA),
    "larger": lambda p: cv2.resize(p, None, fx=1.7, fy=1.7, interpolation=cv2.INTER_CUBIC),
    "stretched": lambda p: cv2.resize(p, (800, 700)),
    "upside down": lambda p: turned(2, p),
    "cropped": lambda p: p[40:, 50:],
    "16 bit": lambda p: p.astype(np.uint16) * 257,
}
FILES = {
    "png with alpha": ("x.png", lambda image: image.convert("RGBA"), {}),
    "cmyk jpeg": ("x.jpg", lambda image: image.convert("CMYK"), {"quality": 92}),
    "webp": ("x.webp", lambda image: image, {"quality": 85}),
    "avif": ("x.avif", lambda image: image, {"quality": 85}),
    "tiff": ("x.tif", lambda image: image, {"compression": "tiff_lzw"}),
    "grey": ("x.png", lambda image: image.convert("L"), {}),
    "16-bit grey": ("x.png", lambda image: Image.fromarray(np.asarray(image.convert("L"), np.uint16) * 257), {}),
}
A = scene(3)
THREE = [(150, 150), (420, 300), (640, 460)]


@pytest.mark.parametrize("kind", INPUTS)
def test_pictures_of_any_size_and_turn_are_compared(kind: str, tmp_path: Path) -> None:
    """Another size, another shape, upside down, a part only, 16 bits: the three stickers are counted."""
    cv2.imwrite(str(tmp_path / "b.png"), INPUTS[kind](stickers(A, THREE)))

    assert count_differences(A, read(tmp_path / "b.png")).count == 3


@pytest.mark.parametrize("kind", FILES)
def test_files_of_any_kind_are_compared(kind: str, tmp_path: Path) -> None:
    """Alpha, CMYK, WebP, AVIF, TIFF, grey against colour: the three stickers are counted."""
    name, change, options = FILES[kind]
    change(Image.fromarray(stickers(A, THREE)[..., ::-1].copy())).save(tmp_path / name, **options)

    assert count_differences(A, read(tmp_path / name)).count == 3


def test_heic_is_read_where_its_decoder_is_there_and_named_where_not() -> None:
    """A phone's HEIC photo is compared, or the one line says which package reads it."""
    heif = pytest.importorskip("pillow_heif", reason="HEIC needs pillow-heif, which is not installed")
    with tempfile.TemporaryDirectory() as folder:
        heif.from_pillow(Image.fromarray(stickers(A, THREE)[..., ::-1].copy())).save(Path(folder) / "x.heic", quality=90)

        assert count_differences(A, read(Path(folder) / "x.heic")).count == 3
