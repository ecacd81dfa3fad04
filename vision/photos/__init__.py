"""The pair of photos on the table, with no pack: each photo's fellow is what gives it away."""

from vision.photos.find import find_photos
from vision.photos.known import KnownPhoto, Recheck, recheck, remember

__all__ = ["KnownPhoto", "Recheck", "find_photos", "recheck", "remember"]
