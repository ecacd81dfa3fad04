"""How the counter compares with peers, in one run: exact counts and F1 of places, in all and by kind, CPU seconds a megapixel, memory.

    python benchmarks/diff.py FOLDER [--kinds back,photo] [--every 4] [--workers 2] [--json out.json]

FOLDER holds picture pairs with truth (truth.json: pairs with a, b, kind, accept, quad_a, b_to_a, differences). The peers cannot align:
they are given the true alignment and outline, with brightness and contrast matched, so they are spared the hardest part. Only
"SIFT + RANSAC + SSIM + blobs" aligns itself, as this program does. A peer that is not installed is left out and said so: odiff
(npm: odiff-bin), pixelmatch (npm) and ImageMagick's compare are found on the PATH; scikit-image is a dependency.

Memory is that of a process that does nothing but the largest pair, from its start. Beside that: what our pixel stage (the map of
changes and its places) takes of two aligned pictures against scikit-image's SSIM of the same two in colour, and what `companion diff`
takes of two 12-megapixel photographs from its start to its answer: a pair of photos of the folder, enlarged, with noise, as JPEG.
"""

import argparse
import json
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from skimage.metrics import structural_similarity

from vision.differences import count_differences
from vision.differences.align import Fit, align, features, warp
from vision.differences.candidates import candidates
from vision.differences.laid import WORK_PX, Laid
from vision.differences.maps import map_differences
from vision.pictures import read

WIDTH = 800  # the aligned pair that peers are given
GROWN = 0.015  # of the width, as score_diffs.py has it
ENOUGH = 10  # pairs of a kind that make a figure
OURS = "this program, aligning itself"
PLAIN = "SIFT + RANSAC + SSIM + blobs"
GIVEN = ", given the alignment"
USED = (
    "import resource, subprocess, sys; subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL);"
    "u = resource.getrusage(resource.RUSAGE_CHILDREN); print(u.ru_utime + u.ru_stime, u.ru_maxrss)"
)
LARGE_PIXELS = 12_000_000
RUNS = 3
Boxes = list[tuple[float, float, float, float]]


# ---------------------------------------------------------------- methods: two pictures in, boxes out


def blobs(different: np.ndarray) -> Boxes:
    """Connected places after closing gaps of 1.2 % of the width; the smallest are noise."""
    n = round(different.shape[1] * 0.012) | 1
    closed = cv2.morphologyEx(different.astype(np.uint8), cv2.MORPH_CLOSE, np.ones((n, n), np.uint8))
    _, _, stats, _ = cv2.connectedComponentsWithStats(closed)
    return [tuple(float(v) for v in s[:4]) for s in stats[1:] if s[cv2.CC_STAT_AREA] >= (0.009 * different.shape[1]) ** 2]


def by_ssim(a: np.ndarray, b: np.ndarray) -> Boxes:
    return blobs(_ssim(a, b) < 0.35)


