"""What the referee says of a ruling: short, warm, in words a child knows (keys and parameters: events.md §7).

`ACCEPTED`, `FOULS` and `REJECTED` have one entry a key: a message, or a function that puts one together from the ruling.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from companion.voice.grammar import Tongue

Params = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Told:
    """A ruling to be worded, and the event that it rules on (empty where the line was no event)."""

    tongue: Tongue
    ruling: Mapping[str, Any]
    event: Mapping[str, Any]
    was_over: bool  # the game, before it

    @property
    def params(self) -> Params:
        params: Params = self.ruling["params"]
        return params

    def __getitem__(self, key: str) -> Any:
        return self.params.get(key)

    def __call__(self, message: str, /, **more: Any) -> str:
        """The message with the ruling's parameters, and more."""
        return self.tongue(message, **{**_plain(self.params), **more})

    def many(self, one: str, more: str, /, n: int, **params: Any) -> str:
        return self.tongue.many(one, more, n=n, **{**_plain(self.params), **params})


def _plain(params: Params) -> dict[str, Any]:
    """The parameters that a message can hold: names, texts, whole numbers, lists of names."""
    return {key: value for key, value in params.items() if isinstance(value, str | int) or _names(value)}


def _names(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(name, str) for name in value)


def N_(message: str) -> str:
    """Marks a message for translation, by the name that tools for catalogues look for."""
    return message


def joined(*sentences: str | None) -> str:
    """Several sentences, one after the other."""
    return " ".join(sentence for sentence in sentences if sentence)


Wording = str | Callable[[Told], str]

GAMES = {
    "sherlook": "Sherlook",
    "sherlock": "Sherlock",
    "sherlock-deluxe": "Sherlock Deluxe",
    "sherlock-2011": "Sherlock (2011)",
}

# -- parts of sentences ----------------------------------------------------------------------------------------------


def _next(told: Told) -> str | None:
    return told("{next} is next.") if told["next"] else None


def won(tongue: Tongue, winners: list[str]) -> str:
    """Who has won, once the game is over."""
    if not winners:
        return tongue("Nobody wins this time.")
    return tongue.many("{winners} wins!", "{winners} win!", n=len(winners), winners=winners)


def _winners(told: Told) -> str | None:
    return won(told.tongue, told["winners"]) if told["winners"] is not None else None


def _warnings(told: Told) -> str | None:
    return joined(*(told(WARNINGS[key]) for key in told["warn"] or []))


def _suspect(suspect: str) -> int:
    return int(suspect[1:])


def tile(tongue: Tongue, cell: list[int]) -> str:
    """Where a tile lies, for people: rows and tiles are counted from one."""
    return tongue("row {row}, tile {column}", row=cell[0] + 1, column=cell[1] + 1)


def _set_aside(told: Told) -> str | None:
    """Undo and correct: the later events that do not count as things now stand, what has become of the points and of the game's end."""
    aside = len(told["set_aside"])
    later = told.many("One later entry does not count now.", "{n} later entries do not count now.", n=aside) if aside else None
    score = told.ruling["score"]
    now = [
        told.many("{player} now has one point.", "{player} now has {n:m} points.", n=score[row["player"]]["points"], player=row["player"])
        for row in told.ruling["points"]
        if row["player"] in score and row["player"] != "team"
    ]
    if "team" in score and told.ruling["points"]:
        now.append(told.many("You have one tile.", "You have {n:f} tiles.", n=score["team"]["points"]))
    return joined(later, *now, told("Nobody has won yet: the game goes on.") if told.was_over and told.ruling["state"] != "over" else None)


# -- every game ------------------------------------------------------------------------------------------------------


def _started(told: Told) -> str:
    return told("Hello, {players}! Let’s play {game}.", game=GAMES.get(told["game"], told["game"]))


def _stopped(told: Told) -> str:
    return joined(told("The game stops here."), _winners(told))


def _undone(told: Told) -> str:
    return joined(told.many("One step is taken back.", "{n} steps are taken back.", n=len(told["seqs"])), _set_aside(told))


def _corrected(told: Told) -> str:
    struck_out = "with" in told.event and told.event["with"] is None
    done = told("Entry {replaces} is struck out.") if struck_out else told("Entry {replaces} is corrected.")
    return joined(done, _set_aside(told))


# -- Sherlook --------------------------------------------------------------------------------------------------------


def _round_begun(told: Told) -> str:
    return joined(
        told("Extra round {round} for {playing}!") if told["extra"] else told("Round {round}."),
        told("No green token is left, so any used one will do.") if told["borrowed"] else None,
        told("Shuffle all photos into a new deck.") if told["reshuffle"] else None,
        told("The top photo goes under the deck.") if told["top"] == "bottom" else told("The top photo is put away."),
        told("Then lay the next two photos."),
    )


