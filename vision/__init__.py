"""Seeing: pictures of a table in, what lies there out. Knows no turns, no rules, no clock."""

import os

# A broken file gets our one line, not the decoder's twenty. OpenCV reads both when it is imported.
os.environ.setdefault("OPENCV_LOG_LEVEL", "OFF")
os.environ.setdefault("OPENCV_FFMPEG_LOGLEVEL", "-8")
