"""The reader of Sherlook: frames in, events and questions out.

It knows what the rules say (`told`), looks at the table only where and when something came to rest, and never tells what it has not
seen: a marker is taken when it left one place and lies in another with no hand on it, a photo is turned when its back is seen.
The same frames with the same times and the same rulings give the same readings.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from companion.reading.counting import Counted, Counting
from companion.reading.finders import Finders, usual
from companion.reading.markers import Markers, Move
from companion.reading.names import Names
from companion.reading.pair import Lying, Pair
from companion.reading.readings import Evidence, Post, Question, Reading, Status, camera_event, say
from companion.reading.regions import boxes
from vision.advice import LIGHT_AGAIN, TOO_DARK, brightness
from vision.deck.deck import Deck
from vision.deck.pack import Sizes
from vision.geometry import Picture, depth_inside
from vision.hands import Reach, covered, find_hands
from vision.observation import ASSERTED, Marker, Observation, Photo, Side, quad_of
from vision.stillness import Glance, Mask, Stillness
from vision.table import Table
from vision.topview import View

FIRST_S = 0.4            # after so long the first look
LOOK_EVERY_S = 0.2       # looks are no closer together
AGAIN_S = 0.3            # another look at the same still table
SOON_S = 0.13            # ... where a marker has come to lie: the players wait for its ruling
LAYING_S = 1.0           # so long the end of what hands do in the middle is waited for, where photos are to be laid
LEAST_CELLS = 2          # so many cells must have come to rest before it is worth a look
RESTING_S = 1.5          # a hand that lies as still as this hides only what is under it, not what it might be doing
UNDONE_S = 6.0           # a count or a turning that was undone is not told again so soon: the host may enter it by hand
LAID_AGAIN_S = 2.0       # nor a laying that was undone: it comes sooner, for the others go on playing
PATIENCE_S = 1.5         # how long a hand at the last player's place can put off the end of his time
LEFT_S = 0.5             # after so long what a hand has left was looked at
AT_PLACE_MM = 60.0       # a hand so near is at a player's place
TRIES = 4                # looks for the pair on one still table
CAUGHT_UP = 2            # looks at a marker, before it counts as taken while nobody watched
NAMINGS = 3              # looks at a pair whose photos are not known surely, before it is told without their names
SWEPT_S = 1.0            # markers are put back for the next round: nothing that comes to lie so soon after is a foul
BACK_SURE = 0.6          # two looks at a back, each this sure, are one sure look
UNREAD = 0.5             # a value that is no surer is not told
Position = Mapping[str, Any]

BEFORE, CHOOSING, FINAL_CHECK, COUNTING = ("round", "laying"), "choosing", "final-check", "counting"


class Reader:
    """Reads one game of Sherlook at one table.

    table : of any size of the camera's shape. players : seats' names. source : the name that evidence is given.
    Before the first frame it must be `told` the position.
    """

    def __init__(self, table: Table, players: Sequence[str], *, sizes: Sizes | None = None, finders: Finders | None = None,
                 deck: Deck | None = None, source: str = "") -> None:
        sizes = sizes or Sizes()
        self.table, self.players, self.source = table, tuple(players), source
        self.finders = finders or usual(sizes, deck)
        self.hands: tuple[Reach, ...] = ()
        self.looks = 0                      # settled pictures in which pieces were looked for
        self.stillness = Stillness()
        self.markers = Markers(table, marker_mm=sizes.marker)
        self.pair = Pair(table, self.finders.side)
        self.names = Names(self.finders.deck) if self.finders.deck is not None else None
        self._laid_unnamed: tuple[Lying, Lying] | None = None   # a pair that is looked at again before it is told
        self._namings = 0
        self._counting: Counting | None = None
        self._position: Position = {"state": "idle"}
        self._deadline: float | None = None
        self._began: float | None = None    # t of the first frame
        self._looked = float("-inf")
        self._at_place = float("-inf")      # t at which a hand was last at the last player's place
        self._gathered: float | None = None   # t since when all markers lie in the middle, between two rounds
        self._turned = False                # the turning of the photos that lie now was told
        self._backs = 0                     # looks in a row that showed what is still to be told
        self._disturbed = False             # hands or motion at the last look
        self._sought = float("-inf")        # t of the last look for photos to be laid
        self._busy = False                  # that look waits for hands
        self._tries = 0                     # looks for the pair since something last came to rest
        self._lost = False                  # the camera has moved
        self._dark = False                  # too little light to rule by
        self._number = 0
        self._now = 0.0                     # t of the newest frame
        self._not_before = float("-inf")    # t before which what was taken back is not told again
        self._undone = False                # what the rules said last was an undo
        self._behind = False                # it began while players chose: who has taken what is still to be seen

    @property
    def counted(self) -> Counted | None:
        """The photos and what was counted on them; None before the check."""
        if self._counting is None or self._counting.answer is None or self.pair.photos is None:
            return None
        known = self.names.upright(self.pair.photos) if self.names is not None else None
        a, b = known or (p.quad for p in self.pair.photos)
        return Counted(a, b, self._counting.answer, upright=known is not None)

    def seen(self, t: float) -> Observation:
        """What the reader holds to lie on the table at time t: things under a hand as they were last seen."""
        lying = self.pair.photos or ()
        pieces = [(p, b) for p, b in zip(self.markers.pieces, self.markers.beliefs(), strict=True) if not p.gone]
        return Observation(
            source=self.source, t=t, image_size=self.table.image_size, game="sherlook", still=not self.hands,
            photos=self._photos(lying),
            markers=tuple(Marker(value=int(b.argmax()) + 1 if b.max() > UNREAD else None, at=p.at, zone=p.zone,
                                 sure={"found": 1.0, "value": float(b.max())}) for p, b in pieces),
            hands=tuple(reach.hand for reach in self.hands),
        )

    @property
    def doubts(self) -> tuple[str, ...]:
        """What speaks against the pack that was given: keys of advice."""
        return self.names.doubts(self.pair.photos or ()) if self.names is not None else ()

    def _photos(self, lying: Sequence[Lying]) -> tuple[Photo, ...]:
        """As an observation has them, with the names that the deck tells by now."""
        if self.names is None or len(lying) != 2:
            return tuple(Photo(quad=quad_of(p.quad), side=p.side, sure={"found": p.found, "side": p.sure}, id=p.id) for p in lying)
        told = zip(lying, self.names.ids(lying), self.names.sure(lying), strict=True)
        return tuple(Photo(quad=quad_of(p.quad), side=p.side, id=who, sure={
            "found": p.found, "side": p.sure, "id": sure if who is not None else min(sure, UNREAD)}) for p, who, sure in told)

    def told(self, ruling: Mapping[str, Any] | None, position: Position) -> None:
        """What the rules say now; `ruling` is the newest line, None where the reader begins within a game."""
        before, self._position = self._position["state"], position
        state = position["state"]
        if ruling is None:
            self._behind = state == CHOOSING
        if ruling is not None and ruling.get("key") == "last-player":
            self._deadline = float(ruling["params"]["deadline"])
        elif state != CHOOSING or len(self._still_choosing()) != 1:
            self._deadline = None
        if state == before:
            return
        self._tries = 0
        self._counting = Counting(self.finders) if state == COUNTING else None
        self._gathered = None
        self._laid_unnamed = None
        self._backs = 0
        if state in (CHOOSING, *BEFORE):
            self._turned = False
        self._undone = ruling is not None and ruling.get("key") == "undone"
        if self._undone:
            self._not_before = self._now + (LAID_AGAIN_S if state in BEFORE else UNDONE_S)
            if state in BEFORE:
                self.pair.take_back()
        elif state in BEFORE and before not in BEFORE:
            self.pair.begin()

    def frame(self, picture: Picture, t: float, number: int = 0) -> list[Reading]:
        """What the frame of time t tells, in the order of the acts. Raises TableError if its shape is not the table's."""
        h, w = picture.shape[:2]
        if self.table.image_size != (w, h):
            self._fit(self.table.for_picture(w, h))
        self._number, self._now = number, t
        glance = self.stillness.see(picture, t)
        dark = self._darkness(glance)
        if self._dark:
            return dark
        self.hands = find_hands(glance, self.table) if glance.foreign.any() else ()
        blocked = self._blocked(glance)
        readings = dark + (self._camera(glance) if self._due(glance, blocked) else [])
        if not self._lost and self._due(glance, blocked):
            self._looked, self._disturbed = t, bool(blocked.any())
            self.looks += 1
            readings += self._look(View(picture, self.table), glance, blocked)
            self.stillness.accept(glance, ~blocked)
        if not any(isinstance(r, Post | Question) for r in readings):
            readings += self._time_up(t)
        return readings

    def _fit(self, table: Table) -> None:
        self.table = self.markers.table = self.pair.table = table

    def _blocked(self, glance: Glance) -> Mask:
        """Cells that move or are under a hand that is about something."""
        busy = tuple(reach for reach in self.hands if float(glance.quiet_s[reach.cells].min()) < RESTING_S)
        return np.asarray(glance.moving | covered(busy, glance))

    def _due(self, glance: Glance, blocked: Mask) -> bool:
        self._began = glance.t if self._began is None else self._began
        waited = glance.t - self._looked
        if self._looked < self._began:
            return glance.t >= self._began + FIRST_S
        if waited >= LOOK_EVERY_S and int(np.count_nonzero(glance.changed & ~blocked)) >= LEAST_CELLS:
            self._tries = 0
            return True
        if (self._disturbed and not blocked.any()) or self._looked < self._not_before <= glance.t:
            return True
        counting = self._counting is not None and not self._counting.done
        unsure = self.markers.pending or self._busy or self._backs > 0 or 0 < self._tries < TRIES or counting
        return unsure and waited >= (SOON_S if self.markers.arriving() else AGAIN_S)

    def _darkness(self, glance: Glance) -> list[Reading]:
        """Says once that it is too dark, and once that there is light again; nothing is read in between."""
        dark = brightness(glance.small) < (LIGHT_AGAIN if self._dark else TOO_DARK)
        if dark == self._dark:
            return []
        self._dark = dark
        return [Status("too-dark" if dark else "light-again", glance.t)]

    def _camera(self, glance: Glance) -> list[Reading]:
        """Says once that the camera was moved, and once that it is back; nothing is read in between."""
        moved = self.stillness.camera_moved(glance)
        if moved == self._lost:
            return []
        self._lost = moved
        return [Status("camera-moved" if moved else "camera-back", glance.t)]

    def _look(self, view: View, glance: Glance, blocked: Mask) -> list[Reading]:
        state = self._position["state"]
        self.markers.notice(glance, blocked)
        if state in BEFORE:
            self.pair.learn(view, glance, blocked)
            self._busy = self.pair.disturbed(glance, blocked) and glance.t - self._sought < LAYING_S
            if self._busy:
                return []
            self._sought = glance.t
            laid = self._laid(view, glance, blocked)
            if laid:
                return laid    # told at once; the markers are looked at next
        elif self.pair.photos is None:
            self._take_up_the_pair(view, glance, blocked, state)
        moves = self._look_at_the_markers(view, glance, blocked)
        if state in BEFORE:
            self._gather(glance.t)
            return [r for move in moves if (r := self._too_soon(move)) is not None]
        if state not in (CHOOSING, FINAL_CHECK, COUNTING):
            return []
        out = self._count(view, glance, blocked) if state == COUNTING else []
        out += self._catch_up(glance.t) if state == CHOOSING else []
        out += [r for move in moves if (r := self._moved(move, state)) is not None]
        self._look_at_names(view, glance, blocked)
        return out + ([] if state == COUNTING else self._photos_turned(view, glance, blocked, state))

    def _look_at_the_markers(self, view: View, glance: Glance, blocked: Mask) -> list[Move]:
        """What has moved. Where something came to rest it is glanced at; all markers are read together only if it may be one."""
        photos = self.pair.quads()
        news = self.markers.news(glance, blocked, photos)
        if not news.all():
            apart = [*photos, *self.markers.known()]
            found = [marker for box in boxes(news, glance, self.table) for marker in self.finders.markers(view.within(box), apart)]
            if not self.markers.strange(glance, found, blocked):
                self.markers.looked(glance, news, blocked)
                return []
        return self.markers.look(glance, self.finders.markers(view, photos), self.stillness, blocked)

    def _laid(self, view: View, glance: Glance, blocked: Mask) -> list[Reading]:
        if glance.t < self._not_before:
            return []
        lying = self.pair.lying_still(glance, blocked) if self._undone else None
        if lying is None:
            if not self.pair.worth_a_look(glance, blocked):
                return []
            self._tries += 1
            new = self.finders.photos(self.pair.only_new(view, glance, blocked))
            lying = self._named(self.pair.laid(new, view, glance, self.stillness, blocked), view)
        if lying is None:
            return []
        self._tries = 0
        self.pair.photos = lying
        self.markers.begin(glance)
        t = max(p.t for p in lying)
        evidence = self._evidence(min(p.sure for p in lying))
        out: list[Reading] = [Post(camera_event("photos-laid", t, evidence, photos=[p.id for p in lying]))]
        if self._position["state"] == "round":
            out.insert(0, Post(camera_event("green-turned", t, evidence)))
        return out

    def _take_up_the_pair(self, view: View, glance: Glance, blocked: Mask, state: str) -> None:
        """Photos that were laid before this reader began to watch, or by the host's word. Only backs are counted.

        Where a count was undone, only the photos that were counted are counted again.
        """
        if glance.t < self._not_before or self._tries >= TRIES:
            return
        if self._undone:
            self.pair.photos = self.pair.lying_still(glance, blocked)
            return
        self._tries += 1
        sides: tuple[Side, ...] = ("back",) if state == COUNTING else ("colour", "back")
        self.pair.take_up(self.finders.photos(view), glance, self.stillness, blocked, sides=sides)
        if self.pair.photos is not None:
            self._tries = 0

    def _catch_up(self, t: float) -> list[Reading]:
        """The markers that were taken while nobody watched: those that are read, and lie with who has none, at the first looks."""
        if not self._behind:
            return []
        self._behind = self.markers.pending
        held, waiting = set(self._position.get("markers", {}).values()), self._still_choosing()
        out: list[Reading] = []
        for piece, belief in zip(self.markers.pieces, self.markers.beliefs(), strict=True):
            value, sure = int(belief.argmax()) + 1, float(belief.max())
            if piece.zone in waiting and value not in held and sure >= ASSERTED and piece.tried >= CAUGHT_UP and not piece.gone:
                waiting.remove(piece.zone)
                out.append(say("marker-taken", t, (({"player": piece.zone, "value": value}, sure),), self._evidence(sure)))
        return out

    def _named(self, lying: tuple[Lying, Lying] | None, view: View) -> tuple[Lying, Lying] | None:
        """The pair with the ids that the deck tells; None while another look may tell them. A hand over it ends the waiting."""
        if self.names is None:
            return lying
        if lying is None:
            lying, self._laid_unnamed = self._laid_unnamed, None
            return lying
        if self._laid_unnamed is None:
            self.names.begin()
            self._namings = 0
        self.names.look(view, lying)
        self._namings += 1
        ids = self.names.ids(lying)
        named = (replace(lying[0], id=ids[0]), replace(lying[1], id=ids[1]))
        if None in ids and self._namings < NAMINGS:
            self._laid_unnamed = named
            return None
        self._laid_unnamed = None
        return named

    def _look_at_names(self, view: View, glance: Glance, blocked: Mask) -> None:
        """The photos are known better with every look, at their backs too."""
        photos = self.pair.photos
        if self.names is None or photos is None or photos[0].side != photos[1].side or not self.pair.clear(glance, blocked):
            return
        if self.names.worth_a_look(photos[0].side):
            self.names.look(view, photos)

    def _look_at_the_pair(self, view: View, glance: Glance, blocked: Mask) -> None:
        found = self.finders.photos(self.pair.only_new(view, glance, blocked))
        self.pair.look(found, view, glance, self.stillness, blocked)

    def _photos_turned(self, view: View, glance: Glance, blocked: Mask, state: str) -> list[Reading]:
        if self.pair.photos is None or (self._turned and state == FINAL_CHECK) or glance.t < self._not_before:
            return []
        if self.pair.stirred(glance, blocked):
            self._look_at_the_pair(view, glance, blocked)
        backs = [p for p in self.pair.photos if p.side == "back" and p.sure >= BACK_SURE]
        if not backs:
            self._turned, self._backs = False, 0
            return []
        enough = len(backs) == 2 if state == FINAL_CHECK else not self._turned
        if not enough:
            self._backs = 0
            return []
        self._backs += 1
        sure = min(p.sure for p in backs)
        if self._backs < 2 and (sure < ASSERTED or state == CHOOSING):
            return []
        self._turned, self._backs = True, 0
        return [Post(camera_event("photos-turned", max(p.t for p in backs), self._evidence(max(sure, ASSERTED))))]

    def _count(self, view: View, glance: Glance, blocked: Mask) -> list[Reading]:
        assert self._counting is not None
        if self.pair.photos is None or self._counting.done or glance.t < self._not_before:
            return []
        if self.pair.clear(glance, blocked):
            if self.pair.stirred(glance, blocked):
                self._look_at_the_pair(view, glance, blocked)
            self._look_at_names(view, glance, blocked)
            a, b = self.pair.photos
            names = self.names
            choices = self._counting.look(view, a.quad, b.quad, fuse=lambda said: names.told(said, view, (a, b)) if names else said)
        else:
            choices = self._counting.wait(glance.t)
        if not choices:
            return []
        evidence = replace(self._evidence(choices[0][1]), witnesses=self._witnesses())
        return [say("differences-counted", glance.t, choices, evidence)]

    def _witnesses(self) -> dict[str, int | None]:
        """What each witness of the count says by itself, where there are two."""
        if self.names is None or self._counting is None or self._counting.shown is None:
            return {}
        return {"pictures": self._counting.shown.count, "deck": self.names.count()}

    def _moved(self, move: Move, state: str) -> Reading | None:
        held: Mapping[str, int] = self._position.get("markers", {}) if state != CHOOSING or self._position["state"] == CHOOSING else {}
        if move.zone in self.players:
            if held.get(move.zone) == move.value:   # his own marker lies before him again
                return None
            choices = tuple(({"player": move.zone, "value": value}, sure) for value, sure in move.values)
            return say("marker-taken", move.t, choices, self._evidence(choices[0][1]))
        if state != COUNTING and move.left in self.players and held.get(move.left) == move.value:
            choices = (({"player": move.left, "value": move.value}, move.values[0][1]),)
            return say("marker-returned", move.t, choices, self._evidence(choices[0][1]))
        return None

    def _too_soon(self, move: Move) -> Reading | None:
        """A marker taken between two rounds; while they are being put back, none is."""
        if move.zone not in self.players or move.left in self.players or self._gathered is None:
            return None
        if move.t < self._gathered + SWEPT_S or move.values[0][1] < ASSERTED:
            return None
        choices = (({"player": move.zone, "value": move.value}, move.values[0][1]),)
        return say("marker-taken", move.t, choices, self._evidence(choices[0][1]))

    def _gather(self, t: float) -> None:
        lying = [p for p in self.markers.pieces if not p.gone]
        if self._gathered is None and lying and not any(p.zone in self.players for p in lying):
            self._gathered = t

    def _time_up(self, t: float) -> list[Reading]:
        """The last player's time is over, and no hand is just leaving his marker."""
        last = self._still_choosing()
        if self._deadline is None or len(last) != 1:
            return []
        area = next((seat.area for seat in self.table.seats if seat.name == last[0]), ())
        if any(depth_inside(area, reach.hand.tip) > -AT_PLACE_MM for reach in self.hands if area):
            self._at_place = t
        settled = t - self._at_place >= LEFT_S and not self.markers.arriving(last[0])
        if t < self._deadline or not (settled or t >= self._deadline + PATIENCE_S):
            return []
        return [Post({**camera_event("time-up", self._deadline, self._evidence(0.99)), "t": self._deadline})]

    def _still_choosing(self) -> list[str]:
        p = self._position
        return [name for name in p.get("playing", []) if name not in p["markers"] and name != p["out"]]

    def _evidence(self, sure: float) -> Evidence:
        return Evidence(self.source, self._number, sure)
