"""Frames: a webcam, a video file, a folder of pictures or a network address in, pictures with their times out.

`open_source` gives a source to read in order, none skipped (a clip, repeatably); `open_feed` gives one for
whoever works at his own pace: `Newest` drains a live source in a thread, so that nothing downstream falls behind; `Paced` plays a clip.
"""

from vision.frames.feed import Feed, Health, Newest, Paced, open_feed
from vision.frames.source import Frame, Source, SourceError, list_cameras, open_source

__all__ = ["Feed", "Frame", "Health", "Newest", "Paced", "Source", "SourceError", "list_cameras", "open_feed", "open_source"]
