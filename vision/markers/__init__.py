"""Evidence markers: found, read, and watched at their known places."""

from vision.markers.find import find_markers
from vision.markers.known import KnownMarker, Still, all_still_there, remember, still_there
from vision.markers.pieces import Piece, glimpse, look_at_pieces

__all__ = ["KnownMarker", "Piece", "Still", "all_still_there", "find_markers", "glimpse", "look_at_pieces", "remember", "still_there"]
