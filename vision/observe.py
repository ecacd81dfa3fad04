"""All that one settled frame shows, for the game that is played."""

from msgspec import UNSET, UnsetType

from vision.differences import count_in_frame
from vision.observation import ASSERTED, Differences, Observation, Photo
from vision.pack import Sizes
from vision.photos import find_photos
from vision.topview import View


def observe(view: View, *, game: str, source: str = "", t: float = 0.0, known: Sizes | None = None) -> Observation:
    """The observation (contract §4) of one still frame. `known`: sizes that a pack or an earlier look told."""
    known = known or Sizes()
    width, height = view.table.image_size
    seen = Observation(source=source, t=t, image_size=(width, height), game=game)
    if game != "sherlook":
        return seen
    photos = find_photos(view, size_mm=known.photo)
    return Observation(source=source, t=t, image_size=(width, height), game=game, photos=photos, differences=_differences(view, photos))


def _differences(view: View, photos: tuple[Photo, ...]) -> Differences | UnsetType:
    """Of the two photos, when both show the same side."""
    if len(photos) != 2 or photos[0].side is None or photos[0].side != photos[1].side:
        return UNSET
    if min(p.sure[key] for p in photos for key in ("found", "side")) < ASSERTED / 2:
        return UNSET
    return count_in_frame(view, photos[0].quad, photos[1].quad)
