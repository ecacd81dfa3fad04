"""What the page is told: states, rulings, observations as docs/api.md has them. Pure; each hides what its role may not know."""

from collections.abc import Mapping, Sequence
from typing import Any

from companion import rules
from companion.voice import due_sentence, say, word
from vision.geometry import points
from vision.observation import Differences, Observation, to_dict
from vision.table import Table

Document = dict[str, Any]
CHECKED = ("counting", "over")  # the states in which differences may be shown


def position_for(state: rules.State) -> Document:
    """The position as host and room may see it: the host may well play too, so he sees what all see."""
    seen = rules.view(state, "spectator")
    return {key: value for key, value in seen.items() if key not in ("legal", "legal_values")}


def deadline(state: rules.State) -> float | None:
    """Until when (seconds of the game) the last player may still choose; None when no clock runs."""
    if "time-up" not in rules.legal(state) or state.table is None:
        return None
    until: float | None = state.table.memory().get("deadline")
    return until


def due(state: rules.State, language: str) -> str:
    """What is due now, in one sentence."""
    return due_sentence(rules.view(state, "spectator"), language)


def ruling_document(
    event: Mapping[str, Any], ruling: Mapping[str, Any], *, language: str, was_over: bool, has_picture: bool
) -> Document:
    """A ruling as the page shows and speaks it."""
    return {
        **ruling,
        "type": "ruling",
        "t": event.get("t"),
        "event": without_ids(event),
        "text": word(event, ruling, language, was_over=was_over),
        "say": say(event, ruling, language, was_over=was_over),
        "evidence": f"/api/v1/evidence/{event['seq']}.jpg" if has_picture else None,
    }


def without_ids(event: Mapping[str, Any]) -> Document:
    """The event as everybody may see it: which photos were laid is told by the reveal, once they are turned."""
    if event.get("event") == "photos-laid" and isinstance(event.get("photos"), list):
        return {**event, "photos": [None] * len(event["photos"])}
    if event.get("event") == "correct" and isinstance(event.get("with"), dict):
        return {**event, "with": without_ids(event["with"])}
    return dict(event)


def observation_document(seen: Observation, table: Table, *, state: str) -> Document:
    """The newest observation, and where it lies in the frame. Before the check it tells neither differences nor which photos lie there."""
    plain = to_dict(seen)
    if state not in CHECKED:
        plain.pop("differences", None)
        for photo in plain.get("photos", []):
            photo["id"] = None
            photo["sure"].pop("id", None)
    return {**plain, "overlay": _overlay(plain, table)}


def _overlay(plain: Document, table: Table) -> Document:
    return {
        "image_size": list(table.image_size),
        "photos": [_pixels(table, photo["quad"]) for photo in plain.get("photos", [])],
        "markers": [{"value": m["value"], "zone": m["zone"], "at": _pixels(table, [m["at"]])[0]} for m in plain.get("markers", [])],
        "tokens": [{"colour": t["colour"], "at": _pixels(table, [t["at"]])[0]} for t in plain.get("tokens", [])],
        "hands": [_pixels(table, hand["polygon"]) for hand in plain.get("hands", [])],
        "seats": seats_document(table),
    }


def seats_document(table: Table) -> list[Document]:
    """Where the players sit, in pixels of the frame."""
    return [{"name": seat.name, "colour": seat.colour, "area": _pixels(table, seat.area)} for seat in table.seats]


def reveal_document(seq: int, counted: Differences, places: Sequence[Document]) -> Document:
    """What the page lights up after line `seq`, photos-turned; `places` in the pixels of the two straightened pictures."""
    plain = to_dict(counted)
    return {
        "count": plain["count"],
        "probability": plain["probability"],
        "range": plain.get("range"),
        "a": f"/api/v1/reveal/{seq}/a.jpg",
        "b": f"/api/v1/reveal/{seq}/b.jpg",
        "places": list(places),
        "unseen": plain["unseen"],
    }


def _pixels(table: Table, mm: Sequence[Sequence[float]]) -> list[list[float]]:
    return [[round(float(x), 1), round(float(y), 1)] for x, y in table.to_px(points(mm))]
