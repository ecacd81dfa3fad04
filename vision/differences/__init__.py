"""Counting the differences of two almost identical pictures.

    from vision.pictures import read
    from vision.differences import count_differences
    print(count_differences(read("a.jpg"), read("b.jpg")).count)
"""

from vision.differences.compare import Comparison, compare, count_differences, count_in_frame, count_in_frames

__all__ = ["Comparison", "compare", "count_differences", "count_in_frame", "count_in_frames"]
