"""Lays a table by chance: camera, light, cloth, and what lies where in the middle of a round."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from sample_frames.deck import Deck
from sample_frames.scene import art
from sample_frames.scene.camera import Camera, looking
from sample_frames.scene.hands import ORIGIN_MM, POSES, SKINS, Hand, Sleeve, hand
from sample_frames.scene.light import Light, lamp_mirrored_at
from sample_frames.scene.seats import Place, around, middle
from sample_frames.scene.sensor import Sensor
from sample_frames.scene.surfaces import SURFACES, Surface
from sample_frames.scene.things import Texture, Thing, marker, photo, pile, rounded, token
from vision.geometry import Points, contains, depth_inside, points

NAMES = ("Ada", "Bruno", "Carla", "Dario", "Elif", "Farid", "Greta", "Hugo", "Ines", "Jonas")
TOKEN_EDGES = {"green": (60, 110, 46), "yellow": (40, 150, 190), "red": (40, 40, 150)}
SLEEVES = (
    Sleeve((120, 66, 30), (200, 180, 140), "stripes"),
    Sleeve((60, 150, 200)),
    Sleeve((70, 66, 64), (150, 148, 140), "check"),
    Sleeve((84, 60, 130), (200, 190, 215), "check"),
    Sleeve((196, 200, 204)),
    Sleeve((52, 84, 60)),
)


@dataclass(frozen=True)
class Reach:
    """A hand over the table: its grip in mm, the arm's direction (degrees clockwise, 0 = from below), its height and whose it is."""

    hand: Hand = field(repr=False)
    at: tuple[float, float]
    turn: float
    height: float
    player: str
    pose: str

    def middle_mm(self, length_mm: float, width_mm: float) -> tuple[float, float]:
        """Where the middle of the hand's picture lies, seen from above."""
        dx, dy = width_mm / 2 - ORIGIN_MM[0], length_mm / 2 - ORIGIN_MM[1]
        c, s = np.cos(np.deg2rad(self.turn)), np.sin(np.deg2rad(self.turn))
        return self.at[0] + c * dx - s * dy, self.at[1] + s * dx + c * dy


@dataclass(frozen=True)
class Room:
    """What stays the same over several pictures of one table."""

    camera: Camera
    surface: Surface = field(repr=False)
    light: Light
    sensor: Sensor
    places: tuple[Place, ...]
    common: tuple[tuple[float, float], ...]
    style: art.MarkerStyle | None  # None: the deck's own markers
    mood: str
    cloth: str
    lens_known: bool


@dataclass(frozen=True)
class Laid:
    """A table as it lies: things in the order in which they were put down, and hands above."""

    things: tuple[Thing, ...]
    hands: tuple[Reach, ...]
    ids: dict[str, str]  # of photos and piles, by name
    values: dict[str, int]  # of markers
    tokens: dict[str, tuple[str, str, int]]  # colour, face, how many lie on one another
    layout: str


MOODS: dict[str, tuple[Light, float]] = {  # with the sensor's noise
    "lamp": (Light(room=0.38, tint=(0.78, 0.92, 1.06), falloff=1.0, glare=0.8, glare_mm=55, radius_mm=50), 2.4),
    "window": (Light(room=0.55, tint=(1.06, 1.0, 0.95), falloff=0.5, glare=0.5, glare_mm=150, radius_mm=160), 1.6),
    "ceiling": (Light(room=0.66, tint=(0.97, 1.0, 1.0), falloff=0.7, glare=0.6, glare_mm=75, radius_mm=180), 1.8),
    "dim": (Light(room=0.35, gain=0.62, tint=(0.74, 0.9, 1.05), falloff=1.0, glare=0.6, glare_mm=60, radius_mm=70), 4.5),
    "desk": (Light(room=0.30, gain=1.04, tint=(0.9, 0.97, 1.02), falloff=1.3, glare=1.9, glare_mm=52, radius_mm=35), 2.0),
}


