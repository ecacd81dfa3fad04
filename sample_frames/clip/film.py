"""Draws the frames of a stage: a still table is painted once, and only what moves is painted anew.

Every frame can be drawn alone and comes out the same, so that several processes can share the work.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from sample_frames.clip.acts import Evening
from sample_frames.clip.plan import PLAYERS, Json, plan
from sample_frames.clip.stage import Stage
from sample_frames.deck import Deck
from sample_frames.scene import art
from sample_frames.scene.arrange import SLEEVES, Reach, arm_turn, light_in_hand
from sample_frames.scene.camera import Camera, looking
from sample_frames.scene.hands import SKINS, Hand, hand
from sample_frames.scene.light import Light
from sample_frames.scene.paint import Box, Canvas, bare_table
from sample_frames.scene.seats import Place, around, middle
from sample_frames.scene.sensor import WHOLE, Sensor, focused, lit, vignetting
from sample_frames.scene.stills import put_hand
from sample_frames.scene.surfaces import SURFACES
from sample_frames.scene.things import Thing

FPS = 15
SIZE = (1280, 720)
SHAKE_PX = 0.22
NOISE_LEVELS = 1.1
GLARE_FRAMES = 8  # the glare moves every so many frames, by two levels at most
RIM = 6  # pixels round what moved that the lens blurs it into
LOOKS = {
    "Ada": ("rosy", 4, False),
    "Bruno": ("dark", 3, True),
    "Carla": ("tan", 1, False),
    "Dario": ("fair", 0, True),
}  # skin, sleeve, left-handed
Picture = NDArray[np.uint8]
Field = NDArray[np.float32]


@dataclass(frozen=True)
class Set:
    """Where the film is shot: camera, light, seats. The same for every frame."""

    camera: Camera
    light: Light
    places: tuple[Place, ...]
    common: tuple[tuple[float, float], ...]
    props: tuple[Thing, ...]


def shooting_place() -> Set:
    """A webcam on a shelf, 70 cm above an oak table in the evening."""
    camera = looking(
        eye_mm=(24, 172, 684),
        at_mm=(0, 6, 0),
        roll_deg=1.1,
        fov_deg=58.5,
        image_size=SIZE,
        distortion=(-0.072, 0.021, 3e-4, -2e-4, 0.0),
        off_centre_px=(3.0, -2.0),
    )
    light = Light(
        lamp_mm=(-330.0, -520.0, 900.0), radius_mm=75, room=0.5, gain=1.0, tint=(0.88, 0.96, 1.02), falloff=0.8, glare=0.42, glare_mm=58
    )
    rng = np.random.default_rng(8)
    props = (art.cup(rng, (-318.0, -176.0)), art.pencil((-262.0, -178.0), 62.0))
    return Set(camera, light, around(PLAYERS), middle(), props)


def evening(deck: Deck, *, seed: int = 1) -> tuple[Set, Stage, list[Json], float]:
    """The whole game. -> the set, the stage, the true events, the length in seconds."""
    here = shooting_place()
    stage, events, seconds = Evening(deck, plan(deck, seed=seed), here.places, np.random.default_rng(seed)).play()
    return here, stage, events, seconds


class Film:
    """Draws frames one after another; keeps what lies still."""

    def __init__(self, here: Set, stage: Stage) -> None:
        self.here, self.stage = here, stage
        self.bare = bare_table(here.camera, SURFACES["oak"](np.random.default_rng(5), (1000.0, 800.0)))
        for prop in here.props:
            self.bare.thing(prop, here.light)
        self.falling = here.light.falling(here.camera) * vignetting(SIZE, 0.10)
        self.sensor = Sensor(blur_px=0.55, sharpen=0.3)
        grain = np.random.default_rng(77).normal(128.5, NOISE_LEVELS, (6, SIZE[1] + 64, SIZE[0] + 64))
        self.grain = [np.repeat(g[..., None], 3, -1).astype(np.uint8) for g in grain]
        self._lying: tuple[tuple[str, int], ...] = ()
        self._still, self._work = self.bare.copy(), self.bare.copy()
        self._glow_of: tuple[int, Field] = (-1, self.falling[..., 0])
        self._calm: tuple[int, Picture] | None = None
        self._hands: dict[tuple[str, str], Hand] = {}

    def frame(self, number: int) -> Picture:
        """Frame number `number`, counted from 0."""
        t = number / FPS
        self._settle(t)
        picture = self._calm_picture(number).copy()
        canvas = self._work
        canvas.touched.clear()
        self._paint_movers(canvas, t)
        for reach in self._reaching(t):
            put_hand(canvas, reach, self.here.light, 0)
        for box in canvas.touched:
            self._develop(canvas, number, box, picture)
        for box in canvas.touched:
            canvas.restore(self._still, box)
        return self._recorded(picture, number, t)

    def _settle(self, t: float) -> None:
        """Bring the still table up to what lies at that moment."""
        lying = []
        for actor in self.stage.actors.values():
            if actor.appears <= t < actor.vanishes and actor.moving(t) is None:
                done = [m.end for m in actor.moves if m.end <= t]
                lying.append((done[-1] if done else actor.appears, actor.thing.name, len(done)))
        lying.sort(key=lambda row: row[0])  # what was laid later lies above
        key = tuple((name, moves) for _, name, moves in lying)
        if key == self._lying:
            return
        known = len(self._lying)
        added = key[:known] == self._lying
        canvas = self._still if added else self.bare.copy()
        for name, _ in key[known:] if added else key:
            canvas.thing(self.stage.actors[name].at(t), self.here.light)
        self._still, self._lying, self._work, self._calm = canvas, key, canvas.copy(), None

    def _paint_movers(self, canvas: Canvas, t: float) -> None:
        """What is carried, the lowest first; what slides beneath a pile has the pile painted over it again."""
        there = [actor for actor in self.stage.actors.values() if actor.appears <= t < actor.vanishes]
        moving = [(move, actor.at(t)) for actor in there if (move := actor.moving(t)) is not None]
        for move, thing in sorted(moving, key=lambda pair: (not pair[0].beneath, pair[1].lift)):
            canvas.thing(thing, self.here.light)
            if move.beneath:
                for actor in there:
                    if actor.thing.kind == "pile":
                        canvas.thing(actor.at(t), self.here.light)

    def _calm_picture(self, number: int) -> Picture:
        """The still table as the lens shows it, without shake and noise."""
        tick = number // GLARE_FRAMES
        if self._calm is None or self._calm[0] != tick:
            self._calm = tick, self._levels(self._still, number, WHOLE)
        return self._calm[1]

    def _levels(self, canvas: Canvas, number: int, box: Box) -> Picture:
        """A part of the picture before shake and noise."""
        light = lit(canvas, self.falling, self._glow(number // GLARE_FRAMES), box)
        return focused(np.asarray(cv2.convertScaleAbs(light, alpha=255.0), np.uint8), self.sensor)

    def _develop(self, canvas: Canvas, number: int, box: Box, picture: Picture) -> None:
        """Show a part of the canvas in the picture, with the rim into which the lens blurs it, and blur that rim with what is beyond."""
        outer = tuple(slice(max(0, s.start - 2 * RIM), min(n, s.stop + 2 * RIM)) for s, n in zip(box, picture.shape, strict=False))
        inner = tuple(slice(max(0, s.start - RIM), min(n, s.stop + RIM)) for s, n in zip(box, picture.shape, strict=False))
        levels = self._levels(canvas, number, (outer[0], outer[1]))
        local = tuple(slice(i.start - o.start, i.stop - o.start) for i, o in zip(inner, outer, strict=True))
        picture[inner] = levels[local]

    def _glow(self, tick: int) -> Field:
        """The mirrored lamp, which wanders slowly."""
        if self._glow_of[0] != tick:
            t = tick * GLARE_FRAMES / FPS
            spot = (150.0 + 80.0 * float(np.sin(t / 23.0)), -105.0 + 45.0 * float(np.cos(t / 17.0)))
            self._glow_of = tick, self.here.light.glow(self.here.camera, spot)
        return self._glow_of[1]

    def _reaching(self, t: float) -> Iterator[Reach]:
        for place in self.here.places:
            name = place.seat.name
            stroke = self.stage.hand(name, t)
            if stroke is None:
                continue
            x, y, height = stroke.at(t)
            turn = arm_turn(place.shoulder_mm, (x, y))
            yield Reach(self._hand(place, stroke.pose), (x, y), turn, height, name, stroke.pose)

    def _hand(self, place: Place, pose: str) -> Hand:
        """A player's hand in that pose, lit as it is in the middle of the table."""
        name, turn = place.seat.name, arm_turn(place.shoulder_mm, (0.0, 0.0))
        if (name, pose) not in self._hands:
            skin, sleeve, left = LOOKS[name]
            self._hands[name, pose] = hand(
                pose,
                skin=SKINS[skin],
                sleeve=SLEEVES[sleeve],
                left=left,
                light_from_deg=light_in_hand(self.here.light, (0.0, 0.0), turn),
                seed=len(name) * 31 + len(pose),
            )
        return self._hands[name, pose]

    def _recorded(self, picture: Picture, number: int, t: float) -> Picture:
        """Shake and noise."""
        rng = np.random.default_rng([11, number])
        sway = SHAKE_PX * np.array([np.sin(t * 2.1) + 0.5 * np.sin(t * 7.3), np.cos(t * 1.7) + 0.5 * np.cos(t * 6.1)]) / 1.5
        shifted = cv2.warpAffine(
            picture, np.array([[1, 0, sway[0]], [0, 1, sway[1]]]), SIZE, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
        )
        x, y = (int(v) for v in rng.integers(0, 64, 2))
        grain = self.grain[number % len(self.grain)][y : y + SIZE[1], x : x + SIZE[0]]
        return np.asarray(cv2.addWeighted(shifted, 1.0, grain, 1.0, -128.0), np.uint8)
