"""A film's time line: where every thing lies and every hand is at any moment, as moves between rests.

Arms write it: each has its own clock, and whatever it carries moves with it. Nothing here draws or decides.
"""

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from sample_frames.scene.seats import Place
from sample_frames.scene.things import Thing

SPEED_MM_S = 640.0
QUICKEST_S = 0.34
CARRY_MM = 26.0  # how high things are carried
CLEAR_MM, CLEAR_PHOTO_MM = 48.0, 100.0  # the grip this far from the middle has left a marker or token, a photo


@dataclass(frozen=True)
class Pose:
    """Of a thing: x, y, lift in mm, turn and over in degrees."""

    at: tuple[float, float]
    turn: float = 0.0
    lift: float = 0.0
    over: float = 0.0


@dataclass(frozen=True)
class Move:
    """A thing goes from one pose to another; `arc` mm higher in between; `beneath` other things that move."""

    start: float
    end: float
    before: Pose
    after: Pose
    arc: float
    beneath: bool = False

    def pose(self, t: float) -> Pose:
        u = eased((t - self.start) / (self.end - self.start))
        a, b = self.before, self.after

        def mix(x: float, y: float) -> float:
            return x + (y - x) * u

        return Pose(
            (mix(a.at[0], b.at[0]), mix(a.at[1], b.at[1])),
            mix(a.turn, b.turn),
            mix(a.lift, b.lift) + self.arc * float(np.sin(np.pi * u)),
            mix(a.over, b.over),
        )


@dataclass
class Actor:
    """A thing with its moves in time; it is on the table from `appears` to `vanishes`."""

    thing: Thing
    pose: Pose
    appears: float = 0.0
    vanishes: float = float("inf")
    moves: list[Move] = field(default_factory=list)

    def at(self, t: float) -> Thing:
        """The thing as it is at that moment."""
        k = bisect_right([m.start for m in self.moves], t) - 1
        pose = self.pose if k < 0 else self.moves[k].pose(min(t, self.moves[k].end))
        return self.thing.moved(pose.at, turn=pose.turn, lift=pose.lift, over=pose.over)

    def rest(self) -> Pose:
        """Where it lies after all moves so far."""
        return self.moves[-1].after if self.moves else self.pose

    def moving(self, t: float) -> Move | None:
        """The move under way, if any."""
        return next((m for m in self.moves if m.start <= t < m.end), None)


@dataclass(frozen=True)
class Stroke:
    """A hand goes from one place to another: (x, y, height) in mm."""

    start: float
    end: float
    before: tuple[float, float, float]
    after: tuple[float, float, float]
    pose: str
    arc: float = 0.0

    def at(self, t: float) -> tuple[float, float, float]:
        u = eased((t - self.start) / (self.end - self.start)) if self.end > self.start else 1.0
        x, y, z = (a + (b - a) * u for a, b in zip(self.before, self.after, strict=True))
        return x, y, z + self.arc * float(np.sin(np.pi * u))


class Stage:
    """All that happens, by time. Actors are kept in the order in which they came onto the table."""

    def __init__(self) -> None:
        self.actors: dict[str, Actor] = {}
        self.strokes: dict[str, list[Stroke]] = {}

    def put(self, thing: Thing, *, appears: float = 0.0) -> Actor:
        """Bring a thing onto the table."""
        actor = Actor(thing, Pose(thing.at, thing.turn, thing.lift, thing.over), appears)
        self.actors[thing.name] = actor
        return actor

    def hand(self, player: str, t: float) -> Stroke | None:
        """What a player's hand does at that moment; None while it is away."""
        return next((s for s in self.strokes.get(player, []) if s.start <= t < s.end), None)

    def left(self, player: str, at: Sequence[float], since: float, *, clear_mm: float = CLEAR_MM) -> float:
        """The moment after `since` at which the player's hand is clear of a place."""
        for k in range(200):
            t = since + k * 0.02
            stroke = self.hand(player, t)
            if stroke is None or np.hypot(stroke.at(t)[0] - at[0], stroke.at(t)[1] - at[1]) > clear_mm:
                return round(t, 2)
        raise ValueError(f"the hand of {player} never leaves {tuple(at)}")


class Arm:
    """One player's arm. Each call moves its clock `t` on; it comes from, and goes back to, beyond the picture's border."""

    def __init__(self, stage: Stage, place: Place, rng: np.random.Generator) -> None:
        self.stage, self.place, self.rng = stage, place, rng
        self.t = 0.0
        self._here: tuple[float, float, float] | None = None
        self._pose = "pinch"

    def wait(self, seconds: float) -> None:
        """Stay; a hand over the table hovers where it is."""
        if self._here is not None and seconds > 0:
            drift = (self._here[0] + float(self.rng.normal(0, 1.5)), self._here[1] + float(self.rng.normal(0, 1.5)), self._here[2])
            self._stroke(drift, seconds)
        else:
            self.t += max(0.0, seconds)

    def wait_until(self, t: float) -> None:
        """Stay until a moment, if it is yet to come."""
        self.wait(t - self.t)

    def reach(self, at: Sequence[float], *, height: float = 6.0, pose: str = "pinch", seconds: float | None = None) -> None:
        """Go to a place, from beyond the border if the hand is away."""
        if self._here is None:
            self._here = self._outside(at)
        self._pose = pose
        self._stroke((float(at[0]), float(at[1]), height), seconds)

    def carry(
        self,
        name: str,
        to: Pose,
        *,
        grip: Sequence[float] = (0.0, 0.0),
        arc: float = CARRY_MM,
        seconds: float | None = None,
        beneath: bool = False,
    ) -> None:
        """Take what the hand is at to another pose; `grip` is where the hand ends, seen from the thing's new middle."""
        actor = self.stage.actors[name]
        before, start = actor.rest(), self.t + 0.14
        self.wait(0.14)
        assert self._here is not None, "a hand that is away carries nothing"
        self._stroke((to.at[0] + grip[0], to.at[1] + grip[1], 6.0 + to.lift), seconds, arc)
        actor.moves.append(Move(start, self.t, before, to, arc, beneath))
        self.wait(0.1)

    def leave(self) -> None:
        """Go away beyond the border."""
        if self._here is not None:
            self._stroke(self._outside(self._here), None)
            self._here = None

    def _stroke(self, to: tuple[float, float, float], seconds: float | None, arc: float = 0.0) -> None:
        assert self._here is not None
        far = float(np.hypot(to[0] - self._here[0], to[1] - self._here[1]))
        lasts = seconds if seconds is not None else max(QUICKEST_S, far / SPEED_MM_S) * float(self.rng.uniform(0.92, 1.1))
        self.stage.strokes.setdefault(self.place.seat.name, []).append(Stroke(self.t, self.t + lasts, self._here, to, self._pose, arc))
        self._here, self.t = to, self.t + lasts

    def _outside(self, at: Sequence[float]) -> tuple[float, float, float]:
        """Beyond the picture's border, on the way to the shoulder."""
        sx, sy = self.place.shoulder_mm
        x, y = {
            "bottom": (at[0] * 0.8 + sx * 0.2, 300.0),
            "top": (at[0] * 0.8 + sx * 0.2, -330.0),
            "left": (-470.0, at[1] * 0.8 + sy * 0.2),
            "right": (470.0, at[1] * 0.8 + sy * 0.2),
        }[self.place.side]
        return x, y, 30.0


def eased(u: float) -> float:
    """Minimum-jerk progress 0..1, as hands move."""
    u = min(1.0, max(0.0, u))
    return u * u * u * (10 - 15 * u + 6 * u * u)
