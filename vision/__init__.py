"""Seeing: pictures of a table in, what lies there out. Knows no turns, no rules, no clock."""

import os

import cv2

# A broken file gets our one line, not the decoder's twenty.
os.environ.setdefault("OPENCV_FFMPEG_LOGLEVEL", "-8")
cv2.utils.logging.setLogLevel(cv2.utils.logging.LOG_LEVEL_SILENT)
