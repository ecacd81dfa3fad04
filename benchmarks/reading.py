"""How long the reader takes: frames that need no reading, looks, and from the last hand leaving to the reading.

    python benchmarks/reading.py [--clip CLIP.mp4 --table table.toml --players A,B] [--size 1920x1080]

Without a clip a still table with a passing hand is drawn at --size. Medians and 95th percentiles in one run.
"""

import argparse
import time
from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np

from companion import rules
from companion.cli.referee import Game
from companion.reading import Reader
from vision.frames import Frame, open_source
from vision.hands import find_hands
from vision.stillness import Stillness
from vision.table import Lens, Table, read_table


def drawn(width: int, height: int, seconds: int = 12, fps: int = 15) -> Iterator[Frame]:
    """A table with a hand that comes and goes every three seconds."""
    rng = np.random.default_rng(1)
    grain = cv2.resize(rng.normal(0, 9, (height // 6, 8)).astype(np.float32), (width, height), interpolation=cv2.INTER_CUBIC)
    wood = np.clip(np.array([80, 112, 140]) + grain[..., None], 0, 255).astype(np.uint8)
    noise = rng.normal(0, 3, (height + 64, width + 64, 3)).astype(np.int8)
    for i in range(seconds * fps):
        picture = wood.copy()
        phase = (i % (3 * fps)) / (3 * fps)
        if 0.3 < phase < 0.8:
            tip = height - int(np.sin((phase - 0.3) * 2 * np.pi) * height * 0.5)
            cv2.line(picture, (width // 2, height + 50), (width // 2, tip), (120, 150, 210), width // 12)
        picture = np.asarray(cv2.add(picture, noise[i % 64:i % 64 + height, :width], dtype=cv2.CV_8U), np.uint8)
        yield Frame(picture, i, i / fps, 0.0)


def eyes(frames: Iterator[Frame], table: Table) -> None:
    """Stillness and hands alone, as every frame needs them."""
    eye, took, with_hands = Stillness(), [], []
    for frame in frames:
        begin = time.perf_counter()
        glance = eye.see(frame.picture, frame.t)
        hands = find_hands(glance, table)
        (with_hands if hands else took).append(time.perf_counter() - begin)
    say("stillness, nobody reaches in", took)
    say("stillness and hands, a hand in the picture", with_hands)


def game(frames: Iterator[Frame], table: Table, players: list[str]) -> None:
    """The whole reader, by whether it looked, and how late by the clip's clock its events are."""
    match = Game()
    match.rule({"t": 0.0, "event": "game-started", "by": "host", "game": "sherlook", "players": players, "settings": {}})
    reader = Reader(table, players)
    reader.told(None, rules.position(match.state))
    idle, looks, late = [], [], []
    for frame in frames:
        before, begin = reader.looks, time.perf_counter()
        readings = reader.frame(frame.picture, frame.t, frame.number)
        took = time.perf_counter() - begin
        (looks if reader.looks > before else idle).append(took)
        seen = len(match.events)
        for reading in readings:
            for _ in match.take(reader, reading):
                pass
        late += [frame.t + took - e["t"] for e in match.events[seen:] if e["event"] in ("marker-taken", "photos-turned")]
    say("a frame that needs no reading", idle)
    say("a look", looks)
    say("from the last hand leaving to the event", late)


def say(what: str, seconds: list[float]) -> None:
    if seconds:
        ms = np.array(seconds) * 1000
        print(f"{what:48s} n {len(ms):5d}   median {np.median(ms):7.1f} ms   95th {np.percentile(ms, 95):7.1f} ms")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--clip")
    parser.add_argument("--table", type=Path)
    parser.add_argument("--players", default="")
    parser.add_argument("--size", default="1920x1080")
    a = parser.parse_args()
    if a.clip and a.table:
        game(open_source(a.clip).frames(), read_table(a.table), a.players.split(","))
        return
    width, height = (int(v) for v in a.size.split("x"))
    lens = Lens((float(width), float(width), width / 2, height / 2), (0.0, 0.0, 0.0, 0.0, 0.0))
    scale = 800 / width
    table = Table((width, height), lens, (scale, 0, -400.0, 0, scale, -225.0, 0, 0, 1.0))
    eyes(drawn(width, height), table)


if __name__ == "__main__":
    main()
