"""What goes wrong for people who compare pictures (public reports 17 to 27), each as a small case. 24 and 25 are in tests/cli."""

from pathlib import Path

import cv2
import numpy as np
import pytest
from PIL import Image

from tests.vision.differences_pictures import greyed, jpeg, overlap, scene, stickers, warped
from vision.differences import Side, compare, count_differences
from vision.differences.align import LEAST_INLIERS, Refusal, align, features, hypotheses, one_to_one
from vision.geometry import Picture, Points
from vision.pictures import PictureError, read

A = scene(3)
THREE = [(150, 150), (420, 300), (640, 460)]
FIVE = [*THREE, (300, 480), (620, 120)]


def patched(picture: Picture, x: int, y: int, side: int, colour: tuple[int, int, int]) -> Picture:
    out = picture.copy()
    out[y : y + side, x : x + side] = colour
    return out


# ---------------------------------------------------------------- 17, 18, 19, 20: small, pale, shifted


SHIFTS = {"1 px": {"shift": (1, 0)}, "2.5 px": {"shift": (2.5, -1.5)}, "3 degrees and 2 %": {"degrees": 3.0, "scale": 1.02}}


@pytest.mark.parametrize("moved", SHIFTS.values(), ids=SHIFTS)
def test_a_shift_is_no_difference_and_hides_none(moved: dict[str, float]) -> None:
    """Report 17: shifted, turned or scaled: none; with one 40 x 40 patch: one, wherever it lies."""
    changed = patched(A, 380, 280, 40, (40, 220, 250))

    assert count_differences(A, warped(A, **moved)).count == 0  # type: ignore[arg-type]
    assert count_differences(A, warped(changed, **moved)).count == 1  # type: ignore[arg-type]


@pytest.mark.parametrize("margin", [(0, 0), (2000, 1500)], ids=["4000 x 3000", "padded to 8000 x 6000"])
def test_a_small_change_in_a_large_picture(margin: tuple[int, int]) -> None:
    """Report 18: 20 x 20 pixels of 12 million, or of 48, are one difference, and the box is theirs."""
    x, y = margin
    large = cv2.resize(scene(5, 1600, 1200, things=300), (4000, 3000), interpolation=cv2.INTER_CUBIC)
    pair = [
        np.asarray(cv2.copyMakeBorder(p, y, y, x, x, cv2.BORDER_CONSTANT, value=(128, 128, 128)), np.uint8)
        for p in (large, patched(np.asarray(large, np.uint8), 2003, 1507, 20, (30, 240, 30)))
    ]

    said = count_differences(*pair)

    assert said.count == 1
    assert overlap(said.places[0].a, (2003.0 + x, 1507.0 + y, 20.0, 20.0)) >= 0.5


@pytest.mark.parametrize("side", [30, 60, 150])
def test_a_pale_patch_is_seen(side: int) -> None:
    """Report 19: a patch that is four steps of L* lighter is one difference, however large it is."""
    lab = cv2.cvtColor(A.astype(np.float32) / 255, cv2.COLOR_BGR2LAB)
    where = np.zeros(A.shape[:2], bool)
    where[200 : 200 + side, 300 : 300 + side] = True
    lab[where, 0] += 4
    lighter = np.clip(cv2.cvtColor(lab, cv2.COLOR_LAB2BGR) * 255 + 0.5, 0, 255).astype(np.uint8)

    assert count_differences(A, np.where(where[..., None], lighter, A)).count == 1


def test_hot_pixels_are_no_difference() -> None:
    """Report 19: seven single pixels of the sensor."""
    hot = A.copy()
    for x, y in np.random.default_rng(1).integers(10, 590, (7, 2)):
        hot[y, x] = 255 - hot[y, x]

    assert count_differences(A, hot).count == 0


