"""Sherlock and Sherlock Deluxe: say what lies there, follow the arrow, win the card you come back to (rules.md §2).

The books differ in words and in the number of cards; the rules are one.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from companion.rules.event import Event, Field, Kind, flag, needed, one_of, optional, or_null, text, whole
from companion.rules.frozen import replace
from companion.rules.outcome import Outcome, accepted, foul, points_row, rejected
from companion.rules.settings import Number, OnePlayer, Settings
from companion.rules.table import OVER, Box, Score, Short, Table, most_points

DEALING, MEMORIZING, PLACING, GUESSING, GUESSED = "dealing", "memorizing", "placing", "guessing", "guessed"
MOVING, TAKING, REFILLING, TURNING_DOWN = "moving", "taking", "refilling", "turning-down"
IN_PLAY = (PLACING, GUESSING, GUESSED, MOVING, TAKING, REFILLING, TURNING_DOWN)


@dataclass(frozen=True)
class Card:
    """A card in the circle, as far as it is known."""

    card: str | None
    object: str | None
    arrow: str | None
    steps: int | None
    up: bool

    @classmethod
    def face_up(cls, told: Mapping[str, Any]) -> Card:
        """A card just laid, as far as it was read."""
        return cls(told.get("card"), told.get("object"), told.get("arrow"), told.get("steps"), up=True)

    def seen_again(self, told: Mapping[str, Any]) -> Card:
        """The card with what was told of it now in place of what was known."""
        return replace(self, **{key: told[key] for key in CARD_FIELDS if told[key] is not None})

    def differs(self, told: Mapping[str, Any]) -> bool:
        """Whether another card lies here than the one that was known."""
        other_id = None not in (self.card, told["card"]) and self.card != told["card"]
        other_object = None not in (self.object, told["object"]) and not same_object(self.object, told["object"])
        return other_id or other_object


def same_object(a: str | None, b: str | None) -> bool:
    """Whether two words name one object: case and spacing do not matter."""
    return a is not None and b is not None and _folded(a) == _folded(b)


def _folded(words: str) -> str:
    return " ".join(words.casefold().split())


@dataclass(frozen=True, kw_only=True)
class Circle(Table):
    """A game with the circle. `ring[place - 1]` is the card at a place, None where there is none; places run clockwise."""

    active: str
    pawn: int | None
    to: int | None
    guess: str | None
    ring: tuple[Card | None, ...]
    pile: int
    seen: frozenset[str]
    won: Mapping[str, int]

    def card_at(self, place: int) -> Card | None:
        """The card at this place; None if there is no card or no such place."""
        return self.ring[place - 1] if place <= len(self.ring) else None

    def places(self, *, up: bool | None = None) -> list[int]:
        """The places that have a card: all, or those face up or down."""
        return [place for place, card in enumerate(self.ring, start=1) if card and up in (None, card.up)]

    def with_card(self, place: int, card: Card | None) -> tuple[Card | None, ...]:
        """The ring with this card, or none, at a place."""
        return (*self.ring[: place - 1], card, *self.ring[place:])

    def turn_over(self, player: str) -> Circle:
        """The turn is over and this player is active."""
        state = TURNING_DOWN if self.places(up=True) else PLACING
        return replace(self, state=state, active=player, pawn=None, to=None, guess=None)

    def score(self) -> Score:
        return {player: {"points": cards} for player, cards in self.won.items()}

    def winners(self) -> list[str]:
        return most_points(self.score())

    def details(self) -> dict[str, Any]:
        return {
            "active": self.active,
            "pawn": self.pawn,
            "to": self.to,
            "guess": self.guess,
            "ring": [card and {key: getattr(card, key) for key in (*CARD_FIELDS, "up")} for card in self.ring],
            "pile": self.pile,
            "seen": sorted(self.seen),
        }

    def sound(self) -> bool:
        pawn, to = (place and self.card_at(place) for place in (self.pawn, self.to))
        laid = len(self.ring) == self.settings["circle"] and all(card is None or _is_card(vars(card)) for card in self.ring)
        stands = {
            DEALING: self.ring == (),
            MEMORIZING: laid,
            PLACING: laid and bool(self.places(up=False)),
            GUESSING: laid and pawn and not pawn.up,
            GUESSED: laid and pawn and not pawn.up and _object_name(self.guess),
            MOVING: laid and pawn and pawn.up and to,
            TAKING: laid and pawn and pawn.up,
            REFILLING: laid and self.pawn in range(1, len(self.ring) + 1) and not pawn and self.pile > 0,
            TURNING_DOWN: laid,
            OVER: laid or self.ring == (),
        }
        return self.active in self.players and all(text(card) for card in self.seen) and bool(stands[self.state])

    def public_details(self) -> dict[str, Any]:
        details = self.details()
        del details["seen"]
        covered = dict.fromkeys(CARD_FIELDS)
        return {**details, "ring": [card if card is None or card["up"] else {**card, **covered} for card in details["ring"]]}

    def choices(self, name: str) -> dict[str, list[Any]]:
        match name:
            case "pawn-placed":
                return {"place": self.places(up=False), "player": [self.right_of(self.active)]}
            case "guess":
                return {"player": [self.active]}
            case "card-turned" | "card-added":
                return {"place": [self.pawn]}
            case "pawn-moved":
                return {"place": [self.to]}
            case "card-taken":
                return {"place": [self.pawn], "player": [self.active]}
        return {}


def begin(box: Box, players: tuple[str, ...], settings: Settings) -> Circle:
    """The cards are shuffled; none lies yet."""
    return Circle(
        box=box,
        players=players,
        settings=settings,
        state=DEALING,
        active=settings["first"],
        pawn=None,
        to=None,
        guess=None,
        ring=(),
        pile=settings["cards"],
        seen=frozenset(),
        won=dict.fromkeys(players, 0),
    )


def restore(table: Circle, found: Mapping[str, Any]) -> Circle:
    """The table that has these details."""
    return replace(
        table,
        state=found["state"],
        active=found["active"],
        pawn=found["pawn"],
        to=found["to"],
        guess=found["guess"],
        ring=tuple(card and Card(**card) for card in found["ring"]),
        pile=found["pile"],
        seen=frozenset(found["seen"]),
        won={player: entry["points"] for player, entry in found["score"].items()},
    )


def _short_ring(ring: list[Any]) -> list[Any]:
    """Each card with what is known of it alone; null where there is none."""
    return [None if card is None else {key: value for key, value in card.items() if value not in (None, False)} for card in ring]


def _long_ring(ring: list[Any]) -> list[Any]:
    return [None if card is None else {**dict.fromkeys(CARD_FIELDS), "up": False, **card} for card in ring]


def circle_laid(table: Circle, event: Event) -> Outcome:
    """The cards lie face up in a circle, and all look."""
    if table.state != DEALING:
        return rejected("wrong-state")
    cards = sorted(event["cards"], key=lambda card: int(card["place"]))
    ids = [card["card"] for card in cards if card.get("card") is not None]
    if len(set(ids)) < len(ids):
        return rejected("card-in-play")
    due = table.settings["circle"]
    if len(cards) != due:
        return foul("wrong-count", {"cards": len(cards), "due": due})
    seconds = table.settings["memorize_s"]
    laid = replace(
        table,
        state=MEMORIZING,
        ring=tuple(Card.face_up(card) for card in cards),
        pile=table.pile - due,
        seen=frozenset(ids),
    )
    return accepted("memorize", laid, {"seconds": seconds, "until": event.t + seconds})


def cards_turned_down(table: Circle, event: Event) -> Outcome:
    """All cards lie face down, and a turn begins."""
    if table.state not in (MEMORIZING, TURNING_DOWN):
        return rejected("wrong-state")
    down = replace(table, state=PLACING, ring=tuple(replace(card, up=False) if card and card.up else card for card in table.ring))
    return accepted("turn-begins", down, {"player": table.active, "placer": table.right_of(table.active)})


def pawn_placed(table: Circle, event: Event) -> Outcome:
    """The right-hand neighbour puts the pawn before a card."""
    place, placer = event["place"], table.right_of(table.active)
    if table.state not in (PLACING, TURNING_DOWN):
        return rejected("wrong-state")
    if table.card_at(place) is None:
        return rejected("no-card")
    if table.state == TURNING_DOWN:
        return foul("too-soon", {"place": place})
    if event["player"] not in (None, placer):
        return foul("wrong-placer", {"player": event["player"], "placer": placer})
    return accepted("guess-now", replace(table, state=GUESSING, pawn=place), {"player": table.active, "place": place})


def guess(table: Circle, event: Event) -> Outcome:
    """The active player says what lies there; null: he does not know."""
    player, said = event["player"], event["object"]
    if table.state not in (GUESSING, GUESSED):
        return rejected("wrong-state")
    if player != table.active:
        return foul("not-your-turn", {"player": player, "active": table.active})
    if table.state == GUESSED:
        return foul("changed-guess", {"player": player, "object": table.guess})
    if said is None:
        return _wrong(table, None)
    return accepted("guessed", replace(table, state=GUESSED, guess=said), {"player": player, "object": said})


def _wrong(table: Circle, shown: str | None, *, warn: list[str] | None = None) -> Outcome:
    """The guess was wrong: the turn is over at once."""
    follower = table.next_of(table.active)
    params = {"player": table.active, "place": table.pawn, "object": shown, "next": follower}
    return accepted("wrong", table.turn_over(follower), params, warn=warn)


def card_turned(table: Circle, event: Event) -> Outcome:
    """A card is turned up: the pawn's after a guess, or one that should lie face down."""
    place = event["place"]
    if table.state not in IN_PLAY:
        return rejected("wrong-state")
    card = table.card_at(place)
    if card is None:
        return rejected("no-card")
    if card.up:
        return rejected("already-up")
    if table.state == GUESSING and place == table.pawn:
        return foul("early-turn", {"place": place}, action="ask")
    if table.state != GUESSED:
        return foul("peek", {"place": place})
    if place != table.pawn:
        return foul("wrong-card", {"place": place, "pawn": table.pawn})
    return _verdict(table, event, place, card)


