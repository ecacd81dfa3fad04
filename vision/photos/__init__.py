"""The pair of photos on the table, with no pack: each photo's fellow is what gives it away."""

from vision.photos.find import find_photos

__all__ = ["find_photos"]
