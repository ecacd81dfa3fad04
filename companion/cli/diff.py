"""`companion diff`: counts the differences between two pictures."""

import json
from pathlib import Path

import click

from vision.differences import compare
from vision.observation import to_dict
from vision.pictures import PictureError, one_line, read


@click.command("diff", epilog="Example: companion diff left.jpg right.jpg --json")
@click.argument("a", type=click.Path(path_type=Path))
@click.argument("b", type=click.Path(path_type=Path))
@click.option("--json", "as_json", is_flag=True, help="Print the answer as JSON.")
def command(a: Path, b: Path, as_json: bool) -> int:
    """Count the differences between the pictures A and B.

    Exit status 0: no difference; 1: differences; 2: they could not be compared.
    """
    try:
        comparison = compare(read(a), read(b))
    except PictureError as e:
        raise click.ClickException(str(e)) from e
    said = comparison.differences
    if as_json:
        click.echo(json.dumps(to_dict(said)))
    if said.count is None:
        raise click.ClickException(f"{one_line(a)} and {one_line(b)} do not show the same picture: {comparison.why}")
    if not as_json:
        click.echo(f"{said.count} differences" if said.count != 1 else "1 difference")
    return 1 if said.count or (said.alignment and said.alignment.mirrored) else 0
