"""`companion calibrate`: measured points and seats become a table file."""

from pathlib import Path

import click

from calibration import CalibrationError, calibrate, read_points, read_seats
from companion.cli.outputs import spare, unwritable
from vision.table import write_table


@click.command(epilog="Example: companion calibrate --points points.json --seats seats.json -o table.toml")
@click.option("--points", "points_file", required=True, type=click.Path(path_type=Path), help="Four or more points.")
@click.option("--seats", "seats_file", type=click.Path(path_type=Path), help="The players' areas and the common one, in millimetres.")
@click.option("-o", "--output", default="table.toml", show_default=True, type=click.Path(path_type=Path), help="The table file to write.")
def command(points_file: Path, seats_file: Path | None, output: Path) -> None:
    """Make a table file from measured points and seats.

    points.json: {"format":1, "image_size":[1920,1080], "points":[{"px":[u,v],"mm":[x,y]}, ...4 or more...],
    "lens":{"matrix":[fx,fy,cx,cy],"distortion":[k1,k2,p1,p2,k3]} or null, "diagonal_fov_deg":78 or null}

    seats.json: {"format":1, "seats":[{"name":"Ada","colour":"red","area":[[x,y],...]}], "common":{"area":[...]} or null}
    """
    spare("-o", output, [points_file, seats_file])
    try:
        made = calibrate(read_points(points_file), read_seats(seats_file) if seats_file else None)
    except CalibrationError as e:
        raise click.ClickException(str(e)) from None
    try:
        write_table(made.table, output)
    except OSError as e:
        raise unwritable(output, e) from None
    for line in made.advice():
        click.echo(line, err=True)
    worst = max(made.residual_mm)
    click.echo(f"{output}: made; seats: {len(made.table.seats)}; the points fit to {worst:.1f} mm at worst")
