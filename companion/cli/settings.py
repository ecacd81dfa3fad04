"""A game's settings from a file, for every command that takes them."""

import json
from pathlib import Path
from typing import Any

import click

from vision.files import reason

LARGEST = 1_000_000   # bytes; what is larger is no settings file


def read_settings(path: Path | None) -> dict[str, Any]:
    """The settings of a JSON file, {} without one. Raises click.ClickException with one line."""
    if path is None:
        return {}
    hint = 'it should be JSON such as {"rounds": 5}'
    if not path.is_file() or path.stat().st_size > LARGEST:
        raise click.ClickException(f"{path}: cannot be read as settings (no file of that name and a fitting size); {hint}")
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError) as e:
        raise click.ClickException(f"{path}: cannot be read as settings ({reason(e)}); {hint}") from e
    if not isinstance(found, dict):
        raise click.ClickException(f"{path}: these are no settings; {hint}")
    return found
