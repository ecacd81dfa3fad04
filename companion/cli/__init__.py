"""The commands of `companion`: one module a command, found by its name and imported only when it is called."""

import errno
import importlib
import logging
import os
import platform
import sys

import click

from companion import __version__

COMMANDS = {
    "play": "referees and serves the page",
    "referee": "referees a clip at full speed and prints the rulings",
    "observe": "says what a picture or video shows",
    "replay": "referees a written game",
    "diff": "counts the differences between two pictures",
    "audit": "compares all pairs of a pack, folder or list",
    "calibrate": "makes a table file from measured points and seats",
    "deck": "shows, checks and makes deck packs",
    "doctor": "says what works on this machine and what does not",
}


log = logging.getLogger(__name__)
OURS = ("companion", "vision", "calibration", "sample_frames")   # the packages whose doings --verbose tells


class Commands(click.Group):
    """Imports `companion.cli.NAME` when NAME is called, so that one command never pays for another's imports."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        here = os.path.dirname(__file__)
        return [name for name in COMMANDS if os.path.exists(os.path.join(here, f"{name}.py"))]

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        if name not in self.list_commands(ctx):
            return None
        command: click.Command = importlib.import_module(f"companion.cli.{name}").command
        return with_common_options(command)


def with_common_options(command: click.Command) -> click.Command:
    """The command with the options that every command has: --version and --verbose."""
    if not any(option.name == "verbose" for option in command.params):
        verbose = click.Option(
            ["--verbose"], is_flag=True, expose_value=False, callback=_log, help="Tell on standard error what is being done."
        )
        command.params.append(verbose)
        command = click.version_option(package_name="table-companion", prog_name="companion")(command)
    return command


def _log(_: click.Context, __: click.Parameter, wanted: bool) -> None:
    logging.basicConfig(level=logging.WARNING, format="%(relativeCreated)7.0f ms %(name)s: %(message)s", stream=sys.stderr)
    for ours in OURS if wanted else ():   # what the libraries do is nobody's business but their warnings
        logging.getLogger(ours).setLevel(logging.DEBUG)
    log.debug("table-companion %s, Python %s, in %s", __version__, platform.python_version(), os.getcwd())


def tell_progress(line: str) -> None:
    """Says what is being done: on standard error, to a terminal, or to whoever asks with --verbose."""
    if sys.stderr.isatty():
        click.echo(line, err=True)
    else:
        log.debug(line)


@click.group(cls=Commands)
@click.version_option(package_name="table-companion", prog_name="companion")
def companion() -> None:
    """The companion sees what lies on the table, referees the game and counts differences."""


def main() -> None:
    """Entry point: exit status 2 and one line for anything a person can mend; 130 after Ctrl-C; a quiet end after a closed pipe."""
    try:
        if sys.stdout is None:   # before anything else is opened in its place
            raise OSError(errno.EBADF, os.strerror(errno.EBADF))
        status = companion.main(standalone_mode=False)
        sys.stdout.flush()
        sys.exit(status if isinstance(status, int) else 0)
    except OSError as e:
        full = e.errno in (errno.ENOSPC, errno.EDQUOT)
        if e.filename is not None and not full:   # a file's trouble is told where the file is named
            raise
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)   # what is still to be written to it would fail again at the end
        if e.errno == errno.EPIPE:
            sys.exit(1)
        what = e.filename or "standard output"
        click.echo(f"companion: {what} cannot be written ({e.strerror}); free some room or send it elsewhere", err=True)
        sys.exit(2)
    except click.ClickException as e:
        click.echo(f"companion: {e.format_message()}", err=True)
        sys.exit(2)
    except (click.Abort, KeyboardInterrupt):
        sys.exit(130)
