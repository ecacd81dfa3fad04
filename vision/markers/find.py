"""Evidence markers: ten values that exist once each, wherever they lie or stand."""

from collections.abc import Sequence

from numpy.typing import ArrayLike

from vision.markers.assignment import VALUES
from vision.markers.pieces import Piece, look_at_pieces
from vision.observation import Marker
from vision.topview import View

CLAIMED = 0.3              # markers less probable than this are not told
READ = 0.5                 # values less probable than this are not told


def find_markers(view: View, *, marker_mm: float | None = None, photos: Sequence[ArrayLike] = (),
                 pieces: Sequence[Piece] | None = None) -> tuple[Marker, ...]:
    """The markers on the table, in the order of their values. `pieces`: what `look_at_pieces` found in this view, if it was asked already.

    A value's confidence counts on each value's being there at most once, and is given that there is a marker.
    """
    pieces = look_at_pieces(view, size_mm=marker_mm, photos=photos) if pieces is None else pieces
    told = [_marker(view, piece) for piece in pieces if piece.classes[1:VALUES + 1].sum() >= CLAIMED]
    return tuple(sorted(told, key=lambda m: (m.value is None, m.value or 0, m.at)))


def _marker(view: View, piece: Piece) -> Marker:
    values = piece.classes[1:VALUES + 1]
    there = float(values.sum())
    best = int(values.argmax()) + 1
    value = float(values[best - 1] / there)
    return Marker(value=best if value >= READ else None, at=piece.at, zone=view.table.zone(piece.at),
                  sure={"found": there, "value": value if value >= READ else min(value, READ)})