def room(rng: np.random.Generator) -> Room:
    """A camera 58 to 80 cm above a table in some light."""
    eye = np.array([rng.uniform(-90, 90), rng.uniform(40, 290), rng.uniform(560, 760)])
    at = np.array([rng.uniform(-15, 15), rng.uniform(-8, 14), 0.0])
    seen_mm = rng.uniform(730, 850)
    fov = np.rad2deg(2 * np.arctan(seen_mm / 2 / np.linalg.norm(eye - at)))
    k1 = float(rng.uniform(-0.13, 0.05))
    size = (1920, 1080) if rng.random() < 0.7 else (1280, 720)
    camera = looking(
        eye_mm=eye,
        at_mm=at,
        roll_deg=float(rng.normal(0, 2.5)),
        fov_deg=float(fov),
        image_size=size,
        distortion=(k1, -0.35 * k1, float(rng.normal(0, 0.0004)), float(rng.normal(0, 0.0004)), 0.0),
        off_centre_px=(float(rng.normal(0, 5)), float(rng.normal(0, 5))),
    )
    mood = str(rng.choice(list(MOODS)))
    light, noise = MOODS[mood]
    spot = (float(rng.uniform(-300, 300)), float(rng.uniform(-190, 190)))
    height = float({"window": rng.uniform(500, 700), "ceiling": rng.uniform(1700, 2100)}.get(mood, rng.uniform(650, 1000)))
    if mood == "window":
        spot = (float(rng.choice((-1, 1)) * rng.uniform(430, 560)), float(rng.uniform(-200, 200)))
    light = replace(light, lamp_mm=lamp_mirrored_at(camera, spot, height))
    cloth = str(rng.choice(list(SURFACES)))
    surface = SURFACES[cloth](rng, (float(rng.uniform(740, 1300)), float(rng.uniform(560, 900))))
    half = (float(rng.uniform(205, 250)), float(rng.uniform(108, 122)))
    names = [str(n) for n in rng.choice(NAMES, int(rng.integers(2, 7)), replace=False)]
    style = art.marker_style(rng) if rng.random() < 0.7 else None
    return Room(
        camera,
        surface,
        light,
        Sensor(noise=noise * float(rng.uniform(0.8, 1.3)), blur_px=float(rng.uniform(0.45, 0.9)) * size[0] / 1920 + 0.1),
        around(names, half_mm=half),
        middle(half),
        style,
        mood,
        cloth,
        bool(rng.random() < 0.5),
    )


class Free:
    """Keeps what lies already, so that nothing is put where no room is."""

    def __init__(self) -> None:
        self._quads: list[tuple[Points, float]] = []

    def fits(self, at: Sequence[float], radius: float) -> bool:
        """Whether a disc of that radius touches nothing."""
        return all(-depth_inside(q, at) > radius + gap for q, gap in self._quads)

    def add(self, thing: Thing, gap: float = 1.0) -> None:
        """Keep this place taken, with a gap round it."""
        self._quads.append((points(thing.outline), gap))

    def find(
        self, rng: np.random.Generator, area: Sequence[Sequence[float]], radius: float, *, tries: int = 80
    ) -> tuple[float, float] | None:
        """A free place wholly in a polygon, or None."""
        low, high = np.min(area, 0), np.max(area, 0)
        for _ in range(tries):
            at = rng.uniform(low, high)
            if contains(area, at) and depth_inside(area, at) >= min(radius * 0.6, 12) and self.fits(at, radius):
                return float(at[0]), float(at[1])
        return None


def lay(rng: np.random.Generator, room: Room, deck: Deck) -> Laid:
    """A round under way: looking (colour sides up) or counting (backs up)."""
    things: list[Thing] = []
    ids: dict[str, str] = {}
    values: dict[str, int] = {}
    tokens: dict[str, tuple[str, str, int]] = {}
    free = Free()
    chosen = [str(p) for p in rng.choice(deck.ids, 4, replace=False)]
    layout, pair = _pair(rng, deck, chosen)
    for thing, who in zip(pair, chosen, strict=False):
        ids[thing.name] = who
        free.add(thing)
    things += pair
    half_w = room.common[1][0]
    for name, who, side in (("deck", chosen[2], 1), ("discard", chosen[3], -1)):
        at = (side * (half_w + rng.uniform(72, 92)), rng.choice((-1, 1)) * rng.uniform(140, 165))
        turn = float(rng.choice((0, 90, 180, 270)) + rng.normal(0, 6))
        heap = pile(
            name, _side(deck, who, bool(name == "discard" and rng.random() < 0.7)), deck.size_mm, at, turn, cards=int(rng.integers(2, 38))
        )
        if rng.random() < 0.75 and free.fits(at, 60):
            ids[name] = who
            free.add(heap, 4)
            things.append(heap)
    _put_tokens(rng, room, deck, free, things, tokens)
    _put_markers(rng, room, deck, free, things, values)
    for made in _household(rng):
        if rng.random() < 0.4 and free.fits(made.at, max(made.size) / 2):
            free.add(made)
            things.append(made)
    return Laid(tuple(things), _reaching(rng, room, things), ids, values, tokens, layout)


