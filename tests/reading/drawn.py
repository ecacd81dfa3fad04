"""A drawn table, films of it, and plain finders that see its things by their colours.

The reader is judged here on what it makes of what it sees; how well real markers and photos are found is judged elsewhere. The camera
hangs straight above the middle of the table, 0.8 pixels a millimetre.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import cv2
import numpy as np

from companion import rules
from companion.reading import Post, Question, Reader, Reading, Status
from companion.reading.finders import Finders
from vision.geometry import Picture, Points, points, rectangle
from vision.observation import Differences, Marker, Photo, Side
from vision.table import Lens, Seat, Table
from vision.topview import View

WIDTH, HEIGHT, FPS = 640, 360, 10
PX_PER_MM = 0.8
MARKER_MM = 32.0
PHOTO_MM = (120.0, 80.0)
HUES = [0, 30, 45, 60, 75, 90, 105, 125, 145, 162]   # of 180: one for each marker
PAIR = ((-70.0, 20.0), (70.0, 20.0))
POOL = {value: (-100.0 + 50 * ((value - 1) % 5), -95.0 + 50 * ((value - 1) // 5)) for value in range(1, 11)}
BEFORE = {"Ada": (60.0, 175.0), "Ben": (60.0, -175.0), "Cy": (330.0, 40.0)}     # where a marker comes to lie
EDGE = {"Ada": (60.0, 300.0), "Ben": (60.0, -300.0), "Cy": (480.0, 40.0)}       # where the arm comes in
SKIN = {"Ada": (150, 175, 225), "Ben": (60, 80, 120), "Cy": (100, 130, 190)}


def box(x0: float, y0: float, x1: float, y1: float) -> tuple[tuple[float, float], ...]:
    return (x0, y0), (x1, y0), (x1, y1), (x0, y1)


TABLE = Table(
    (WIDTH, HEIGHT), Lens((1000.0, 1000.0, WIDTH / 2, HEIGHT / 2), (0.0, 0.0, 0.0, 0.0, 0.0)),
    (1 / PX_PER_MM, 0, -WIDTH / 2 / PX_PER_MM, 0, 1 / PX_PER_MM, -HEIGHT / 2 / PX_PER_MM, 0, 0, 1.0),
    (Seat("Ada", "red", box(-220, 135, 260, 225)), Seat("Ben", "blue", box(-220, -225, 260, -135)),
     Seat("Cy", "green", box(275, -130, 400, 130))),
    box(-270, -130, 270, 130))

_RNG = np.random.default_rng(11)
_WOOD = np.clip(np.array([80, 112, 140]) + cv2.resize(_RNG.normal(0, 8, (HEIGHT // 6, 8)).astype(np.float32), (WIDTH, HEIGHT),
                                                      interpolation=cv2.INTER_CUBIC)[..., None], 0, 255).astype(np.uint8)
_NOISE = _RNG.normal(0, 3, (HEIGHT + 64, WIDTH + 64, 3)).astype(np.int8)
PHOTO_PX = round(PHOTO_MM[0] * PX_PER_MM), round(PHOTO_MM[1] * PX_PER_MM)
_PRINT = cv2.resize(_RNG.integers(40, 190, (10, 15, 3), np.uint8), PHOTO_PX, interpolation=cv2.INTER_NEAREST)


@dataclass(frozen=True)
class Scene:
    """What lies on the table. Photos: middle and side; markers: middle by value. A photo or marker in a hand lies where the hand is."""

    markers: dict[int, tuple[float, float]] = field(default_factory=lambda: dict(POOL))
    photos: tuple[tuple[tuple[float, float], str], ...] = ()
    arms: tuple[tuple[str, tuple[float, float]], ...] = ()   # whose, and where the finger tips are
    light: float = 1.0
    shadow: tuple[float, float, float] | None = None         # middle and radius in mm of a soft shadow
    shift_px: tuple[float, float] = (0.0, 0.0)


def px(at: Sequence[float]) -> tuple[int, int]:
    return round(at[0] * PX_PER_MM + WIDTH / 2), round(at[1] * PX_PER_MM + HEIGHT / 2)


def draw(scene: Scene, number: int) -> Picture:
    """The frame of that number: its noise is its own."""
    out = _WOOD.copy()
    for at, side in scene.photos:
        x, y = px((at[0] - PHOTO_MM[0] / 2, at[1] - PHOTO_MM[1] / 2))
        picture = _PRINT if side == "colour" else cv2.cvtColor(cv2.cvtColor(_PRINT, cv2.COLOR_BGR2GRAY), cv2.COLOR_GRAY2BGR)
        out[y:y + PHOTO_PX[1], x:x + PHOTO_PX[0]] = picture
        cv2.rectangle(out, (x, y), (x + PHOTO_PX[0] - 1, y + PHOTO_PX[1] - 1), (255, 0, 255) if side == "colour" else (255, 255, 0), 3)
    for value, at in scene.markers.items():
        colour = cv2.cvtColor(np.array([[[HUES[value - 1], 255, 215]]], np.uint8), cv2.COLOR_HSV2BGR)[0, 0]
        half = MARKER_MM / 2
        cv2.rectangle(out, px((at[0] - half, at[1] - half)), px((at[0] + half, at[1] + half)), tuple(int(c) for c in colour), -1)
    for player, tip in scene.arms:
        edge = 1.5 * np.array(EDGE[player])   # well outside
        along = (edge - tip) / np.hypot(*(edge - tip))
        cv2.line(out, px(edge), px(np.array(tip) + 85 * along), (90, 60, 40), round(50 * PX_PER_MM))
        turn = float(np.degrees(np.arctan2(along[1], along[0])) + 90)
        cv2.ellipse(out, px(np.array(tip) + 45 * along), (round(28 * PX_PER_MM), round(46 * PX_PER_MM)), turn, 0, 360, SKIN[player], -1)
    if scene.shadow is not None:
        y, x = np.mgrid[0:HEIGHT, 0:WIDTH]
        cx, cy = px(scene.shadow[:2])
        dark = 1 - 0.35 * np.exp(-((x - cx) ** 2 + (y - cy) ** 2) / (scene.shadow[2] * PX_PER_MM) ** 2)
        out = (out * dark[..., None]).astype(np.uint8)
    if scene.shift_px != (0.0, 0.0):
        moved = np.array([[1, 0, scene.shift_px[0]], [0, 1, scene.shift_px[1]]])
        out = np.asarray(cv2.warpAffine(out, moved, (WIDTH, HEIGHT), borderMode=cv2.BORDER_REPLICATE), np.uint8)
    if scene.light != 1.0:
        out = np.asarray(cv2.convertScaleAbs(out, alpha=scene.light), np.uint8)
    y, x = number * 17 % 64, number * 29 % 64
    return np.asarray(cv2.add(out, _NOISE[y:y + HEIGHT, x:x + WIDTH], dtype=cv2.CV_8U), np.uint8)


class Film:
    """A film in the making: each step adds frames; `scene` is how the table looks now."""

    def __init__(self, scene: Scene | None = None) -> None:
        self.scene = scene or Scene()
        self.frames: list[Scene] = []

    @property
    def t(self) -> float:
        """The time of the next frame."""
        return len(self.frames) / FPS

    def show(self, *scenes: Scene) -> "Film":
        """These scenes, a frame each; the table stays as the last of them."""
        self.frames += scenes
        self.scene = scenes[-1] if scenes else self.scene
        return self

    def wait(self, seconds: float, **changes: Any) -> "Film":
        """Nothing moves, after these changes of the scene."""
        self.scene = replace(self.scene, **changes)
        return self.show(*[self.scene] * round(seconds * FPS))

    def reach(self, player: str, *, to: Sequence[float], since: Sequence[float] | None = None, seconds: float = 0.5,
              marker: int | None = None, photo: int | None = None) -> "Film":
        """An arm goes from `since` (else from its edge) to `to`, with a marker or photo in its hand."""
        begin, end = np.array(EDGE[player] if since is None else since), np.array(to)
        others = tuple(arm for arm in self.scene.arms if arm[0] != player)
        for k in range(1, round(seconds * FPS) + 1):
            at = begin + (end - begin) * k / round(seconds * FPS)
            self.show(self._holding(replace(self.scene, arms=(*others, (player, (float(at[0]), float(at[1]))))), player, marker, photo))
        return self

    def leave(self, player: str, *, seconds: float = 0.5) -> "Film":
        """The arm goes back to its edge and out of the picture."""
        tip = dict(self.scene.arms)[player]
        self.reach(player, to=EDGE[player], since=tip, seconds=seconds)
        return self.wait(0, arms=tuple(arm for arm in self.scene.arms if arm[0] != player))

    def take(self, player: str, marker: int, *, to: Sequence[float] | None = None, hold: float = 0.0) -> "Film":
        """A marker is taken from where it lies and laid before the player (or at `to`), after holding it there for a while."""
        where = self.scene.markers[marker]
        goal = BEFORE[player] if to is None else to
        self.reach(player, to=where)
        self.reach(player, to=goal, since=where, marker=marker)
        self.show(*[self.scene] * round(hold * FPS))
        return self.leave(player)

    def lay(self, player: str = "Ada", side: str = "colour") -> "Film":
        """Both photos are laid."""
        for at in PAIR:
            self.reach(player, to=at)
            self.wait(0, photos=(*self.scene.photos, (at, side)))
            self.leave(player)
        return self

    def turn(self, player: str = "Ada", *, which: Sequence[int] = (0, 1), side: str = "back") -> "Film":
        """Photos are turned."""
        for i in which:
            self.reach(player, to=self.scene.photos[i][0])
            turned = list(self.scene.photos)
            turned[i] = (turned[i][0], side)
            self.wait(0.2, photos=tuple(turned))
            self.leave(player)
        return self

    def _holding(self, scene: Scene, player: str, marker: int | None, photo: int | None) -> Scene:
        tip = dict(scene.arms)[player]
        if marker is not None:
            scene = replace(scene, markers={**scene.markers, marker: tip})
        if photo is not None:
            photos = list(scene.photos)
            photos[photo] = (tip, photos[photo][1])
            scene = replace(scene, photos=tuple(photos))
        return scene


def find_markers(view: View, photos: Sequence[Points]) -> tuple[Marker, ...]:
    """The markers that show whole, by hue."""
    hue, strong, _ = cv2.split(cv2.cvtColor(cv2.blur(view.frame, (3, 3)), cv2.COLOR_BGR2HSV))
    out = []
    for value, mine in enumerate(HUES, 1):
        mask = cv2.bitwise_and(cv2.inRange(hue, max(0, mine - 5), mine + 5), cv2.inRange(strong, 205, 255))
        if mine < 5:
            mask |= cv2.bitwise_and(cv2.inRange(hue, 175 + mine, 180), cv2.inRange(strong, 205, 255))
        for contour in cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)[0]:
            x, y, w, h = cv2.boundingRect(contour)
            if 0.8 < cv2.contourArea(contour) / (MARKER_MM * PX_PER_MM) ** 2 < 1.3 and max(w, h) < 1.3 * min(w, h):
                at = view.table.to_mm([[x + w / 2, y + h / 2]])[0]
                out.append(Marker(value, (float(at[0]), float(at[1])), None, {"found": 0.98, "value": 0.98}))
    return tuple(out)


def find_photos(view: View) -> tuple[Photo, ...]:
    """The photos whose coloured edge shows whole."""
    out = []
    for colour, side in (((255, 0, 255), "colour"), ((255, 255, 0), "back")):
        edge = (np.abs(view.frame.astype(int) - colour).max(2) < 90).astype(np.uint8)
        for contour in cv2.findContours(edge, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)[0]:
            (x, y), size, _ = cv2.minAreaRect(contour)
            if abs(max(size) / PX_PER_MM - PHOTO_MM[0]) < 8 and abs(min(size) / PX_PER_MM - PHOTO_MM[1]) < 8:
                quad = rectangle(view.table.to_mm([[x, y]])[0], PHOTO_MM)
                out.append(Photo(tuple((float(a), float(b)) for a, b in quad), side, {"found": 0.98, "side": 0.98}))   # type: ignore[arg-type]
    return tuple(out[:2])


def side_of(view: View, quad: Points) -> tuple[Side | None, float]:
    """By colour."""
    hsv = cv2.cvtColor(view.cut(quad, 48, 32), cv2.COLOR_BGR2HSV)
    return ("colour" if np.median(hsv[..., 1]) > 40 else "back"), 0.98


def count_as_five(views: Sequence[View], a: Points, b: Points) -> Differences:
    """The two drawn photos differ in five places, to anybody who sees both."""
    assert points(a).shape == points(b).shape == (4, 2)
    return Differences(True, 5, 0.97, (5, 5))


FINDERS = Finders(find_photos, side_of, find_markers, count_as_five)


@dataclass
class Told:
    """What a film made the referee say."""

    events: list[dict[str, Any]] = field(default_factory=list)     # those of the camera
    rulings: list[dict[str, Any]] = field(default_factory=list)    # on them
    questions: list[Question] = field(default_factory=list)
    statuses: list[str] = field(default_factory=list)
    at: list[float] = field(default_factory=list)                  # t of the frame at which each event was told

    def acts(self) -> list[tuple[Any, ...]]:
        """The events in short: name, player, value."""
        return [tuple(e[k] for k in ("event", "player", "value") if k in e) for e in self.events]

    def fouls(self) -> list[str]:
        return [r["key"] for r in self.rulings if r["ruling"] == "foul"]


def referee(
    film: Film, *, players: Sequence[str] = ("Ada", "Ben"), finders: Finders = FINDERS, rounds: int = 2, undone_at: float | None = None,
    restarted: tuple[float, float] | None = None,
) -> Told:
    """Reads the film and rules on what is read, as the referee's command does.

    `undone_at`: when the host takes the last ruling back; `restarted`: when the reader is killed, and when another begins.
    """
    told, reader, seq = Told(), Reader(TABLE, players, finders=finders, source="film"), 1
    state, _ = rules.rule(rules.start(), {"format": 1, "seq": seq, "t": 0, "event": "game-started", "by": "host", "game": "sherlook",
                                          "players": list(players), "settings": {"rounds": rounds}})
    reader.told(None, rules.position(state))
    for number, scene in enumerate(film.frames):
        if undone_at is not None and number == round(undone_at * FPS):
            seq += 1
            state, ruling = rules.rule(state, {"format": 1, "seq": seq, "t": undone_at, "event": "undo", "by": "host"})
            reader.told(ruling, rules.position(state))
        if restarted is not None and number == round(restarted[1] * FPS):
            reader = Reader(TABLE, players, finders=finders, source="film")
            reader.told(None, rules.position(state))
        if restarted is not None and round(restarted[0] * FPS) <= number < round(restarted[1] * FPS):
            continue
        for reading in reader.frame(draw(scene, number), number / FPS, number):
            for event in _events(told, reading):
                seq += 1
                state, ruling = rules.rule(state, {**event, "seq": seq})
                reader.told(ruling, rules.position(state))
                told.events.append(event)
                told.rulings.append(ruling)
                told.at.append(number / FPS)
    return told


def _events(told: Told, reading: Reading) -> Iterator[dict[str, Any]]:
    if isinstance(reading, Status):
        told.statuses.append(reading.key)
    elif isinstance(reading, Question):
        told.questions.append(reading)
        yield reading.likeliest()
    elif isinstance(reading, Post):
        yield reading.event