def _look(told: Told) -> str:
    return joined(told("Round {round}: everybody looks! Take a marker when you know."), _warnings(told))


def _last_player(told: Told) -> str:
    seconds = round(told["deadline"] - told.event.get("t", told["deadline"]))
    return joined(
        told("{player} takes {value}."),
        told.many("{last}, one second!", "{last}, {n:f} seconds!", n=seconds) if seconds > 0 else told("{last}, quickly!"),
    )


def _round_scored(told: Told) -> str:
    return joined(
        told("Extra round {round}:") if told["extra"] else told("Round {round}:"),
        told.many("we count one difference.", "we count {n:f} differences.", n=told["count"]),
        *(_token(told, row) for row in told.ruling["points"]),
        told("Nobody has said exactly that.") if told["exact"] is None else None,
        told("The tokens that nobody has won go back into the box.") if told["to_box"] else None,
        told("A token is missing from its pile; the points count all the same.") if told["short"] else None,
        told("{tied} are level, so there is an extra round for them.") if told["next"] == "extra" else None,
        _winners(told),
    )


def _token(told: Told, row: Mapping[str, Any]) -> str:
    player = row["player"]
    match row["for"]:
        case "green":
            return told("{player} has it exactly: three points!", player=player)
        case "yellow" if player == told["below"]:
            return told("{player} is nearest below: two points.", player=player)
        case "red" if player == told["above"]:
            return told("{player} is nearest above: one point.", player=player)
        case "yellow":
            return told("Nobody is below, so {player} has two more points.", player=player)
        case _:
            return told("Nobody is above, so {player} has one more point.", player=player)


def _voided(told: Told) -> str:
    if told["round"] is not None:
        return joined(
            told("Round {round} is played again: markers back, two new photos."),
            told("Shuffle all photos into a new deck.") if told["reshuffle"] else None,
        )
    if told.ruling["state"] == "miss":
        return told("{player} plays this turn again. Turn the tiles back.")
    return told("{player} plays this turn again. All cards face down, please.")


# -- Sherlock and Sherlock Deluxe ------------------------------------------------------------------------------------


def _memorize(told: Told) -> str:
    return told.many("Look at all the cards: you have one second.", "Look at all the cards: you have {n:f} seconds.", n=told["seconds"])


def _wrong(told: Told) -> str:
    if told["object"] is not None:
        said = told("Card {place} shows “{object}”. A pity, {player}!")
    elif told.event.get("event") == "guess":
        said = told("{player} does not know card {place}; it stays covered.")
    else:
        said = told("Card {place} is something else. A pity, {player}!")
    return joined(said, _warnings(told), _next(told))


def _right(told: Told) -> str:
    return joined(
        told("Right, {player}: card {place} shows “{object}”.") if told["object"] else told("Right, {player}: that is card {place}."),
        _warnings(told),
        told("The pawn goes to card {to}."),
    )


def _card_won(told: Told) -> str:
    card = told("{player} wins card {place}: “{object}”!") if told["object"] else told("{player} wins card {place}!")
    return joined(card, _winners(told) if told["over"] else None)


def _taken(told: Told) -> str:
    """A card of the circle, or the three tiles of a hit."""
    if told["place"] is None:
        return joined(told("The three tiles are taken."), _next(told))
    if told["next"] is None:
        return joined(told("{player} takes card {place}."), _pile(told), told("The top one fills the gap."))
    return joined(told("{player} takes card {place}. The pile is empty, so the gap stays."), _next(told))


def _pile(told: Told) -> str:
    return told.many("One card is left in the pile.", "{n:f} cards are left in the pile.", n=told["pile"])


def _refilled(told: Told) -> str:
    return joined(told("Place {place} has a new card."), _pile(told), _next(told))


# -- Sherlock (2011) -------------------------------------------------------------------------------------------------


def _turned(told: Told) -> str:
    return joined(_shown(told), told("Now a second tile."))


def _shown(told: Told) -> str:
    """Which tile was turned, and who is on it."""
    line = told("{tile}: suspect {suspect}.", tile=tile(told.tongue, told["cell"]), suspect=_suspect(told["suspect"]))
    return joined(line[:1].upper() + line[1:], _warnings(told))


def _pair(told: Told) -> str:
    return joined(
        _shown(told),
        told("That is a pair!"),
        told("{pointer}, point at a third tile.") if told["pointer"] else told("Turn a third tile."),
    )


def _miss(told: Told) -> str:
    back = told("No match: turn the tiles back, and one page.") if told["page"] else told("No match: turn the tiles back.")
    return joined(_shown(told), back, _next(told))


