"""Moments of a game as the server tells them: documents of docs/api.md, for looking at the page in each of its states."""

from dataclasses import dataclass, field
from typing import Any

from tests.page.pictures import FRAME, MARKERS, PHOTO_QUADS

Document = dict[str, Any]
PLAYERS = ("Ada", "Bea", "Carla", "Dino")
COLOURS = ("#2f6fae", "#8a4fa3", "#a8622a", "#c2528b")
SCORE = {
    "Ada": {"points": 9, "green": 2, "yellow": 1, "red": 1},
    "Bea": {"points": 6, "green": 1, "yellow": 1, "red": 1},
    "Carla": {"points": 3, "green": 1, "yellow": 0, "red": 0},
    "Dino": {"points": 0, "green": 0, "yellow": 0, "red": 0},
}
FINAL_SCORE = {
    "Ada": {"points": 21, "green": 4, "yellow": 3, "red": 3},
    "Bea": {"points": 17, "green": 2, "yellow": 5, "red": 1},
    "Carla": {"points": 11, "green": 3, "yellow": 0, "red": 2},
    "Dino": {"points": 8, "green": 1, "yellow": 1, "red": 3},
}


@dataclass(frozen=True)
class Scene:
    """What the server says from the moment a page opens."""

    name: str
    state: Document | None  # None: it never answers
    said: tuple[Document, ...] = ()  # rulings of the past
    then: tuple[Document, ...] = ()  # live messages after the first
    taps: tuple[str, ...] = ()  # what somebody then taps, by accessible name
    until: str = "main"  # what is to be seen before anything is tapped or photographed
    room: bool = False  # whether the room's page shows something of its own
    cut: bool = False  # the line breaks
    reveal: bool = True  # whether there is a picture of the check
    sheet: Document | None = field(default=None)


def state(due: str, game_state: str = "choosing", **more: Any) -> Document:
    position = {
        "game": "sherlook",
        "state": game_state,
        "players": list(PLAYERS),
        "playing": list(PLAYERS),
        "round": 4,
        "markers": {},
        "out": None,
        "settings": {"rounds": 10, "last_s": 3, "edition": "italian"},
        "score": SCORE,
        "tokens": {"green": 6, "yellow": 8, "red": 8},
        "photos_left": 32,
    } | more.pop("position", {})
    return {
        "type": "state",
        "format": 1,
        "role": "host",
        "game": "sherlook",
        "seq": 40,
        "language": "en",
        "position": position,
        "score": SCORE,
        "due": due,
        "legal": ["game-ended", "marker-taken", "void"],
        "legal_values": {},
        "clock": {"deadline": None, "now": 80.0},
        "seats": [{"name": name, "colour": colour} for name, colour in zip(PLAYERS, COLOURS, strict=True)],
        "questions": [],
        "status": status(),
        "setup": None,
        "resumed": None,
    } | more


def status(**more: Any) -> Document:
    return {"source": "running", "frame_age_s": 0.1, "skipped_frames": 0, "advice": [], "camera": "ok", "hand": False} | more


def observation(**overlay: Any) -> Document:
    w, h = FRAME
    areas = [
        [[300, 20], [980, 20], [980, 180], [300, 180]],
        [[1020, 200], [1260, 200], [1260, 520], [1020, 520]],
        [[300, 540], [980, 540], [980, 700], [300, 700]],
        [[20, 200], [260, 200], [260, 520], [20, 520]],
    ]
    zones = ("Ada", "Bea", "Carla")
    return {
        "type": "observation",
        "format": 1,
        "source": "camera",
        "t": 80.0,
        "image_size": [w, h],
        "game": "sherlook",
        "still": True,
        "photos": [{"quad": [[0, 0]] * 4, "side": "colour", "sure": {"found": 1.0}}] * 2,
        "markers": [
            {"value": value, "at": [0, 0], "zone": zone, "sure": {"found": 1.0, "value": 1.0}}
            for (value, _), zone in zip(MARKERS, zones, strict=True)
        ],
        "overlay": {
            "image_size": [w, h],
            "photos": [list(map(list, quad)) for quad in PHOTO_QUADS],
            "markers": [{"value": value, "at": list(at)} for value, at in MARKERS],
            "seats": [{"name": n, "colour": c, "area": a} for n, c, a in zip(PLAYERS, COLOURS, areas, strict=True)],
        }
        | overlay,
    }


