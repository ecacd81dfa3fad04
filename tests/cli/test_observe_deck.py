"""`companion observe` with a pack of photos: ids, and a count that the deck joins in; bad packs in one line."""

import json
from pathlib import Path

import cv2
import pytest
from click.testing import CliRunner

from companion.cli.observe import command
from tests.vision.drawn_deck import CARDS, LEFT, RIGHT, TABLE, a_table, back, truth, write
from vision.table import write_table


@pytest.fixture(scope="module")
def here(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a table, a picture of two backs on it, and the pack."""
    folder = tmp_path_factory.mktemp("table")
    write_table(TABLE, folder / "table.toml")
    cv2.imwrite(str(folder / "laid.png"), a_table((back(CARDS["p3"]), LEFT), (back(CARDS["p7"]), RIGHT)).frame)
    write(folder / "pack")
    return folder


def test_both_photos_are_named_and_counted(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With the deck's places, each with its circle."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(here / "cache"))
    told = CliRunner().invoke(command, [str(here / "laid.png"), "--table", str(here / "table.toml"),
                                     "--deck", str(here / "pack"), "--json"])
    assert told.exit_code == 0, told.output
    seen = json.loads(told.stdout.splitlines()[-1])
    assert {photo["id"] for photo in seen["photos"]} == {"p3", "p7"}
    assert all(photo["sure"]["id"] >= 0.9 for photo in seen["photos"])
    assert seen["differences"]["count"] == truth("p3", "p7") == len(seen["differences"]["places"])


def test_a_pack_of_another_game_is_refused(here: Path) -> None:
    """Exit status 2, and the game to choose."""
    told = CliRunner().invoke(command, [str(here / "laid.png"), "--table", str(here / "table.toml"),
                                     "--deck", str(here / "pack"), "--game", "sherlock"])
    assert told.exit_code != 0 and "--game sherlook" in told.output and told.output.count("\n") == 1


def test_a_pack_of_another_deck_is_said(here: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No photo is named then, and one line on standard error says why; the observation has it among its advice."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(here / "cache"))
    for path in (write(tmp_path / "other") / "cards").glob("*.png"):
        cv2.imwrite(str(path), cv2.imread(str(path))[::-1])
    told = CliRunner().invoke(command, [str(here / "laid.png"), "--table", str(here / "table.toml"),
                                     "--deck", str(tmp_path / "other"), "--json"])
    seen = json.loads(told.stdout.splitlines()[-1])
    assert [photo["id"] for photo in seen["photos"]] == [None, None] and "another-deck" in seen["advice"]
    assert told.stderr.count("not of this pack's deck") == 1 and str(tmp_path / "other") in told.stderr
