"""Rows and columns of a crooked board with gaps: which cell each tile lies in, and where tiles may lie that were not seen yet."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.geometry import Points

SHAPES = ((6, 5), (5, 6))      # rows, columns
NEIGHBOUR = (0.94, 1.4)        # of a tile's side: from one middle to the next
ASIDE = 0.3                    # of a tile's side: how far a neighbour may lie off its row or column
OFF = 0.36                     # of a pitch: how far a tile may lie from where its fellows say
NEAR_CELLS = 2.5               # fellows within so many cells say where a cell is
ELSEWHERE = 0.4                # what a tile outside the common area counts, of one inside

Cell = tuple[int, int]


@dataclass(frozen=True)
class Lattice:
    """`cells`: of each given middle, None where it is none of the board's. `sure`: that the numbering begins at the right cell."""

    shape: tuple[int, int]                       # rows, columns
    cells: tuple[Cell | None, ...]
    sure: float
    down: NDArray[np.float64]                    # mm from a cell to the next below it
    right: NDArray[np.float64]
    _at: NDArray[np.float64]                     # (n, 2) middles of the tiles that have a cell
    _ij: NDArray[np.float64]                     # (n, 2) their cells

    def middle(self, cell: Cell) -> NDArray[np.float64]:
        """Where the middle of a cell is expected, mm, by the tiles near it."""
        basis = np.array([self.down, self.right])
        return np.asarray(_expected(np.array([cell], float), self._ij, self._at, basis)[0], np.float64)

    def empty(self) -> list[Cell]:
        """The cells in which no tile was seen."""
        taken = set(self.cells)
        return [(r, c) for r in range(self.shape[0]) for c in range(self.shape[1]) if (r, c) not in taken]


def find_lattice(
    at: Points, turns_deg: Sequence[float], side_mm: float, *, screen: NDArray[np.float64], central: Sequence[bool], centre: Points
) -> Lattice | None:
    """The board among things whose middles are `at` (n, 2) mm, each turned by `turns_deg`.

    `screen` (2, 2): its rows are the directions in mm that go right and down in the picture. `central`: which lie in the common area;
    `centre`: its middle. None with fewer than two neighbours.
    """
    if len(at) < 2:
        return None
    turn = _common_turn(np.asarray(turns_deg, float), np.asarray(central, bool))
    right, down = _axes(turn, screen)
    local = np.c_[at @ down, at @ right]                   # rows, columns
    pitch = _pitches(local, side_mm, np.asarray(central, bool))
    ij = _numbered(local, pitch, np.asarray(central, bool))
    if ij is None:
        return None
    basis = np.array([down * pitch[0], right * pitch[1]])
    ij = _grown(ij, at, basis)
    return _windowed(ij, at, basis, np.asarray(central, bool), np.asarray(centre, float))


def _common_turn(turns: NDArray[np.float64], central: NDArray[np.bool_]) -> float:
    """The turn (degrees, mod 90) that most tiles share."""
    weight = np.where(central, 1.0, ELSEWHERE)
    tried = np.arange(0, 90, 1.0)
    off = (turns[None] - tried[:, None] + 45) % 90 - 45
    backing = (weight * np.exp(-0.5 * (off / 4) ** 2)).sum(1)
    best = tried[int(backing.argmax())]
    near = (turns - best + 45) % 90 - 45
    kept = np.abs(near) < 10
    return float(best + np.average(near[kept], weights=weight[kept]))


