"""The sample game as a film: a whole game of Sherlook on a rendered table, with its truth.

folder = sample_clip()      # clip.mp4, points.json, seats.json, case.json, truth.*.jsonl
"""

from sample_frames.clip.encode import EncodeError
from sample_frames.clip.sample import sample_clip

__all__ = ["EncodeError", "sample_clip"]
