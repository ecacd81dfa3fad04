"""Sherlook: two photos, a marker for as many differences as you see, three tokens a round (rules.md §1)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from companion.rules.event import Event, Kind, is_whole, needed, one_of, optional, text, whole
from companion.rules.frozen import replace
from companion.rules.outcome import Outcome, Row, accepted, foul, points_row, rejected
from companion.rules.settings import Choice, Number, Settings
from companion.rules.table import OVER, Box, Score, Table, most_points

ROUND, LAYING, CHOOSING, FINAL_CHECK, COUNTING = "round", "laying", "choosing", "final-check", "counting"

WORTH = {"green": 3, "yellow": 2, "red": 1}
TOKENS_OF_A_COLOUR = 10
MARKERS = range(1, 11)
COUNTS = range(100)

TOP_PHOTO = {"italian": "bottom", "french": "discard", "cmon": "bottom"}
PHOTOS_A_ROUND = {"bottom": 2, "discard": 3}


@dataclass(frozen=True, kw_only=True)
class Sherlook(Table):
    """A game of Sherlook. The mappings are never changed in place."""

    round: int
    playing: tuple[str, ...]
    markers: Mapping[str, int]
    out: str | None
    deadline: float | None  # seconds; only while one player alone is still choosing
    photos_left: int
    seen: frozenset[str]
    tokens: Mapping[str, int]
    won: Mapping[str, Mapping[str, int]]  # tokens by player and colour

    @property
    def extra(self) -> bool:
        """Whether this is the round that breaks a tie."""
        return self.round > int(self.settings["rounds"])

    def choosing(self) -> list[str]:
        """Who has no marker yet and may still take one."""
        return [player for player in self.playing if player not in self.markers and player != self.out]

    def score(self) -> Score:
        return {
            player: {"points": sum(WORTH[colour] * tokens[colour] for colour in WORTH), **tokens} for player, tokens in self.won.items()
        }

    def winners(self) -> list[str]:
        return most_points(self.score(), "green")

    def regular(self) -> list[str]:
        return [name for name in Table.regular(self) if name != "time-up" or self.deadline is not None]

    def details(self) -> dict[str, Any]:
        return {
            "round": self.round,
            "playing": list(self.playing),
            "markers": dict(self.markers),
            "out": self.out,
            "photos_left": self.photos_left,
            "seen": sorted(self.seen),
            "tokens": dict(self.tokens),
        }

    def memory(self) -> dict[str, Any]:
        return {"deadline": self.deadline}

    def sound(self) -> bool:
        left = self.choosing()
        takers = self.playing if self.state in (CHOOSING, FINAL_CHECK, COUNTING) else self.players  # a tie leaves the others' markers
        return (
            len(self.playing) > 1
            and self.playing == tuple(player for player in self.players if player in self.playing)
            and self.markers.keys() <= set(takers)
            and all(is_whole(value) and value in MARKERS for value in self.markers.values())
            and len(set(self.markers.values())) == len(self.markers)
            and self.out in (None, *takers)
            and self.out not in self.markers
            and all(text(photo) for photo in self.seen)
            and (self.deadline is None or (type(self.deadline) in (int, float) and self.deadline >= 0))
            and (self.state == OVER or (self.deadline is not None) == (self.state == CHOOSING and len(left) == 1))
            and (bool(left) == (self.state == CHOOSING) or self.state in (ROUND, LAYING, OVER))
        )

    def public_details(self) -> dict[str, Any]:
        return {key: value for key, value in self.details().items() if key != "seen"}

    def choices(self, name: str) -> dict[str, list[Any]]:
        if name == "marker-taken":
            return {"player": self.choosing(), "value": [value for value in MARKERS if value not in self.markers.values()]}
        if name == "photos-laid":
            return {"top": [TOP_PHOTO[self.settings["edition"]]]}
        return {"count": list(COUNTS)} if name == "differences-counted" else {}


def begin(box: Box, players: tuple[str, ...], settings: Settings) -> Sherlook:
    """The markers within reach, three piles of tokens, the photos shuffled into a deck."""
    return Sherlook(
        box=box,
        players=players,
        settings=settings,
        state=ROUND,
        round=0,
        playing=players,
        markers={},
        out=None,
        deadline=None,
        photos_left=settings["photos"],
        seen=frozenset(),
        tokens=dict.fromkeys(WORTH, TOKENS_OF_A_COLOUR),
        won={player: dict.fromkeys(WORTH, 0) for player in players},
    )


def restore(table: Sherlook, found: Mapping[str, Any]) -> Sherlook:
    """The table that has these details."""
    return replace(
        table,
        state=found["state"],
        round=found["round"],
        playing=tuple(found["playing"]),
        markers=found["markers"],
        out=found["out"],
        deadline=found["deadline"],
        photos_left=found["photos_left"],
        seen=frozenset(found["seen"]),
        tokens=found["tokens"],
        won={player: {colour: entry[colour] for colour in WORTH} for player, entry in found["score"].items()},
    )


def green_turned(table: Sherlook, event: Event) -> Outcome:
    """A round begins."""
    if table.state != ROUND:
        return rejected("wrong-state")
    borrowed = table.tokens["green"] == 0
    ready, reshuffle = _cleared(table)
    begun = replace(ready, round=table.round + 1, tokens=_without(table.tokens, "green"))
    params = {
        "round": begun.round,
        "extra": begun.extra,
        "playing": list(begun.playing),
        "top": TOP_PHOTO[table.settings["edition"]],
        "reshuffle": reshuffle,
        "borrowed": borrowed,
    }
    return accepted("round-begun", begun, params)


def void(table: Sherlook, event: Event) -> Outcome:
    """The round is played again, with two other photos and the same green token."""
    if table.state not in (CHOOSING, FINAL_CHECK, COUNTING):
        return rejected("wrong-state")
    ready, reshuffle = _cleared(table)
    return accepted("voided", ready, {"round": table.round, "reshuffle": reshuffle})


def _cleared(table: Sherlook) -> tuple[Sherlook, bool]:
    """The table ready for two photos, markers back; and whether the deck had to be made anew for that."""
    reshuffle = table.photos_left < PHOTOS_A_ROUND[TOP_PHOTO[table.settings["edition"]]]
    if reshuffle:
        table = replace(table, photos_left=table.settings["photos"], seen=frozenset())
    return replace(table, state=LAYING, markers={}, out=None, deadline=None), reshuffle


def photos_laid(table: Sherlook, event: Event) -> Outcome:
    """Two photos lie, and all look at once."""
    if table.state != LAYING:
        return rejected("wrong-state")
    first, second = event["photos"]
    if first is not None and first == second:
        return rejected("same-photo")
    due = TOP_PHOTO[table.settings["edition"]]
    top = event["top"] or due
    known = {photo for photo in event["photos"] if photo is not None}
    warn = ["wrong-top"] * (top != due) + ["photo-repeated"] * bool(known & table.seen)
    laid = replace(
        table,
        state=CHOOSING,
        photos_left=max(0, table.photos_left - PHOTOS_A_ROUND[top]),
        seen=table.seen | known,
    )
    return accepted("look", laid, {"round": table.round}, warn=warn)


def marker_taken(table: Sherlook, event: Event) -> Outcome:
    """A player has chosen. It binds; and whoever is then the only one left has a few seconds more."""
    player, value = event["player"], event["value"]
    said = {"player": player, "value": value}
    if table.state in (ROUND, LAYING):
        return foul("too-soon", said)
    if player not in table.playing:
        return foul("not-in-round", said)
    if player in table.markers:
        return foul("binding", {"player": player, "value": table.markers[player]})
    if table.state != CHOOSING:  # only who is out has no marker now
        return foul("too-late", said)
    if table.deadline is not None and event.t > table.deadline:
        return foul("too-late", said, action="out", table=_out(table, player))
    holder = next((name for name, held in table.markers.items() if held == value), None)
    if holder is not None:
        return foul("marker-held", {**said, "holder": holder})
    return _choose(table, player, value, event.t)


def _choose(table: Sherlook, player: str, value: int, t: float) -> Outcome:
    """The marker is his; the key tells how many still choose: nobody, one, or more."""
    said = {"player": player, "value": value}
    after = replace(table, markers={**table.markers, player: value}, deadline=None)
    left = after.choosing()
    if not left:
        return accepted("all-chosen", replace(after, state=FINAL_CHECK), said)
    if len(left) > 1:
        return accepted("marker-taken", after, said)
    deadline = t + table.settings["last_s"]
    return accepted("last-player", replace(after, deadline=deadline), {**said, "last": left[0], "deadline": deadline})


def _out(table: Sherlook, player: str) -> Sherlook:
    """The last player has no part in this round."""
    return replace(table, state=FINAL_CHECK, out=player, deadline=None)


def marker_returned(table: Sherlook, event: Event) -> Outcome:
    """A marker put back: he keeps it."""
    if table.state not in (CHOOSING, FINAL_CHECK, COUNTING):
        return rejected("wrong-state")
    player = event["player"]
    if player not in table.markers:
        return rejected("no-marker")
    return foul("binding", {"player": player, "value": table.markers[player]})


def time_up(table: Sherlook, event: Event) -> Outcome:
    """The last player's seconds are over."""
    if table.deadline is None:
        return rejected("wrong-state")
    if event.t < table.deadline:
        return rejected("too-early")
    [player] = table.choosing()
    return accepted("out-of-time", _out(table, player), {"player": player})


