"""The desk: one table's game, its camera and everybody who watches. The one thing of the app that changes."""

import json
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from companion import rules
from companion.app import cards, documents, setting_up
from companion.app.camera import Camera
from companion.app.live import Hub
from companion.app.reveal import Straightened, jpeg
from companion.app.setting_up import Setup, SetupError
from companion.session import JournalError, Session, begin
from companion.voice import LANGUAGES
from vision.deck.deck import Deck
from vision.differences import Side, compare
from vision.differences.report import as_document
from vision.observation import Differences
from vision.pictures import PictureError, decode

Document = dict[str, Any]
ASKED_AGAIN_S = 20.0


class DeskError(Exception):
    """What was asked for cannot be done; one line for a person, and the HTTP status that fits."""

    def __init__(self, message: str, status: int = 409) -> None:
        super().__init__(message)
        self.status = status


@dataclass(frozen=True)
class Plan:
    """What was chosen when the program was started."""

    game: str
    settings: Document
    language: str
    source: str  # how the camera or clip was named; "none" without one
    games: Path  # where journals are kept
    tables: Path  # where set-ups are remembered


class Desk:
    """Everything that the page may ask of one table. Methods may be called from any thread.

    clock : seconds, never going back. wall_clock : the date and time. deck : of photos, where a pack was given.
    """

    def __init__(self, plan: Plan, setup: Setup, camera: Camera, *, clock: Callable[[], float], wall_clock: Callable[[], datetime],
                 deck: Deck | None = None) -> None:
        self.plan, self.setup, self.camera, self.deck, self.hub = plan, setup, camera, deck, Hub()
        self.language = plan.language
        self.session: Session | None = None
        self.failure: Exception | None = None
        self.stopped = threading.Event()  # nothing more can come, or the program is to end
        self.seen: Document | None = None  # the newest observation, as everybody may see it
        self.advice: tuple[str, ...] = ()
        self.table_status: Document = {"camera": "ok", "hand": False}
        self._clock, self._wall_clock = clock, wall_clock
        self._zero = clock()  # the clock's seconds at which the game's time was 0
        self._lock = threading.RLock()
        self._resumed: Document | None = None
        self._put_off: dict[int, float] = {}  # until when a question is not asked again

    # -- the game --

    def now(self) -> float:
        """Seconds since the game started."""
        return max(0.0, self._clock() - self._zero)

    def set_clock(self, t: float) -> None:
        """The game's time is `t` now: a clip has its own."""
        self._zero = self._clock() - t

    def take_up(self, session: Session) -> None:
        """Go on with a game that was left in the middle."""
        with self._lock:
            self.set_clock(max((event.get("t") or 0.0 for event, _ in session.rulings()), default=0.0))
            self._resumed = {"round": rules.position(session.state).get("round", 0)}
            self.language = session.journal.about("language") or self.language
            self._sit_down(session)

    def begin(self, wishes: Document) -> Document:
        """Begin a game with `players` and `settings`, those of the set-up where absent; answers the ruling on its start."""
        with self._lock:
            if self.session is not None and not self._over():
                raise DeskError("a game is being played; end it first, with “game-ended”")
            players = wishes.get("players") or list(self.setup.players)
            settings = {**self.plan.settings, **(wishes.get("settings") or {})}
            started = {"event": "game-started", "game": wishes.get("game") or self.plan.game, "players": players, "settings": settings}
            session, ruling = begin(self.plan.games, started, when=self._wall_clock(), source=self.plan.source)
            if ruling["ruling"] == "rejected":
                return self._worded({**started, "seq": None}, ruling)
            if set(players) != set(self.setup.players):
                self._change_setup({"players": players})
            self.set_clock(0.0)
            self._resumed = None
            self._sit_down(session)
            self._speak(self.language)
            ((event, ruling),) = session.rulings()
            self._tell(event, ruling)
            return self._worded(event, ruling)

    def post(self, event: Document, *, picture: bytes | None = None) -> Document:
        """One event without `seq`, by the host unless it says otherwise; answers its ruling."""
        if event.get("event") == "game-started" and (self.session is None or self._over()):
            return self.begin(event)
        session = self._game()
        whole = {"by": "host", **{k: v for k, v in event.items() if k not in ("seq", "format")}}
        whole.setdefault("t", round(self.now(), 2))
        try:
            ruling = session.post(whole, jpeg=picture)
        except JournalError as e:
            self.fail(e)
            raise
        return self._worded({**whole, "seq": ruling["of"]}, ruling)

    def ask(self, question: Document, *, picture: bytes | None = None) -> Document:
        """Put a question to the host; returns it with its number."""
        asked = self._game().ask(question, jpeg=picture)
        self.hub.tell({"type": "question", **self._question(asked)}, role="host")
        self.state_changed()
        return asked

    def later(self, number: int) -> Document:
        """Put a question off: it stays open."""
        if number not in {q["question"] for q in self._game().open_questions()}:
            raise DeskError(f"question {number} is not open; the open ones are at /api/v1/questions", 404)
        self._put_off[number] = self._clock() + ASKED_AGAIN_S
        self.state_changed()
        return {"question": number, "later": True}

    def fail(self, failure: Exception) -> None:
        """Something broke that nobody at the page can mend: say it, and let the program end."""
        self.failure = failure
        self.state_changed()
        self.stopped.set()

    def close(self) -> None:
        """Let go of the journal."""
        self.stopped.set()
        if self.session is not None:
            self.session.close()

    # -- the set-up --

    def set_up(self, wishes: Document) -> Document:
        """Names, seats, points, the language; answers what is still wanted. While a game is played its players stay who they are."""
        with self._lock:
            strange = ", ".join(sorted(set(wishes) - {"language", *setting_up.WISHES}))
            if strange or not wishes:
                raise DeskError(f"{strange or 'nothing'} cannot be set up; name any of language, {', '.join(setting_up.WISHES)}", 422)
            language = wishes.get("language", self.language)
            if language not in LANGUAGES:
                raise DeskError(f"language: {language!r} is not spoken here; choose one of {', '.join(LANGUAGES)}", 422)
            playing = self.session is not None and not self._over()
            self._change_setup(wishes, players=rules.position(self._game().state)["players"] if playing else None)
            self._speak(language)
            answer: Document = {"setup": self._wanted()}
            if self.setup.measured_mm is not None and ("points" in wishes or "card" in wishes):
                answer["measured"] = {"error_mm": round(self.setup.measured_mm, 2)}
            self.state_changed()
            return answer

    def _change_setup(self, wishes: Document, *, players: Sequence[str] | None = None) -> None:
        """`players`: of the game that is being played."""
        try:
            changed = setting_up.change(self.setup, wishes, self.camera.image_size())
            if "players" in wishes and players is not None and set(changed.players) != set(players):
                raise DeskError(f"a game is being played by {', '.join(players)}; end it first, with “game-ended”")
            self.setup = changed
            if not self.setup.needs(camera=self.camera.there):
                setting_up.remember(self.plan.tables, self.plan.source, self.setup)
        except SetupError as e:
            raise DeskError(str(e), 422) from e

    def _wanted(self) -> Document | None:
        needs = self.setup.needs(camera=self.camera.there)
        return {"needs": needs} if needs and self.session is None else None

    # -- what is told --

    def state(self, role: str) -> Document:
        """The state document as the role may see it."""
        session = self.session
        state = session.state if session else rules.start()
        position = documents.position_for(state)
        return {
            "format": 1,
            "role": role,
            "game": position.get("game", self.plan.game),
            "seq": session.seq if session else 0,
            "language": self.language,
            "languages": list(LANGUAGES),
            "position": position,
            "score": position.get("score", {}),
            "due": documents.due(state, self.language),
            "legal": rules.legal(state),
            "legal_values": rules.legal_values(state),
            "clock": {"deadline": documents.deadline(state), "now": round(self.now(), 2)},
            "seats": self._seats(position.get("players") or list(self.setup.players)),
            "questions": self._due_questions() if role == "host" else [],
            "status": self.status(),
            "setup": self._wanted() if role == "host" else None,
            "resumed": self._resumed,
        }

    def status(self) -> Document:
        """How camera and table are doing."""
        return {**self.camera.status(), **self.table_status, "advice": list(self.advice), "failed": str(self.failure or "") or None}

    def health(self) -> Document:
        """Whether all is well, for a watchdog."""
        status = self.camera.status()
        journal = str(self.failure) if isinstance(self.failure, JournalError) else "ok"
        return {
            "status": "failed" if self.failure else "ok",
            "frame_age_s": status["frame_age_s"],
            "journal": journal,
            "source": status["source"],
            "skipped_frames": status["skipped_frames"],
        }

    def rulings(self, since: int) -> list[Document]:
        """The rulings after seq `since`, oldest first."""
        return [self._worded(event, ruling) for event, ruling in (self.session.rulings(since) if self.session else [])]

    def questions(self) -> list[Document]:
        """What is asked and open."""
        return [self._question(q) for q in (self.session.open_questions() if self.session else [])]

    def _due_questions(self) -> list[Document]:
        """The open questions but those that were put off lately."""
        return [q for q in self.questions() if self._put_off.get(q["question"], 0.0) <= self._clock()]

    def picture(self, name: str) -> bytes | None:
        """A picture that the journal keeps."""
        return self.session.journal.picture(name) if self.session else None

    def reveal(self, seq: int) -> Document | None:
        """What was counted after line `seq`, photos-turned, and which photos lay there; None before, or where no picture was there."""
        text = self.session.journal.about(f"reveal-{seq}") if self.session else None
        if self.session is None or text is None:
            return None
        laid = cards.laid_document(self.session.state, seq) if self.deck else None
        return {**json.loads(text), "laid": laid}

    def cards(self, beside: str) -> list[Document]:
        """The deck's cards, for the host to say which one lay beside another; only of photos that were turned just now."""
        deck, told = self._open_deck()
        if beside not in told:
            raise DeskError(f"only the cards beside {' and '.join(told)} are told, which were turned last", 404)
        return cards.cards_document(deck, beside)

    def card_picture(self, card: str) -> bytes | None:
        """A small picture of a card of the deck."""
        try:
            return cards.thumbnail(self._open_deck()[0], card)
        except PictureError as e:
            raise DeskError(str(e), 404) from e

    def _open_deck(self) -> tuple[Deck, list[str]]:
        """The deck, and the photos that everybody has seen from both sides."""
        if self.deck is None:
            raise DeskError("no deck pack was given; start with --deck PACK", 404)
        told = cards.revealed(self.session.state) if self.session is not None else []
        if not told:
            raise DeskError("no recognised photos are turned; what the deck knows is told after the check")
        return self.deck, told

    def keep_reveal(self, seq: int, counted: Differences, straightened: Straightened) -> None:
        """Keep both straightened photos and the places, for the page to light up."""
        journal = self._game().journal
        for name, picture in (("a", straightened.a), ("b", straightened.b)):
            journal.keep_picture(f"reveal-{seq}-{name}", jpeg(picture))
        journal.note(f"reveal-{seq}", json.dumps(documents.reveal_document(seq, counted, straightened.places)))

    def compare(self, a: bytes, b: bytes) -> Document:
        """The differences of two picture files."""
        try:
            return as_document(compare(Side(decode(a, name="a")), Side(decode(b, name="b"))))
        except PictureError as e:
            raise DeskError(str(e), 422) from e

    def state_changed(self) -> None:
        """Tell every page the state anew."""
        for role in self.hub.roles():
            self.hub.tell({"type": "state", **self.state(role)}, role=role)

    def status_changed(self) -> None:
        """Tell every page how the camera is doing, and the time while a clock runs."""
        message: Document = {"type": "status", **self.status()}
        deadline = documents.deadline(self.session.state) if self.session else None
        if deadline is not None:
            message["clock"] = {"deadline": deadline, "now": round(self.now(), 2)}
        self.hub.tell(message)

    # -- within --

    def _game(self) -> Session:
        if self.session is None:
            raise DeskError("no game has begun; begin one with POST /api/v1/games")
        return self.session

    def _over(self) -> bool:
        return self.session is None or rules.position(self.session.state)["state"] == "over"

    def _speak(self, language: str) -> None:
        """From now on in this language; the game remembers it."""
        self.language = language
        if self.session is not None:
            self.session.journal.note("language", language)

    def _sit_down(self, session: Session) -> None:
        old, self.session = self.session, session
        session.subscribe(self._tell)
        if old is not None:
            old.close()
        self.state_changed()

    def _tell(self, event: Document, ruling: Document) -> None:
        self.hub.tell(self._worded(event, ruling))
        self.state_changed()

    def _worded(self, event: Document, ruling: Document) -> Document:
        seq = event.get("seq")  # None: of a start that was rejected, with which no game begins
        has_picture = seq is not None and self.picture(f"evidence-{seq}") is not None
        was_over = seq is not None and self._game().state_before(seq) == "over"
        return documents.ruling_document(event, ruling, language=self.language, was_over=was_over, has_picture=has_picture)

    def _question(self, question: Document) -> Document:
        number = question["question"]
        has_picture = self.picture(f"question-{number}") is not None
        return {**question, "evidence": f"/api/v1/questions/{number}.jpg" if has_picture else None}

    def _seats(self, players: list[str]) -> list[Document]:
        colours = {seat.name: seat.colour for seat in self.setup.table.seats} if self.setup.table else {}
        return [
            {"name": name, "colour": colours.get(name) or colour} for name, colour in zip(players, setting_up.SEAT_COLOURS, strict=False)
        ]
