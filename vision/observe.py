"""All that one settled frame shows, for the game that is played."""

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor

from msgspec import UNSET, UnsetType

from vision.advice import advice
from vision.board.find import find_board
from vision.circle.find import find_circle
from vision.deck import doubts
from vision.deck.deck import Deck
from vision.deck.identify import Look, beliefs, look, tell
from vision.deck.pack import Pack, Sizes
from vision.deck.witness import joined
from vision.differences import count_in_frame
from vision.geometry import points
from vision.markers import find_markers, glimpse, look_at_pieces
from vision.observation import Board, Circle, Differences, Observation, Photo
from vision.photos import find_photos
from vision.tokens import find_tokens
from vision.topview import View

BELIEVED = 0.5   # photos less probable than this hide no marker and are not compared


def observe(
    view: View,
    *,
    game: str,
    source: str = "",
    t: float = 0.0,
    known: Sizes | None = None,
    pack: Pack | None = None,
    deck: Deck | None = None,
) -> Observation:
    """The observation (contract §4) of one still frame.

    `known`: sizes that a pack or an earlier look told. `pack`: the deck on the table, whose circle cards and tiles are recognised;
    `deck`: the same of photos, with what varies among them.
    """
    known = known or (pack.sizes if pack is not None else Sizes())
    width, height = view.table.image_size
    if game == "sherlock-2011":
        board = find_board(view, size_mm=known.photo, pack=pack)
        return Observation(source=source, t=t, image_size=(width, height), game=game, board=board, advice=_of_cards(board, pack))
    if game in ("sherlock", "sherlock-deluxe"):
        circle = find_circle(view, size_mm=known.photo, pack=pack)
        return Observation(source=source, t=t, image_size=(width, height), game=game, circle=circle, advice=_of_cards(circle, pack))
    with ThreadPoolExecutor(1) as beside:   # where pieces may lie needs no photos, and counting needs the photos alone
        glimpses = beside.submit(lambda: glimpse(view, size_mm=known.marker))
        photos = find_photos(view, size_mm=known.photo)
        looks = [look(view, photo, deck, photos) for photo in photos] if deck is not None else []
        if deck is not None:
            photos = tell(photos, looks, deck)
        counted = beside.submit(_differences, view, photos, looks, deck)
        believed = [p.quad for p in photos if p.sure["found"] >= BELIEVED]
        pieces = look_at_pieces(view, size_mm=known.marker, photos=believed, glimpses=glimpses.result())
        markers = find_markers(view, marker_mm=known.marker, pieces=pieces)
        tokens = find_tokens(view, token_mm=known.token or None, pieces=pieces)
        said = advice(view, [points(quad) for quad in believed])
        differences = counted.result()
    if deck is not None:
        said += doubts.of_photos(photos, [[each] for each in looks], deck)
    return Observation(
        source=source, t=t, image_size=(width, height), game=game, photos=photos, markers=markers, tokens=tokens, differences=differences,
        advice=said or UNSET,
    )


def _of_cards(laid: Circle | Board | UnsetType, pack: Pack | None) -> tuple[str, ...] | UnsetType:
    """Whether the pack is that of the cards that lie there."""
    return UNSET if pack is None or laid is UNSET else doubts.of_cards(laid) or UNSET


def _differences(view: View, photos: tuple[Photo, ...], looks: Sequence[Look | None], deck: Deck | None) -> Differences | UnsetType:
    """Of the two photos, when both show the same side: what the pictures show, joined with what a deck says of the photos."""
    if len(photos) != 2 or photos[0].side is None or photos[0].side != photos[1].side:
        return UNSET
    if min(p.sure[key] for p in photos for key in ("found", "side")) < BELIEVED:
        return UNSET
    quads = [points(p.quad) for p in photos]
    said = count_in_frame(view, *quads)
    return said if deck is None else joined(said, beliefs([[each] for each in looks], deck), deck, view, quads)
