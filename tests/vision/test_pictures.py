"""Any picture file is read as a viewer shows it, or refused in one line."""

from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from vision.pictures import LARGEST_PIXELS, PictureError, read

RNG = np.random.default_rng(7)
COLOUR = np.kron(RNG.integers(0, 256, (6, 9, 3), np.uint8), np.ones((4, 4, 1), np.uint8))   # RGB, 24 x 36


def saved(folder: Path, name: str, image: Image.Image, **options: object) -> Path:
    path = folder / name
    image.save(path, **options)
    return path


@pytest.mark.parametrize("name", ["x.png", "x.bmp", "x.tif", "x.webp", "x.ppm"])
def test_lossless_formats_give_the_same_pixels(tmp_path: Path, name: str) -> None:
    """A lossless change of the file format changes nothing."""
    options = {"lossless": True} if name.endswith("webp") else {}
    assert np.array_equal(read(saved(tmp_path, name, Image.fromarray(COLOUR), **options)), COLOUR[..., ::-1])


@pytest.mark.parametrize("orientation", range(1, 9))
def test_exif_orientation_is_applied(tmp_path: Path, orientation: int) -> None:
    """A picture turned by its EXIF tag is the picture whose pixels are turned (reports 22)."""
    turned = {1: lambda p: p, 2: lambda p: p[:, ::-1], 3: lambda p: p[::-1, ::-1], 4: lambda p: p[::-1], 5: lambda p: p.transpose(1, 0, 2),
              6: lambda p: p[::-1].transpose(1, 0, 2), 7: lambda p: p[::-1, ::-1].transpose(1, 0, 2),
              8: lambda p: p[:, ::-1].transpose(1, 0, 2)}
    exif = Image.Exif()
    exif[0x0112] = orientation
    assert np.array_equal(read(saved(tmp_path, "x.png", Image.fromarray(COLOUR), exif=exif))[..., ::-1], turned[orientation](COLOUR))
    plain = read(saved(tmp_path, "plain.jpg", Image.fromarray(COLOUR)))
    assert np.array_equal(read(saved(tmp_path, "x.jpg", Image.fromarray(COLOUR), exif=exif)), turned[orientation](plain))


def test_depths_and_modes_of_one_picture_agree(tmp_path: Path) -> None:
    """Grey, 16-bit, palette and opaque RGBA files of one picture read alike (reports 23)."""
    grey = COLOUR[..., 0]
    as_bgr = np.repeat(grey[..., None], 3, 2)
    images = [Image.fromarray(grey), Image.fromarray(grey.astype(np.uint16) * 257), Image.fromarray(as_bgr).convert("RGBA"),
              Image.fromarray(grey).convert("P"), Image.fromarray(grey).convert("LA")]
    for k, image in enumerate(images):
        assert np.array_equal(read(saved(tmp_path, f"{k}.png", image)), as_bgr), image.mode


def test_alpha_alone_is_seen(tmp_path: Path) -> None:
    """A change of transparency alone changes what is read (reports 23)."""
    rgba = np.dstack([COLOUR, np.full(COLOUR.shape[:2], 255, np.uint8)])
    clear = rgba.copy()
    clear[4:12, 4:12, 3] = 0
    assert not np.array_equal(read(saved(tmp_path, "a.png", Image.fromarray(rgba))), read(saved(tmp_path, "b.png", Image.fromarray(clear))))


def test_cmyk_jpeg_is_read_in_colour(tmp_path: Path) -> None:
    """A CMYK JPEG comes out as the colours that it stands for."""
    read_back = read(saved(tmp_path, "x.jpg", Image.fromarray(np.full((16, 16, 3), (200, 30, 30), np.uint8)).convert("CMYK"), quality=95))
    assert np.abs(read_back.astype(int) - [30, 30, 200]).max() < 12


def test_what_cannot_be_read_is_said_in_one_line(tmp_path: Path) -> None:
    """Each kind of trouble is one line that names the file."""
    (tmp_path / "empty.png").touch()
    whole = saved(tmp_path, "whole.jpg", Image.fromarray(np.tile(COLOUR, (20, 20, 1)))).read_bytes()
    (tmp_path / "cut.jpg").write_bytes(whole[: len(whole) // 2])
    (tmp_path / "text.png").write_text("no picture")
    (tmp_path / "loop.png").symlink_to(tmp_path / "loop.png")
    (tmp_path / "two\nlines.png").write_text("no picture")
    for name in ("empty.png", "cut.jpg", "text.png", "loop.png", "two\nlines.png", "missing.png", "."):
        with pytest.raises(PictureError) as trouble:
            read(tmp_path / name)
        assert "\n" not in str(trouble.value) and len(str(trouble.value)) > len(str(tmp_path))


def test_a_photograph_cut_short_is_told_though_its_thumbnail_is_whole(tmp_path: Path) -> None:
    """What cameras write before the picture holds a small one with an end of its own."""
    thumbnail = saved(tmp_path, "small.jpg", Image.fromarray(COLOUR)).read_bytes()
    exif = b"Exif\0\0" + thumbnail
    whole = saved(tmp_path, "whole.jpg", Image.fromarray(np.tile(COLOUR, (20, 20, 1))), exif=exif).read_bytes()
    assert read(tmp_path / "whole.jpg").shape == (480, 720, 3)
    (tmp_path / "cut.jpg").write_bytes(whole[: len(whole) // 2])
    with pytest.raises(PictureError, match="cut short"):
        read(tmp_path / "cut.jpg")


def test_a_pixel_bomb_is_refused_before_it_is_unpacked(tmp_path: Path) -> None:
    """A small file that claims to be enormous is refused by its header."""
    side = int(LARGEST_PIXELS ** 0.5) + 10
    path = saved(tmp_path, "bomb.png", Image.new("1", (side, side)))
    with pytest.raises(PictureError, match="megapixels"):
        read(path)