def photos_turned(table: Sherlook, event: Event) -> Outcome:
    """The backs show the differences."""
    if table.state == CHOOSING:
        return foul("back-shown", action="ask")
    if table.state != FINAL_CHECK:
        return rejected("wrong-state")
    return accepted("count-now", replace(table, state=COUNTING), {})


def differences_counted(table: Sherlook, event: Event) -> Outcome:
    """The round is scored: green for the exact marker, yellow for the nearest below, red for the nearest above."""
    if table.state != COUNTING:
        return rejected("wrong-state")
    count = event["count"]
    holders = {value: player for player, value in table.markers.items()}
    exact = holders.get(count)
    below = holders.get(max((value for value in holders if value < count), default=0))
    above = holders.get(min((value for value in holders if value > count), default=0))
    earned = {"green": exact, "yellow": below or exact, "red": above or exact}
    unearned = [colour for colour in ("yellow", "red") if earned[colour] is None]
    to_box = ["green", *unearned] if table.settings["edition"] == "french" and exact is None else []
    gone = [colour for colour in ("yellow", "red") if earned[colour] is not None or colour in to_box]
    short = [colour for colour in ("yellow", "red") if earned[colour] is not None and table.tokens[colour] == 0]
    scored = replace(
        table,
        tokens=_without(table.tokens, *gone),
        won={
            player: {colour: tokens[colour] + (earned[colour] == player) for colour in WORTH} for player, tokens in table.won.items()
        },
    )
    after, what_next = _next_round(scored)
    params = {
        "round": table.round,
        "extra": table.extra,
        "count": count,
        "exact": exact,
        "below": below,
        "above": above,
        "to_box": to_box,
        "short": short,
        **what_next,
    }
    points: list[Row] = [points_row(player, WORTH[colour], colour) for colour, player in earned.items() if player is not None]
    return accepted("round-scored", after, params, points=points)


