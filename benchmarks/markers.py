"""How long markers and tokens take on a full table of 1080p: medians of one run, stage by stage.

    python -m benchmarks.markers [--threads 2]
"""

import argparse
import statistics
import time
from collections.abc import Callable

import cv2

from tests.vision.drawn_table import lay, lay_token, photo, table, wood
from vision.markers import find_markers, look_at_pieces, remember, still_there
from vision.markers.candidates import PX_PER_MM, coarse, find_spots
from vision.tokens import find_tokens
from vision.topview import View

RUNS = 9


def median_ms(what: Callable[[], object]) -> float:
    """Median wall time of RUNS calls after a first one."""
    what()
    times = []
    for _ in range(RUNS):
        start = time.perf_counter()
        what()
        times.append(time.perf_counter() - start)
    return 1000 * statistics.median(times)


def main() -> None:
    """Lay ten markers, six tokens and two photos on a table and time each stage."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--threads", type=int, default=2)
    cv2.setNumThreads(parser.parse_args().threads)
    frame = wood()
    photo(frame, (-70, 0))
    photo(frame, (70, 0), seed=2)
    for n in range(1, 11):
        lay(frame, str(n), (-290 + 58 * n, 90 if n % 2 else -90), turn=37 * n)
    for k, colour in enumerate(("green", "yellow", "red") * 2):
        lay_token(frame, colour, (-200 + 80 * k, 190), turn=50 * k)
    view = View(frame, table())
    top = view.top(PX_PER_MM)
    pieces = look_at_pieces(view)
    markers = find_markers(view, pieces=pieces)
    known = remember(view, markers[0])
    spots = len(find_spots(coarse(view.top(PX_PER_MM))))
    print(f"{top.picture.shape[1]}x{top.picture.shape[0]} flat pixels, {spots} candidates, {len(pieces)} pieces, {len(markers)} markers")
    print(f"candidates           {median_ms(lambda: find_spots(coarse(view.top(PX_PER_MM)))):7.1f} ms")
    print(f"candidates and looks {median_ms(lambda: look_at_pieces(view)):7.1f} ms")
    print(f"markers from pieces  {median_ms(lambda: find_markers(view, pieces=pieces)):7.1f} ms")
    print(f"tokens from pieces   {median_ms(lambda: find_tokens(view, pieces=pieces)):7.1f} ms")
    print(f"one known place      {median_ms(lambda: still_there(view, known)):7.2f} ms")


if __name__ == "__main__":
    main()
