"""Where the table shows the same picture twice: the two photos of a pair are almost one picture, so they find each other.

The flat view is matched with itself: each keypoint with its likest ones elsewhere. One match tells a whole pose (a turn and a
shift; sizes are alike), so every strong match proposes one and all matches vote; the winner is fitted, its matches are taken
out, and the next is sought.
"""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.geometry import Picture, Points, points
from vision.topview import TopView

KEYPOINTS = 2200
PARTNERS = 2                # likest keypoints elsewhere, for each
APART_MM = 30.0             # two places of one photo are no pair
LIKE = 0.80                 # cosine of root-SIFT descriptors: less is chance
SIZE_RATIO = 1.5            # of the two keypoints
PROPOSALS = 300             # strongest matches that may propose a pose
TURN_TOLERANCE = 16.0       # degrees, of a single match's turn
VOTE_MM = 7.0               # a keypoint's turn is good to some degrees, over half a photo
FIT_MM = 2.2                # of the fitted pose
FEWEST = 8                  # matches that make a pose
POSES = 5


@dataclass(frozen=True)
class Pose:
    """One place looks like another: b = turn(a) + shift, in table mm."""

    turn_deg: float                  # clockwise as seen, from a to b
    matrix: NDArray[np.float64]      # (2, 3) a rigid motion: mm of a -> mm of b
    a: Points                        # (n, 2) matched places, mm
    b: Points                        # (n, 2) the same places in the fellow

    def to_b(self, where_mm: Points) -> Points:
        """(n, 2) mm at a -> mm at b."""
        return points(points(where_mm) @ self.matrix[:, :2].T + self.matrix[:, 2])

    def to_a(self, where_mm: Points) -> Points:
        """(n, 2) mm at b -> mm at a."""
        return points((points(where_mm) - self.matrix[:, 2]) @ self.matrix[:, :2])

    def swapped(self) -> "Pose":
        """The same pose told from b to a."""
        turn = self.matrix[:, :2].T
        return Pose(-self.turn_deg, np.c_[turn, -turn @ self.matrix[:, 2]], self.b, self.a)


@dataclass(frozen=True)
class Keypoints:
    """Places (mm), orientations (degrees), sizes (px) and unit descriptors."""

    at: Points
    angle: NDArray[np.float32]
    size: NDArray[np.float32]
    descriptor: NDArray[np.float32]


def keypoints(top: TopView, count: int = KEYPOINTS) -> Keypoints:
    """SIFT on the evened-out lightness, descriptors as square roots (Arandjelović & Zisserman 2012)."""
    grey = _evened(top.picture)
    mask = cv2.erode(top.seen.astype(np.uint8), np.ones((9, 9), np.uint8))
    found, descriptors = cv2.SIFT.create(nfeatures=count, contrastThreshold=0.03).detectAndCompute(grey, mask)
    if not found:
        none = np.zeros(0, np.float32)
        return Keypoints(points([]), none, none, np.zeros((0, 128), np.float32))
    root = np.sqrt(descriptors / np.maximum(descriptors.sum(1, keepdims=True), 1e-9)).astype(np.float32)
    at = top.to_mm(points([k.pt for k in found]) + 0.5)
    return Keypoints(at, np.array([k.angle for k in found], np.float32), np.array([k.size for k in found], np.float32), root)


def find_poses(k: Keypoints) -> tuple[Pose, ...]:
    """Poses in which one place of the table looks like another, most matches first."""
    i, j, like = _matches(k)
    a, b = k.at[i], k.at[j]
    turn = (k.angle[j] - k.angle[i]).astype(np.float64)
    poses: list[Pose] = []
    while len(poses) < POSES and len(a) >= FEWEST:
        seed, votes = _most_voted(a, b, turn, like)
        if votes < FEWEST:
            break
        first = _near(a, b, turn, turn[seed], b[seed] - _rotated(a[seed], turn[seed]), VOTE_MM)
        matrix = _fitted(a, b, first)
        fits = np.hypot(*(a @ matrix[:, :2].T + matrix[:, 2] - b).T) < FIT_MM
        if np.count_nonzero(fits) < FEWEST:
            keep = np.ones(len(a), bool)
            keep[seed] = False
            a, b, turn, like = a[keep], b[keep], turn[keep], like[keep]
            continue
        ours = fits & _on_this_side(a, a[seed], b[seed])
        degrees = float(np.degrees(np.arctan2(matrix[1, 0], matrix[0, 0])))
        if np.count_nonzero(ours) >= FEWEST:
            poses.append(Pose(degrees, matrix, a[ours], b[ours]))
        back = np.hypot(*(b @ matrix[:, :2].T + matrix[:, 2] - a).T) < 2 * VOTE_MM
        out = (np.hypot(*(a @ matrix[:, :2].T + matrix[:, 2] - b).T) < 2 * VOTE_MM) | back
        a, b, turn, like = a[~out], b[~out], turn[~out], like[~out]
    return tuple(sorted(poses, key=lambda p: -len(p.a)))