def _hit(told: Told) -> str:
    accomplice = told["accomplice"]
    return joined(
        _shown(told),
        told("Three of a kind!"),
        told("{pointer} had a finger on the third and gets it.") if told["pointer"] else None,
        told("The accomplice is suspect {accomplice}!", accomplice=_suspect(accomplice)) if accomplice else None,
        told("Take the three tiles away.") if told["next"] else None,
        _next(told),
        _winners(told),
    )


def _pointed(told: Told) -> str:
    if told["cell"] is None:
        said = told("{player} points at nothing.")
    else:
        said = told("{player} points at {tile}.", tile=tile(told.tongue, told["cell"]))
    return joined(said, told("{next}, it is your turn to point.") if told["next"] else told("Now the third tile."))


def _back(told: Told) -> str:
    return joined(told("The tiles are back."), _next(told) or told("Now turn one page."))


def _page(told: Told) -> str:
    left = told.many("Page {pages}; one is left.", "Page {pages}; {n:f} are left.", n=told["left"])
    return joined(left, _next(told) or told("Now turn the tiles back."))


def _mission(told: Told) -> str:
    points = sum(row["points"] for row in told.ruling["points"])
    return joined(
        told("{player} shows the mission: suspect {suspect}.", suspect=_suspect(told["suspect"])),
        told("That makes {points:m} more points!", points=points) if points else None,
        _winners(told),
    )


# -- fouls that are worded by what they hold ---------------------------------------------------------------------------


def _too_soon(told: Told) -> str:
    if told["value"] is not None:
        return told("Not yet, {player}: marker {value} goes back until the photos lie there.")
    return told("Turn all cards down first; then the pawn may go to card {place}.")


def _binding(told: Told) -> str:
    if told["value"] is not None:
        return told("{player}, your marker is {value}: the first choice stays.")
    if told["cell"] is None:
        return told("{player}, you chose to point at nothing: that stays.")
    return told("{player}, your finger stays on {tile}.", tile=tile(told.tongue, told["cell"]))


def _not_your_turn(told: Told) -> str:
    """Of the active player himself only a finger is out of turn."""
    if told["player"] == told["active"]:
        return told("{player}, it is your own turn: now the others point.")
    return told("It is {active}’s turn now, {player}.")


def _too_late(told: Told) -> str:
    late = told("Too late, {player}: marker {value} goes back.")
    return joined(late, told("You sit this round out. Turn both photos over.") if told["action"] == "out" else None)


def _peek(told: Told) -> str:
    if told["place"] is not None:
        return told("Turn card {place} down again, please.")
    return told("Turn the tile back, please: {tile}.", tile=tile(told.tongue, told["cell"]))


def _not_won(told: Told) -> str:
    if told["place"] is None:
        return told("These tiles are not won yet: put them back, please.")
    if told["player"] is None:
        return told("Card {place} is not won: put it back, please.")
    return told("Put card {place} back, {player}: it is not won.")


def _revealed_early(told: Told) -> str:
    return told(
        "Not all have pointed yet: {tile}. Turn it back and go on pointing, or let the host play the turn again.",
        tile=tile(told.tongue, told["cell"]),
    )


def _finger(message: str) -> Callable[[Told], str]:
    return lambda told: told(message, tile=tile(told.tongue, told["cell"]))


def _wrong_tiles(told: Told) -> str:
    return told("It should be these tiles: {tiles}.", tiles="; ".join(tile(told.tongue, cell) for cell in told["cells"]))


# -- refusals ----------------------------------------------------------------------------------------------------------


def _correction_refused(told: Told) -> str:
    reason = REJECTED[told["reason"]]
    return joined(told("This correction does not fit."), told(BAD_SETTING) if callable(reason) else told(reason))


def _bad_setting(told: Told) -> str:
    return told("The setting “{setting}” is out of bounds.")


BAD_SETTING = N_("A setting is out of bounds.")

WARNINGS = {
    "wrong-top": N_("The top photo usually goes the other way; play on."),
    "photo-repeated": N_("One of the photos was here before; play on."),
    "card-changed": N_("Another card lay here before; this one counts."),
    "tile-changed": N_("Another suspect was seen here before; this one counts."),
}

