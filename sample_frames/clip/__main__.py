"""python -m sample_frames.clip OUT: makes the sample game's film and its truth."""

from pathlib import Path

import click

from sample_frames.clip.encode import EncodeError
from sample_frames.clip.sample import WORKERS, make_and_show


@click.command(context_settings={"help_option_names": ["-h", "--help"]})
@click.argument("out", type=click.Path(path_type=Path, file_okay=False))
@click.option("--seed", default=1, show_default=True, help="Another seed, another evening.")
@click.option("--workers", default=WORKERS, show_default=True, help="How many processes draw.")
def main(out: Path, *, seed: int, workers: int) -> None:
    """Make the film of a whole game, with its truth, in the folder OUT.

    Example: python -m sample_frames.clip /tmp/night-market
    """
    try:
        make_and_show(out, seed=seed, workers=workers, label="film")
    except (EncodeError, OSError) as e:
        raise click.ClickException(str(e)) from e


if __name__ == "__main__":
    main()
