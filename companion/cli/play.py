"""`companion play`: referees what a camera or clip shows and serves the page."""

import os
import socket
import time
from datetime import datetime
from pathlib import Path

import click

from companion.cli.settings import read_settings

EXAMPLE = "Examples: companion play    (the sample game)   |   companion play 0 --table table.toml --players Ada,Bo"


@click.command(epilog=EXAMPLE)
@click.argument("source", required=False)
@click.option("--game", show_default="sherlook", help="The box that is played.")
@click.option(
    "--table", "table_file", type=click.Path(path_type=Path), help="A table file of `companion calibrate`; without it the page asks."
)
@click.option("--players", help="Names, clockwise as the camera sees the table, with commas between.")
@click.option("--settings", "settings_file", type=click.Path(path_type=Path), help="The settings of the game, as JSON.")
@click.option("--deck", type=click.Path(path_type=Path), help="A deck pack: a folder with deck.toml.")
@click.option("--port", default=8000, show_default=True, type=click.IntRange(1, 65535), help="The page's port on this machine.")
def command(
    source: str | None,
    game: str | None,
    table_file: Path | None,
    players: str | None,
    settings_file: Path | None,
    deck: Path | None,
    port: int,
) -> int:
    """Referee the game on the table: SOURCE is a webcam's index or name, a video file, a folder of pictures, an http(s) or rtsp
    address, or "none" to play by hand alone. Without SOURCE the sample game is played from its clip.

    A game that was left in the middle is gone on with when its players, or nobody, are named.
    """
    from companion.app.playing import Chosen, PlayError, play

    chosen = Chosen(
        source=source,
        game=game,
        table_file=table_file,
        deck=deck,
        players=tuple(name.strip() for name in players.split(",")) if players else (),
        settings=read_settings(settings_file),
        port=_free(port),
        language=os.environ.get("LANG", "en")[:2].lower(),
    )
    try:
        return play(chosen, say=click.echo, clock=time.monotonic, wall_clock=datetime.now)
    except PlayError as e:
        raise click.ClickException(str(e)) from e


def _free(port: int) -> int:
    """The port, if nobody listens there."""
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", port))
        except OSError as e:
            raise click.ClickException(
                f"port {port} cannot be used ({e.strerror}); choose another with --port, for example {port % 65535 + 1}"
            ) from e
    return port
