"""How the counter compares with peers, in one run: exact counts, F1 of places, seconds a megapixel, memory.

    python benchmarks/diff.py FOLDER [--kinds back,photo] [--every 4] [--json out.json]

FOLDER holds picture pairs with truth (truth.json: pairs with a, b, accept, quad_a, b_to_a, differences). The peers cannot align:
they are given the true alignment and outline, with brightness and contrast matched, so they are spared the hardest part. A peer
that is not installed is left out and said so. odiff and ImageMagick are found on the PATH; scikit-image is a
dependency; pixelmatch is the Python port.
"""

import argparse
import importlib.util
import json
import resource
import shutil
import subprocess
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from skimage.metrics import structural_similarity

from vision.differences import count_differences
from vision.differences.align import Fit, align, features, warp
from vision.pictures import read

WIDTH = 800  # the aligned pair that peers are given
GROWN = 0.015  # of the width, as score_diffs.py has it
Boxes = list[tuple[float, float, float, float]]


def blobs(different: np.ndarray) -> Boxes:
    """Connected places after closing gaps of 1.2 % of the width; the smallest are noise."""
    n = round(different.shape[1] * 0.012) | 1
    closed = cv2.morphologyEx(different.astype(np.uint8), cv2.MORPH_CLOSE, np.ones((n, n), np.uint8))
    _, _, stats, _ = cv2.connectedComponentsWithStats(closed)
    return [tuple(float(v) for v in s[:4]) for s in stats[1:] if s[cv2.CC_STAT_AREA] >= (0.009 * different.shape[1]) ** 2]


def by_ssim(a: np.ndarray, b: np.ndarray) -> Boxes:
    grey = [cv2.cvtColor(p, cv2.COLOR_BGR2GRAY) for p in (a, b)]
    _, similar = structural_similarity(*grey, full=True, gaussian_weights=True, data_range=255)
    return blobs(similar < 0.35)


def by_pixelmatch(a: np.ndarray, b: np.ndarray) -> Boxes:
    from PIL import Image
    from pixelmatch.contrib.PIL import pixelmatch

    images = [Image.fromarray(p[..., ::-1].copy()).convert("RGBA") for p in (a, b)]
    out = Image.new("RGBA", images[0].size)
    pixelmatch(*images, out, threshold=0.3, diff_mask=True)
    return blobs(np.asarray(out)[..., 3] > 0)


def by_command(a: np.ndarray, b: np.ndarray, command: Callable[[Path], list[str]]) -> Boxes:
    with tempfile.TemporaryDirectory() as folder:
        here = Path(folder)
        cv2.imwrite(str(here / "a.png"), a)
        cv2.imwrite(str(here / "b.png"), b)
        subprocess.run(command(here), capture_output=True, check=False)
        out = cv2.imread(str(here / "out.png"), cv2.IMREAD_UNCHANGED)
    if out is None:
        return []
    marked = out[..., 3] > 0 if out.ndim == 3 and out.shape[2] == 4 else (out if out.ndim == 2 else out.max(2)) > 127
    return blobs(marked)


def by_imagemagick(a: np.ndarray, b: np.ndarray) -> Boxes:
    options = ["-fuzz", "20%", "-compose", "src", "-highlight-color", "white", "-lowlight-color", "black"]
    return by_command(a, b, lambda d: ["compare", *options, str(d / "a.png"), str(d / "b.png"), str(d / "out.png")])


def by_odiff(a: np.ndarray, b: np.ndarray) -> Boxes:
    options = ["--antialiasing", "--threshold=0.25", "--diff-mask"]
    return by_command(a, b, lambda d: ["odiff", *options, str(d / "a.png"), str(d / "b.png"), str(d / "out.png")])


def prepared(pair: dict[str, Any], a: np.ndarray, b: np.ndarray, b_to_a: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The aligned pair that a peer is given, outside the print black, light matched; and the way back to A's pixels."""
    quad = np.array(pair["quad_a"], np.float32)
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


def main() -> None:
    ask = argparse.ArgumentParser(description=__doc__)
    ask.add_argument("folder", type=Path)
    ask.add_argument("--kinds")
    ask.add_argument("--every", type=int, default=1)
    ask.add_argument("--json", type=Path)
    given = ask.parse_args()
    cv2.setNumThreads(1)
    peers: dict[str, Callable[[np.ndarray, np.ndarray], Boxes]] = {"scikit-image SSIM": by_ssim}
    for name, there, peer in (
        ("pixelmatch (Python)", importlib.util.find_spec("pixelmatch"), by_pixelmatch),
        ("ImageMagick compare", shutil.which("compare"), by_imagemagick),
        ("odiff", shutil.which("odiff"), by_odiff),
    ):
        if there:
            peers[name] = peer
        else:
            print(f"{name} is not installed: left out")
    every = json.loads((given.folder / "truth.json").read_text())["pairs"]
    pairs = [p for p in every if p["same_picture"] and p["b"] and len(p.get("quad_a") or ()) == 4]
    pairs = [p for p in pairs if not given.kinds or p["kind"] in given.kinds.split(",")][:: given.every]
    rows: dict[str, list[float]] = {}

    def note(name: str, boxes: Boxes | None, seconds: float, megapixels: float, pair: dict[str, Any]) -> None:
        """Adds one answer to the method's row; None is a refusal."""
        low, high = pair["accept"]
        right, wrong, missed = judged(boxes, pair) if boxes is not None else (0, 0, len(pair["differences"]))
        exact = boxes is not None and low <= len(boxes) <= high
        row = rows.setdefault(name, [0.0] * 6)
        rows[name] = [v + d for v, d in zip(row, (exact, right, wrong, missed, seconds, megapixels), strict=True)]

    for pair in pairs:
        a, b = read(given.folder / pair["a"]), read(given.folder / pair["b"])
        megapixels = (a.shape[0] * a.shape[1] + b.shape[0] * b.shape[1]) / 1e6
        start = time.process_time()
        said = count_differences(a, b)
        ours = None if said.count is None else [p.a for p in said.places]
        note("this program, aligning itself", ours, time.process_time() - start, megapixels, pair)
        start = time.process_time()
        fit = align(a, b, features(a), features(b))
        plain = None
        if isinstance(fit, Fit):
            laid_a, laid_b, back = prepared(pair, a, b, fit.b_to_a)
            plain = carried(by_ssim(laid_a, laid_b), back)
        note("SIFT + RANSAC + SSIM + blobs", plain, time.process_time() - start, megapixels, pair)
        pa, pb, back = prepared(pair, a, b, np.array(pair["b_to_a"]).reshape(3, 3))
        for name, peer in peers.items():
            start = time.process_time()
            found = peer(pa, pb)
            size = 2 * pa.shape[0] * pa.shape[1] / 1e6
            note(f"{name}, given the alignment", carried(found, back), time.process_time() - start, size, pair)
    print(f"{len(pairs)} pairs; CPU seconds of this process; peers that are commands run outside it")
    print(f"{'method':<42}{'exact':>7}{'F1':>7}{'s/MP':>8}")
    figures = {}
    for name, (exact, right, wrong, missed, seconds, megapixels) in rows.items():
        f1 = 2 * right / max(1.0, 2 * right + wrong + missed)
        figures[name] = {"exact": exact / len(pairs), "f1": f1, "seconds_a_megapixel": seconds / megapixels}
        print(f"{name:<42}{exact / len(pairs):>7.2f}{f1:>7.2f}{seconds / megapixels:>8.3f}")
    print(f"peak memory {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MB")
    if given.json:
        given.json.write_text(json.dumps(figures, indent=1))


if __name__ == "__main__":
    main()
