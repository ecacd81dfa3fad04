"""Where the table shows the same picture twice: the two photos of a pair are almost one picture, so they find each other.

The flat view is matched with itself: each keypoint with its likest ones elsewhere. One match tells a whole pose (a turn and a
shift; sizes are alike), so every strong match proposes one and all matches vote; the winner is fitted, its matches are taken
out, and the next is sought.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.geometry import Picture, Points, points
from vision.topview import TopView

KEYPOINTS = 2200
ROUND_PX = 12               # round a told quad, for what SIFT makes of a place's surroundings
BLOCK = 128                 # keypoints that are compared with all others at a time
PARTNERS = 2                # likest keypoints elsewhere, for each
APART_MM = 30.0             # two places of one photo are no pair
LIKE = 0.80                 # cosine of root-SIFT descriptors: less is chance
ALSO_LIKE = 0.96            # of the likest: as good a partner
OFTEN = 7                   # so many good partners are a pattern of the cloth
SIZE_RATIO = 1.5            # of the two keypoints
PROPOSALS = 250             # strongest matches that may propose a pose
VOTERS = 2500               # strongest matches that may vote
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


def keypoints(top: TopView, count: int = KEYPOINTS, *, quads: Sequence[Points] = ()) -> Keypoints:
    """SIFT on the evened-out lightness, descriptors as square roots (Arandjelović & Zisserman 2012).

    `quads`: (4, 2) mm, all that is looked at where they are told.
    """
    grey = _evened(top.picture)
    mask = cv2.erode(top.seen.astype(np.uint8), np.ones((9, 9), np.uint8))
    boxes = [(0, 0, grey.shape[1], grey.shape[0])]
    if quads:
        told = np.zeros_like(mask)
        for quad in quads:
            cv2.fillConvexPoly(told, np.round(top.to_px(quad) - 0.5).astype(np.int32), (1.0,))
        mask = cv2.bitwise_and(mask, told)
        _, _, stats, _ = cv2.connectedComponentsWithStats(told)
        boxes = [(max(0, x - ROUND_PX), max(0, y - ROUND_PX), x + w + ROUND_PX, y + h + ROUND_PX) for x, y, w, h, _ in stats[1:]]
    sift = cv2.SIFT.create(nfeatures=count, contrastThreshold=0.03)
    parts = [(x, y, *sift.detectAndCompute(grey[y:y1, x:x1], mask[y:y1, x:x1])) for x, y, x1, y1 in boxes]
    found = [(k.pt[0] + x, k.pt[1] + y, k.angle, k.size) for x, y, part, _ in parts for k in part]
    if not found:
        none = np.zeros(0, np.float32)
        return Keypoints(points([]), none, none, np.zeros((0, 128), np.float32))
    descriptors = np.concatenate([d for _, _, part, d in parts if part])
    root = np.sqrt(descriptors / np.maximum(descriptors.sum(1, keepdims=True), 1e-9)).astype(np.float32)
    x, y, angle, size = np.array(found, np.float32).T
    return Keypoints(top.to_mm(np.c_[x, y] + 0.5), angle, size, root)


def find_poses(k: Keypoints) -> tuple[Pose, ...]:
    """Poses in which one place of the table looks like another, most matches first."""
    i, j, like = _matches(k)
    a, b = k.at[i], k.at[j]
    turn = (k.angle[j] - k.angle[i]).astype(np.float64)
    voters = np.argsort(-like)[:VOTERS]
    agree = _agreement(a[voters], b[voters], turn[voters])      # (proposals, voters)
    left, votable = np.ones(len(a), bool), np.ones(len(voters), bool)
    poses: list[Pose] = []
    while len(poses) < POSES and np.count_nonzero(left) >= FEWEST:
        votes = agree @ votable.astype(np.float32) * votable[: len(agree)]
        best = int(votes.argmax()) if len(votes) else 0
        if not len(votes) or votes[best] < FEWEST:
            break
        seed = voters[best]
        votable[best] = False
        seedlike = left & _like_seed(a, b, turn, seed)
        usable = left & ~_on_far_side(a, b, seed, seedlike) if abs(turn[seed]) % 360 > 180 - TURN_TOLERANCE else left
        matrix = _fitted(a[usable], b[usable], seedlike[usable])
        off, back = _off(matrix, a, b), _off(matrix, b, a)
        ours = usable & (off < FIT_MM)
        if np.count_nonzero(ours) < FEWEST:
            continue
        poses.append(Pose(float(np.degrees(np.arctan2(matrix[1, 0], matrix[0, 0]))), matrix, a[ours], b[ours]))
        left &= np.minimum(off, back) > 2 * VOTE_MM
        votable &= left[voters]
    return tuple(sorted(poses, key=lambda p: -len(p.a)))


def _matches(k: Keypoints) -> tuple[NDArray[np.intp], NDArray[np.intp], NDArray[np.float32]]:
    """Pairs of keypoints that look alike, each told in both directions."""
    if len(k.at) < FEWEST:
        none = np.zeros(0, np.intp)
        return none, none, np.zeros(0, np.float32)
    at, square = k.at.astype(np.float32), np.einsum("ij,ij->i", k.at, k.at).astype(np.float32)
    rows = np.array_split(np.arange(len(at)), math.ceil(len(at) / BLOCK))
    likes = [np.asarray(k.descriptor[block] @ k.descriptor.T) for block in rows]      # in blocks that stay in the processor's cache
    common = np.zeros(len(at), bool)
    for block, like in zip(rows, likes, strict=True):
        like[square[block, None] - 2 * at[block] @ at.T < APART_MM**2 - square] = 0
        common[block] = np.count_nonzero(like > np.maximum(LIKE, ALSO_LIKE * like.max(1, keepdims=True)), axis=1) > OFTEN
    pairs = []
    for block, like in zip(rows, likes, strict=True):
        like[:, common] = 0
        for _ in range(PARTNERS):
            best = like.argmax(1)
            value = like[np.arange(len(block)), best]
            pairs.append(np.c_[block, best][(value > LIKE) & ~common[block]])
            like[np.arange(len(block)), best] = 0
    both = np.concatenate(pairs)
    both = np.unique(np.concatenate([both, both[:, ::-1]]), axis=0)
    ratio = k.size[both[:, 0]] / k.size[both[:, 1]]
    both = both[(ratio < SIZE_RATIO) & (ratio > 1 / SIZE_RATIO)]
    i, j = both[:, 0], both[:, 1]
    return i, j, np.einsum("ij,ij->i", k.descriptor[i], k.descriptor[j])


def _agreement(a: Points, b: Points, turn: NDArray[np.float64]) -> NDArray[np.float32]:
    """(proposals, n): 1 where match n fits the pose that proposal p tells; the proposals are the first of the matches."""
    a32, b32, turn32 = a.astype(np.float32), b.astype(np.float32), turn.astype(np.float32)
    p = min(PROPOSALS, len(a))
    c, s = np.cos(np.radians(turn32[:p])), np.sin(np.radians(turn32[:p]))
    dx, dy = a32[None, :, 0] - a32[:p, None, 0], a32[None, :, 1] - a32[:p, None, 1]
    x = c[:, None] * dx - s[:, None] * dy - (b32[None, :, 0] - b32[:p, None, 0])
    y = s[:, None] * dx + c[:, None] * dy - (b32[None, :, 1] - b32[:p, None, 1])
    reach = np.clip((dx * dx + dy * dy) / 40**2, 0.4, 2.2) * VOTE_MM**2
    off = np.abs((turn32[None, :] - turn32[:p, None] + 180) % 360 - 180)
    return np.asarray((x * x + y * y < reach) & (off < TURN_TOLERANCE), np.float32)


def _like_seed(a: Points, b: Points, turn: NDArray[np.float64], seed: int) -> NDArray[np.bool_]:
    """The matches that fit the pose of one."""
    c, s = np.cos(np.radians(turn[seed])), np.sin(np.radians(turn[seed]))
    off = (a - a[seed]) @ np.array([[c, s], [-s, c]]) - (b - b[seed])
    turned = np.abs((turn - turn[seed] + 180) % 360 - 180)
    return np.asarray((np.hypot(*off.T) < VOTE_MM) & (turned < TURN_TOLERANCE))


def _off(matrix: NDArray[np.float64], a: Points, b: Points) -> NDArray[np.float64]:
    """How far (mm) each match lies from the pose."""
    return np.asarray(np.hypot(*(a @ matrix[:, :2].T + matrix[:, 2] - b).T), np.float64)


def _fitted(a: Points, b: Points, chosen: NDArray[np.bool_]) -> NDArray[np.float64]:
    """The rigid motion of the chosen matches, then of all that fit it, ever closer."""
    matrix = _rigid(a[chosen], b[chosen])
    for tolerance in (2.5 * FIT_MM, 1.5 * FIT_MM, FIT_MM, FIT_MM):
        fits = _off(matrix, a, b) < tolerance
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


def _on_far_side(a: Points, b: Points, seed: int, seedlike: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Half a turn carries a to b and b to a alike, so its matches tell it in both directions: those that start at the seed's fellow."""
    middle = (a[seed] + b[seed]) / 2
    axis = a[seed] - b[seed]
    for _ in range(3):
        ours = seedlike & ((a - middle) @ axis > 0)
        if not ours.any():
            break
        axis = a[ours].mean(0) - b[ours].mean(0)
    return np.asarray((a - middle) @ axis <= 0)


def _evened(picture: Picture) -> NDArray[np.uint8]:
    """Lightness with its local contrast evened out."""
    return np.asarray(cv2.createCLAHE(3.0, (8, 8)).apply(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY)), np.uint8)


