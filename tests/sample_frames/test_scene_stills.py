"""Pictures of laid tables: the truth beside them is what they show."""

import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from sample_frames.deck import Deck, load
from sample_frames.scene.arrange import Laid, room
from sample_frames.scene.paint import bare_table
from sample_frames.scene.stills import still, write_stills
from sample_frames.scene.things import Texture, marker, photo, rounded
from vision.geometry import points, transform
from vision.table import Lens, Table


@pytest.fixture(scope="module")
def deck() -> Deck:
    return load()


@pytest.fixture(scope="module")
def written(deck: Deck, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("stills")
    write_stills(folder, deck, seed=5, pictures=2)
    return folder


def table_of(scene: Path) -> Table:
    camera = json.loads((scene / "camera.json").read_text())
    (fx, _, cx), (_, fy, cy), _ = camera["K"]
    lens = Lens((fx, fy, cx, cy), tuple(camera["distortion"]))
    return Table(tuple(camera["image_size"]), lens, tuple(np.ravel(camera["homography_undistorted_px_to_mm"])))


def test_a_case_names_files_that_are_there(written: Path) -> None:
    """Every case has its picture and its truth, every scene its points, seats and camera."""
    cases = [json.loads(line) for line in (written / "cases.jsonl").read_text().splitlines()]
    assert len(cases) == 2
    for case in cases:
        image = written / case["image"]
        truth = json.loads(image.with_suffix(".json").read_text())
        height, width = cv2.imread(str(image)).shape[:2]
        assert truth["expected"]["image_size"] == [width, height]
        for name in ("points.json", "seats.json", "camera.json"):
            assert (image.parent / name).exists()


def test_the_same_seed_lays_the_same_table(deck: Deck, written: Path, tmp_path: Path) -> None:
    """Truth and picture hang on the seed alone."""
    write_stills(tmp_path, deck, seed=5, pictures=1)
    name = "scene01/scene01-1.json"
    assert (tmp_path / name).read_text() == (written / name).read_text()
    a, b = (cv2.imread(str(folder / name.replace("json", "jpg"))) for folder in (tmp_path, written))
    assert np.array_equal(a, b)


def test_measured_points_fit_the_true_camera(written: Path) -> None:
    """What a person measures is as good as a person measures: within a millimetre."""
    scene = written / "scene01"
    given = json.loads((scene / "points.json").read_text())["points"]
    seen = table_of(scene).to_mm([p["px"] for p in given])
    assert np.abs(seen - points([p["mm"] for p in given])).max() < 1.0


def test_what_is_said_to_lie_there_is_seen_there(deck: Deck) -> None:
    """A photo and a marker, projected by the table, show their own picture where the truth puts them."""
    here = room(np.random.default_rng(3))
    table = here.camera.table(tuple(p.seat for p in here.places), here.common)
    back = photo(
        "photoA", rounded(deck.front("p01"), deck.size_mm), rounded(deck.back("p01"), deck.size_mm), deck.size_mm, (-40, 10), 28, over=180
    )
    seven = marker("marker7", Texture(deck.marker(7)), deck.marker_mm, (120, -30), 10, disc=False)
    laid = Laid((back, seven), (), {"photoA": "p01"}, {"marker7": 7}, {}, "alone")
    picture, truth = still(here, laid, bare_table(here.camera, here.surface), table, deck, np.random.default_rng(0), source="a.jpg")
    (said,) = truth["expected"]["photos"]
    assert said["side"] == "back"
    flat = _cut(picture, table, said["quad"], (240, 160))
    own = cv2.resize(deck.back("p01"), (240, 160), interpolation=cv2.INTER_AREA)
    other = cv2.resize(cv2.rotate(deck.back("p01"), cv2.ROTATE_180), (240, 160), interpolation=cv2.INTER_AREA)
    assert _alike(flat, own) > 0.8 > 0.5 > _alike(flat, other)
    (value,) = truth["expected"]["markers"]
    x, y = table.to_px([value["at"]])[0].astype(int)
    patch = picture[y - 12 : y + 12, x - 12 : x + 12].reshape(-1, 3).mean(0)
    assert patch[0] < 0.6 * patch[1] and patch[0] < 0.6 * patch[2]  # yellow


def test_a_hand_hides_what_it_covers(written: Path) -> None:
    """A thing of which a quarter or more is hidden need not be found."""
    for path in written.glob("*/*-*.json"):
        for thing in json.loads(path.read_text())["judge"]["things"]:
            assert 0 <= thing["hidden"] <= 1
            assert thing["must"] == (thing["hidden"] <= 0.25 and thing["glare"] <= 1 / 3 and thing["inside"] == 1)


def _cut(picture: np.ndarray, table: Table, quad_mm: list[list[float]], size: tuple[int, int]) -> np.ndarray:
    """The quad's content, upright."""
    w, h = size
    to_mm = cv2.getPerspectiveTransform(np.array([[0, 0], [w, 0], [w, h], [0, h]], np.float32), np.array(quad_mm, np.float32))
    grid = np.stack(np.meshgrid(np.arange(w) + 0.5, np.arange(h) + 0.5), -1).reshape(-1, 2)
    px = table.to_px(transform(to_mm, grid)).reshape(h, w, 2).astype(np.float32) - 0.5
    return cv2.remap(picture, px[..., 0], px[..., 1], cv2.INTER_LINEAR)


def _alike(a: np.ndarray, b: np.ndarray) -> float:
    """Correlation of two grey pictures."""
    grey = [cv2.cvtColor(p, cv2.COLOR_BGR2GRAY).ravel().astype(float) for p in (a, b)]
    return float(np.corrcoef(*grey)[0, 1])
