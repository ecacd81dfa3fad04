"""How the counter compares with peers, in one run: exact counts by kind, F1 of places, CPU seconds a megapixel, memory.

    python benchmarks/diff.py FOLDER [--kinds back,photo] [--every 4] [--json out.json]

FOLDER holds picture pairs with truth (truth.json: pairs with a, b, kind, accept, quad_a, b_to_a, differences). The peers cannot align:
they are given the true alignment and outline, with brightness and contrast matched, so they are spared the hardest part. Only
"SIFT + RANSAC + SSIM + blobs" aligns itself, as this program does. A peer that is not installed is left out and said so: odiff
(npm: odiff-bin), pixelmatch (npm) and ImageMagick's compare are found on the PATH; scikit-image is a dependency.

Memory is that of a process that does nothing but the largest pair, from its start.
"""

import argparse
import json
import resource
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from skimage.metrics import structural_similarity

from vision.differences import Side, count_differences
from vision.differences.align import Fit, align, features, warp
from vision.differences.comparison import look
from vision.pictures import read

WIDTH = 800  # the aligned pair that peers are given
GROWN = 0.015  # of the width, as score_diffs.py has it
ENOUGH = 10  # pairs of a kind that make a figure
OURS = "this program, aligning itself"
PLAIN = "SIFT + RANSAC + SSIM + blobs"
GIVEN = ", given the alignment"
PEAK = (
    "import resource, subprocess, sys; subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL);"
    "print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)"
)
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


@dataclass
class Row:
    """What one method did on all pairs."""

    exact: dict[str, list[bool]] = field(default_factory=dict)  # by kind
    right: int = 0
    wrong: int = 0
    missed: int = 0
    seconds: float = 0.0
    megapixels: float = 0.0

    def add(self, pair: dict[str, Any], boxes: Boxes | None, seconds: float, megapixels: float) -> None:
        """One answer; None is a refusal."""
        low, high = pair["accept"]
        right, wrong, missed = judged(boxes, pair) if boxes is not None else (0, 0, len(pair["differences"]))
        self.exact.setdefault(pair["kind"], []).append(boxes is not None and low <= len(boxes) <= high)
        self.right, self.wrong, self.missed = self.right + right, self.wrong + wrong, self.missed + missed
        self.seconds, self.megapixels = self.seconds + seconds, self.megapixels + megapixels

    def figures(self) -> dict[str, Any]:
        every = [good for kind in self.exact.values() for good in kind]
        by_kind = {kind: round(float(np.mean(good)), 3) for kind, good in sorted(self.exact.items()) if len(good) >= ENOUGH}
        return {
            "exact": round(float(np.mean(every)), 3),
            "f1": round(2 * self.right / max(1, 2 * self.right + self.wrong + self.missed), 3),
            "cpu_seconds_a_megapixel": round(self.seconds / self.megapixels, 4),
            "exact_by_kind": by_kind,
        }


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
        done = subprocess.run([sys.executable, "-c", PEAK, *command], capture_output=True, text=True, check=True)
    return float(done.stdout) / 1024


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


def pixel_stages(a: np.ndarray, b: np.ndarray, b_to_a: np.ndarray) -> tuple[float, float]:
    """CPU seconds of our look at two pictures that are aligned already, and of scikit-image's SSIM on the same two."""
    height, width = a.shape[:2]
    laid = warp(b, b_to_a, width, height)
    fit = Fit(np.eye(3), 0.0, np.array([[0.0, 0], [width, 0], [width, height], [0, height]]), 1.0)
    spent = []
    for stage in (lambda: look(Side(a), Side(laid), fit), lambda: _ssim(a, laid)):
        start = cpu_seconds()
        stage()
        spent.append(cpu_seconds() - start)
    return spent[0], spent[1]


def main() -> None:
    if sys.argv[1:2] == ["--only"]:
        do_one(sys.argv[2], Path(sys.argv[3]), Path(sys.argv[4]))
        return
    ask = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ask.add_argument("folder", type=Path)
    ask.add_argument("--kinds")
    ask.add_argument("--every", type=int, default=1)
    ask.add_argument("--json", type=Path)
    given = ask.parse_args()
    cv2.setNumThreads(1)
    commands = [name for name, (program, _, _) in COMMANDS.items() if shutil.which(program)]
    for name in COMMANDS.keys() - set(commands):
        print(f"{name} is not installed: left out")
    every = json.loads((given.folder / "truth.json").read_text())["pairs"]
    pairs = [p for p in every if p["same_picture"] and p["b"] and len(p.get("quad_a") or ()) == 4]
    pairs = [p for p in pairs if not given.kinds or p["kind"] in given.kinds.split(",")][:: given.every]
    rows = {name: Row() for name in (OURS, PLAIN, f"scikit-image SSIM{GIVEN}", *(name + GIVEN for name in commands))}
    stages = np.zeros(2)
    largest, size = pairs[0], 0.0
    for pair in pairs:
        a, b = read(given.folder / pair["a"]), read(given.folder / pair["b"])
        megapixels = (a.shape[0] * a.shape[1] + b.shape[0] * b.shape[1]) / 1e6
        largest, size = max((largest, size), (pair, megapixels), key=lambda known: known[1])
        quad, b_to_a = np.array(pair["quad_a"], np.float32), np.array(pair["b_to_a"]).reshape(3, 3)
        pa, pb, back = prepared(quad, a, b, b_to_a)
        given_size = 2 * pa.shape[0] * pa.shape[1] / 1e6

        def timed(name: str, find: Callable[[], Boxes | None], megapixels: float, pair: dict[str, Any]) -> None:
            start = cpu_seconds()
            boxes = find()
            rows[name].add(pair, boxes, cpu_seconds() - start, megapixels)

        timed(OURS, lambda a=a, b=b: by_us(a, b), megapixels, pair)
        timed(PLAIN, lambda a=a, b=b, quad=quad: by_pipeline(a, b, quad), megapixels, pair)
        timed(f"scikit-image SSIM{GIVEN}", lambda pa=pa, pb=pb, back=back: carried(by_ssim(pa, pb), back), given_size, pair)
        for name in commands:
            timed(name + GIVEN, lambda name=name, pa=pa, pb=pb, back=back: carried(by_command(name, pa, pb), back), given_size, pair)
        stages += pixel_stages(a, b, b_to_a)
    print(f"{len(pairs)} pairs; exact by kind where there are {ENOUGH} or more")
    print(f"{'method':<42}{'exact':>7}{'F1':>7}{'CPU s/MP':>10}{'MB':>7}  by kind")
    figures: dict[str, Any] = {"pairs": len(pairs)}
    for name, row in rows.items():
        memory = memory_mb(name.removesuffix(GIVEN), given.folder / largest["a"], given.folder / largest["b"])
        f = figures[name] = row.figures() | {"memory_mb": round(memory)}
        kinds = "  ".join(f"{kind} {share:.2f}" for kind, share in f["exact_by_kind"].items())
        print(f"{name:<42}{f['exact']:>7.2f}{f['f1']:>7.2f}{f['cpu_seconds_a_megapixel']:>10.3f}{f['memory_mb']:>7}  {kinds}")
    figures["pixel_stage_to_ssim"] = round(float(stages[0] / stages[1]), 2)
    print(f"of two aligned pictures our pixel stage takes {figures['pixel_stage_to_ssim']} of the time of scikit-image's SSIM")
    if given.json:
        given.json.write_text(json.dumps(figures, indent=1))


if __name__ == "__main__":
    main()
