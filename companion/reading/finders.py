"""What the reader asks of vision, so that a test or another box can put something else there."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from vision.geometry import Points
from vision.observation import Differences, Marker, Photo
from vision.pack import Sizes
from vision.topview import View


@dataclass(frozen=True)
class Finders:
    """The finders of pieces. Each gets a settled frame as a View."""

    photos: Callable[[View], tuple[Photo, ...]]                          # the round's pair
    markers: Callable[[View, Sequence[Points]], tuple[Marker, ...]]      # none is looked for in the photos (quads in mm)
    count: Callable[[Sequence[View], Points, Points], Differences]       # of two photos (quads in mm) over several settled frames


def usual(sizes: Sizes) -> Finders:
    """Those of `vision`, with the sizes that a pack or the set-up told."""
    from vision.differences import count_in_frames
    from vision.markers import find_markers
    from vision.photos import find_photos

    return Finders(
        photos=lambda view: find_photos(view, size_mm=sizes.photo),
        markers=lambda view, photos: find_markers(view, marker_mm=sizes.marker, photos=photos),
        count=count_in_frames,
    )