def test_a_change_of_hue_alone() -> None:
    """Report 20: one in colour; on the black-and-white sides none, and where one side has colour the note says why."""
    first, second = (patched(A, 360, 240, 60, colour) for colour in ((60, 110, 200), (200, 154, 60)))  # of one grey

    assert count_differences(first, second).count == 1
    assert count_differences(greyed(first), greyed(second)).count == 0
    mixed = compare(Side(greyed(first)), Side(second))
    assert mixed.differences.count == 0 and any("hue" in note for note in mixed.notes)
    both = compare(Side(greyed(first)), Side(jpeg(greyed(second), 92)))
    assert both.differences.count == 0 and any("hue" in note for note in both.notes)


# ---------------------------------------------------------------- 21, 22, 23: files


def test_one_pixel_is_not_the_same_as_a_photo() -> None:
    """Report 21: sizes that cannot be compared are refused with a reason, never "equal"; another height alone is cropped or refused."""
    for small in (np.full((1, 1, 3), 128, np.uint8), A[:1, :1]):
        said = compare(Side(small), Side(A))
        assert said.differences.same_picture is False and said.differences.count is None and said.why

    assert count_differences(A, A[:450]).count == 0
    assert any("only one" in note for note in compare(Side(A), Side(A[:450])).notes)


