"""What the contact sheet of a pack shows, gathered: its cards, what varies among them, the counts, and what a camera confuses."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.decks.risk import MM_A_PX, confused, distance_cm
from vision.deck.align import Homography, Reference, frame_to_px
from vision.deck.deck import FEWEST, Deck, Progress, few, read_deck
from vision.deck.faces import small
from vision.deck.pack import Card, Pack
from vision.geometry import Picture, Points, transform
from vision.observation import Side
from vision.pictures import PictureError, one_line, read

CARD_PX = 320            # the longer side of a card
CROP_PX = 120            # a crop of what varies
ROOM = 0.35              # of a place's longer side, around it in a crop
ONE_SCENE = 0.5          # correlation of backs with fronts from which they show one scene
MARK, RIM = (0, 160, 255), (20, 20, 20)   # BGR: amber on ink
CALLED: Mapping[Side, str] = {"colour": "colour sides", "back": "backs"}


@dataclass(frozen=True)
class Shown:
    """One card. `words`: what is printed on it; a side that the pack lacks is None."""

    id: str
    words: str
    front: Picture | None
    back: Picture | None
    departures: int | None = None


@dataclass(frozen=True)
class Place:
    """A place of the deck that varies: its looks, the common one first, each with the cards that show it."""

    number: int
    looks: tuple[tuple[tuple[str, ...], Picture], ...]


@dataclass(frozen=True)
class Grid:
    """Counts by row and column; -1: nothing there."""

    title: str
    rows: tuple[str, ...]
    columns: tuple[str, ...]
    values: NDArray[np.int16]


@dataclass(frozen=True)
class Sheet:
    """All of it."""

    title: str
    facts: tuple[tuple[str, str], ...]
    cards: tuple[Shown, ...]
    common: tuple[tuple[str, Picture], ...] = ()          # what all photos have in common, with the places marked
    places: tuple[Place, ...] = ()
    grid: Grid | None = None
    risk: tuple[str, ...] = ()
    others: tuple[tuple[str, Picture], ...] = ()          # markers, tokens, pawn, missions, booklet
    said: tuple[str, ...] = field(default=())             # what is missing or odd


def gather(pack: Pack, *, say: Progress | None = None) -> Sheet:
    """The contact sheet of a pack. Pictures that cannot be read are told in `said`, and left out."""
    said = list(pack.said)
    photos = [sum(path is not None for path in side) for side in ([c.front for c in pack.cards], [c.back for c in pack.cards])]
    deck: Deck | None = None
    if pack.game == "sherlook" and max(photos, default=0) >= FEWEST:
        try:
            deck = read_deck(pack, say=say)
        except PictureError as e:
            said.append(f"{e}; what varies is not shown before that")
    elif pack.game == "sherlook":
        said.append(f"{one_line(pack.folder)}: fewer than {FEWEST} photos, which tell not what varies; add more with `companion deck add`")
    if deck is not None and (doubt := few(deck)):
        said.append(doubt)
    marks = _Marks.of(deck) if deck is not None else None
    cards = tuple(_shown(n, card, marks, said) for n, card in enumerate(pack.cards))
    return Sheet(
        title=pack.name,
        facts=_facts(pack, deck),
        cards=cards,
        common=_common(deck, marks) if deck is not None and marks is not None else (),
        places=_places(deck) if deck is not None else (),
        grid=_pairs(deck) if deck is not None else _by_what_they_show(pack),
        risk=_risk(deck, pack) if deck is not None else (),
        others=tuple(_others(pack)),
        said=tuple(dict.fromkeys(said)),
    )


def _facts(pack: Pack, deck: Deck | None) -> tuple[tuple[str, str], ...]:
    fronts, backs = (sum(path is not None for path in side) for side in ([c.front for c in pack.cards], [c.back for c in pack.cards]))
    size = f"{pack.size_mm[0]:g} by {pack.size_mm[1]:g} mm" if pack.size_mm is not None else "not told (size_mm)"
    facts = [("game", pack.game), ("cards", f"{len(pack.cards)}, {fronts} fronts and {backs} backs"), ("size", size)]
    if deck is not None:
        pairs = deck.matrix[np.triu_indices(len(deck.ids), 1)]
        facts += [("places that vary", str(len(deck.sites.boxes))), ("differences of a pair", f"{pairs.min()} to {pairs.max()}")]
    return tuple(facts)


@dataclass(frozen=True)
class _Marks:
    """Where each card departs, in the frame -1..1 of its front and of its back (None: the backs show another scene)."""

    quads: NDArray[np.float64]                 # (places, 4, 2)
    departs: NDArray[np.bool_]                 # (cards, places)
    to_side: Mapping[Side, Homography | None]

    @classmethod
    def of(cls, deck: Deck) -> "_Marks":
        content = deck.fronts or deck.backs
        assert content is not None
        h, w = content.median.shape[:2]
        x, y, bw, bh = (deck.sites.boxes[:, k].astype(np.float64) for k in range(4))
        corners = np.stack([np.c_[x, y], np.c_[x + bw, y], np.c_[x + bw, y + bh], np.c_[x, y + bh]], 1) if len(x) else np.zeros((0, 4, 2))
        to_side: dict[Side, Homography | None] = {"colour": np.eye(3), "back": None}
        if deck.fronts is None:
            to_side = {"colour": None, "back": np.eye(3)}
        elif deck.backs is not None:
            fit = Reference(deck.fronts.median).fit(deck.backs.median)
            to_side["back"] = fit.matrix if fit.alike >= ONE_SCENE else None
        return cls(corners * (2 / w, 2 / h) - 1, deck.sites.looks != 0, to_side)

    def on(self, picture: Picture, side: Side, which: Sequence[int], *, numbered: bool = False) -> Picture:
        """The picture with these places framed."""
        to = self.to_side[side]
        if to is None:
            return picture
        h, w = picture.shape[:2]
        out = picture.copy()
        for s in which:
            quad = transform(frame_to_px(to, w, h), self.quads[s])
            _framed(out, quad)
            if numbered:
                at = (int(quad[:, 0].min()), max(12, int(quad[:, 1].min()) - 4))
                for colour, thick in ((RIM, 6), (MARK, 2)):
                    cv2.putText(out, str(s + 1), at, cv2.FONT_HERSHEY_SIMPLEX, 0.6, colour, thick, cv2.LINE_AA)
        return out


def _framed(out: Picture, quad: Points) -> None:
    low, high = (tuple(int(v) for v in corner) for corner in (np.floor(quad.min(0)) - 2, np.ceil(quad.max(0)) + 2))
    for colour, thick in ((RIM, 3), (MARK, 1)):
        cv2.rectangle(out, low, high, colour, thick, cv2.LINE_AA)


def _shown(n: int, card: Card, marks: _Marks | None, said: list[str]) -> Shown:
    def side(path: Path | None, name: Side) -> Picture | None:
        picture = _small(path, CARD_PX, said)
        return picture if picture is None or marks is None else marks.on(picture, name, np.flatnonzero(marks.departs[n]).tolist())

    words = [card.object, card.arrow, str(card.steps) if card.steps else None, card.suspect, card.witness]
    departures = int(np.count_nonzero(marks.departs[n])) if marks is not None else None
    return Shown(card.id, ", ".join(word for word in words if word), side(card.front, "colour"), side(card.back, "back"), departures)


def _small(path: Path | None, longer_px: int, said: list[str] | None = None) -> Picture | None:
    if path is None:
        return None
    try:
        picture = read(path)
    except PictureError as e:
        if said is not None:
            said.append(str(e))
        return None
    k = longer_px / max(picture.shape[:2])
    return np.asarray(cv2.resize(picture, None, fx=k, fy=k, interpolation=cv2.INTER_AREA if k < 1 else cv2.INTER_CUBIC), np.uint8)


def _common(deck: Deck, marks: _Marks) -> tuple[tuple[str, Picture], ...]:
    sides: tuple[Side, ...] = ("colour", "back")
    return tuple((f"what all {CALLED[side]} have in common, and the places that vary", marks.on(f.median, side, range(len(marks.quads)),
                  numbered=True)) for side in sides if (f := deck.face(side)) is not None)


def _places(deck: Deck) -> tuple[Place, ...]:
    """Each place with its looks, cut out of a card that shows it."""
    files = [card.front if deck.fronts is not None else card.back for card in deck.pack.cards]
    content = deck.fronts or deck.backs
    assert content is not None
    wanted: dict[int, list[tuple[int, int]]] = {}
    for s in range(len(deck.sites.boxes)):
        for look in range(int(deck.sites.looks[:, s].max()) + 1):
            of_it = [n for n in np.flatnonzero(deck.sites.looks[:, s] == look) if files[n] is not None]
            if of_it:
                wanted.setdefault(int(of_it[0]), []).append((s, look))
    crops: dict[tuple[int, int], Picture] = {}
    reference = Reference(content.median)
    h, w = content.median.shape[:2]
    for n, those in wanted.items():
        path = files[n]
        assert path is not None
        picture = read(path)
        matrix = reference.fit(small(picture)).matrix
        to_px = frame_to_px(matrix, picture.shape[1], picture.shape[0]) @ np.array([[2 / w, 0, -1], [0, 2 / h, -1], [0, 0, 1.0]])
        for s, look in those:
            crops[s, look] = _crop(picture, to_px, deck.sites.boxes[s])
    out = []
    for s in range(len(deck.sites.boxes)):
        looks = sorted(look for place, look in crops if place == s)
        ids = [tuple(deck.ids[n] for n in np.flatnonzero(deck.sites.looks[:, s] == look)) for look in looks]
        out.append(Place(s + 1, tuple((who, crops[s, look]) for who, look in zip(ids, looks, strict=True))))
    return tuple(out)


def _crop(picture: Picture, to_px: Homography, box: NDArray[np.int32]) -> Picture:
    """A square about a box of the common frame."""
    x, y, w, h = (float(v) for v in box)
    reach = max(w, h) * (0.5 + ROOM)
    cx, cy = x + w / 2, y + h / 2
    from_crop = np.array([[2 * reach / CROP_PX, 0, cx - reach], [0, 2 * reach / CROP_PX, cy - reach], [0, 0, 1.0]])
    half = np.array([[1, 0, 0.5], [0, 1, 0.5], [0, 0, 1.0]])
    matrix = np.linalg.inv(half) @ to_px @ from_crop @ half
    flags = cv2.INTER_AREA | cv2.WARP_INVERSE_MAP
    return np.asarray(cv2.warpPerspective(picture, matrix, (CROP_PX, CROP_PX), flags=flags, borderMode=cv2.BORDER_REPLICATE), np.uint8)


def _pairs(deck: Deck) -> Grid:
    values = deck.matrix.copy()
    np.fill_diagonal(values, -1)
    return Grid("In how many places two photos differ", deck.ids, deck.ids, values)


def _by_what_they_show(pack: Pack) -> Grid | None:
    """How many cards show what, by two things printed on them."""
    if pack.game == "sherlock-2011":
        pairs = [(pack.suspects.get(c.suspect, c.suspect), pack.witnesses.get(c.witness, c.witness)) for c in pack.cards
                 if c.suspect and c.witness]
        title = "How many tiles have which suspect and witness"
    else:
        pairs = [(c.arrow, str(c.steps)) for c in pack.cards if c.arrow and c.steps]
        title = "How many cards have which arrow and number"
    if not pairs:
        return None
    counts = Counter(pairs)
    rows, columns = (tuple(dict.fromkeys(sorted(p[k] for p in pairs))) for k in (0, 1))
    return Grid(title, rows, columns, np.array([[counts[r, c] for c in columns] for r in rows], np.int16))


def _risk(deck: Deck, pack: Pack) -> tuple[str, ...]:
    """What a camera confuses, from which distance on."""
    if pack.size_mm is None:
        return ("size_mm is not told, so nothing is known of cameras and distances",)
    out = []
    sides: tuple[Side, ...] = ("colour", "back")
    for side in sides:
        face = deck.face(side)
        if face is None:
            continue
        pairs = confused(face, deck.ids, width_mm=pack.size_mm[0])
        name = CALLED[side].capitalize()
        if not pairs:
            out.append(f"{name}: all photos are told apart up to {_so_far(MM_A_PX[-1])}.")
            continue
        never = [f"{c.a} and {c.b}" for c in pairs if c.mm_a_px is None]
        if never:
            out.append(f"{name}: no camera that sees the whole table tells apart {_listed(never)}.")
        for mm in sorted({c.mm_a_px for c in pairs if c.mm_a_px is not None}):
            those = [f"{c.a} and {c.b}" for c in pairs if c.mm_a_px == mm]
            out.append(f"{name}: farther away than {_so_far(mm)} {_listed(those)} cannot be told apart for sure.")
    return tuple(out)


def _so_far(mm_a_px: float) -> str:
    return f"{mm_a_px:g} mm a pixel (a usual 1080p webcam {distance_cm(mm_a_px)} cm above the table)"


def _listed(names: Sequence[str], most: int = 12) -> str:
    return ", ".join(names[:most]) + (f" and {len(names) - most} more pairs" if len(names) > most else "")


def _others(pack: Pack) -> list[tuple[str, Picture]]:
    files = [(f"marker {value}", path) for value, path in sorted(pack.markers.items())]
    files += [(f"token {name}", path) for name, path in pack.tokens.items()]
    files += [("pawn", pack.pawn)] if pack.pawn is not None else []
    files += [(f"mission {who}", path) for who, path in pack.missions.items()]
    files += [(f"booklet, page {page}", path) for page, path in sorted(pack.booklet.items())]
    return [(name, picture) for name, path in files if (picture := _small(path, CARD_PX // 2)) is not None]
