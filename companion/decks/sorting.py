"""Cut cards sorted: which side each shows, which lie upside down, which are one card, which front and back belong together."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from pathlib import Path

import cv2
import numpy as np

from companion.decks.alike import Glance, one_card
from companion.decks.pairing import pairs
from vision.deck.align import Array, Reference
from vision.deck.deck import FEWEST
from vision.deck.faces import UNLIKE_ALIGNED, Laid, face, lay, small
from vision.differences import count_differences
from vision.geometry import Picture
from vision.pictures import read

GREY = 5.0              # Lab: colours that lie no farther from the usual one are none
TWO_KINDS = 2.0         # times as colourful as the others are colour sides, whatever the lamp does to grey
SOFT = 0.55             # of the usual sharpness: a picture that has less is blurred
TOLD = 0.95             # the probability of a difference that makes two cards of two pictures
TRIED = 5               # pictures that may be of another deck, tried as the first to lay others on
FRONT = re.compile(r"(?i)(front|recto|face|colou?r|vorn|vorder|devant|davanti|frente)")
BACK = re.compile(r"(?i)(back|verso|rear|r[uü]ck|hinten|dos(?![a-z])|retro|dorso|reverso)")


@dataclass(frozen=True)
class Found:
    """One side of a card. `file`: the straightened picture; `at`: the scan it is from (its place in order) and its place there."""

    file: Path
    where: str                       # in words
    scan: str                        # the scan's name
    at: tuple[int, int]
    card: str | None = None          # the pack's card that it is already
    side: str | None = None          # front | back, where that is known
    turn: int = 0                    # quarters counter-clockwise that put it upright
    sharp: float = 1.0
    colourful: float = 0.0


@dataclass
class Sorted:
    """What came of it. `cards`: fronts and backs that belong together, one of them may lack."""

    cards: list[tuple[Found | None, Found | None]] = field(default_factory=list)
    shared_back: Found | None = None
    said: list[str] = field(default_factory=list)
    there: list[str] = field(default_factory=list)      # what shows a side that the pack has


def sort_photos(found: Sequence[Found], *, square: bool) -> Sorted:
    """Photos: told apart by colour, laid one way up, paired by what they depart in."""
    out = Sorted()
    seen = [_seen(f) for f in found]
    blurred = _blurred(seen)
    out.said += [f"{f.where}: blurred, so it was left out; scan it again" for f in blurred]
    seen = _turned(_sided([f for f in seen if f not in blurred]), out, turns=4 if square else 2)
    fronts, backs = ([f for f in seen if f.side == side] for side in ("front", "back"))
    if min(len(fronts), len(backs)) < FEWEST:
        return _in_order(fronts, backs, out)
    laid_fronts, laid_backs = (lay([upright_file(f) for f in each]) for each in (fronts, backs))
    fronts, laid_fronts = _without_doubles(fronts, laid_fronts, out)
    backs, laid_backs = _without_doubles(backs, laid_backs, out)
    known = {(f.card, b.card): (i, j) for i, f in enumerate(fronts) for j, b in enumerate(backs) if f.card is not None and f.card == b.card}
    fellows = dict(known.values())
    left_f = [i for i in range(len(fronts)) if i not in fellows]
    left_b = [j for j in range(len(backs)) if j not in fellows.values()]
    if left_f and left_b:
        for pair in pairs(_only(laid_fronts, left_f), _only(laid_backs, left_b)):
            i, j = left_f[pair.front], left_b[pair.back]
            fellows[i] = j
            if not pair.sure:
                out.said.append(f"{fronts[i].where} and {backs[j].where}: taken for one card, which is not certain; compare them")
    single_f = [f for i, f in enumerate(fronts) if i not in fellows]
    single_b = [b for j, b in enumerate(backs) if j not in fellows.values()]
    if left_f and left_b:      # where one of the sides is all that was scanned, nothing is amiss
        out.said += [f"{f.where}: a front whose back was not found; scan its back, too" for f in single_f if f.card is None]
        out.said += [f"{b.where}: a back whose front was not found; scan its front, too" for b in single_b if b.card is None]
    out.cards = [(fronts[i], backs[j]) for i, j in fellows.items()] + [(f, None) for f in single_f] + [(None, b) for b in single_b]
    return out


def sort_others(found: Sequence[Found], *, tiles: bool, back: Path | None = None) -> Sorted:
    """Cards of the other games: their one shared back (`back`: the pack's), or pairs by the scans' names and order."""
    out = Sorted()
    seen = [_seen(f) for f in found]
    out.said += [f"{f.where}: looks blurred; compare it with the others" for f in _blurred(seen)]
    glances = {f.file: Glance.of(read(f.file)) for f in seen}
    groups = _groups(seen, lambda a, b: one_card(glances[a.file], glances[b.file]))
    groups.sort(key=len, reverse=True)
    shared = None if tiles else _shared(groups, back)
    if shared is not None:
        out.shared_back = next((f for f in shared if f.file == back), max(shared, key=lambda f: f.sharp))
        for group in groups:
            if group is not shared:
                out.cards.append((_best(group, out), None))
        return out
    if tiles:            # the same suspect stands on several tiles
        return _in_order(*_by_names(seen), out)
    best = [_best(group, out) for group in groups]
    return _in_order(*_by_names([f for f in seen if f in best]), out)


def _shared(groups: Sequence[list[Found]], back: Path | None) -> list[Found] | None:
    """The pictures of the one back among groups of like ones, the largest first: the pack's own, one named so, or one scanned most."""
    own = next((group for group in groups if any(f.file == back for f in group)), None)
    if own is not None or len(groups) < 2:
        return own
    named = [group for group in groups if all(BACK.search(f.scan) for f in group)]
    if len(named) == 1:
        return named[0]
    return groups[0] if len(groups[0]) >= FEWEST and len(groups[0]) > len(groups[1]) else None


# ---------------------------------------------------------------- looking


def _seen(found: Found) -> Found:
    picture = small(read(found.file))
    grey = cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY)
    little = cv2.GaussianBlur(cv2.resize(picture, (96, 96), interpolation=cv2.INTER_AREA), (0, 0), 1.0)
    ab = cv2.cvtColor(little.astype(np.float32) / 255, cv2.COLOR_BGR2Lab)[..., 1:].reshape(-1, 2)
    colourful = float(np.linalg.norm(ab - np.median(ab, axis=0), axis=1).mean())
    return replace(found, sharp=_sharpness(np.asarray(grey, np.float32)), colourful=colourful)


