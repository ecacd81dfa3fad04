"""All that one settled frame shows, for the game that is played."""

from msgspec import UNSET, UnsetType

from vision.board.find import find_board
from vision.circle.find import find_circle
from vision.deck.pack import Pack, Sizes
from vision.differences import count_in_frame
from vision.markers import find_markers, look_at_pieces
from vision.observation import Differences, Observation, Photo
from vision.photos import find_photos
from vision.tokens import find_tokens
from vision.topview import View

BELIEVED = 0.5   # photos less probable than this hide no marker and are not compared


def observe(
    view: View, *, game: str, source: str = "", t: float = 0.0, known: Sizes | None = None, pack: Pack | None = None
) -> Observation:
    """The observation (contract §4) of one still frame.

    `known`: sizes that a pack or an earlier look told. `pack`: the deck on the table, whose cards are recognised.
    """
    known = known or (pack.sizes if pack is not None else Sizes())
    width, height = view.table.image_size
    if game == "sherlock-2011":
        board = find_board(view, size_mm=known.photo, pack=pack)
        return Observation(source=source, t=t, image_size=(width, height), game=game, board=board)
    if game in ("sherlock", "sherlock-deluxe"):
        circle = find_circle(view, size_mm=known.photo, pack=pack)
        return Observation(source=source, t=t, image_size=(width, height), game=game, circle=circle)
    photos = find_photos(view, size_mm=known.photo)
    pieces = look_at_pieces(view, size_mm=known.marker, photos=[p.quad for p in photos if p.sure["found"] >= BELIEVED])
    return Observation(
        source=source,
        t=t,
        image_size=(width, height),
        game=game,
        photos=photos,
        markers=find_markers(view, marker_mm=known.marker, pieces=pieces),
        tokens=find_tokens(view, token_mm=known.token or None, pieces=pieces),
        differences=_differences(view, photos),
    )


def _differences(view: View, photos: tuple[Photo, ...]) -> Differences | UnsetType:
    """Of the two photos, when both show the same side."""
    if len(photos) != 2 or photos[0].side is None or photos[0].side != photos[1].side:
        return UNSET
    if min(p.sure[key] for p in photos for key in ("found", "side")) < BELIEVED:
        return UNSET
    return count_in_frame(view, photos[0].quad, photos[1].quad)