def _axes(turn: float, screen: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Unit vectors (mm) of the board that go most nearly right and down in the picture."""
    t = np.radians(turn)
    axes = [np.array([np.cos(t + k * np.pi / 2), np.sin(t + k * np.pi / 2)]) for k in range(4)]
    right = max(axes, key=lambda a: float(a @ screen[0]))
    down = max((a for a in axes if abs(float(a @ right)) < 0.5), key=lambda a: float(a @ screen[1]))
    return right, down


def _pitches(local: NDArray[np.float64], side: float, central: NDArray[np.bool_]) -> NDArray[np.float64]:
    """From one row to the next, and from one column to the next, mm."""
    gap = local[:, None] - local[None]
    both = central[:, None] & central[None] if central.sum() > 3 else np.ones(gap.shape[:2], bool)
    out = np.full(2, np.nan)
    for axis in (0, 1):
        length, aside = gap[..., axis], np.abs(gap[..., 1 - axis])
        steps = length[both & (length > NEIGHBOUR[0] * side) & (length < NEIGHBOUR[1] * side) & (aside < ASIDE * side)]
        if len(steps):
            out[axis] = float(np.median(steps))
    known = out[np.isfinite(out)]
    return np.where(np.isfinite(out), out, known.mean() if len(known) else 1.07 * side)


def _numbered(local: NDArray[np.float64], pitch: NDArray[np.float64], central: NDArray[np.bool_]) -> NDArray[np.float64] | None:
    """(n, 2) row and column of the largest group of neighbours, NaN for others."""
    n = len(local)
    steps = (local[:, None] - local[None]) / pitch
    whole = np.round(steps)
    linked = (np.abs(steps - whole).max(-1) < ASIDE) & (np.abs(whole).sum(-1) == 1)
    best, most = None, 1.0
    seen = np.zeros(n, bool)
    for start in range(n):
        if seen[start]:
            continue
        ij = np.full((n, 2), np.nan)
        ij[start] = 0
        queue = [start]
        while queue:
            k = queue.pop(0)
            for m in np.flatnonzero(linked[:, k] & np.isnan(ij[:, 0])):
                ij[m] = ij[k] + whole[m, k]
                queue.append(int(m))
        group = np.isfinite(ij[:, 0])
        seen |= group
        worth = float(np.where(central[group], 1.0, ELSEWHERE).sum())
        if group.sum() > 1 and worth > most:
            best, most = ij, worth
    return best


def _expected(cells: NDArray[np.float64], ij: NDArray[np.float64], at: Points, basis: NDArray[np.float64]) -> NDArray[np.float64]:
    """Where cells (m, 2) lie by tiles of known cells: near ones say more."""
    away = cells[:, None] - ij[None]
    near = np.exp(-0.5 * (away**2).sum(-1) / (NEAR_CELLS / 2) ** 2) + 1e-9
    said = at[None] + away @ basis
    return np.asarray((near[..., None] * said).sum(1) / near.sum(1)[:, None], np.float64)


def _grown(ij: NDArray[np.float64], at: Points, basis: NDArray[np.float64]) -> NDArray[np.float64]:
    """Takes in what lies where a cell is expected, beyond gaps too, the nearest first; two in one cell: the better placed stays."""
    ij = ij.copy()
    for _ in range(len(at)):
        known = np.isfinite(ij[:, 0])
        others = np.flatnonzero(~known)
        if not len(others):
            break
        anchor = np.abs(at[others][:, None] - at[known][None]).sum(-1).argmin(1)
        step = np.linalg.solve(basis.T, (at[others] - at[known][anchor]).T).T
        cell = ij[known][anchor] + np.round(step)
        off = np.linalg.solve(basis.T, (at[others] - _expected(cell, ij[known], at[known], basis)).T).T
        far = np.abs(np.round(step)).sum(1)
        taken = (cell[:, None] == ij[known][None]).all(-1).any(1)
        good = (np.abs(off).max(1) < OFF) & ~taken & (far < 6)
        if not good.any():
            break
        pick = np.flatnonzero(good)[int((far + np.abs(off).max(1))[good].argmin())]
        ij[others[pick]] = cell[pick]
    return ij


def _windowed(
    ij: NDArray[np.float64], at: Points, basis: NDArray[np.float64], central: NDArray[np.bool_], centre: NDArray[np.float64]
) -> Lattice:
    """The 6 x 5 or 5 x 6 window that holds most; of equals the one about the middle of the common area."""
    known = np.flatnonzero(np.isfinite(ij[:, 0]))
    cells = ij[known].astype(int)
    low, high = cells.min(0), cells.max(0)
    weight = np.where(central[known], 1.0, ELSEWHERE)
    choices = []
    for shape in SHAPES:
        for r in range(low[0] - shape[0] + 1, high[0] + 1):
            for c in range(low[1] - shape[1] + 1, high[1] + 1):
                inside = np.asarray(((cells >= (r, c)) & (cells < (r + shape[0], c + shape[1]))).all(1), np.bool_)
                middle = np.array([[r + (shape[0] - 1) / 2, c + (shape[1] - 1) / 2]])
                away = np.linalg.solve(basis.T, _expected(middle, ij[known], at[known], basis)[0] - centre)
                choices.append((float(weight[inside].sum()), float(np.hypot(*away)), shape, (r, c), inside))
    held = max(c[0] for c in choices)
    rated = sorted(choices, key=lambda c: c[1] + 1.2 * (held - c[0]))
    _, _, shape, origin, inside = rated[0]
    lean = rated[1][1] + 1.2 * (held - rated[1][0]) - rated[0][1] - 1.2 * (held - rated[0][0])
    out: list[Cell | None] = [None] * len(at)
    for k, cell, fits in zip(known, cells, inside, strict=True):
        if fits:
            out[int(k)] = (int(cell[0] - origin[0]), int(cell[1] - origin[1]))
    used = known[inside]
    return Lattice(shape, tuple(out), float(1 / (1 + np.exp(-6 * lean))), basis[0], basis[1], at[used], ij[used] - np.array(origin))