def ruling(of: int, key: str, text: str, event: Document, *, t: float, **more: Any) -> Document:
    return {
        "type": "ruling",
        "format": 1,
        "ruling": "accepted",
        "of": of,
        "key": key,
        "params": {},
        "state": "choosing",
        "points": [],
        "score": SCORE,
        "text": text,
        "say": text,
        "t": t,
        "event": {"seq": of, "t": t, "by": "camera", "evidence": {"sure": 0.98}} | event,
        "evidence": f"/api/v1/evidence/{of}.jpg",
    } | more


def taken(of: int, player: str, value: int, t: float) -> Document:
    return ruling(
        of,
        "marker-taken",
        f"{player} takes marker {value}.",
        {"event": "marker-taken", "player": player, "value": value},
        t=t,
        params={"player": player, "value": value},
    )


BEGUN = ruling(
    36,
    "round-begun",
    "Round four. The top photo goes to the bottom of the deck.",
    {"event": "green-turned", "by": "host"},
    t=60.0,
    params={"round": 4},
    evidence=None,
)
LOOK = ruling(37, "look", "Look!", {"event": "photos-laid"}, t=66.0, params={"round": 4})
ADA, BEA, CARLA = taken(38, "Ada", 7, 71.5), taken(39, "Bea", 6, 75.0), taken(40, "Carla", 9, 79.0)
FOUL = ruling(
    41,
    "binding",
    "Bea, your marker stays: the 6 it is. Please put the 8 back.",
    {"event": "marker-taken", "player": "Bea", "value": 8},
    t=80.5,
    ruling="foul",
    params={"action": "warn", "player": "Bea", "value": 6},
)
SHOWN = ruling(
    41,
    "back-shown",
    "A back was seen while some still choose. Play on, or play the round again?",
    {"event": "photos-turned"},
    t=80.5,
    ruling="foul",
    params={"action": "ask"},
)
TURNED = ruling(43, "count-now", "The photos are turned. I am counting.", {"event": "photos-turned"}, t=90.0, say=None)
SCORED = ruling(
    44,
    "round-scored",
    "Seven! Ada is right: three points. Bea has the yellow, Carla the red.",
    {"event": "differences-counted", "count": 7},
    t=91.0,
    params={
        "round": 4,
        "extra": False,
        "count": 7,
        "exact": "Ada",
        "below": "Bea",
        "above": "Carla",
        "to_box": [],
        "short": [],
        "next": "round",
    },
    points=[
        {"player": "Ada", "points": 3, "for": "green"},
        {"player": "Bea", "points": 2, "for": "yellow"},
        {"player": "Carla", "points": 1, "for": "red"},
    ],
)
PAST = (BEGUN, LOOK, ADA, BEA, CARLA)
HELD = {"markers": {"Ada": 7, "Bea": 6, "Carla": 9}}
LOOKING = "Everybody looks. Take a marker when you know."
QUESTION = {
    "type": "question",
    "question": 3,
    "t": 79.0,
    "about": "marker-taken",
    "text": "Which marker did Carla take?",
    "evidence": "/api/v1/questions/3.jpg",
    "choices": [
        {"event": {"event": "marker-taken", "player": "Carla", "value": 9}, "sure": 0.6, "text": "9"},
        {"event": {"event": "marker-taken", "player": "Carla", "value": 6}, "sure": 0.3, "text": "6"},
    ],
}
UNSURE = {
    "type": "question",
    "question": 4,
    "t": 91.0,
    "about": "differences-counted",
    "text": "How many differences are there?",
    "evidence": None,
    "choices": [
        {"event": {"event": "differences-counted", "count": 7}, "sure": 0.6},
        {"event": {"event": "differences-counted", "count": 6}, "sure": 0.3},
    ],
}
SHEET = {
    "format": 1,
    "game": "sherlook",
    "edition": "italian",
    "players": list(PLAYERS),
    "winners": ["Ada"],
    "rounds": [
        {"round": n, "extra": n > 10, "count": count, "markers": dict(zip(PLAYERS, guesses, strict=True)), "out": None, "points": points}
        for n, count, guesses, points in (
            (1, 5, (5, 4, 7, 3), {"Ada": 3, "Bea": 2, "Carla": 1}),
            (2, 3, (4, 2, 3, 6), {"Carla": 3, "Bea": 2, "Ada": 1}),
            (3, 8, (8, 7, 5, 9), {"Ada": 3, "Bea": 2, "Dino": 1}),
            (4, 7, (7, 6, 9, 5), {"Ada": 3, "Bea": 2, "Carla": 1}),
            (5, 2, (1, 3, 4, 2), {"Dino": 3, "Ada": 2, "Bea": 1}),
            (6, 9, (8, 9, 7, 10), {"Bea": 3, "Ada": 2, "Dino": 1}),
            (7, 4, (5, 6, 4, 3), {"Carla": 3, "Dino": 2, "Ada": 1}),
            (8, 6, (6, 5, 8, 7), {"Ada": 3, "Bea": 2, "Dino": 1}),
            (9, 10, (9, 8, 10, 7), {"Carla": 3, "Ada": 2}),
            (10, 1, (2, 1, 3, 4), {"Bea": 3, "Ada": 1}),
        )
    ],
    "score": FINAL_SCORE,
    "events": [],
}
SETTING = state(
    "Let us set the table.",
    "idle",
    position={"state": "idle", "players": None, "playing": [], "round": 0},
    score={},
    seats=[],
    setup={"needs": ["names", "points", "seats"]},
    legal=["game-started"],
)
NAMES = {"Player 1": "Ada", "Player 2": "Bea"}

