"""What is due now, in one sentence, from the position as everybody may see it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from companion.voice.grammar import Tongue
from companion.voice.rulings import N_, won

View = Mapping[str, Any]

PLAIN = {
    "idle": N_("Who is playing today?"),
    "round": N_("Turn the top green token."),
    "laying": N_("Lay two photos as the token shows."),
    "final-check": N_("Turn both photos over."),
    "counting": N_("Count the differences."),
    "memorizing": N_("Look well, then turn all cards down."),
    "guessed": N_("Turn the card at the pawn."),
    "refilling": N_("Lay the top card into the gap."),
    "turning-down": N_("Turn all cards down."),
    "hit": N_("Take the three tiles away."),
}


def due_sentence(view: View, language: str) -> str:
    """What everybody waits for. `view` is `companion.rules.view(state, role)`."""
    tongue, state = Tongue(language), view["state"]
    if state in PLAIN:
        return tongue(PLAIN[state])
    return SPECIAL[state](tongue, view) if state in SPECIAL else state


def _choosing(tongue: Tongue, view: View) -> str:
    if "time-up" not in view["legal"]:
        return tongue("Everybody looks. Take a marker when you know.")
    [last] = view["legal_values"]["marker-taken"]["player"]
    return tongue.many("{last}, one second!", "{last}, {n:f} seconds!", n=view["settings"]["last_s"], last=last)


def _dealing(tongue: Tongue, view: View) -> str:
    return tongue("Lay {circle:f} cards in a circle, face up.", circle=view["settings"]["circle"])


def _placing(tongue: Tongue, view: View) -> str:
    [placer] = view["legal_values"]["pawn-placed"]["player"]
    return tongue("{placer}, place the pawn for {player}.", placer=placer, player=view["active"])


def _guessing(tongue: Tongue, view: View) -> str:
    return tongue("{player}, what is card {place}?", player=view["active"], place=view["pawn"])


def _moving(tongue: Tongue, view: View) -> str:
    return tongue("The pawn goes to card {to}.", to=view["to"])


def _taking(tongue: Tongue, view: View) -> str:
    return tongue("{player}, take your card.", player=view["active"])


def _tile(message: str) -> Callable[[Tongue, View], str]:
    return lambda tongue, view: tongue(message, player=view["active"])


def _pointing(tongue: Tongue, view: View) -> str:
    [pointer] = view["legal_values"]["pointed"]["player"]
    return tongue("{pointer}, point at a third tile.", pointer=pointer)


def _miss(tongue: Tongue, view: View) -> str:
    match view["due"]:
        case ["pages"]:
            return tongue("Now turn one page.")
        case ["tiles"]:
            return tongue("Turn the tiles back.")
    return tongue("Turn the tiles back, and one page.")


def _missions(tongue: Tongue, view: View) -> str:
    return tongue("Show your mission: {players}.", players=view["legal_values"]["mission-shown"]["player"])


def _over(tongue: Tongue, view: View) -> str:
    return won(tongue, view["winners"])


SPECIAL: dict[str, Callable[[Tongue, View], str]] = {
    "choosing": _choosing,
    "dealing": _dealing,
    "placing": _placing,
    "guessing": _guessing,
    "moving": _moving,
    "taking": _taking,
    "first-tile": _tile(N_("{player}, turn a tile.")),
    "second-tile": _tile(N_("{player}, turn a second tile.")),
    "third-tile": _tile(N_("{player}, turn a third tile.")),
    "pointing": _pointing,
    "miss": _miss,
    "missions": _missions,
    "over": _over,
}
