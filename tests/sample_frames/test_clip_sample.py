"""Where the sample film is found, and that it is made only once and only whole."""

from pathlib import Path

import pytest

from sample_frames.clip import sample_clip


def test_a_shipped_film_is_taken_as_it_is(tmp_path: Path) -> None:
    """Nothing is made where the film lies with the program."""
    (tmp_path / "clip.mp4").write_bytes(b"film")
    assert sample_clip(shipped=tmp_path, cache=tmp_path / "cache") == tmp_path
    assert not (tmp_path / "cache").exists()


def test_a_film_that_is_not_there_is_made_once(tmp_path: Path) -> None:
    """The first call makes it in the cache, the second finds it."""
    made: list[Path] = []

    def make(folder: Path) -> None:
        made.append(folder)
        (folder / "clip.mp4").write_bytes(b"film")

    first = sample_clip(shipped=tmp_path / "none", cache=tmp_path / "cache", make=make)
    assert (first / "clip.mp4").read_bytes() == b"film"
    assert sample_clip(shipped=tmp_path / "none", cache=tmp_path / "cache", make=make) == first
    assert len(made) == 1


def test_a_making_that_was_broken_off_leaves_nothing(tmp_path: Path) -> None:
    """Half a film is never taken for one."""

    def broken(folder: Path) -> None:
        (folder / "clip.mp4").write_bytes(b"half")
        raise OSError("the disk is full")

    with pytest.raises(OSError, match="disk is full"):
        sample_clip(shipped=tmp_path / "none", cache=tmp_path / "cache", make=broken)
    assert list((tmp_path / "cache").iterdir()) == []
