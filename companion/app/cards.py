"""Which photos lay there, told once they were turned, and the deck's cards to choose another one from."""

from collections.abc import Sequence
from typing import Any

import cv2
import numpy as np

from companion import rules
from companion.app.reveal import jpeg
from vision.deck.deck import Deck
from vision.pictures import read

Document = dict[str, Any]
THUMBNAIL_PX = 320


def laid_document(state: rules.State, turned: int) -> Document | None:
    """The photos of the round whose photos were turned at line `turned`: the line that laid them, and its event as it now stands."""
    steps = [step for step in state.steps if step.seq < turned and step.event and step.event.name == "photos-laid" and not step.set_aside]
    if not steps or steps[-1].event is None or None in steps[-1].event["photos"]:
        return None
    event = steps[-1].event
    told = {key: value for key, value in event.fields.items() if value is not None}
    return {"of": steps[-1].seq, "event": {"event": event.name, **told}}


def revealed(state: rules.State) -> list[str]:
    """The photos that were turned last, while no others lie there; only of these may anybody be told what a pack knows."""
    about = [step for step in state.steps if step.event and step.event.name in ("photos-laid", "photos-turned") and not step.set_aside]
    if not about or about[-1].event is None or about[-1].event.name != "photos-turned":
        return []
    laid = laid_document(state, about[-1].seq)
    return list(laid["event"]["photos"]) if laid else []


def cards_document(deck: Deck, beside: str) -> list[Document]:
    """Every card of the deck, with the number of differences that it and the card `beside` have. Raises KeyError."""
    return [{"id": card, "count": deck.count(card, beside), "picture": f"/api/v1/cards/{card}.jpg"} for card in deck.ids if card != beside]


def thumbnail(deck: Deck, card: str) -> bytes | None:
    """A small picture of a card's back, or of its front; None where there is no such card. Raises PictureError."""
    paths: Sequence[Any] = [path for c in deck.pack.cards if c.id == card for path in (c.back, c.front) if path is not None]
    if not paths:
        return None
    picture = read(paths[0])
    scale = THUMBNAIL_PX / max(picture.shape[:2])
    return jpeg(np.asarray(cv2.resize(picture, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), np.uint8))
