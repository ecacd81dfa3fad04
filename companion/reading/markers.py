"""Where each evidence marker lies, look after look, and which of them came to lie elsewhere.

A marker that arrives somewhere has left another place: readings flicker, things that resemble markers lie about, but a move needs both.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache

import numpy as np

from companion.reading.belief import VALUES, Belief, each_once, join, look, over_looks, told_apart, unread
from companion.reading.regions import grown
from vision.geometry import Picture, Points, depth_inside, rectangle
from vision.observation import ASSERTED, Marker
from vision.stillness import CELL, Glance, Mask, Stillness, differs, touched
from vision.table import Table

USUAL_MM = 30.0       # a marker's side, where nothing tells it
SAME_MM = 12.0        # two looks at one marker lie no farther apart
ASIDE_MM = 14.0       # so far off a marker's edge another one may have its middle
HELD_MM = 4.0         # so far round a marker no hand may be
CLAIMED = 0.5         # a finder's word counts from here on,
READ_CLAIMED = 0.2    # or from here on where its value is read beyond doubt: a numeral that plain is seldom nothing
READ = 0.5            # what goes and has no value that probable, among all the others, was no marker
FITTING = 0.05        # probability that two readings are of one value, below which they are of two markers
HIDDEN = 0.5          # a marker under a hand is half as likely as one that is gone to be the one that arrived
ELSE = 0.2            # where a marker has left its place, a thing that resembles one is so much less often none
ENOUGH = 4            # looks, after which the likeliest story is told as it stands
NEAR_SEAT_MM = 40.0   # what lies between the areas belongs to a seat this near
Place = tuple[float, float]


@dataclass(eq=False)
class Piece:
    """A marker whose place is known."""

    at: Place
    zone: str | None
    looks: list[Belief]
    seen: float                      # t of the last look that showed it there
    showed: Picture                  # the small picture of that look
    tried: int = 0                   # looks at its place, whether or not it was found there
    gone: bool = False               # its place is bare

    @property
    def unread(self) -> bool:
        """Whether another look at it may tell more."""
        return not self.gone and self.tried < ENOUGH


@dataclass(eq=False)
class Arrival:
    """A marker seen where none was."""

    at: Place
    zone: str | None
    t: float                         # since when it lies there and no hand is on it
    found: list[float] = field(default_factory=list)   # how sure each look was that it is a marker
    looks: list[Belief] = field(default_factory=list)

    @property
    def read(self) -> int:
        """Looks so far."""
        return len(self.looks)

    def sure(self) -> float:
        """How sure it is a marker, given that one has left its place: a new thing is else seldom one."""
        f = sum(self.found) / len(self.found)
        return f / (f + ELSE * (1 - f))


@dataclass(frozen=True, slots=True)
class Move:
    """A marker came to lie in another zone. `t`: it lies still and the hand has left it."""

    t: float
    at: Place
    left: str | None                 # the zone where it lay, None where that is not known
    zone: str
    values: tuple[tuple[int, float], ...]   # its value, likeliest first, with probabilities

    @property
    def value(self) -> int:
        """The likeliest value."""
        return self.values[0][0]


class Markers:
    """The markers of one table."""

    def __init__(self, table: Table, *, marker_mm: float | None = None) -> None:
        self.table = table
        self.size_mm = marker_mm or USUAL_MM
        self.pieces: list[Piece] = []
        self._arrivals: list[Arrival] = []
        self._hidden: list[Piece] = []
        self._bare: Picture | None = None
        self._unclear = False            # something that may be a marker is on its way
        self._fresh: Mask | None = None  # what came to rest since it was last looked at; None: everything

    def begin(self, glance: Glance) -> None:
        """A new stretch of play: what lies here from now on and is not known yet has not been moved there in it."""
        self._bare, self._fresh = glance.small, None

    def notice(self, glance: Glance, blocked: Mask) -> None:
        """Keep in mind what has come to rest in this settled picture until it is looked at."""
        if self._fresh is not None and self._fresh.shape == blocked.shape:
            self._fresh = self._fresh | (glance.changed & ~blocked)
        else:
            self._fresh = None

    def news(self, glance: Glance, blocked: Mask, photos: Sequence[Points]) -> Mask:
        """The cells in which a look at this frame can tell something new of the markers: all, where it should read them together.

        None while nothing but the photos has changed, and all markers lie where they lay with nothing new before a player.
        """
        if self._fresh is None or not self.pieces or self._worth_reading(glance, blocked):
            return np.ones_like(blocked)
        fresh = self._fresh & ~grown(blocked, self._reach(glance) // 2)    # a marker whose middle lies nearer to a hand is not clear
        for quad in photos:
            fresh &= ~glance.cells(self.table.to_px(quad), margin_px=self._px(quad[0], HELD_MM))
        if not any(p.gone for p in self.pieces):
            margins = [self._px(seat.area[0], NEAR_SEAT_MM) for seat in self.table.seats]
            areas = [glance.cells(self.table.to_px(seat.area), margin_px=m) for seat, m in zip(self.table.seats, margins, strict=True)]
            if not any(bool(fresh[here].any()) for here in areas):
                return np.zeros_like(blocked)
        return fresh

    def _worth_reading(self, glance: Glance, blocked: Mask) -> bool:
        """Whether a marker's place is clear that shows another thing than it did, or that was not read often enough."""
        lying = [(self.cells(glance, p.at), p) for p in self.pieces if not p.gone]
        if any(not blocked[here].any() and (p.unread or differs(glance.small, p.showed, here)) for here, p in lying):
            return True
        return any(a.read < ENOUGH and not blocked[self.cells(glance, a.at)].any() for a in self._arrivals)

    def known(self) -> list[Points]:
        """Where (quads, mm) a glance at what is new need not look: a marker lies there."""
        side = self.size_mm + 2 * ASIDE_MM
        return [rectangle(p.at, (side, side)) for p in self.pieces if not p.gone]

    def strange(self, glance: Glance, found: Sequence[Marker], blocked: Mask) -> bool:
        """Whether something that may be a marker lies clear where none is known."""
        return any(all(_apart(m.at, p.at) >= SAME_MM for p in self.pieces if not p.gone) and not blocked[self.cells(glance, m.at)].any()
                   for m in found)

    def looked(self, glance: Glance, cells: Mask, blocked: Mask) -> None:
        """These cells were looked at, as far as they are clear."""
        held = grown(blocked, self._reach(glance))    # what lies there was not clear
        self._fresh = held if self._fresh is None else self._fresh & (held | ~cells)

    def look(self, glance: Glance, found: Sequence[Marker], stillness: Stillness, blocked: Mask) -> list[Move]:
        """Take in what a finder saw in this frame; `blocked` cells move or are under a hand. Returns what has moved, in order of t."""
        if self._bare is None:
            self.begin(glance)
        clear = [m for m in found if _claimed(m) and not blocked[self.cells(glance, m.at)].any()]
        self._unclear = any(m not in clear and all(_apart(m.at, p.at) >= SAME_MM for p in self.pieces) for m in found)
        rest = self._recognise(glance, clear, blocked)
        self._await(glance, rest, stillness)
        self.looked(glance, np.ones_like(blocked), blocked)
        return sorted(self._settle(glance), key=lambda move: move.t)

    @property
    def pending(self) -> bool:
        """Whether another look would tell more."""
        return self._fresh is None or self._unclear or self.arriving() or any(p.unread for p in self.pieces)

    def arriving(self, zone: str | None = None) -> bool:
        """Whether something that may be a marker came to lie in the zone, or in any, and is not settled yet."""
        return any(zone in (None, a.zone) and a.read < ENOUGH for a in self._arrivals)

    def cells(self, glance: Glance, at: Place) -> Mask:
        """The cells of the place and its rim."""
        return _cells(self.table, at, self.size_mm, glance.small.shape[:2], glance.scale)

    def beliefs(self) -> list[Belief]:
        """What each piece bears, in the order of `pieces`."""
        return each_once([over_looks(p.looks) for p in self.pieces])

    def _recognise(self, glance: Glance, clear: list[Marker], blocked: Mask) -> list[Marker]:
        """Finds the known pieces again; returns the markers that are none of them."""
        rest = list(clear)
        nothing: list[Piece] = []
        self._hidden = []
        for piece, belief in zip(self.pieces, self.beliefs(), strict=True):
            here = self.cells(glance, piece.at)
            near = [m for m in rest if _apart(m.at, piece.at) < SAME_MM]
            hit = min(near, key=lambda m: _apart(m.at, piece.at), default=None)
            fits = hit is not None and float(belief @ _read(hit)) >= FITTING
            if blocked[here].any() and (piece.gone or not fits):
                if not piece.gone:   # one place holds one marker: what shows there beside a hand is no second one
                    self._hidden.append(piece)
                    rest = [m for m in rest if m is not hit]
                continue
            piece.tried += 1
            same = not piece.gone and not differs(glance.small, piece.showed, here)
            if hit is not None and (same or fits):
                rest.remove(hit)
                piece.at, piece.gone = hit.at, False
                piece.looks.append(_read(hit))
                del piece.looks[:-3 * ENOUGH]
            elif not same:
                piece.gone = True
            if not piece.gone:
                piece.seen, piece.showed = glance.t, glance.small
            elif belief.max() < READ:
                nothing.append(piece)
        self.pieces = [p for p in self.pieces if p not in nothing]
        return rest

    def _await(self, glance: Glance, rest: list[Marker], stillness: Stillness) -> None:
        """Keeps count of the markers seen where none was known."""
        stay: list[Arrival] = []
        for marker in rest:
            known = next((a for a in self._arrivals if _apart(a.at, marker.at) < SAME_MM), None)
            if known is None:
                t = stillness.since(glance, self._square(marker.at), margin_px=self._px(marker.at, HELD_MM))
                known = Arrival(marker.at, self.zone(marker.at), t)
            known.looks.append(_read(marker))
            known.found.append(marker.sure["found"])
            stay.append(known)
        self._arrivals = stay

    def _settle(self, glance: Glance) -> list[Move]:
        """Decides on the arrivals that are clear: a piece moved, or one that had not been noticed before."""
        moves: list[Move] = []
        for arrival in sorted(self._arrivals, key=lambda a: a.t):
            shown = over_looks(arrival.looks)
            beliefs = dict(zip(map(id, self.pieces), self.beliefs(), strict=True))
            away = [(p, 1.0) for p in self.pieces if p.gone] + [(p, HIDDEN) for p in self._hidden]
            here = self.cells(glance, arrival.at)
            away = [(p, weight) for p, weight in away if differs(glance.small, p.showed, here)]   # it cannot have come where nothing came
            stories = sorted(((weight * float(beliefs[id(p)] @ shown), p) for p, weight in away), key=lambda s: -s[0])
            if not stories or stories[0][0] < FITTING * HIDDEN:
                moves += self._unannounced(glance, arrival, shown)
                continue
            piece = stories[0][1]
            bear = [(weight, join(beliefs[id(p)], shown)) for weight, p in stories]
            told, values = told_apart(bear), bear[0][1]
            order = [int(i) for i in np.argsort(-values, kind="stable")[:3]]
            sure = told * float(values[order[0]]) * arrival.sure()
            if not piece.gone:
                continue
            if sure < ASSERTED and arrival.read < ENOUGH:
                break   # what came to lie later is told later, too
            if arrival.zone is not None and arrival.zone != piece.zone:
                chances = tuple((i + 1, sure * float(values[i] / values[order[0]])) for i in order)
                moves.append(Move(arrival.t, arrival.at, piece.zone, arrival.zone, chances))
            piece.at, piece.zone, piece.gone = arrival.at, arrival.zone, False
            piece.looks, piece.tried = [values], arrival.read
            piece.seen, piece.showed = glance.t, glance.small
            self._arrivals.remove(arrival)
        return moves

    def _unannounced(self, glance: Glance, arrival: Arrival, shown: Belief) -> list[Move]:
        """A marker that left no known place: it lay here all along, or had not been seen where it lay."""
        new = self._new(glance, arrival)
        if len(self.pieces) >= 2 * VALUES or (new and arrival.read < ENOUGH):
            return []
        value = int(np.argmax(shown))
        elsewhere = any(over_looks(p.looks)[value] >= READ for p in self.pieces if not p.gone)   # by its own looks: it may be no marker
        if new and (shown[value] < ASSERTED or elsewhere):
            return []
        self.pieces.append(Piece(arrival.at, arrival.zone, arrival.looks, glance.t, glance.small))
        self._arrivals.remove(arrival)
        if not new or arrival.zone is None:
            return []
        return [Move(arrival.t, arrival.at, None, arrival.zone, ((value + 1, float(shown[value]) * arrival.sure()),))]

    def _new(self, glance: Glance, arrival: Arrival) -> bool:
        """Whether the place looks other than when this stretch of play began."""
        return self._bare is None or differs(glance.small, self._bare, self.cells(glance, arrival.at))

    def zone(self, at: Place) -> str | None:
        """Whose the place is: an area's, or the seat's that is near enough and nearer than any other."""
        inside = self.table.zone(at)
        if inside is not None or not self.table.seats:
            return inside
        near = sorted((-depth_inside(seat.area, at), seat.name) for seat in self.table.seats)
        clear = len(near) == 1 or near[1][0] > 2 * near[0][0]
        return near[0][1] if near[0][0] <= NEAR_SEAT_MM and clear else None

    def _reach(self, glance: Glance) -> int:
        """How many cells a marker with its rim is across."""
        return int(np.ceil(self._px(self.table.centre_mm(), self.size_mm + 2 * HELD_MM) * glance.scale / CELL))

    def _square(self, at: Place) -> Points:
        return self.table.to_px(rectangle(at, (self.size_mm, self.size_mm)))

    def _px(self, at: Sequence[float], mm: float) -> float:
        return _px(self.table, at, mm)


@lru_cache(maxsize=256)
def _cells(table: Table, at: Place, size_mm: float, shape: tuple[int, int], scale: float) -> Mask:
    """The cells of a marker's place and its rim; asked again and again of the same places."""
    square = table.to_px(rectangle(at, (size_mm, size_mm)))
    return touched(shape, square * scale, _px(table, at, HELD_MM) * scale)


def _px(table: Table, at: Sequence[float], mm: float) -> float:
    a, b = table.to_px([at, (at[0] + mm, at[1])])
    return float(np.hypot(*(b - a)))


def _claimed(marker: Marker) -> bool:
    found, value = marker.sure.get("found", 0.0), marker.sure.get("value", 0.0)
    return found >= CLAIMED or (marker.value is not None and found >= READ_CLAIMED and value >= ASSERTED)


def _read(marker: Marker) -> Belief:
    return look(marker.value, marker.sure.get("value", 0.0)) if marker.value is not None else unread()


def _apart(a: Place, b: Place) -> float:
    return float(np.hypot(a[0] - b[0], a[1] - b[1]))
