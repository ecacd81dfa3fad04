"""`companion diff`: counts the differences between two pictures, or between the two that one file shows."""

import json
import math
import re
from concurrent.futures import ThreadPoolExecutor
from importlib.metadata import version
from pathlib import Path

import click
import numpy as np
from numpy.typing import NDArray

from companion.cli.outputs import spare, write
from vision.differences import Comparison, Options, Side, compare, compare_sheet
from vision.differences.report import as_document, as_html, as_png, sentence
from vision.geometry import Picture
from vision.pictures import PictureError, one_line, read

FARTHEST_PX = 1e9   # beyond any picture
IGNORED_FROM = 128  # of 255: a mask's white is not looked at


@click.command("diff", epilog="Example: companion diff left.jpg right.jpg --report differences.html")
@click.argument("a", type=click.Path(path_type=Path))
@click.argument("b", type=click.Path(path_type=Path), required=False)
@click.option("--json", "as_json", is_flag=True, help="Print the answer as JSON.")
@click.option("--report", type=click.Path(path_type=Path, dir_okay=False), help="Write a report, .png or .html.")
@click.option("--ignore", type=click.Path(path_type=Path), help="A mask of A's size: what is white in it is not compared.")
@click.option("--ignore-box", multiple=True, metavar="X,Y,W,H", help="A box of A that is not compared; may be repeated.")
@click.option("--min-size", default="0px", metavar="12px|3mm", help="Smaller places do not count. Millimetres need --width-mm.")
@click.option("--width-mm", type=click.FloatRange(min=0, min_open=True), help="How wide what A shows is, for --min-size in mm.")
@click.option("--expect", type=click.IntRange(min=0), help="Exit 0 if there are so many differences, else 1.")
@click.option(
    "--sensitivity", type=click.FloatRange(0.01, 0.99), default=0.5, show_default=True,
    help="From 0.01, only what is certain, to 0.99, all that may be.",
)
def command(
    a: Path,
    b: Path | None,
    as_json: bool,
    report: Path | None,
    ignore: Path | None,
    ignore_box: tuple[str, ...],
    min_size: str,
    width_mm: float | None,
    expect: int | None,
    sensitivity: float,
) -> int:
    """Count the differences between the pictures A and B, or between the two pictures in A (side by side, or one above the other).

    Exit status 0: no difference (with --expect N: N differences); 1: differences, or one is mirrored; 2: they could not be compared.
    """
    if not math.isfinite(sensitivity):
        raise click.ClickException(f"--sensitivity {sensitivity}: a number from 0.01 to 0.99 was expected")
    if report is not None and report.suffix.lower() not in (".png", ".html", ".htm"):
        raise click.ClickException(f"--report {report.name}: the name must end in .png or .html")
    if width_mm is not None and not math.isfinite(width_mm):
        raise click.ClickException(f"--width-mm {width_mm}: a length in mm above 0 was expected, such as 120")
    spare("--report", report, [a, b, ignore])
    try:
        with ThreadPoolExecutor(2) as readers:
            first, second = readers.map(lambda path: path and read(path), (a, b))
        skip = _ignored(first, ignore, ignore_box)
        if skip is not None and skip.all():
            raise click.ClickException("nothing is left to compare: --ignore and --ignore-box leave out the whole picture")
    except PictureError as e:
        raise click.ClickException(str(e)) from e
    options = Options(sensitivity=sensitivity, least_px=_least_px(min_size, width_mm, first))
    said = compare_sheet(first, options, ignore=skip) if second is None else compare(Side(first, ignore=skip), Side(second), options)
    if as_json:
        click.echo(json.dumps(as_document(said)))
    if said.differences.count is None:
        raise click.ClickException(_refusal(a, b, said))
    if not as_json:
        click.echo("\n".join([sentence(said), *said.notes]))
    if report is not None:
        settings = {
            "sensitivity": str(sensitivity),
            "smallest place": min_size,
            "ignored boxes": "; ".join(ignore_box) or "none",
            "ignored mask": one_line(ignore) if ignore else "none",
            "made by": f"table-companion {version('table-companion')}",
        }
        _write(report, first, second, said, (one_line(a.name), one_line((b or a).name)), settings)
    return _status(said, expect)


def _status(said: Comparison, expect: int | None) -> int:
    count, alignment = said.differences.count, said.differences.alignment
    if expect is not None:
        return 0 if count == expect else 1
    return 1 if count or (alignment and alignment.mirrored) else 0


def _refusal(a: Path, b: Path | None, said: Comparison) -> str:
    if b is None:
        return f"{one_line(a)}: cannot be compared: {said.why}; name two files"
    return f"{one_line(a)} and {one_line(b)} do not show the same picture, or too little of it: {said.why}"


def _ignored(picture: Picture, mask: Path | None, boxes: tuple[str, ...]) -> NDArray[np.bool_] | None:
    """(H, W) of A: what is not compared; None where nothing is left out."""
    height, width = picture.shape[:2]
    out = np.zeros((height, width), bool)
    if mask is not None:
        white = read(mask)
        if white.shape != picture.shape:
            size = f"{white.shape[1]}x{white.shape[0]}"
            raise click.ClickException(f"--ignore {one_line(mask)}: {size} pixels, but A has {width}x{height}; make it the same size")
        out |= white.max(2) >= IGNORED_FROM
    for text in boxes:
        number = r"\s*(-?(?:\d+\.?\d*|\.\d+))\s*"
        numbers = re.fullmatch(",".join([number] * 4), text, re.ASCII)
        if not numbers:
            raise click.ClickException(f"--ignore-box {text!r}: four numbers x,y,width,height were expected, such as 10,20,100,50")
        x, y, w, h = (min(max(float(v), -FARTHEST_PX), FARTHEST_PX) for v in numbers.groups())
        if w <= 0 or h <= 0:
            raise click.ClickException(f"--ignore-box {text!r}: its width and height must be above 0")
        box = out[max(0, int(y)) : max(0, int(np.ceil(y + h))), max(0, int(x)) : max(0, int(np.ceil(x + w)))]
        if not box.size:
            raise click.ClickException(f"--ignore-box {text!r}: lies outside A, which has {width}x{height} pixels; correct it")
        box[:] = True
    return out if out.any() else None


def _least_px(text: str, width_mm: float | None, picture: Picture) -> float:
    size = re.fullmatch(r"\s*(\d+(?:\.\d+)?)\s*(px|mm)\s*", text)
    if not size or math.isinf(float(size[1])):
        raise click.ClickException(f"--min-size {text!r}: a number with px or mm was expected, such as 12px")
    if size[2] == "px":
        return float(size[1])
    if width_mm is None:
        raise click.ClickException("--min-size in mm needs --width-mm: how wide what picture A shows is")
    return float(float(size[1]) * picture.shape[1] / width_mm)


def _write(report: Path, a: Picture, b: Picture | None, said: Comparison, names: tuple[str, str], settings: dict[str, str]) -> None:
    write(report, as_png(a, b, said) if report.suffix.lower() == ".png" else as_html(a, b, said, names=names, settings=settings).encode())