def _sharpness(grey: Array) -> float:
    """How strong the finest edges are beside coarse ones; noise, which is finer still, has no say."""

    def band(low: float, high: float) -> float:
        return float(np.percentile(np.abs(cv2.GaussianBlur(grey, (0, 0), low) - cv2.GaussianBlur(grey, (0, 0), high)), 98))

    return band(1, 2) / max(band(4, 8), 1e-3)


def _blurred(seen: Sequence[Found]) -> list[Found]:
    """New pictures far less sharp than is usual."""
    usual = float(np.median([f.sharp for f in seen])) if seen else 0.0
    return [f for f in seen if f.card is None and f.sharp < SOFT * usual]


def _sided(seen: Sequence[Found]) -> list[Found]:
    """Colour sides and backs: by the widest gap between how colourful they are, where there are two kinds."""
    values = sorted(f.colourful for f in seen)
    ratios = [(high + 0.5) / (low + 0.5) for low, high in pairwise(values)]
    limit = GREY
    if ratios and max(ratios) > TWO_KINDS:
        k = int(np.argmax(ratios))
        limit = (values[k] + values[k + 1]) / 2
    return [f if f.side is not None else replace(f, side="front" if f.colourful > limit else "back") for f in seen]


def _turned(seen: Sequence[Found], out: Sorted, *, turns: int) -> list[Found]:
    """All one way up, as most of them lay; without what shows another scene."""
    pictures = {f.file: small(read(f.file)) for f in seen}
    there = [f for f in seen if f.card is not None]
    new = [f for f in seen if f.card is None]
    best: dict[Path, int | None] = {}
    for first in (there or new)[:TRIED]:
        reference = Reference(pictures[first.file])
        told = {f.file: _turn(reference, pictures[f.file], turns) for f in new}
        if sum(t is not None for t in told.values()) >= sum(t is not None for t in best.values()):
            best = told
        if there or sum(t is not None for t in best.values()) > len(new) / 2:
            break
    out.said += [f"{f.where}: shows another scene than the others, so it was left out" for f in new if best[f.file] is None]
    lay_so = [turn for f in new if (turn := best[f.file]) is not None]
    usual = 0 if there or not lay_so else max(set(lay_so), key=lay_so.count)
    return there + [replace(f, turn=(turn - usual) % 4) for f in new if (turn := best[f.file]) is not None]


