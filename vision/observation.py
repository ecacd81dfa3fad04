"""What one frame shows: the observation of the contract, as values and as JSON.

Positions are table millimetres (x right, y down); boxes of differences are pixels of the frame. A confidence is a probability.
A part that is not there is UNSET (absent in JSON); an unread value is None (null), its confidence then never above 0.5.
"""

from typing import Any, Literal

import msgspec
from msgspec import UNSET, Struct, UnsetType

from vision.geometry import Points

FORMAT = 1
ASSERTED = 0.9   # a confidence from here on is an assertion

Point = tuple[float, float]
Quad = tuple[Point, Point, Point, Point]
Box = tuple[float, float, float, float]   # x, y, width, height
Homography = tuple[float, float, float, float, float, float, float, float, float]
Side = Literal["colour", "back"]
Sure = dict[str, float]


class Photo(Struct, frozen=True):
    """A photo of the pair. `quad`: corners in mm, clockwise, from the picture's own top left where that is known."""

    quad: Quad
    side: Side | None
    sure: Sure                 # found, side, and id where there is a pack
    hidden: float = 0.0        # the part (0..1) that glare, a hand or another thing hides
    id: str | None = None


class Marker(Struct, frozen=True):
    """An evidence marker."""

    value: int | None
    at: Point
    zone: str | None
    sure: Sure                 # found, value


class Token(Struct, frozen=True):
    """A token, or a pile of them seen from above."""

    colour: Literal["green", "yellow", "red"] | None
    face: Literal["up", "down"] | None
    at: Point
    zone: str | None
    sure: Sure                 # found, colour


class Hand(Struct, frozen=True):
    """A hand or arm over the table. `tip`: where it reaches to."""

    polygon: tuple[Point, ...]
    tip: Point
    sure: float


class Place(Struct, frozen=True):
    """One difference: where it is in A and in B."""

    n: int
    a: Box
    b: Box
    kind: Literal["added", "removed", "replaced", "recoloured", "moved", "resized", "mirrored"] | None
    probability: float
    ring: bool = False
    number: int | None = None


class Unseen(Struct, frozen=True):
    """A place that cannot be compared, and why (`glare`, `hand`, `outside`, …)."""

    a: Box
    why: str


class Alignment(Struct, frozen=True):
    """How B lies on A."""

    b_to_a: Homography
    error_px: float
    mirrored: bool = False
    rotated_deg: float = 0.0


class Differences(Struct, frozen=True):
    """How many differences two pictures have, and where. `range` holds the true total as far as one can tell."""

    same_picture: bool | None
    count: int | None
    probability: float
    range: tuple[int, int] | UnsetType = UNSET
    places: tuple[Place, ...] = ()
    unseen: tuple[Unseen, ...] = ()
    alignment: Alignment | UnsetType = UNSET


class CircleCard(Struct, frozen=True):
    """A card at its place in the circle. `quad`: from the picture's own top left where that is known, else its first side lies outward."""

    place: int                 # 1, 2, 3 … clockwise seen from above
    face: Literal["up", "down"] | None
    quad: Quad
    sure: Sure                 # found; face; and of a card that lies face up: id (where there is a pack), arrow, steps
    hidden: float = 0.0
    id: str | None = None
    object: str | None = None
    arrow: Literal["left", "right"] | None = None
    steps: int | None = None
    outward: bool | None = None   # the arrow's edge lies outward; None of a card that lies face down


class Pawn(Struct, frozen=True):
    """The pawn: a figure, a sack, or a card outside the circle."""

    at: Point
    place: int | None
    fallen: bool
    sure: Sure                 # found, place


class WonCards(Struct, frozen=True):
    """Cards won in front of a player."""

    zone: str | None
    cards: int


class Circle(Struct, frozen=True):
    """The cards in the ring; places without a card have no entry."""

    centre: Point
    places: tuple[CircleCard, ...]
    won: tuple[WonCards, ...] = ()
    pawn: Pawn | UnsetType = UNSET


class Tile(Struct, frozen=True):
    """A tile of the board. A group is a number that equal tiles share, where no pack names them."""

    cell: tuple[int, int]      # row, column, from 0
    side: Literal["witness", "suspect"] | None
    quad: Quad
    sure: Sure                 # found, side, witness, and suspect of a tile that lies suspect side up
    hidden: float = 0.0
    id: str | None = None
    witness: str | None = None
    suspect: str | None = None
    witness_group: int | UnsetType = UNSET
    suspect_group: int | UnsetType = UNSET


class Booklet(Struct, frozen=True):
    """The escape booklet and the page at which it lies open."""

    page: int | None
    sure: float


class WonTiles(Struct, frozen=True):
    """Tiles won in front of a player."""

    zone: str | None
    tiles: int


class Board(Struct, frozen=True):
    """The tiles in their cells."""

    tiles: tuple[Tile, ...]
    booklet: Booklet | UnsetType = UNSET
    won: tuple[WonTiles, ...] = ()


class Observation(Struct, frozen=True):
    """What one settled frame shows."""

    source: str
    t: float
    image_size: tuple[int, int]
    game: str
    still: bool = True
    photos: tuple[Photo, ...] | UnsetType = UNSET
    markers: tuple[Marker, ...] | UnsetType = UNSET
    tokens: tuple[Token, ...] | UnsetType = UNSET
    differences: Differences | UnsetType = UNSET
    circle: Circle | UnsetType = UNSET
    board: Board | UnsetType = UNSET
    hands: tuple[Hand, ...] | UnsetType = UNSET
    advice: tuple[str, ...] | UnsetType = UNSET


def quad_of(corners: Points) -> Quad:
    """(4, 2) corners as an observation tells them."""
    a, b, c, d = ((float(x), float(y)) for x, y in corners)
    return a, b, c, d


def to_dict(what: Struct) -> dict[str, Any]:
    """A document as `--json` prints it: plain types, `format` first, numbers rounded to what they mean."""
    plain: dict[str, Any] = msgspec.to_builtins(what)
    return {"format": FORMAT, **_rounded(plain)}


def _rounded(value: Any, digits: int = 4) -> Any:
    if isinstance(value, float):
        return round(value, digits)
    if isinstance(value, dict):
        return {k: _rounded(v, 9 if k in ("homography", "b_to_a") else digits) for k, v in value.items()}
    if isinstance(value, list | tuple):
        return [_rounded(v, digits) for v in value]
    return value
