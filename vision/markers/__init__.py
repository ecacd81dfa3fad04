"""Evidence markers: found, read, and watched at their known places."""

from vision.markers.known import KnownMarker, Still, all_still_there, remember, still_there

__all__ = ["KnownMarker", "Still", "all_still_there", "remember", "still_there"]