def _turn(reference: Reference, picture: Picture, turns: int) -> int | None:
    """Quarters by which the picture must be turned counter-clockwise to lie as the reference; None: it shows something else."""
    likes = []
    for k in range(0, 4, 4 // turns):
        likes.append((reference.fit(np.ascontiguousarray(np.rot90(picture, k))).alike, k))
    alike, turn = max(likes)
    return turn if alike >= UNLIKE_ALIGNED else None


def upright_file(found: Found) -> Path:
    """The picture as it goes into the pack: turned upright, beside the one that was cut."""
    if not found.turn:
        return found.file
    file = found.file.with_name(f"{found.file.stem}-turned.png")
    file.write_bytes(cv2.imencode(file.suffix, np.rot90(read(found.file), found.turn))[1].tobytes())
    return file


# ---------------------------------------------------------------- doubles and order


def _without_doubles(found: list[Found], laid: Laid, out: Sorted) -> tuple[list[Found], Laid]:
    """One of each card: the pack's own, else the sharpest."""
    looks = face(laid).looks
    same_looks: dict[bytes, list[Found]] = {}
    for f, its in zip(found, looks, strict=True):
        same_looks.setdefault(its.tobytes(), []).append(f)
    groups = [group for some in same_looks.values() for group in _groups(some, nothing_differs)]
    best = {id(_best(group, out)) for group in groups}
    kept = [n for n, f in enumerate(found) if id(f) in best or f.card is not None]
    return [found[n] for n in kept], _only(laid, kept)


def nothing_differs(a: Found, b: Found) -> bool:
    """Whether nothing surely differs: what varies in two cards of many only, the deck as a whole may not show."""
    places = count_differences(*(read(upright_file(f)) for f in (a, b))).places
    return not any(place.probability >= TOLD for place in places)


def _only(laid: Laid, kept: Sequence[int]) -> Laid:
    return replace(laid, stack=laid.stack[list(kept)], changed=laid.changed[list(kept)], alike=laid.alike[list(kept)])


def _best(group: Sequence[Found], out: Sorted) -> Found:
    """The pack's own of several pictures of one card, else the sharpest; the others are said."""
    best = max(group, key=lambda f: (f.card is not None, f.sharp))
    what, lines = (best.where, out.said) if best.card is None else (f"{best.where} of the pack", out.there)
    lines += [f"{f.where}: shows what {what} shows, so it was left out" for f in group if f is not best and f.card is None]
    return best


def _groups(found: Sequence[Found], same: Callable[[Found, Found], bool]) -> list[list[Found]]:
    groups: list[list[Found]] = []
    for f in found:
        for group in groups:
            if same(group[0], f):
                group.append(f)
                break
        else:
            groups.append([f])
    return groups


def _by_names(seen: Sequence[Found]) -> tuple[list[Found], list[Found]]:
    """Fronts and backs by the words in the scans' names; else the scans take turns, where each two hold as many; else all are fronts."""
    known = [replace(f, side=f.side or ("back" if BACK.search(f.scan) else "front" if FRONT.search(f.scan) else None)) for f in seen]
    if any(f.side == "back" for f in known if f.card is None):
        return [f for f in known if f.side != "back"], [f for f in known if f.side == "back"]
    new = [f for f in known if f.card is None]
    scans = list(dict.fromkeys(f.scan for f in new))
    counts = [sum(f.scan == scan for f in new) for scan in scans]
    if len(scans) % 2 or counts[::2] != counts[1::2]:
        return known, []
    backs = set(scans[1::2])
    return [f for f in known if f.scan not in backs or f.card], [f for f in known if f.scan in backs and not f.card]


def _in_order(fronts: Sequence[Found], backs: Sequence[Found], out: Sorted) -> Sorted:
    """The n-th front and the n-th back are one card, where there are as many of both."""
    new_f, new_b = ([f for f in each if f.card is None] for each in (fronts, backs))
    if len(new_f) == len(new_b):
        out.cards += list(zip(new_f, new_b, strict=True))
        return out
    if new_b and new_f:
        out.said.append(f"{len(new_f)} fronts and {len(new_b)} backs were found, so which belong together is not known; "
                        "scan as many of both, or name the cards in deck.toml")
    out.cards += [(f, None) for f in new_f] + [(None, b) for b in new_b]
    return out
