"""A deck's own truth: what varies where on its photos, and in how many places each two of them differ. Worked out once, then kept.

    deck = read_deck(read_pack(folder))
    deck.count("p07", "p23")

What was worked out is kept in the user's cache under a name made of all the pictures' bytes: of a pack that was changed nothing old is
used.
"""

import hashlib
import zipfile
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import platformdirs
from numpy.typing import NDArray

from vision.deck.decode import Decoder
from vision.deck.faces import Area, Face, Laid, face, lay
from vision.deck.pack import Pack, PackError
from vision.deck.sites import Sites, find_sites
from vision.files import replacing
from vision.observation import Side

MADE_BY = ("align.py", "deck.py", "faces.py", "sites.py")   # the code that works it out: its older results are not used
KEPT = 12            # decks; of more, those worked out longest ago are forgotten
FEWEST = 3           # photos of which a median can be taken,
TRUSTY = 6           # and of which it is what they have in common, even where two depart alike
Progress = Callable[[str], None]


@dataclass(frozen=True)
class Deck:
    """A deck of photos. A face is None where the pack lacks that side (of nearly all cards)."""

    pack: Pack
    fronts: Face | None
    backs: Face | None
    sites: Sites

    @property
    def ids(self) -> tuple[str, ...]:
        """The cards, in the order of all arrays."""
        return tuple(card.id for card in self.pack.cards)

    @cached_property
    def matrix(self) -> NDArray[np.int16]:
        """(cards, cards): in how many places two photos differ."""
        return self.sites.matrix()

    def count(self, a: str, b: str) -> int:
        """In how many places two photos differ. Raises KeyError."""
        index = {card: n for n, card in enumerate(self.ids)}
        return int(self.matrix[index[a], index[b]])

    def twins(self, side: Side) -> tuple[tuple[str, str], ...]:
        """Pairs of photos whose pictures of that side are alike everywhere: no camera can tell them apart."""
        f = self.face(side)
        if f is None:
            return ()
        known = f.known
        return tuple((self.ids[i], self.ids[j]) for i, j in combinations(range(len(self.ids)), 2)
                     if known[i] and known[j] and np.array_equal(f.looks[i], f.looks[j]))

    def face(self, side: Side) -> Face | None:
        """What is known of one side."""
        return self.fronts if side == "colour" else self.backs

    @cached_property
    def decoders(self) -> dict[Side, Decoder]:
        """The readers of the sides that the pack has."""
        sides: tuple[Side, ...] = ("colour", "back")
        return {side: Decoder(f) for side in sides if (f := self.face(side)) is not None}


def read_deck(pack: Pack, *, cache: Path | None = None, say: Progress | None = None) -> Deck:
    """The deck of a pack of photos, from the cache (a folder; the user's where None) or worked out anew, in up to 20 seconds.

    `say` is told when it takes longer. Raises PackError where the pack has too few photos, PictureError where one cannot be read.
    """
    if max(sum(path is not None for path in side) for side in ([c.front for c in pack.cards], [c.back for c in pack.cards])) < FEWEST:
        raise PackError(f"{pack.folder}: fewer than {FEWEST} photos, so nothing tells what varies; add photos with `companion deck add`")
    folder = cache or platformdirs.user_cache_path("table-companion") / "packs"
    file = folder / f"{_fingerprint(pack)}.npz"
    kept = _load(file, pack)
    if kept is not None:
        return kept
    if say is not None:
        say(f"{pack.name}: working out what varies among its {len(pack.cards)} photos; this is done once")
    deck = _work_out(pack)
    _save(deck, file)
    return deck


def deck_of(pack: Pack | None, *, say: Progress | None = None, progress: Progress | None = None) -> Deck | None:
    """The deck of a pack, where it is one of photos and has enough of them. Raises PictureError.

    `say` is told where it has not, and what any pack lacks; `progress` when it takes longer.
    """
    if pack is not None and pack.said and say is not None:
        more = f" ({len(pack.said)} such things: `companion deck check` names them)" if len(pack.said) > 1 else ""
        say(f"{pack.said[0]}{more}")
    if pack is None or pack.game != "sherlook":
        return None
    try:
        return read_deck(pack, say=progress)
    except PackError as e:
        if say is not None:
            say(str(e))
        return None


def few(deck: Deck) -> str | None:
    """What is to be said of a pack with so few photos that their median may not be what they have in common."""
    n = len(deck.ids)
    return f"of {n} photos alone what is usual is a guess, and counts may be one or two off; add the others" if n < TRUSTY else None