def _verdict(table: Circle, event: Event, place: int, before: Card) -> Outcome:
    """Whether the guess was right; then the arrow tells where the pawn goes."""
    card = replace(before.seen_again(event.fields), up=True)
    right = same_object(table.guess, card.object) if event["right"] is None else event["right"]
    unread = card.object is None and event["right"] is None
    if unread or (right and None in (card.arrow, card.steps)):
        return rejected("card-unread")
    warn = ["card-changed"] if before.differs(event.fields) else []
    seen = table.seen if event["card"] is None else table.seen | {event["card"]}
    turned = replace(table, ring=table.with_card(place, card), seen=seen)
    if not right:
        return _wrong(turned, card.object, warn=warn)
    to = _destination(turned, place)
    params = {"player": table.active, "place": place, "object": card.object, "to": to}
    return accepted("right", replace(turned, state=MOVING, to=to, guess=None), params, warn=warn)


def _destination(table: Circle, place: int) -> int:
    """Where the card at this place sends the pawn. Cards are counted, not places; left is counterclockwise."""
    card, places = table.card_at(place), table.places()
    assert card is not None and card.steps is not None
    steps = card.steps if card.arrow == "right" else -card.steps
    return places[(places.index(place) + steps) % len(places)]


def pawn_moved(table: Circle, event: Event) -> Outcome:
    """The pawn goes where the card sends it: before a covered card to guess again, before an open one to win it."""
    place = event["place"]
    if table.state not in (GUESSING, GUESSED, MOVING):
        return rejected("wrong-state")
    card = table.card_at(place)
    if card is None:
        return rejected("no-card")
    if table.state != MOVING:
        return foul("pawn-touched", {"place": place, "pawn": table.pawn})
    if place != table.to:
        return foul("wrong-place", {"place": place, "to": table.to})
    moved = replace(table, pawn=place, to=None)
    if not card.up:
        return accepted("guess-now", replace(moved, state=GUESSING), {"player": table.active, "place": place})
    return _card_won(moved, place, card)