def _side(deck: Deck, who: str, back: bool) -> Texture:
    return rounded(deck.back(who) if back else deck.front(who), deck.size_mm)


def _pair(rng: np.random.Generator, deck: Deck, ids: Sequence[str]) -> tuple[str, list[Thing]]:
    """None, one or (nearly always) two photos in one of the deck's layouts, or tossed with a corner of one on the other."""
    n = int(rng.choice((0, 1, 2), p=(0.04, 0.04, 0.92)))
    overs = [180.0 if rng.random() < 0.55 else 0.0] * 2
    if rng.random() < 0.08:
        overs[1] = 180.0 - overs[0]  # one turned already
    shown = deck.layouts[int(rng.integers(len(deck.layouts)))]
    centre, turn = rng.normal(0, 9, 2), float(rng.normal(0, 4) + (180 if rng.random() < 0.3 else 0))
    c, s = np.cos(np.deg2rad(turn)), np.sin(np.deg2rad(turn))
    poses, name = [(p.x_mm, p.y_mm, p.turn_deg) for p in (shown.first, shown.second)], shown.name
    if rng.random() < 0.15:
        name = "overlap"
        poses = [
            (-45.0, -8.0, float(rng.normal(0, 12))),
            (float(rng.uniform(48, 56)), float(rng.choice((-1, 1)) * rng.uniform(30, 42)), float(rng.normal(0, 25))),
        ]
    elif name == "tossed":
        poses = [
            (-64.0 + rng.normal(0, 3), rng.normal(0, 9), float(rng.uniform(0, 360))),
            (74.0 + rng.normal(0, 3), rng.normal(0, 9), float(rng.uniform(0, 360))),
        ]
    out = []
    for k, (x, y, own) in enumerate(poses[:n]):
        at = centre + np.array([c * x - s * y, s * x + c * y]) + rng.normal(0, 1.5, 2)
        out.append(
            photo(
                f"photo{'AB'[k]}",
                _side(deck, ids[k], False),
                _side(deck, ids[k], True),
                deck.size_mm,
                at,
                own + turn + float(rng.normal(0, 2.0)),
                over=overs[k],
                lift=0.6 * k if name in ("overlap", "tossed") else 0.0,
            )
        )
    return name, out


def _put_tokens(
    rng: np.random.Generator, room: Room, deck: Deck, free: Free, things: list[Thing], tokens: dict[str, tuple[str, str, int]]
) -> None:
    sizes = dict(deck.token_mm)

    def put(name: str, colour: str, face: str, area: Sequence[Sequence[float]], stack: int = 1) -> None:
        at = free.find(rng, area, sizes[colour] / 2)
        if at is None:
            return
        number = int(rng.integers(1, 11))
        top, under = (f"green-{number:02d}", "green-back") if colour == "green" else (colour, f"{colour}-back")
        shown = top if face == "up" else under
        made = token(name, Texture(deck.token(shown)), sizes[colour], at, float(rng.uniform(0, 360)), edge=TOKEN_EDGES[colour], stack=stack)
        tokens[name] = (colour, face, stack)
        free.add(made)
        things.append(made)

    half_w, half_h = room.common[2]
    put("current", "green", "up", room.common)
    side = float(rng.choice((-1, 1)))
    corner = (
        (side * (half_w - 60), half_h - 40),
        (side * (half_w + 70), half_h - 40),
        (side * (half_w + 70), half_h + 60),
        (side * (half_w - 60), half_h + 60),
    )
    put("stack-green", "green", "down", corner, int(rng.integers(1, 10)))
    for colour in ("yellow", "red"):
        put(f"stack-{colour}", colour, "up", corner, int(rng.integers(1, 10)))
    for place in room.places:
        for k in range(int(rng.integers(0, 4))):
            colour = str(rng.choice(("green", "yellow", "red")))
            put(f"won-{place.seat.name}-{k}", colour, "up" if rng.random() < 0.7 else "down", place.seat.area)


