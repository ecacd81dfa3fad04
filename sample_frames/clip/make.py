"""Makes the sample clip's folder: film, points, seats, case and truth."""

import json
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from itertools import islice
from multiprocessing import get_context
from pathlib import Path

import numpy as np

from sample_frames.clip.encode import encoder
from sample_frames.clip.film import FPS, SIZE, Film, Picture, Set, evening
from sample_frames.clip.plan import PLAYERS, ROUNDS, Json, referee
from sample_frames.deck import load

CHUNK = 15  # frames that a process draws at a time
MEASURED_MM = ((-330.0, -168.0), (330.0, -150.0), (322.0, 158.0), (-318.0, 162.0), (0.0, 0.0), (120.0, -70.0), (-90.0, 100.0))

_film: Film | None = None  # of a drawing process


def make_clip(out: Path, *, seed: int = 1, workers: int = 2, progress: Callable[[int, int], None] | None = None) -> None:
    """Write the clip into a folder. Takes a few minutes; `progress` is told frames done and of all."""
    out.mkdir(parents=True, exist_ok=True)
    here, _, events, seconds = evening(load(), seed=seed)
    write_truth(out, here, events)
    count = int(seconds * FPS)
    film = encoder(out / "clip.mp4", SIZE, FPS)
    try:
        for done, frame in enumerate(frames(count, seed=seed, workers=workers), start=1):
            film.write(frame)
            if progress:
                progress(done, count)
    finally:
        film.close()


def frames(count: int, *, seed: int, workers: int) -> Iterator[Picture]:
    """All frames in order, drawn by several processes, none far ahead of what is taken."""
    starts = iter(range(0, count, CHUNK))
    fresh = get_context("spawn")   # a fork would inherit OpenCV's threads half-way through their work, and hang
    with ProcessPoolExecutor(workers, mp_context=fresh, initializer=_start, initargs=(seed,)) as pool:
        waiting: deque[Future[list[Picture]]] = deque(pool.submit(_draw, a, min(a + CHUNK, count)) for a in islice(starts, 2 * workers))
        while waiting:
            yield from waiting.popleft().result()
            waiting.extend(pool.submit(_draw, a, min(a + CHUNK, count)) for a in islice(starts, 1))


def _start(seed: int) -> None:
    import cv2

    global _film
    cv2.setNumThreads(1)
    here, stage, _, _ = evening(load(), seed=seed)
    _film = Film(here, stage)


def _draw(first: int, beyond: int) -> list[Picture]:
    assert _film is not None
    return [_film.frame(k) for k in range(first, beyond)]


def write_truth(out: Path, here: Set, events: list[Json]) -> None:
    """Everything of the clip's folder but the film."""
    rulings, summary = referee(events)
    w, h = here.camera.image_size
    rng = np.random.default_rng(4)
    px = here.camera.project([(*spot, 0.0) for spot in MEASURED_MM]) + rng.normal(0, 0.2, (len(MEASURED_MM), 2))
    fx = here.camera.lens.matrix[0]
    _write(
        out / "points.json",
        {
            "format": 1,
            "image_size": [w, h],
            "points": [
                {"px": [round(float(x), 2), round(float(y), 2)], "mm": list(mm)} for (x, y), mm in zip(px, MEASURED_MM, strict=True)
            ],
            "lens": None,
            "diagonal_fov_deg": round(float(np.rad2deg(2 * np.arctan(np.hypot(w, h) / 2 / fx)))),
        },
    )
    _write(
        out / "seats.json",
        {
            "format": 1,
            "seats": [{"name": p.seat.name, "colour": p.seat.colour, "area": [list(c) for c in p.seat.area]} for p in here.places],
            "common": {"area": [list(c) for c in here.common]},
        },
    )
    _write(out / "case.json", {"game": "sherlook", "players": list(PLAYERS), "settings": {"rounds": ROUNDS}, "deck": None})
    _write_lines(out / "truth.events.jsonl", events)
    _write_lines(out / "truth.rulings.jsonl", [*rulings, summary])


def _write(path: Path, document: Json) -> None:
    path.write_text(json.dumps(document, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")


def _write_lines(path: Path, lines: list[Json]) -> None:
    path.write_text("".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines), encoding="utf-8")