def _ssim(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    grey = [cv2.cvtColor(p, cv2.COLOR_BGR2GRAY) for p in (a, b)]
    return structural_similarity(*grey, full=True, gaussian_weights=True, data_range=255)[1]


COMMANDS: dict[str, tuple[str, Callable[[Path], list[str]], Callable[[np.ndarray], np.ndarray]]] = {
    "ImageMagick compare": (
        "compare",
        lambda d: [
            *("compare", "-fuzz", "20%", "-compose", "src", "-highlight-color", "white", "-lowlight-color", "black"),
            *(str(d / name) for name in ("a.png", "b.png", "out.png")),
        ],
        lambda out: out[..., :3].max(2) > 127,
    ),
    "pixelmatch": (
        "pixelmatch",
        lambda d: ["pixelmatch", *(str(d / name) for name in ("a.png", "b.png", "out.png")), "0.3"],
        lambda out: (out[..., 2] == 255) & (out[..., 1] == 0) & (out[..., 0] == 0),  # red: different; the rest is faded
    ),
    "odiff": (
        "odiff",
        lambda d: [
            *("odiff", *(str(d / name) for name in ("a.png", "b.png", "out.png"))),
            *("--antialiasing", "--threshold=0.25", "--diff-mask"),
        ],
        lambda out: out[..., 3] > 0 if out.shape[2] == 4 else out.max(2) > 127,
    ),
}


def by_command(name: str, a: np.ndarray, b: np.ndarray) -> Boxes:
    """A peer that is a command; its time is that of its process."""
    _, command, marked = COMMANDS[name]
    with tempfile.TemporaryDirectory() as folder:
        here = Path(folder)
        cv2.imwrite(str(here / "a.png"), a)
        cv2.imwrite(str(here / "b.png"), b)
        subprocess.run(command(here), capture_output=True, check=False)
        out = cv2.imread(str(here / "out.png"), cv2.IMREAD_UNCHANGED)
    if out is None:
        return []
    return blobs(marked(out if out.ndim == 3 else np.repeat(out[..., None], 3, 2)))


def by_pipeline(a: np.ndarray, b: np.ndarray, quad: np.ndarray) -> Boxes | None:
    fit = align(a, b, features(a), features(b))
    if not isinstance(fit, Fit):
        return None
    laid_a, laid_b, back = prepared(quad, a, b, fit.b_to_a)
    return carried(by_ssim(laid_a, laid_b), back)


def by_us(a: np.ndarray, b: np.ndarray) -> Boxes | None:
    said = count_differences(a, b)
    return None if said.count is None else [p.a for p in said.places]


def prepared(quad: np.ndarray, a: np.ndarray, b: np.ndarray, b_to_a: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The aligned pair that a peer is given, nothing outside the print, light matched; and the way back to A's pixels."""
    side = [np.hypot(*(quad[i] - quad[j])) for i, j in ((0, 1), (0, 3))]
    width, height = WIDTH, max(32, round(WIDTH * side[1] / side[0]))
    to = cv2.getPerspectiveTransform(quad, np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32)).astype(np.float64)
    laid = [warp(p, m, width, height) for p, m in ((a, to), (b, to @ b_to_a))]
    mean = [p.reshape(-1, 3).mean(0) for p in laid]
    spread = [p.reshape(-1, 3).std(0) + 1e-3 for p in laid]
    laid[1] = np.clip((laid[1] - mean[1]) / spread[1] * spread[0] + mean[0], 0, 255).astype(np.uint8)
    return laid[0], laid[1], np.linalg.inv(to)


def carried(boxes: Boxes, back: np.ndarray) -> Boxes:
    out = []
    for x, y, w, h in boxes:
        q = cv2.perspectiveTransform(np.array([[[x, y], [x + w, y], [x + w, y + h], [x, y + h]]], np.float64), back)[0]
        out.append((*q.min(0), *np.ptp(q, axis=0)))
    return out


# ---------------------------------------------------------------- scoring


@dataclass(frozen=True)
class Answer:
    """What one method said of one pair; `boxes` None: refused."""

    method: str
    boxes: Boxes | None
    seconds: float
    megapixels: float


@dataclass
class Score:
    """Pairs of one kind, or of all."""

    exact: list[bool] = field(default_factory=list)
    right: int = 0
    wrong: int = 0
    missed: int = 0

    def add(self, pair: dict[str, Any], boxes: Boxes | None) -> None:
        low, high = pair["accept"]
        right, wrong, missed = judged(boxes, pair) if boxes is not None else (0, 0, len(pair["differences"]))
        self.exact.append(boxes is not None and low <= len(boxes) <= high)
        self.right, self.wrong, self.missed = self.right + right, self.wrong + wrong, self.missed + missed

    def figures(self) -> tuple[float, float]:
        """Exact rate, F1 of places."""
        return float(np.mean(self.exact)), 2 * self.right / max(1, 2 * self.right + self.wrong + self.missed)


def scores(answers: Sequence[tuple[dict[str, Any], Answer]]) -> dict[str, Score]:
    """Of one method: by kind where there are ENOUGH pairs, and "all"."""
    out: dict[str, Score] = {"all": Score()}
    for pair, answer in answers:
        for kind in ("all", pair["kind"]):
            out.setdefault(kind, Score()).add(pair, answer.boxes)
    return {kind: score for kind, score in out.items() if kind == "all" or len(score.exact) >= ENOUGH}


def judged(boxes: Boxes, pair: dict[str, Any]) -> tuple[int, int, int]:
    """True, false and missed places, by A's boxes."""
    grown = GROWN * float(np.hypot(*np.subtract(pair["quad_a"][1], pair["quad_a"][0])))
    left = [d for d in pair["differences"] if d.get("a")]
    right = wrong = 0
    for x, y, w, h in boxes:
        cx, cy = x + w / 2, y + h / 2
        hit = next((d for d in left if any(_holds(box, cx, cy, grown) for box in d["a"])), None)
        if hit is None:
            wrong += 1
        else:
            left.remove(hit)
            right += bool(hit.get("sure", True))
    return right, wrong, sum(bool(d.get("sure", True)) for d in left)


def _holds(box: Sequence[float], x: float, y: float, grown: float) -> bool:
    return box[0] - grown <= x <= box[0] + box[2] + grown and box[1] - grown <= y <= box[1] + box[3] + grown


# ---------------------------------------------------------------- measuring


def cpu_seconds() -> float:
    """Of this process and of the commands that it has run."""
    return sum(used.ru_utime + used.ru_stime for used in map(resource.getrusage, (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)))


def memory_mb(method: str, a: Path, b: Path) -> float:
    """Peak memory of one process that does this pair alone."""
    with tempfile.TemporaryDirectory() as folder:
        here = Path(folder)
        if method in COMMANDS:
            for name, path in (("a.png", a), ("b.png", b)):
                cv2.imwrite(str(here / name), cv2.resize(read(path), (WIDTH, round(WIDTH * 0.75))))
            command = COMMANDS[method][1](here)
        else:
            command = [sys.executable, __file__, "--only", method, str(a), str(b)]
        # asked of a small process: a child starts with its parent's peak
        done = subprocess.run([sys.executable, "-c", USED, *command], capture_output=True, text=True, check=True)
    return float(done.stdout.split()[1]) / 1024


def do_one(method: str, a: Path, b: Path) -> None:
    """One method on one pair, for its memory."""
    first, second = read(a), read(b)
    if method == OURS:
        by_us(first, second)
    else:
        h, w = first.shape[:2]
        quad = np.array([[0, 0], [w, 0], [w, h], [0, h]], np.float32)
        if method == PLAIN:
            by_pipeline(first, second, quad)
        else:
            by_ssim(*prepared(quad, first, second, np.eye(3))[:2])


def pixel_stages(a: np.ndarray, b: np.ndarray) -> tuple[float, float, float]:
    """CPU seconds of our map, of the places in it, and of scikit-image's SSIM in colour, on the same aligned pair."""
    h, w = round(WORK_PX * a.shape[0] / a.shape[1]), WORK_PX
    a, b = (cv2.resize(p, (w, h), interpolation=cv2.INTER_AREA) for p in (a, b))
    whole = np.ones((h, w), bool)
    laid = Laid(a, b, whole, whole, ~whole, np.eye(3), np.eye(3))
    start = cpu_seconds()
    maps = map_differences(laid)
    mapped = cpu_seconds()
    everywhere = np.ones(maps.changed.shape, bool)
    candidates(laid, maps, everywhere, ~everywhere)
    placed = cpu_seconds()
    structural_similarity(a, b, channel_axis=2, data_range=255)
    return mapped - start, placed - mapped, cpu_seconds() - placed


def one_pair(folder: Path, commands: Sequence[str], pair: dict[str, Any]) -> tuple[list[Answer], tuple[float, float, float], float]:
    """All methods on one pair; the pixel stages; its megapixels."""
    a, b = read(folder / pair["a"]), read(folder / pair["b"])
    megapixels = (a.shape[0] * a.shape[1] + b.shape[0] * b.shape[1]) / 1e6
    quad, b_to_a = np.array(pair["quad_a"], np.float32), np.array(pair["b_to_a"]).reshape(3, 3)
    pa, pb, back = prepared(quad, a, b, b_to_a)
    given = 2 * pa.shape[0] * pa.shape[1] / 1e6

    def timed(method: str, find: Callable[[], Boxes | None], megapixels: float) -> Answer:
        start = cpu_seconds()
        boxes = find()
        return Answer(method, boxes, cpu_seconds() - start, megapixels)

    answers = [
        timed(OURS, lambda: by_us(a, b), megapixels),
        timed(PLAIN, lambda: by_pipeline(a, b, quad), megapixels),
        timed(f"scikit-image SSIM{GIVEN}", lambda: carried(by_ssim(pa, pb), back), given),
        *(timed(name + GIVEN, lambda name=name: carried(by_command(name, pa, pb), back), given) for name in commands),
    ]
    return answers, pixel_stages(pa, pb), megapixels


def large_photographs(a: Path, b: Path) -> str:
    """What `companion diff` takes of two photographs of 12 megapixels."""
    with tempfile.TemporaryDirectory() as folder:
        paths = []
        for k, path in enumerate((a, b)):
            picture = read(path)
            scale = float(np.sqrt(LARGE_PIXELS / (picture.shape[0] * picture.shape[1])))
            large = cv2.resize(picture, None, fx=scale, fy=scale, interpolation=cv2.INTER_CUBIC)
            noise = np.random.default_rng(k).normal(0, 4, large.shape)
            paths.append(Path(folder) / f"{k}.jpg")
            cv2.imwrite(str(paths[-1]), np.clip(large + noise, 0, 255).astype(np.uint8), [cv2.IMWRITE_JPEG_QUALITY, 92])
        command = [sys.executable, "-c", USED, str(Path(sys.executable).with_name("companion")), "diff", *map(str, paths), "--json"]
        runs = []
        for _ in range(RUNS):
            start = time.monotonic()
            done = subprocess.run(command, capture_output=True, text=True, check=True)
            runs.append((time.monotonic() - start, *map(float, done.stdout.split())))
    wall, cpu, kilobytes = (min(column) for column in zip(*runs, strict=True))
    return f"{wall:.2f} s from start to answer, {cpu:.2f} CPU s, {kilobytes / 1024:.0f} MB (the best of {RUNS} runs)"


def table(by_method: dict[str, list[tuple[dict[str, Any], Answer]]], memory: dict[str, float]) -> tuple[list[str], dict[str, Any]]:
    """The lines to print, and the same as figures."""
    scored = {method: scores(answers) for method, answers in by_method.items()}
    kinds = list(scored[OURS])
    head = f"{'exact / F1':<40}" + "".join(f"{f'{kind} ({len(scored[OURS][kind].exact)})':>18}" for kind in kinds)
    lines = [head + f"{'CPU s/MP':>10}{'MB':>6}"]
    figures: dict[str, Any] = {}
    for method, by_kind in scored.items():
        both = {kind: by_kind[kind].figures() for kind in kinds}
        seconds, megapixels = (sum(getattr(a, name) for _, a in by_method[method]) for name in ("seconds", "megapixels"))
        cells = "".join(f"{f'{exact:.2f} / {f1:.2f}':>18}" for exact, f1 in both.values())
        lines.append(f"{method:<40}{cells}{seconds / megapixels:>10.3f}{memory[method]:>6.0f}")
        figures[method] = {
            "exact": {kind: round(v[0], 3) for kind, v in both.items()},
            "f1": {kind: round(v[1], 3) for kind, v in both.items()},
            "cpu_seconds_a_megapixel": round(seconds / megapixels, 4),
            "memory_mb": round(memory[method]),
        }
    ahead = []
    for k, name in enumerate(("exact", "F1")):
        for kind in kinds:
            best = max(by_kind[kind].figures()[k] for method, by_kind in scored.items() if method != OURS)
            if scored[OURS][kind].figures()[k] <= best:
                ahead.append(f"{name} of {kind}")
    lines.append(f"not ahead of every peer in: {', '.join(ahead)}" if ahead else "ahead of every peer in each of these accuracies")
    return lines, figures


def main() -> None:
    if sys.argv[1:2] == ["--only"]:
        do_one(sys.argv[2], Path(sys.argv[3]), Path(sys.argv[4]))
        return
    ask = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ask.add_argument("folder", type=Path)
    ask.add_argument("--kinds")
    ask.add_argument("--every", type=int, default=1)
    ask.add_argument("--workers", type=int, default=2)
    ask.add_argument("--json", type=Path)
    given = ask.parse_args()
    commands = [name for name, (program, _, _) in COMMANDS.items() if shutil.which(program)]
    for name in COMMANDS.keys() - set(commands):
        print(f"{name} is not installed: left out")
    every = json.loads((given.folder / "truth.json").read_text())["pairs"]
    pairs = [p for p in every if p["same_picture"] and p["b"] and len(p.get("quad_a") or ()) == 4]
    pairs = [p for p in pairs if not given.kinds or p["kind"] in given.kinds.split(",")][:: given.every]
    with ProcessPoolExecutor(given.workers, mp_context=get_context("spawn"), initializer=cv2.setNumThreads, initargs=(1,)) as pool:
        done = list(pool.map(partial(one_pair, given.folder, commands), pairs))
    by_method: dict[str, list[tuple[dict[str, Any], Answer]]] = {}
    for pair, (answers, _, _) in zip(pairs, done, strict=True):
        for answer in answers:
            by_method.setdefault(answer.method, []).append((pair, answer))
    largest = pairs[int(np.argmax([megapixels for _, _, megapixels in done]))]
    files = given.folder / largest["a"], given.folder / largest["b"]
    lines, figures = table(by_method, {method: memory_mb(method.removesuffix(GIVEN), *files) for method in by_method})
    print(f"{len(pairs)} pairs; kinds with {ENOUGH} or more apart", *lines, sep="\n")
    mapped, placed, ssim = np.sum([stages for _, stages, _ in done], axis=0) / len(pairs)
    figures["pixel_stage_to_ssim"] = round((mapped + placed) / ssim, 2)
    parts = f"map {mapped:.3f}, places {placed:.3f}, against {ssim:.3f} CPU s"
    print(f"our pixel stage takes {figures['pixel_stage_to_ssim']} of the time of scikit-image's SSIM in colour ({parts})")
    photo = next((p for p in pairs if p["kind"] == "photo"), pairs[0])
    figures["two 12-megapixel photographs"] = large_photographs(given.folder / photo["a"], given.folder / photo["b"])
    print(f"two 12-megapixel photographs: {figures['two 12-megapixel photographs']}")
    if given.json:
        given.json.write_text(json.dumps({"pairs": len(pairs)} | figures, indent=1))


if __name__ == "__main__":
    main()