def _work_out(pack: Pack) -> Deck:
    fronts = [(n, card.front) for n, card in enumerate(pack.cards) if card.front is not None]
    backs = [(n, card.back) for n, card in enumerate(pack.cards) if card.back is not None]
    with ThreadPoolExecutor(2) as pool:   # nearly all the time goes into OpenCV and numpy, which let the other side go on
        waiting = [pool.submit(lay, [path for _, path in side]) if len(side) >= FEWEST else None for side in (fronts, backs)]
        front, back = (None if w is None else w.result() for w in waiting)
    cards = len(pack.cards)
    shown_fronts, shown_backs = ([n for n, _ in side] for side in (fronts, backs))
    if front is not None and (back is None or len(fronts) >= len(backs)):
        sites = find_sites(front, back if shown_fronts == shown_backs else None)
        shown = shown_fronts
    else:
        assert back is not None
        sites = find_sites(back, circles_are_ink=True)
        shown = shown_backs
    return Deck(pack, _face(front, shown_fronts, cards), _face(back, shown_backs, cards),
                Sites(sites.boxes, _spread(sites.looks, shown, cards, 0), _spread(sites.circled, shown, cards, False)))


def _face(laid: Laid | None, shown: list[int], cards: int) -> Face | None:
    if laid is None:
        return None
    f = face(laid)
    return Face(f.median, f.areas, _spread(f.looks, shown, cards, -1))


def _spread(rows: NDArray[Any], at: list[int], cards: int, lacking: int) -> NDArray[Any]:
    out = np.full((cards, *rows.shape[1:]), lacking, rows.dtype)
    out[at] = rows
    return out


def _fingerprint(pack: Pack) -> str:
    """Changes with every byte of the cards' pictures, their ids, and how it is worked out."""
    paths = [path for card in pack.cards for path in (card.front, card.back) if path is not None]
    with ThreadPoolExecutor(2) as pool:
        sums = dict(zip(paths, pool.map(_sum, paths), strict=True))
    whole = hashlib.sha256(b"".join((Path(__file__).parent / code).read_bytes() for code in MADE_BY))
    for card in pack.cards:
        for part in (card.id, *(sums[p] if p is not None else "-" for p in (card.front, card.back))):
            whole.update(part.encode() + b"\0")
    return whole.hexdigest()[:32]


def _sum(path: Path) -> str:
    with path.open("rb") as f:
        return hashlib.file_digest(f, "sha256").hexdigest()


def _save(deck: Deck, file: Path) -> None:
    """Keeps the deck; where that cannot be done it is worked out again the next time."""
    arrays: dict[str, NDArray[Any]] = {"boxes": deck.sites.boxes, "sites": deck.sites.looks, "circled": deck.sites.circled}
    for name, f in (("front", deck.fronts), ("back", deck.backs)):
        if f is None:
            continue
        arrays |= {f"{name}-median": f.median, f"{name}-looks": f.looks}
        for n, area in enumerate(f.areas):
            arrays |= {f"{name}-{n}-at": np.array([area.x, area.y]), f"{name}-{n}-looks": area.looks, f"{name}-{n}-mask": area.mask}
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        with replacing(file) as out:
            np.savez(out, allow_pickle=False, **arrays)
        for older in sorted(file.parent.glob("*.npz"), key=lambda f: -f.stat().st_mtime)[KEPT:]:
            older.unlink(missing_ok=True)
    except OSError:
        return


def _load(file: Path, pack: Pack) -> Deck | None:
    try:
        with np.load(file, allow_pickle=False) as kept:
            names = set(kept.files)
            sites = Sites(kept["boxes"], kept["sites"], kept["circled"])
            faces = [_kept_face(kept, name) if f"{name}-median" in names else None for name in ("front", "back")]
    except (OSError, ValueError, KeyError, EOFError, zipfile.BadZipFile):
        return None
    return Deck(pack, faces[0], faces[1], sites)


def _kept_face(kept: Any, name: str) -> Face:
    looks = kept[f"{name}-looks"]
    areas = []
    for n in range(looks.shape[1]):
        x, y = (int(v) for v in kept[f"{name}-{n}-at"])
        areas.append(Area(x, y, kept[f"{name}-{n}-looks"], kept[f"{name}-{n}-mask"]))
    return Face(kept[f"{name}-median"], tuple(areas), looks)
