"""Counting the differences of two almost identical pictures.

from vision.pictures import read
from vision.differences import count_differences
print(count_differences(read("a.jpg"), read("b.jpg")).count)
"""

from vision.differences.comparison import Comparison, Options, Side, compare, count_differences
from vision.differences.frames import compare_in_frames, count_in_frame, count_in_frames
from vision.differences.sheet import compare_sheet

__all__ = [
    "Comparison",
    "Options",
    "Side",
    "compare",
    "compare_in_frames",
    "compare_sheet",
    "count_differences",
    "count_in_frame",
    "count_in_frames",
]
