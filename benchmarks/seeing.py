"""How long seeing takes: medians of each stage on the 1080p pictures of a folder of laid tables.

    python benchmarks/seeing.py FRAMES [--n 12]

FRAMES holds cases.jsonl, pictures, points.json and seats.json, as `python -m sample_frames.scene stills` writes them. All stages of a
picture are timed in one run, one after another; the first picture warms up and is not counted.
"""

import argparse
import json
import time
from collections import defaultdict
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

import numpy as np

from calibration import calibrate, read_points, read_seats
from vision.observe import observe
from vision.photos import find_photos, recheck, remember
from vision.photos.find import MATCH_PX_PER_MM, PX_PER_MM
from vision.photos.rectangles import find_rectangles
from vision.photos.selfmatch import find_poses, keypoints
from vision.pictures import read
from vision.topview import View

T = TypeVar("T")


def main() -> None:
    """Prints one line a stage."""
    parser = argparse.ArgumentParser(description="How long seeing takes.")
    parser.add_argument("frames", type=Path)
    parser.add_argument("--n", type=int, default=12, help="pictures")
    given = parser.parse_args()
    cases = [json.loads(line) for line in (given.frames / "cases.jsonl").read_text().splitlines() if line.strip()]
    cases = [c for c in cases if c["game"] == "sherlook"]
    took: dict[str, list[float]] = defaultdict(list)
    used = 0
    for case in cases[:: max(1, len(cases) // (given.n + 1))][: given.n + 1]:
        path = given.frames / case["image"]
        frame = timed(took, "decode", lambda path=path: read(path))
        if frame.shape[:2] != (1080, 1920):
            continue
        table = calibrate(read_points(path.parent / "points.json"), read_seats(path.parent / "seats.json")).table
        for px_per_mm in (PX_PER_MM, MATCH_PX_PER_MM):
            View(frame, table).top(px_per_mm)      # the maps are made once a table
        view = View(frame, table)
        timed(took, "two top views", lambda view=view: (view.top(PX_PER_MM), view.top(MATCH_PX_PER_MM)))
        seen = timed(took, "keypoints of the whole table", lambda view=view: keypoints(view.top(MATCH_PX_PER_MM)))
        timed(took, "self-matching", lambda seen=seen: find_poses(seen))
        timed(took, "contour rectangles", lambda view=view: find_rectangles(view.top(PX_PER_MM)))
        photos = timed(took, "photos, all of it", lambda view=view: find_photos(view))
        known = [remember(view, p) for p in photos]
        timed(took, "second look at the photos", lambda view=view, known=known: recheck(view, known))
        timed(took, "whole observation", lambda frame=frame, table=table: observe(View(frame, table), game="sherlook"))
        if not used:
            took.clear()
        used += 1
    for stage, seconds in took.items():
        median, most = (1e3 * np.percentile(seconds, p) for p in (50, 90))
        print(f"{stage:32s} median {median:6.1f} ms, 90th percentile {most:6.1f} ms, n {len(seconds)}")


def timed(took: dict[str, list[float]], stage: str, work: Callable[[], T]) -> T:
    """The work's result; its time goes to the stage."""
    start = time.perf_counter()
    result = work()
    took[stage].append(time.perf_counter() - start)
    return result


if __name__ == "__main__":
    main()
