"""Evidence markers: ten values that exist once each, wherever they lie or stand."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from vision.markers.assignment import VALUES, assign
from vision.markers.pieces import Piece, look_at_pieces
from vision.observation import Marker
from vision.topview import View

CLAIMED = 0.3              # markers less probable than this are not told
WORTH_SHARING = 0.1        # markers less probable than this take no value from the others
READ = 0.5                 # values less probable than this are not told
SIZE_SPREAD = 0.22         # of the log of one marker's size to another's, as the network says it
TENT_MM = 0.8              # of a size: two faces of one tent are no farther apart


def find_markers(view: View, *, marker_mm: float | None = None, photos: Sequence[ArrayLike] = (),
                 pieces: Sequence[Piece] | None = None) -> tuple[Marker, ...]:
    """The markers on the table, in the order of their values. `pieces`: what `look_at_pieces` found in this view, if it was asked already.

    A value's confidence counts on each value's being there at most once, and is given that there is a marker.
    """
    pieces = look_at_pieces(view, size_mm=marker_mm, photos=photos) if pieces is None else pieces
    said = np.array([_said(p) for p in pieces]).reshape(len(pieces), VALUES + 1)
    said = _of_one_size(said, np.array([p.size_mm for p in pieces]), marker_mm)
    some = [i for i in range(len(pieces)) if said[i, 0] < 1 - WORTH_SHARING]
    some = _without_second_faces(some, pieces, said)
    told = [_marker(view, pieces[i], sure) for i, sure in zip(some, assign(said[some]), strict=True) if 1 - sure[0] >= CLAIMED]
    return tuple(sorted(told, key=lambda m: (m.value is None, m.value or 0, m.at)))


def _said(piece: Piece) -> NDArray[np.float64]:
    """No marker, 1..10."""
    values = piece.classes[1:VALUES + 1]
    return np.asarray(np.r_[1 - values.sum(), values], np.float64)


def _of_one_size(said: NDArray[np.float64], size_mm: NDArray[np.float64], known_mm: float | None) -> NDArray[np.float64]:
    """Doubts pieces whose size is not the markers' common one."""
    sure = said[:, 0] < 0.2
    if known_mm is None and sure.sum() < 3:
        return said
    common = known_mm or float(np.median(size_mm[sure]))
    off = np.log(size_mm / common) / SIZE_SPREAD
    likely = np.exp(-0.5 * np.maximum(0, np.abs(off) - 1) ** 2)[:, None]
    out = said.copy()
    out[:, 1:] *= likely
    out[:, :1] = 1 - out[:, 1:].sum(1, keepdims=True)
    return out


def _without_second_faces(some: list[int], pieces: Sequence[Piece], said: NDArray[np.float64]) -> list[int]:
    """Leaves out the less sure face of a tent that shows both: the same value twice, side by side."""
    kept: list[int] = []
    for i in sorted(some, key=lambda i: float(said[i, 0])):
        near = [k for k in kept if np.hypot(*np.subtract(pieces[k].at, pieces[i].at)) < TENT_MM * pieces[k].size_mm]
        if not any(said[k, 1:].argmax() == said[i, 1:].argmax() for k in near):
            kept.append(i)
    return kept


def _marker(view: View, piece: Piece, sure: NDArray[np.float64]) -> Marker:
    there = float(1 - sure[0])
    best = int(sure[1:].argmax()) + 1
    value = float(sure[best] / there)
    return Marker(value=best if value >= READ else None, at=piece.at, zone=view.table.zone(piece.at),
                  sure={"found": there, "value": value if value >= READ else min(value, READ)})
