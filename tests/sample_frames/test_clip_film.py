"""The sample film: what its frames show is what its truth says, and each frame can be drawn alone."""

import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from sample_frames.clip.encode import encoder
from sample_frames.clip.film import FPS, SIZE, Film, evening
from sample_frames.clip.make import write_truth
from sample_frames.clip.plan import referee
from sample_frames.deck import load

SHIPPED = Path(__file__).parents[2] / "sample_frames" / "clips" / "night-market"


@pytest.fixture(scope="module")
def shot():  # type: ignore[no-untyped-def]
    here, stage, events, seconds = evening(load())
    return here, stage, events, seconds, Film(here, stage)


def test_a_marker_is_seen_where_it_lies(shot) -> None:  # type: ignore[no-untyped-def]
    """Projected by the camera's table, a marker's place is yellow when it lies there and the table's colour when it was taken."""
    here, stage, events, _, film = shot
    table = here.camera.table()
    take = next(e for e in events if e["event"] == "marker-taken")
    actor = stage.actors[f"marker{take['value']}"]
    before, after = film.frame(int(0.5 * FPS)), film.frame(int(np.ceil((take["t"] + 0.2) * FPS)))
    assert _is_yellow(before, table.to_px([actor.at(0.5).at])[0])
    assert not _is_yellow(after, table.to_px([actor.at(0.5).at])[0])
    assert _is_yellow(after, table.to_px([actor.at(take["t"]).at])[0])


def test_a_frame_does_not_depend_on_those_before(shot) -> None:  # type: ignore[no-untyped-def]
    """Two processes may share the work: a frame drawn alone is the frame drawn in its turn."""
    here, stage, _, _, film = shot
    number = int(2.2 * FPS)
    in_turn = [film.frame(k) for k in range(number - 2, number + 1)][-1]
    assert np.abs(in_turn.astype(int) - Film(here, stage).frame(number).astype(int)).max() <= 1


def test_the_folder_is_laid_out_as_clips_are(shot, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    """Case, points, seats and truth stand beside the film; the truth's rulings are those of the rules."""
    here, _, events, _, _ = shot
    write_truth(tmp_path, here, events)
    case = json.loads((tmp_path / "case.json").read_text())
    seats = json.loads((tmp_path / "seats.json").read_text())
    assert case["players"] == [s["name"] for s in seats["seats"]]
    lines = [json.loads(line) for line in (tmp_path / "truth.rulings.jsonl").read_text().splitlines()]
    assert lines[-1]["ruling"] == "summary" and len(lines) == len(events) + 1
    points = json.loads((tmp_path / "points.json").read_text())
    seen = here.camera.table().to_mm([p["px"] for p in points["points"]])
    assert np.abs(seen - np.array([p["mm"] for p in points["points"]])).max() < 0.5


def test_a_bare_machine_can_write_a_film(shot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:  # type: ignore[no-untyped-def]
    """Without any ffmpeg the film is written by OpenCV, and read again with all its frames."""
    monkeypatch.setenv("PATH", "")
    film = shot[-1]
    path = tmp_path / "clip.mp4"
    writer = encoder(path, SIZE, FPS)
    for number in range(3):
        writer.write(film.frame(number))
    writer.close()
    reader = cv2.VideoCapture(str(path))
    assert [reader.read()[0] for _ in range(4)] == [True, True, True, False]


@pytest.mark.skipif(not (SHIPPED / "clip.mp4").exists(), reason="the film has not been made yet: python -m sample_frames.clip")
def test_the_shipped_film_is_that_of_the_code(shot) -> None:  # type: ignore[no-untyped-def]
    """The truth that lies beside the shipped film is the one that the code would write, and the film lasts as long."""
    _, _, events, seconds, film = shot
    assert [json.loads(line) for line in (SHIPPED / "truth.events.jsonl").read_text().splitlines()] == events
    rulings, summary = referee(events)
    assert [json.loads(line) for line in (SHIPPED / "truth.rulings.jsonl").read_text().splitlines()] == [*rulings, summary]
    reader = cv2.VideoCapture(str(SHIPPED / "clip.mp4"))
    assert reader.get(cv2.CAP_PROP_FRAME_COUNT) == int(seconds * FPS)
    _, first = reader.read()
    assert cv2.PSNR(first, film.frame(0)) > 30


def _is_yellow(picture: np.ndarray, px: np.ndarray) -> bool:
    """Whether the surroundings of a pixel are a marker's cardboard."""
    x, y = px.astype(int)
    blue, green, red = picture[y - 8 : y + 9, x - 8 : x + 9].reshape(-1, 3).mean(0)
    return bool(blue < 0.5 * green and red > 90)