SCENES = (
    Scene("connecting", None),
    Scene(
        "round",
        state("Turn the top green token.", "round", legal=["game-ended", "green-turned"]),
        then=(observation(photos=[], markers=[]),),
    ),
    Scene("choosing", state(LOOKING, position={"markers": {"Ada": 7}}), PAST[:3], (observation(),), room=True),
    Scene("ruling", state(LOOKING, position={"markers": {"Ada": 7, "Bea": 6}}), PAST[:3], (observation(), BEA), until=".slip", room=True),
    Scene(
        "last-three-seconds",
        state("Dino, three seconds!", position=HELD, clock={"deadline": 82.0, "now": 79.6}),
        PAST,
        (observation(),),
        until=".ring",
        room=True,
    ),
    Scene("foul", state(LOOKING, position={"markers": {"Ada": 7, "Bea": 6}}), PAST[:4], (observation(), FOUL), until=".slip", room=True),
    Scene("back-shown", state(LOOKING, position={"markers": {"Ada": 7, "Bea": 6}}), PAST[:4], (observation(), SHOWN), until=".slip"),
    Scene(
        "question",
        state(LOOKING, position={"markers": {"Ada": 7, "Bea": 6}}),
        PAST[:4],
        (observation(), QUESTION),
        until=".question",
        room=True,
    ),
    Scene("hand", state(LOOKING, status=status(hand=True)), PAST[:2], (observation(),)),
    Scene("no-camera", state(LOOKING, position={"markers": {"Ada": 7}}, status=status(source="none")), PAST[:3]),
    Scene("by-hand", state(LOOKING, position={"markers": {"Ada": 7}}), PAST[:3], (observation(),), taps=("Enter by hand", "Bea")),
    Scene("camera-lost", state(LOOKING, status=status(source="lost", frame_age_s=14)), PAST[:3], (observation(),), room=True),
    Scene("camera-moved", state(LOOKING, status=status(camera="moved")), PAST[:3], (observation(),)),
    Scene("dark", state(LOOKING, status=status(camera="dark")), PAST[:3], (observation(),)),
    Scene(
        "glare",
        state(LOOKING, status=status(advice=["glare-left-photo"])),
        PAST[:3],
        (observation(glare=[[[380, 260], [500, 250], [520, 340], [400, 350]]]),),
    ),
    Scene("another-deck", state(LOOKING, status=status(advice=["another-deck"])), PAST[:3], (observation(),)),
    Scene("photos-overlap", state(LOOKING, status=status(advice=["photos-overlap"])), PAST[:3], (observation(),)),
    Scene("line-lost", state(LOOKING), PAST[:3], (observation(),), cut=True, until=".trouble", room=True),
    Scene("resumed", state(LOOKING, resumed={"round": 4}), PAST, (observation(),)),
    Scene(
        "reveal-places",
        state("Turn both photos over.", "counting", position=HELD),
        PAST,
        (observation(), TURNED, SCORED),
        until=".photo:first-child .mark:nth-of-type(4)",
        room=True,
    ),
    Scene(
        "reveal-count",
        state("Turn both photos over.", "counting", position=HELD),
        PAST,
        (observation(), TURNED, SCORED),
        until=".phase-count .count",
        room=True,
    ),
    Scene(
        "reveal-after",
        state("Markers back. Turn the next green token.", "round", position=HELD),
        PAST,
        (observation(), TURNED, SCORED),
        until=".phase-after",
        room=True,
    ),
    Scene(
        "reveal-each-place",
        state("Markers back.", "round", position=HELD),
        PAST,
        (observation(), TURNED, SCORED),
        taps=("Each place",),
        until=".phase-after",
    ),
    Scene(
        "reveal-slider",
        state("Markers back.", "round", position=HELD),
        PAST,
        (observation(), TURNED, SCORED),
        taps=("Slider",),
        until=".phase-after",
    ),
    Scene(
        "reveal-unsure",
        state("How many differences are there?", "counting", position=HELD),
        PAST,
        (observation(), TURNED, UNSURE),
        until=".reveal .question",
        room=True,
    ),
    Scene(
        "count-by-hand",
        state(
            "How many differences are there?",
            "counting",
            position=HELD,
            status=status(source="none"),
            legal=["differences-counted", "game-ended", "void"],
        ),
        PAST,
    ),
    Scene(
        "round-over",
        state("Markers back. Turn the next green token.", "round", legal=["game-ended", "green-turned"]),
        PAST,
        (observation(photos=[], markers=[]),),
    ),
    Scene(
        "extra-round",
        state("An extra round for Ada and Bea. Turn a green token.", "laying", position={"round": 11, "playing": ["Ada", "Bea"]}),
        (),
        (observation(),),
        room=True,
    ),
    Scene(
        "game-over",
        state("Ada wins!", "over", legal=[], position={"round": 10, "score": FINAL_SCORE}, score=FINAL_SCORE),
        PAST,
        sheet=SHEET,
        until=".ledger, .chart",
        room=True,
    ),
    Scene(
        "history",
        state(LOOKING, position=HELD),
        (*PAST, FOUL),
        (observation(),),
        taps=(
            "More",
            "What has been said",
        ),
    ),
    Scene("why", state(LOOKING, position=HELD), PAST, (observation(),), taps=("More", "What has been said", "Why?")),
    Scene("wrong", state(LOOKING, position=HELD), PAST, (observation(),), taps=("More", "What has been said", "That is wrong")),
    Scene("menu", state(LOOKING, position=HELD), PAST, (observation(),), taps=("More",)),
    Scene("sheet", state(LOOKING, position=HELD), PAST, (observation(),), taps=("More", "Score sheet"), sheet=SHEET),
    Scene("setup-names", SETTING, (), (observation(photos=[], markers=[], seats=[]),)),
    Scene("setup-points", SETTING, (), (observation(photos=[], markers=[], seats=[]),), taps=("=Ada,Bea,Carla", "Next")),
    Scene("setup-seats", SETTING, (), (observation(photos=[], markers=[], seats=[]),), taps=("=Ada,Bea,Carla", "Next", "Next")),
)
