"""python -m sample_frames.scene stills OUT --seed S --n N: pictures of tables with truth."""

from pathlib import Path

import click

from sample_frames.deck import load
from sample_frames.scene.stills import write_stills


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
def main() -> None:
    """Pictures of laid tables, rendered from the sample deck, with their truth."""


@main.command()
@click.argument("out", type=click.Path(path_type=Path, file_okay=False))
@click.option("--seed", default=1, show_default=True, help="The same seed gives the same tables.")
@click.option("--n", "pictures", default=24, show_default=True, help="How many pictures.")
def stills(out: Path, *, seed: int, pictures: int) -> None:
    """Write still pictures with truth into OUT.

    Example: python -m sample_frames.scene stills /tmp/tables --seed 7 --n 30
    """
    with click.progressbar(length=pictures, label="tables") as bar:
        write_stills(out, load(), seed=seed, pictures=pictures, progress=lambda _done, _all: bar.update(1))


if __name__ == "__main__":
    main()
