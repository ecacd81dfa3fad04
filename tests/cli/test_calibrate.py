"""`companion calibrate` writes a table, or says in one line why not."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from companion.cli.calibrate import command
from vision.table import read_table

POINTS = {
    "format": 1,
    "image_size": [1280, 720],
    "points": [
        {"px": [240, 140], "mm": [-200, -120]},
        {"px": [1040, 140], "mm": [200, -120]},
        {"px": [1040, 620], "mm": [200, 120]},
        {"px": [240, 620], "mm": [-200, 120]},
        {"px": [640, 380], "mm": [0, 0]},
    ],
    "lens": None,
    "diagonal_fov_deg": None,
}
SEATS = {"format": 1, "seats": [{"name": "Ada", "colour": "red", "area": [[-200, 120], [0, 120], [0, 240], [-200, 240]]}], "common": None}


def run(folder: Path, points: object, seats: object) -> tuple[int, str, Path]:
    (folder / "points.json").write_text(json.dumps(points))
    (folder / "seats.json").write_text(json.dumps(seats))
    out = folder / "table.toml"
    done = CliRunner().invoke(command, ["--points", str(folder / "points.json"), "--seats", str(folder / "seats.json"), "-o", str(out)])
    return done.exit_code, done.output, out


def test_a_table_is_written(tmp_path: Path) -> None:
    """The file reads back with its seats, and the middle of the picture lies where it was measured."""
    status, said, out = run(tmp_path, POINTS, SEATS)
    assert status == 0 and "seats: 1" in said
    table = read_table(out)
    assert table.seats[0].name == "Ada"
    assert table.to_mm([[640, 380]])[0] == pytest.approx([0, 0], abs=1.5)


def test_what_cannot_be_used_is_said_and_nothing_is_written(tmp_path: Path) -> None:
    """No table file appears where the points make none."""
    status, said, out = run(tmp_path, {**POINTS, "points": POINTS["points"][:3]}, SEATS)
    assert status != 0 and "at least 4" in said
    assert "Traceback" not in said and not out.exists()