def _put_markers(rng: np.random.Generator, room: Room, deck: Deck, free: Free, things: list[Thing], values: dict[str, int]) -> None:
    size = deck.marker_mm if room.style is None else float(rng.choice((28.0, 32.0, 36.0)))
    art_of = {v: deck.marker(v) if room.style is None else art.draw_marker(v, room.style, size) for v in range(1, 11)}
    disc, gloss = room.style is not None and room.style.disc, float(rng.uniform(0.2, 0.5))
    order = [int(v) for v in rng.permutation(10) + 1]
    takers = [p for p in room.places if rng.random() < 0.75]
    upright = rng.random() < 0.5
    orderly = _orderly(rng, size) if rng.random() < 0.7 else []

    def put(value: int, at: tuple[float, float], turn: float, tent: bool) -> None:
        made = marker(f"marker{value}", Texture(art_of[value]), size, at, turn, disc=disc, tent=tent, gloss=gloss)
        values[made.name] = value
        free.add(made)
        things.append(made)

    for place in takers:
        value = order.pop()
        at = free.find(rng, place.seat.area, size * 0.62)
        if at is not None:
            facing = {"bottom": 0.0, "left": 90.0, "top": 180.0, "right": 270.0}[place.side]
            put(value, at, facing + float(rng.normal(0, 18)), bool(not disc and rng.random() < 0.15))
    for value in sorted(order) if upright else order:
        spot: tuple[float, float] | None = None
        while orderly and spot is None:
            x, y = orderly.pop(0)
            near = (x + float(rng.normal(0, 1.5)), y + float(rng.normal(0, 1.5)))
            spot = near if free.fits(near, size * 0.52) else None
        spot = spot or free.find(rng, room.common, size * 0.62)
        if spot is not None:
            put(value, spot, float(rng.normal(0, 6) if upright else rng.uniform(0, 360)), False)


def _orderly(rng: np.random.Generator, size: float) -> list[tuple[float, float]]:
    """Places as people lay markers: a row below the photos, two columns beside them, or a ring round them."""
    kind, step = str(rng.choice(("row", "columns", "ring"))), size * float(rng.uniform(1.1, 1.35))
    if kind == "row":
        y = float(rng.choice((-1, 1))) * float(rng.uniform(84, 96))
        return [((k - 4.5) * step, y) for k in range(10)]
    if kind == "columns":
        x = float(rng.uniform(158, 180))
        return [(side * x, (k - 2) * step) for side in (-1, 1) for k in range(5)]
    return [(195 * float(np.cos(a)), 96 * float(np.sin(a))) for a in np.linspace(0, 2 * np.pi, 14, endpoint=False)]


def _household(rng: np.random.Generator) -> list[Thing]:
    """Things that have nothing to do with the game, near the border of the picture."""

    def edge() -> tuple[float, float]:
        return float(rng.choice((-1, 1)) * rng.uniform(250, 340)), float(rng.uniform(-190, 190))

    return [
        art.phone(edge(), float(rng.uniform(0, 360))),
        art.pencil(edge(), float(rng.uniform(0, 360))),
        art.cup(rng, edge()),
        art.plate(rng, edge()),
    ]


def _reaching(rng: np.random.Generator, room: Room, things: Sequence[Thing]) -> tuple[Reach, ...]:
    """Mostly no hand; else one (at times two) that points, takes or covers."""
    out: list[Reach] = []
    count = int(rng.choice((0, 1, 2), p=(0.62, 0.3, 0.08)))
    wanted = [t for t in things if t.kind in ("photo", "marker")] or list(things)
    for place in [room.places[int(i)] for i in rng.permutation(len(room.places))[:count]]:
        aim = wanted[int(rng.integers(len(wanted)))]
        at = (aim.at[0] + float(rng.normal(0, 25)), aim.at[1] + float(rng.normal(0, 20)))
        pose = str(rng.choice(POSES))
        turn = arm_turn(place.shoulder_mm, at) + float(rng.normal(0, 6))
        drawn = hand(
            pose,
            skin=SKINS[str(rng.choice(list(SKINS)))],
            sleeve=SLEEVES[int(rng.integers(len(SLEEVES)))],
            left=bool(rng.random() < 0.4),
            light_from_deg=light_in_hand(room.light, at, turn),
            seed=int(rng.integers(1 << 30)),
        )
        out.append(Reach(drawn, at, turn, float(rng.uniform(8, 30)), place.seat.name, pose))
    return tuple(out)


def arm_turn(shoulder_mm: Sequence[float], at_mm: Sequence[float]) -> float:
    """The turn of a hand at `at_mm` whose arm comes from the shoulder: 0 when it comes straight from below."""
    return float(np.rad2deg(np.arctan2(-(shoulder_mm[0] - at_mm[0]), shoulder_mm[1] - at_mm[1])))


def light_in_hand(light: Light, at_mm: Sequence[float], turn_deg: float) -> float:
    """The lamp's direction in the frame of a hand, degrees clockwise from its +x."""
    return float(np.rad2deg(np.arctan2(light.lamp_mm[1] - at_mm[1], light.lamp_mm[0] - at_mm[0]))) - turn_deg