def _card_won(table: Circle, place: int, card: Card) -> Outcome:
    """The card is booked; the target, or the last card of the game, ends it."""
    cards = table.won[table.active] + 1
    over = cards == table.settings["target"] or (table.pile == 0 and len(table.places()) == 1)
    booked = replace(table, state=OVER if over else TAKING, won={**table.won, table.active: cards})
    params = {"player": table.active, "place": place, "object": card.object, "over": over}
    if over:
        params["winners"] = booked.winners()
    return accepted("card-won", booked, params, points=[points_row(table.active, 1, "card")])


def card_taken(table: Circle, event: Event) -> Outcome:
    """The winner takes his card."""
    place, player = event["place"], event["player"]
    if table.state not in IN_PLAY:
        return rejected("wrong-state")
    if table.card_at(place) is None:
        return rejected("no-card")
    if table.state != TAKING or place != table.pawn or player not in (None, table.active):
        return foul("not-won", {"place": place, "player": player})
    taken = replace(table, ring=table.with_card(place, None))
    params = {"player": table.active, "place": place, "pile": table.pile}
    if table.pile:
        return accepted("taken", replace(taken, state=REFILLING), {**params, "next": None})
    follower = table.next_of(table.active)
    return accepted("taken", taken.turn_over(follower), {**params, "next": follower})


