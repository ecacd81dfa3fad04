"""The project keeps its own word: the direction of imports, one OpenCV, a README that names every command, a licence in every font."""

import importlib.metadata
import subprocess
import sys
from pathlib import Path

import click
import pytest

from companion.cli import companion

ROOT = Path(__file__).parent.parent


def test_the_data_goes_one_way() -> None:
    """`vision` knows no game, the rules import the standard library only (pyproject.toml, import-linter)."""
    done = subprocess.run([Path(sys.executable).parent / "lint-imports"], cwd=ROOT, capture_output=True, text=True)

    assert done.returncode == 0, done.stdout


def test_the_rules_import_the_standard_library_only() -> None:
    """Importing them loads nothing that was installed."""
    code = "import sys, companion.rules; print(sorted({m.split('.')[0] for m in sys.modules} - set(sys.stdlib_module_names)))"
    done = subprocess.run([sys.executable, "-I", "-c", code], capture_output=True, text=True, check=True)
    loaded = {name.strip("'[]\n ") for name in done.stdout.split(",")}

    assert {name for name in loaded if not name.startswith(("_", "sitecustomize", "distutils-precedence"))} <= {"companion"}


def test_exactly_one_opencv_is_installed() -> None:
    """Two of its four packages over each other leave a broken `cv2`."""
    here = {d.name for d in importlib.metadata.distributions() if (d.name or "").lower().startswith("opencv-")}

    assert here == {"opencv-python-headless"}


@pytest.mark.parametrize("name", companion.list_commands(click.Context(companion)))
def test_every_command_is_in_the_readme_and_has_an_example(name: str) -> None:
    """`--help` ends with an example, and the README shows the command."""
    command = companion.get_command(click.Context(companion), name)

    assert command is not None and command.epilog is not None and f"companion {name}" in command.epilog
    assert f"companion {name}" in (ROOT / "README.md").read_text(encoding="utf-8")


def test_what_ships_is_small() -> None:
    """Weights stay within 5 MB in all, and the checkout within 60 MB."""
    weights = sum(f.stat().st_size for f in (ROOT / "vision" / "weights").glob("*"))
    files = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True).stdout.split("\0")
    everything = sum((ROOT / f).stat().st_size for f in files if f and (ROOT / f).exists())

    assert weights <= 5_000_000
    assert everything <= 60_000_000
