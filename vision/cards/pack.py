"""The pictures of a pack's cards or tiles, made ready to be recognised; once a pack."""

from functools import lru_cache
from pathlib import Path
from typing import Any

from vision.cards.prints import Match, Prints
from vision.deck.pack import Pack
from vision.geometry import Picture
from vision.pictures import PictureError, read

FRONT, BACK = "front", "back"


def prints_of(pack: Pack) -> Prints | None:
    """Fronts, labelled by the card's id, and backs, labelled by the witness (None on cards of a circle); None without readable pictures.

    A picture that several cards share is one print.
    """
    wanted = [(side, label, path, _changed(path)) for side, label, path in _pictures(pack)]
    return _prints(tuple(wanted))


def _pictures(pack: Pack) -> list[tuple[str, str | None, Path]]:
    out: dict[tuple[str, str | None, Path], None] = {}
    for card in pack.cards:
        if card.front is not None:
            out[(FRONT, card.id, card.front)] = None
        if card.back is not None:
            out[(BACK, card.witness, card.back)] = None
    return list(out)


def _changed(path: Path) -> int:
    try:
        return path.stat().st_mtime_ns
    except OSError:
        return 0


@lru_cache(maxsize=4)
def _prints(wanted: tuple[tuple[str, str | None, Path, int], ...]) -> Prints | None:
    pictures: list[Picture] = []
    labels: list[tuple[str, str | None]] = []
    for side, label, path, _ in wanted:
        try:
            pictures.append(read(path))
        except PictureError:
            continue        # `companion deck check` names it
        labels.append((side, label))
    return Prints.of(pictures, labels, [side for side, _ in labels]) if pictures else None


def likeliest(pack: Pack, match: Match, what: str, *, whole: bool = True) -> tuple[Any, float]:
    """What a card that lies face up likeliest is, and how probable that is: `what` names a field of the pack's cards.

    `whole` false: it is enough that the card is one of the pack's, whatever its nearest rivals tell of the exact one.
    """
    sums: dict[Any, float] = {}
    for (side, card_id), chance in match.odds.items():
        if side == FRONT and card_id is not None:
            value = getattr(pack.card(card_id), what)
            sums[value] = sums.get(value, 0.0) + chance
    sums.pop(None, None)
    if not sums:
        return None, 0.0
    value = max(sums, key=lambda v: sums[v])
    return value, min(1.0, sums[value]) * (match.there if whole else match.known)