ACCEPTED: dict[str, Wording] = {
    "started": _started,
    "stopped": _stopped,
    "undone": _undone,
    "corrected": _corrected,
    "round-begun": _round_begun,
    "look": _look,
    "marker-taken": N_("{player} takes {value}."),
    "last-player": _last_player,
    "all-chosen": N_("{player} takes {value}. All have chosen: turn both photos over."),
    "out-of-time": N_("Time is up: {player} sits this round out. Turn both photos over."),
    "count-now": N_("Now let’s count the differences."),
    "round-scored": _round_scored,
    "voided": _voided,
    "memorize": _memorize,
    "turn-begins": N_("Now it is {player}’s turn. {placer} places the pawn."),
    "guess-now": N_("{player}, what is card {place}?"),
    "guessed": N_("{player} says “{object}”. Turn the card!"),
    "wrong": _wrong,
    "right": _right,
    "card-won": _card_won,
    "taken": _taken,
    "refilled": _refilled,
    "turned": _turned,
    "pair": _pair,
    "miss": _miss,
    "hit": _hit,
    "pointed": _pointed,
    "back": _back,
    "page": _page,
    "escaped": N_("Page {pages} was the last: Moriarty has escaped. You will catch him next time!"),
    "mission": _mission,
}

FOULS: dict[str, Wording] = {
    "too-soon": _too_soon,
    "not-in-round": N_("{player}, this round is for the tied players: marker {value} goes back."),
    "binding": _binding,
    "too-late": _too_late,
    "marker-held": N_("{holder} has marker {value}: take another one, {player}."),
    "back-shown": N_("A photo was turned too early. Play on, or let the host play the round again."),
    "wrong-count": N_("There should be {due:f} cards in the circle, not {cards:f}."),
    "wrong-placer": N_("{placer} places the pawn, not {player}."),
    "not-your-turn": _not_your_turn,
    "changed-guess": N_("{player}, the first answer counts: “{object}”."),
    "early-turn": N_("Card {place} was turned before the guess: turn it down. Play on, or let the host begin or end the turn."),
    "wrong-card": N_("Turn card {place} down, please: the pawn stands at card {pawn}."),
    "peek": _peek,
    "wrong-place": N_("Not card {place}: the pawn goes to card {to}."),
    "pawn-touched": N_("First the guess, please: the pawn stays at card {pawn}, not at card {place}."),
    "not-won": _not_won,
    "arrow-inward": N_("Turn card {place} round, please: its arrow points outward."),
    "revealed-early": _revealed_early,
    "out-of-order": N_("{pointer} points first, then you, {player}."),
    "points-at-nothing": _finger(N_("No tile is left there, {player} ({tile}): point at another one.")),
    "points-at-turned": _finger(N_("That tile is open already, {player} ({tile}): point at another one.")),
    "already-pointed": _finger(N_("{holder} has a finger there, {player} ({tile}): point at another one.")),
    "back-too-soon": N_("Not yet: turn the tiles up again, please."),
    "wrong-tiles": _wrong_tiles,
    "no-page-due": N_("No page is due: turn it back, please."),
    "wrong-page": N_("Not page {page}: it should be page {due}."),
    "mission-secret": N_("Keep your mission secret until the end, {player}."),
}

REJECTED: dict[str, Wording] = {
    "malformed": N_("I cannot read this entry."),
    "seq": N_("The number of this entry has been used already."),
    "format": N_("This entry is written for another version."),
    "unknown-event": N_("I do not know this kind of entry."),
    "not-allowed": N_("Somebody else has to say that."),
    "nothing-to-undo": N_("There is nothing to take back."),
    "unknown-seq": N_("There is no such entry to change."),
    "correction-refused": _correction_refused,
    "already-started": N_("A game is on already."),
    "unknown-game": N_("I do not know this game."),
    "bad-players": N_("These names, or so many players, cannot play this game."),
    "bad-setting": _bad_setting,
    "not-started": N_("The game has not begun yet."),
    "game-over": N_("The game is over."),
    "wrong-game": N_("That belongs to another game."),
    "unknown-player": N_("Nobody of that name is at the table."),
    "wrong-state": N_("That is not due now."),
    "same-photo": N_("One photo cannot lie there twice."),
    "too-early": N_("The time is not up yet."),
    "no-marker": N_("There is no marker to put back."),
    "no-card": N_("No card lies there."),
    "already-up": N_("That one lies face up already."),
    "card-in-play": N_("That card is in the game already."),
    "no-gap": N_("The gap is somewhere else."),
    "card-unread": N_("I cannot read this card: please tell me what it shows."),
    "no-tile": N_("No tile lies there."),
    "suspect-gone": N_("All tiles of that suspect have been found."),
    "already-shown": N_("That mission has been shown already."),
    "mission-taken": N_("Somebody else has shown that mission."),
}


def wording(tongue: Tongue, ruling: Mapping[str, Any], event: Mapping[str, Any], *, was_over: bool = False) -> str:
    """The ruling as one to a few sentences. A key that is not known (a newer game's) is told as it stands."""
    worded = {"accepted": ACCEPTED, "foul": FOULS, "rejected": REJECTED}[ruling["ruling"]].get(ruling["key"], ruling["key"])
    told = Told(tongue, ruling, event, was_over)
    return worded(told) if callable(worded) else told(worded)
