"""What the reader asks of vision, so that a test or another box can put something else there."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from vision.deck.deck import Deck
from vision.deck.pack import Sizes
from vision.geometry import Points, points
from vision.observation import Differences, Marker, Photo, Side
from vision.topview import View

SIDE_PX = (96, 64)   # of the cut on which a photo's side is judged


@dataclass(frozen=True)
class Finders:
    """The finders of pieces. Each gets a settled frame as a View."""

    photos: Callable[[View], tuple[Photo, ...]]                          # the round's pair
    side: Callable[[View, Points], tuple[Side | None, float]]            # of a photo that shows within a quad (mm)
    markers: Callable[[View, Sequence[Points]], tuple[Marker, ...]]      # none is looked for in these quads (mm)
    count: Callable[[Sequence[View], Points, Points], Differences]       # of two photos (quads in mm) over several settled frames
    deck: Deck | None = None                                             # by which photos are known, where there is a pack


def warm_up(finders: Finders, view: View) -> None:
    """Use what is slow the first time, so that no ruling waits for it: networks are loaded, the table's flat views are laid out."""
    finders.markers(view, [points(photo.quad) for photo in finders.photos(view)])


def usual(sizes: Sizes, deck: Deck | None = None) -> Finders:
    """Those of `vision`, with the sizes that a pack or the set-up told, and the deck."""
    from vision.differences import count_in_frames
    from vision.markers import find_markers
    from vision.photos import find_photos
    from vision.photos.inside import side_of

    return Finders(
        photos=lambda view: find_photos(view, size_mm=sizes.photo),
        side=lambda view, quad: side_of(view.cut(quad, *SIDE_PX)),
        markers=lambda view, photos: find_markers(view, marker_mm=sizes.marker, photos=photos),
        count=count_in_frames,
        deck=deck,
    )