def test_empty_and_cut_files_are_refused(tmp_path: Path) -> None:
    """Report 21: an empty file and a truncated JPEG are named, never compared."""
    whole = cv2.imencode(".jpg", A)[1].tobytes()
    for name, data in {"empty.jpg": b"", "cut.jpg": whole[: len(whole) // 2]}.items():
        (tmp_path / name).write_bytes(data)
        with pytest.raises(PictureError, match=name):
            read(tmp_path / name)


@pytest.mark.parametrize("orientation", range(1, 9))
def test_exif_orientation_is_no_difference(tmp_path: Path, orientation: int) -> None:
    """Report 22: turned by its tag and turned in its pixels is the same picture, exactly."""
    undone = {1: None, 2: 0, 3: 3, 4: 1, 5: 5, 6: 2, 7: 6, 8: 4}[orientation]  # Pillow's transposition that the tag takes back
    stored = Image.fromarray(A[..., ::-1].copy())
    stored = stored if undone is None else stored.transpose(Image.Transpose(undone))
    exif = Image.Exif()
    exif[0x0112] = orientation
    stored.save(tmp_path / "tagged.png", exif=exif)

    said = count_differences(A, read(tmp_path / "tagged.png"))

    assert (said.count, said.probability) == (0, 1.0)


def test_alpha_alone_is_a_difference_and_formats_are_none(tmp_path: Path) -> None:
    """Report 23: a hole in the alpha is one; RGB, RGBA, palette and 16-bit files of one picture are equal to the last bit."""
    few = (A // 64 * 64).astype(np.uint8)  # at most 64 colours: a palette holds them all
    rgb = Image.fromarray(few[..., ::-1].copy())
    rgb.save(tmp_path / "rgb.png")
    rgb.convert("RGBA").save(tmp_path / "rgba.png")
    rgb.quantize(256, dither=Image.Dither.NONE).save(tmp_path / "palette.png")
    cv2.imwrite(str(tmp_path / "16.png"), few.astype(np.uint16) * 257)
    pixels = np.dstack([few[..., ::-1], np.full(few.shape[:2], 255, np.uint8)])
    pixels[280:340, 100:160, 3] = 0
    Image.fromarray(pixels).save(tmp_path / "hole.png")
    first = read(tmp_path / "rgb.png")

    for name in ("rgba.png", "16.png", "palette.png"):
        said = count_differences(first, read(tmp_path / name))
        assert (said.count, said.probability) == (0, 1.0), name
    assert count_differences(first, read(tmp_path / "hole.png")).count == 1


# ---------------------------------------------------------------- 26, 27: photographs, order, patterns


def shot(picture: Picture, corners: list[tuple[int, int]], *, seed: int, gradient: float) -> Picture:
    """A print on a plain table, 1600 x 1100, under a lamp from one side, with noise, as JPEG."""
    rng = np.random.default_rng(seed)
    h, w = picture.shape[:2]
    m = cv2.getPerspectiveTransform(np.array([[0, 0], [w, 0], [w, h], [0, h]], np.float32), np.array(corners, np.float32))
    laid = cv2.warpPerspective(picture, m, (1600, 1100))
    covered = cv2.warpPerspective(np.ones((h, w), np.uint8), m, (1600, 1100))[..., None]
    lamp = 1 + gradient * np.linspace(-0.5, 0.5, 1600)[None, :, None]
    seen = np.where(covered > 0, laid, (70, 95, 120)) * lamp + rng.normal(0, 3, (1100, 1600, 3))
    return jpeg(np.clip(cv2.GaussianBlur(seen, (0, 0), 0.6), 0, 255).astype(np.uint8), 88)


STRAIGHT = [(300, 180), (1280, 240), (1240, 930), (260, 900)]
ASKEW = [(340, 240), (1200, 150), (1330, 890), (250, 950)]


@pytest.mark.parametrize("where", [[], FIVE], ids=["unchanged", "five stickers"])
def test_one_print_photographed_twice(where: list[tuple[int, int]]) -> None:
    """Report 26: from two sides, under two lamps: as many differences as there are stickers."""
    first, second = shot(A, STRAIGHT, seed=1, gradient=0.4), shot(stickers(A, where), ASKEW, seed=2, gradient=-0.3)

    assert count_differences(first, second).count == len(where)


def test_a_photograph_out_of_focus_is_refused() -> None:
    """Report 26: what is too blurred is refused, with the reason, and never a flood of differences."""
    blurred = cv2.GaussianBlur(shot(A, ASKEW, seed=2, gradient=0.0), (0, 0), 25)
    said = compare(Side(shot(A, STRAIGHT, seed=1, gradient=0.0)), Side(np.asarray(blurred, np.uint8)))

    assert said.differences.count is None and said.why


@pytest.mark.parametrize("turns", range(4))
def test_order_and_turns_change_nothing(turns: int) -> None:
    """Report 27: both orders, four turns: the same count."""
    turned = np.ascontiguousarray(np.rot90(stickers(A, THREE), turns))

    assert count_differences(A, turned).count == count_differences(turned, A).count == len(THREE)


@pytest.mark.parametrize("box", [(60, 540, 80, 720), (0, 600, 0, 400)], ids=["in its middle", "on its half"])
def test_one_pattern_in_two_pictures_does_not_make_them_one(box: tuple[int, int, int, int]) -> None:
    """Report 27: two photos of different things on one patterned cloth are refused."""
    cloth = np.tile(scene(77, 100, 100, things=25), (8, 10, 1))
    top, bottom, left, right = box
    first, second = cloth[:600, :800].copy(), cloth[53:653, 37:837].copy()
    for seed, out in enumerate((first, second)):
        out[top:bottom, left:right] = scene(seed, right - left, bottom - top)

    assert count_differences(first, second).count is None


def test_many_matches_on_one_point_are_one_match() -> None:
    """Report 27 (the cause in OpenCV #25546): 27 matches that end on one point count once, and no homography rests on them."""
    rng = np.random.default_rng(3)
    elsewhere: Points = rng.uniform(0, 600, (27, 2))
    at = np.r_[rng.uniform(0, 600, (27, 2)), elsewhere]
    target = np.r_[np.repeat([[310.0, 205.0]], 27, 0), rng.uniform(0, 600, (27, 2))]

    single = one_to_one(at, target, np.ones(54), 1.0, 1.0)

    assert len(single[0]) == 1 + 27
    assert not hypotheses(*single, 1.0)


def test_residuals_are_our_own() -> None:
    """Report 27: the error that is told is that of matches which the fit never saw; two different photos never pass."""
    one, other = scene(11), scene(12)
    refused = align(one, other, features(one), features(other))
    assert isinstance(refused, Refusal)

    fit = align(one, warped(one, degrees=7), features(one), features(warped(one, degrees=7)))
    assert not isinstance(fit, Refusal)
    assert fit.error_px < 0.5 and len(fit.inliers) >= LEAST_INLIERS
