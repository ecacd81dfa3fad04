"""What several frames of one still table bring to the count of differences: the same tables looked at with 1, 2 and 4 frames.

    python benchmarks/frames.py [CLIP_FOLDER ...] [--looks 6]

A clip folder holds clip.mp4, points.json, seats.json and truth.events.jsonl; without one it is the sample clip. Between the turning of
the photos and the telling of the count the frames are taken in which nobody reaches in; the photos' outlines are those of the first.
Each look starts at another frame, and its frames lie apart, so that the noise of each is its own.
"""

import argparse
import json
from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np

from calibration import calibrate, read_points, read_seats
from vision.differences import count_in_frames
from vision.frames import open_source
from vision.geometry import points
from vision.hands import find_hands
from vision.photos import find_photos
from vision.stillness import Stillness
from vision.table import Table
from vision.topview import View

SAMPLE = Path(__file__).parent.parent / "sample_frames" / "clips" / "night-market"
FRAMES = (1, 2, 4)


def windows(truth: Path) -> list[tuple[float, float, int]]:
    """From when until when the turned photos lie there, and how many differences they have: seconds, seconds, count."""
    out, turned = [], None
    for line in truth.read_text(encoding="utf-8").splitlines():
        event = json.loads(line)
        if event["event"] == "photos-turned":
            turned = event["t"]
        elif event["event"] == "differences-counted" and turned is not None:
            out.append((turned, event["t"], event["count"]))
            turned = None
    return out


def still_tables(folder: Path, table: Table) -> Iterator[tuple[list[View], int]]:
    """The frames in which nobody reaches in, of each of the clip's turned pairs, and the pair's count."""
    wanted = windows(folder / "truth.events.jsonl")
    kept: list[list[View]] = [[] for _ in wanted]
    eye = Stillness()
    for frame in open_source(str(folder / "clip.mp4")).frames():
        glance = eye.see(frame.picture, frame.t)
        hands = find_hands(glance, table)
        for views, (start, end, _) in zip(kept, wanted, strict=True):
            if start < frame.t < end and not hands:
                views.append(View(frame.picture, table))
    for views, (_, _, count) in zip(kept, wanted, strict=True):
        yield views, count


def main() -> None:
    """Prints a line for each number of frames."""
    ask = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ask.add_argument("clips", type=Path, nargs="*", help="default: the sample clip")
    ask.add_argument("--looks", type=int, default=6, help="at each table")
    given = ask.parse_args()
    cv2.setNumThreads(1)
    rows: dict[int, list[tuple[bool, bool, int, float]]] = {n: [] for n in FRAMES}
    tables = 0
    for folder in given.clips or [SAMPLE]:
        table = calibrate(read_points(folder / "points.json"), read_seats(folder / "seats.json")).table
        for views, count in still_tables(folder, table):
            quads = [points(p.quad) for p in find_photos(views[0])] if len(views) >= max(FRAMES) else []
            if len(quads) != 2:
                print(f"{folder.name}: a pair of {count} is left out: {len(views)} frames without hands, {len(quads)} photos seen")
                continue
            tables += 1
            counts: dict[int, list[int | None]] = {n: [] for n in FRAMES}
            apart = max(1, len(views) // max(FRAMES))
            for start in range(0, apart, max(1, apart // given.looks)):
                for n in FRAMES:
                    said = count_in_frames(views[start::apart][:n], *quads)
                    counts[n].append(said.count)
                    if said.count is not None and isinstance(said.range, tuple):
                        low, high = said.range
                        rows[n].append((said.count == count, low <= count <= high, high - low, said.probability))
                    else:
                        rows[n].append((False, False, 0, 0.0))
            told = "; ".join(f"{n} frames " + " ".join(map(str, each)) for n, each in counts.items())
            print(f"{folder.name}, {count} differences: {told}")
    print(f"{tables} still tables, {len(rows[1])} looks with each number of frames")
    for n, seen in rows.items():
        exact, within, width, sure = np.mean(np.array(seen, float), axis=0)
        print(f"{n} frames: exact {exact:.2f}, within the range {within:.2f}, width of the range {width:.1f}, probability {sure:.2f}")


if __name__ == "__main__":
    main()
