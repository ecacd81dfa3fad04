"""All that one settled frame shows, for the game that is played."""

from msgspec import UNSET

from vision.observation import Observation
from vision.pack import Sizes
from vision.photos import find_photos
from vision.topview import View


def observe(view: View, *, game: str, source: str = "", t: float = 0.0, known: Sizes | None = None) -> Observation:
    """The observation (contract §4) of one still frame. `known`: sizes that a pack or an earlier look told."""
    known = known or Sizes()
    width, height = view.table.image_size
    photos = find_photos(view, size_mm=known.photo) if game == "sherlook" else UNSET
    return Observation(source=source, t=t, image_size=(width, height), game=game, photos=photos)
