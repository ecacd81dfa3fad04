"""What a reader says: an event for the rules, a question for the host, or a word on the camera."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from vision.observation import ASSERTED

Event = dict[str, Any]

FORMAT = 1
LEAST_CHOICE = 0.01   # what is less probable is no choice to offer


@dataclass(frozen=True, slots=True)
class Evidence:
    """The frame that a reading rests on."""

    source: str
    frame: int     # number of the frame in its source
    sure: float    # probability that it is read rightly
    witnesses: Mapping[str, int | None] = field(default_factory=dict)   # what each of several witnesses says by itself

    def as_dict(self) -> dict[str, Any]:
        """As the field `evidence` of an event or a question."""
        told = {"witnesses": dict(self.witnesses)} if self.witnesses else {}
        return {"source": self.source, "frame": self.frame, "sure": round(self.sure, 3), **told}


@dataclass(frozen=True, slots=True)
class Post:
    """An event that was seen (events.md §6), without `seq`."""

    event: Event


@dataclass(frozen=True, slots=True)
class Question:
    """What cannot be told from the pictures: the choices with their probabilities, likeliest first."""

    about: str
    t: float
    choices: tuple[tuple[Event, float], ...]
    evidence: Evidence

    def as_dict(self, number: int) -> dict[str, Any]:
        """The line of contract §8."""
        return {"format": FORMAT, "ruling": "question", "question": number, "t": round(self.t, 3), "about": self.about,
                "choices": [{"event": event, "sure": round(sure, 3)} for event, sure in self.choices], "evidence": self.evidence.as_dict()}

    def likeliest(self) -> Event:
        """The event to go on with where nobody can be asked."""
        return self.choices[0][0]


@dataclass(frozen=True, slots=True)
class Status:
    """A word on what the reader can see: `camera-moved`, `camera-back`, `too-dark`, `light-again`."""

    key: str
    t: float


Reading = Post | Question | Status


def camera_event(name: str, t: float, evidence: Evidence, **fields: Any) -> Event:
    """An event as the camera posts it; `t` to the millisecond."""
    return {"format": FORMAT, "t": round(t, 3), "event": name, "by": "camera", **fields, "evidence": evidence.as_dict()}


def say(name: str, t: float, choices: tuple[tuple[dict[str, Any], float], ...], evidence: Evidence) -> Post | Question:
    """An event where the likeliest of the choices (fields, probability) can be asserted, else a question. Likeliest first."""
    likely = [choice for i, choice in enumerate(choices) if i == 0 or choice[1] >= LEAST_CHOICE]
    events = tuple((camera_event(name, t, replace(evidence, sure=sure), **fields), sure) for fields, sure in likely)
    return Post(events[0][0]) if events[0][1] >= ASSERTED else Question(name, t, events, evidence)
