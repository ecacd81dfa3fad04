"""Refereeing live: each frame goes to the reader, and what he reads goes to the desk with the picture it rests on."""

import logging
from collections.abc import Callable, Sequence

from companion import rules
from companion.app.desk import Desk
from companion.app.documents import observation_document
from companion.app.reveal import FRAME_WIDTH_PX, jpeg, straighten
from companion.app.watcher import Watcher
from companion.reading import Post, Question, Reader, Reading, Status
from companion.reading.finders import warm_up
from companion.session import Session
from vision.advice import advice
from vision.deck.deck import Deck
from vision.deck.pack import Sizes
from vision.frames import Frame, Health, Source, open_feed
from vision.table import TableError
from vision.topview import View

log = logging.getLogger(__name__)
STATUS_EVERY_S = 0.4
CAMERA = {"camera-moved": "moved", "camera-back": "ok", "too-dark": "dark", "light-again": "ok"}   # what a reader's status means


class Refereeing:
    """Watches a source for a desk, from `start` to `close`. A clip goes on where a game that was taken up was left.

    Raises SourceError if the source cannot be opened.
    """

    def __init__(self, desk: Desk, source: Source, *, sizes: Sizes, deck: Deck | None, clock: Callable[[], float]) -> None:
        self._desk, self._source, self._sizes, self._deck, self._clock = desk, source, sizes, deck, clock
        self._reader: Reader | None = None
        self._of: Session | None = None  # the game that the reader reads
        self._told = 0  # seq of the last ruling that the reader knows
        self._status_at = 0.0
        self._turned_at: int | None = None  # seq of the round's photos-turned
        feed = open_feed(source, clock=clock, begin_s=desk.now() if desk.session else 0.0)
        self._watcher = Watcher(feed, look=self._look, notice=self._notice, fail=desk.fail)

    def start(self) -> None:
        """Begin to watch."""
        self._watcher.start()

    def close(self) -> None:
        """Stop watching."""
        self._watcher.close()

    def _look(self, frame: Frame) -> None:
        desk = self._desk
        desk.camera.saw(frame)
        t = desk.now() if self._source.live else frame.t
        if not self._source.live:
            desk.set_clock(t)
        reader = self._reader_of_the_game(frame)
        if reader is None:
            return
        self._tell_reader(reader)
        for reading in self._readings(reader, frame, t):
            self._pass_on(reader, reading, frame)
        desk.table_status = {**desk.table_status, "hand": bool(reader.hands)}
        self._show(reader, frame, t)

    def _readings(self, reader: Reader, frame: Frame, t: float) -> Sequence[Reading]:
        """What the frame tells. A picture that nobody foresaw costs this one look, as one that cannot be decoded does, and not the game."""
        try:
            return reader.frame(frame.picture, t, frame.number)
        except TableError:
            raise   # a person must mend it
        except Exception:
            log.debug("frame %d could not be read", frame.number, exc_info=True)
            self._desk.camera.spoilt()
            return ()

    def _reader_of_the_game(self, frame: Frame) -> Reader | None:
        session, table = self._desk.session, self._desk.setup.table
        if session is None or table is None:
            return None
        if session is not self._of or self._reader is None:
            position = rules.position(session.state)
            self._reader = Reader(table, position["players"], sizes=self._sizes, deck=self._deck, source=self._source.name)
            self._reader.told(None, position)
            self._of, self._told = session, session.seq
            height, width = frame.picture.shape[:2]
            warm_up(self._reader.finders, View(frame.picture, table.for_picture(width, height)))
        return self._reader

    def _tell_reader(self, reader: Reader) -> None:
        """What the rules said since the last frame, the host's entries too."""
        assert self._of is not None
        for event, ruling in self._of.rulings(self._told):
            reader.told(ruling, rules.position(self._of.state))
            self._told = event["seq"]
            if event["event"] == "photos-turned" and ruling["ruling"] == "accepted":
                self._turned_at = event["seq"]

    def _pass_on(self, reader: Reader, reading: Reading, frame: Frame) -> None:
        desk = self._desk
        if isinstance(reading, Status):
            desk.table_status = {**desk.table_status, "camera": CAMERA[reading.key]}
            desk.status_changed()
            return
        picture = jpeg(frame.picture, width=FRAME_WIDTH_PX)
        self._keep_reveal(reader, frame)
        if isinstance(reading, Question) and not self._source.live:
            reading = Post(reading.likeliest())   # a film waits for nobody; its ruling tells how sure it is, and can be corrected
        if isinstance(reading, Question):
            desk.ask(reading.as_dict(0), picture=picture)
        elif isinstance(reading, Post):
            age_s = round(self._clock() - frame.arrived, 3)
            desk.post({**reading.event, "evidence": {**reading.event["evidence"], "age_s": age_s}}, picture=picture)
            self._tell_reader(reader)

    def _keep_reveal(self, reader: Reader, frame: Frame) -> None:
        if reader.counted is None or self._turned_at is None:
            return
        view = View(frame.picture, reader.table)
        self._desk.keep_reveal(self._turned_at, reader.counted.said, straighten(view, reader.counted))
        self._turned_at = None

    def _show(self, reader: Reader, frame: Frame, t: float) -> None:
        if self._clock() - self._status_at < STATUS_EVERY_S or self._of is None:
            return
        self._desk.advice = (*advice(View(frame.picture, reader.table), reader.pair.quads()), *reader.doubts)
        seen = observation_document(reader.seen(t), reader.table, state=rules.position(self._of.state)["state"])
        if seen != self._desk.seen:
            self._desk.seen = seen
            self._desk.hub.tell({"type": "observation", **seen})

    def _notice(self, health: Health) -> None:
        changed = self._desk.camera.heard(health)
        now = self._clock()
        if changed or now - self._status_at >= STATUS_EVERY_S:
            self._status_at = now
            self._desk.status_changed()