def card_added(table: Circle, event: Event) -> Outcome:
    """The top card of the pile fills the gap, face up."""
    if table.state != REFILLING:
        return rejected("wrong-state")
    place, card = event["place"], event["card"]
    if place != table.pawn:
        return rejected("no-gap")
    if card in table.seen:
        return rejected("card-in-play")
    follower = table.next_of(table.active)
    filled = replace(
        table,
        ring=table.with_card(place, Card.face_up(event.fields)),
        pile=table.pile - 1,
        seen=table.seen if card is None else table.seen | {card},
    )
    return accepted("refilled", filled.turn_over(follower), {"place": place, "pile": filled.pile, "next": follower})


def void(table: Circle, event: Event) -> Outcome:
    """The turn begins anew: all cards down, the pawn placed again, the same player active."""
    if table.state not in (GUESSING, GUESSED, MOVING):
        return rejected("wrong-state")
    return accepted("voided", table.turn_over(table.active), {"player": table.active})


def card_inward(table: Circle, event: Event) -> Outcome:
    """A card lies with its arrow inward; moves are reckoned as if it lay right."""
    if table.state not in (MEMORIZING, *IN_PLAY):
        return rejected("wrong-state")
    if table.card_at(event["place"]) is None:
        return rejected("no-card")
    return foul("arrow-inward", {"place": event["place"]})


def _object_name(value: Any) -> bool:
    return isinstance(value, str) and bool(value.split())


CARD_FIELDS: Mapping[str, Field] = {
    "card": optional(text),
    "object": optional(_object_name),
    "arrow": optional(one_of("left", "right")),
    "steps": optional(whole(1, 99)),
}
"""What is told of a card; each may be unknown."""

_is_place = whole(1)
PLACE = needed(_is_place)


def _whole_circle(value: Any) -> bool:
    """A list of cards, each at a place of its own from 1 to n, in any order."""
    return (
        isinstance(value, list)
        and len(value) > 0
        and all(isinstance(card, dict) and _is_place(card.get("place")) and _is_card(card) for card in value)
        and {card["place"] for card in value} == set(range(1, len(value) + 1))
    )


def _is_card(said: Mapping[str, Any]) -> bool:
    return all(said.get(key) is None or field.check(said[key]) for key, field in CARD_FIELDS.items())


EVENTS = {
    "circle-laid": Kind(circle_laid, (DEALING,), {"cards": needed(_whole_circle)}),
    "cards-turned-down": Kind(cards_turned_down, (MEMORIZING, TURNING_DOWN)),
    "pawn-placed": Kind(pawn_placed, (PLACING,), {"place": PLACE, "player": optional(text)}),
    "guess": Kind(guess, (GUESSING,), {"player": needed(text), "object": or_null(_object_name)}),
    "card-turned": Kind(card_turned, (GUESSED,), {"place": PLACE, **CARD_FIELDS, "right": optional(flag)}, host_fields=("right",)),
    "pawn-moved": Kind(pawn_moved, (MOVING,), {"place": PLACE}),
    "card-taken": Kind(card_taken, (TAKING,), {"place": PLACE, "player": optional(text)}),
    "card-added": Kind(card_added, (REFILLING,), {"place": PLACE, **CARD_FIELDS}),
    "void": Kind(void, (GUESSING, GUESSED, MOVING), host_only=True),
    "card-inward": Kind(card_inward, (), {"place": PLACE}),
}


def _box(game: str, cards: int) -> Box:
    return Box(
        game=game,
        settings=(
            Number(
                name="circle",
                title="Cards in the circle",
                description="How many cards lie in the circle.",
                default=8,
                least=5,
                most=12,
            ),
            Number(
                name="cards",
                title="Cards in the box",
                description="How many cards you play with, those in the circle included.",
                default=cards,
                least="circle",
                most=200,
            ),
            Number(
                name="target",
                title="Cards to win",
                description="Who first has won as many cards has won the game.",
                default=6,
                least=1,
                most="cards",
            ),
            Number(
                name="memorize_s",
                title="Seconds to memorize",
                description="How long all look at the cards before they are turned down.",
                default=30,
                least=1,
                most=600,
            ),
            OnePlayer(name="first", title="First player", description="Who begins: the youngest."),
        ),
        events=EVENTS,
        seats=lambda settings: range(2, 11),
        begin=begin,
        restore=restore,
        short={"ring": Short(_short_ring, _long_ring)},
    )


SHERLOCK = _box("sherlock", 49)
SHERLOCK_DELUXE = _box("sherlock-deluxe", 60)