def _matches(k: Keypoints) -> tuple[NDArray[np.intp], NDArray[np.intp], NDArray[np.float32]]:
    """Pairs of keypoints that look alike, each told in both directions."""
    if len(k.at) < FEWEST:
        none = np.zeros(0, np.intp)
        return none, none, np.zeros(0, np.float32)
    like = k.descriptor @ k.descriptor.T
    at = k.at.astype(np.float32)
    square = np.einsum("ij,ij->i", at, at)
    near = square[:, None] + square[None, :] - 2 * at @ at.T < APART_MM**2
    like[near] = 0
    rows = np.arange(len(at))
    pairs = []
    for _ in range(PARTNERS):
        best = like.argmax(1)
        pairs.append(np.c_[rows, best][like[rows, best] > LIKE])
        like[rows, best] = 0
    both = np.concatenate(pairs)
    both = np.unique(np.concatenate([both, both[:, ::-1]]), axis=0)
    ratio = k.size[both[:, 0]] / k.size[both[:, 1]]
    both = both[(ratio < SIZE_RATIO) & (ratio > 1 / SIZE_RATIO)]
    i, j = both[:, 0], both[:, 1]
    return i, j, np.einsum("ij,ij->i", k.descriptor[i], k.descriptor[j])


def _most_voted(a: Points, b: Points, turn: NDArray[np.float64], like: NDArray[np.float32]) -> tuple[int, int]:
    """The match whose pose most others share, and how many do."""
    proposals = np.argsort(-like)[:PROPOSALS]
    radians = np.radians(turn[proposals])
    c, s = np.cos(radians), np.sin(radians)
    ap, bp = a[proposals], b[proposals]
    x = c[:, None] * (a[:, 0] - ap[:, :1]) - s[:, None] * (a[:, 1] - ap[:, 1:]) + bp[:, :1] - b[:, 0]
    y = s[:, None] * (a[:, 0] - ap[:, :1]) + c[:, None] * (a[:, 1] - ap[:, 1:]) + bp[:, 1:] - b[:, 1]
    lever = np.hypot(a[:, 0] - ap[:, :1], a[:, 1] - ap[:, 1:])
    off = np.abs((turn[None, :] - turn[proposals][:, None] + 180) % 360 - 180)
    votes = np.count_nonzero((np.hypot(x, y) < VOTE_MM * np.clip(lever / 40, 0.6, 1.5)) & (off < TURN_TOLERANCE), axis=1)
    best = int(votes.argmax())
    return int(proposals[best]), int(votes[best])


def _rotated(p: NDArray[np.float64], degrees: float) -> NDArray[np.float64]:
    c, s = np.cos(np.radians(degrees)), np.sin(np.radians(degrees))
    return np.array([c * p[0] - s * p[1], s * p[0] + c * p[1]])


def _near(
    a: Points, b: Points, turn: NDArray[np.float64], degrees: float, shift: NDArray[np.float64], tolerance_mm: float
) -> NDArray[np.bool_]:
    c, s = np.cos(np.radians(degrees)), np.sin(np.radians(degrees))
    off = a @ np.array([[c, s], [-s, c]]) + shift - b
    turned = np.abs((turn - degrees + 180) % 360 - 180)
    return np.asarray((np.hypot(*off.T) < tolerance_mm) & (turned < TURN_TOLERANCE))


def _fitted(a: Points, b: Points, chosen: NDArray[np.bool_]) -> NDArray[np.float64]:
    """The rigid motion of the chosen matches, then of all that fit it, ever closer."""
    matrix = _rigid(a[chosen], b[chosen])
    for tolerance in (2.5 * FIT_MM, 1.5 * FIT_MM, FIT_MM, FIT_MM):
        fits = np.hypot(*(a @ matrix[:, :2].T + matrix[:, 2] - b).T) < tolerance
        if np.count_nonzero(fits) < 3:
            break
        matrix = _rigid(a[fits], b[fits])
    return matrix


def _rigid(a: Points, b: Points) -> NDArray[np.float64]:
    """The turn and shift of least squares (Procrustes, in the plane)."""
    ca, cb = a.mean(0), b.mean(0)
    p, q = a - ca, b - cb
    angle = np.arctan2(np.sum(p[:, 0] * q[:, 1] - p[:, 1] * q[:, 0]), np.sum(p * q))
    turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    return np.asarray(np.c_[turn, cb - turn @ ca], np.float64)


def _on_this_side(a: Points, seed: NDArray[np.float64], fellow: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Half a turn carries a to b and b to a alike: which matches start at the seed's photo."""
    groups = np.hypot(*(a - seed).T) <= np.hypot(*(a - fellow).T)
    for _ in range(3):
        if groups.all() or not groups.any():
            break
        one, other = a[groups].mean(0), a[~groups].mean(0)
        groups = np.hypot(*(a - one).T) <= np.hypot(*(a - other).T)
    return np.asarray(groups)


def _evened(picture: Picture) -> NDArray[np.uint8]:
    """Lightness with its local contrast evened out."""
    return np.asarray(cv2.createCLAHE(3.0, (8, 8)).apply(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY)), np.uint8)