def _next_round(scored: Sherlook) -> tuple[Sherlook, dict[str, Any]]:
    """Another round, or an extra one of those level in points and green tokens, or the end."""
    if scored.round < scored.settings["rounds"]:
        return replace(scored, state=ROUND), {"next": "round"}
    score = scored.score()
    tied = most_points({player: score[player] for player in scored.playing}, "green")
    if len(tied) > 1:
        return replace(scored, state=ROUND, playing=tuple(tied)), {"next": "extra", "tied": tied}
    return replace(scored, state=OVER), {"next": "over", "winners": tied}


def _without(tokens: Mapping[str, int], *colours: str) -> Mapping[str, int]:
    """The piles after one token of each of these colours, where there is one, is gone."""
    return {colour: left - (colour in colours and left > 0) for colour, left in tokens.items()}


def _two_photos(value: Any) -> bool:
    return isinstance(value, list) and len(value) == 2 and all(photo is None or text(photo) for photo in value)


SHERLOOK = Box(
    game="sherlook",
    settings=(
        Choice(
            name="edition",
            title="Edition",
            description="Whose rules you play by: they differ in the top photo and in tokens that nobody earns.",
            default="italian",
            choices=("italian", "french", "cmon"),
        ),
        Number(name="rounds", title="Rounds", description="How many rounds you play.", default=10, least=1, most=10),
        Number(name="photos", title="Photos", description="How many photos lie in your deck.", default=40, least=3, most=200),
        Number(
            name="last_s",
            title="Seconds for the last player",
            description="How long the last player may still choose.",
            default=3,
            least=1,
            most=60,
        ),
    ),
    events={
        "green-turned": Kind(green_turned, (ROUND,), {"token": optional(whole(1, 10))}),
        "photos-laid": Kind(photos_laid, (LAYING,), {"photos": needed(_two_photos), "top": optional(one_of("bottom", "discard"))}),
        "marker-taken": Kind(marker_taken, (CHOOSING,), {"player": needed(text), "value": needed(whole(1, 10))}),
        "time-up": Kind(time_up, (CHOOSING,)),
        "photos-turned": Kind(photos_turned, (FINAL_CHECK,)),
        "differences-counted": Kind(differences_counted, (COUNTING,), {"count": needed(whole(0, 99))}),
        "void": Kind(void, (CHOOSING, FINAL_CHECK, COUNTING), host_only=True),
        "marker-returned": Kind(marker_returned, (), {"player": needed(text), "value": optional(whole(1, 10))}),
    },
    seats=lambda settings: range(2, 11),
    begin=begin,
    restore=restore,
)
