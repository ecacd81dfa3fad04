"""How many differences: one look where that is enough, else several settled frames fused before anything is asked."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from companion.reading.finders import Finders
from vision.differences.frames import MOST_OF_A_PAIR
from vision.geometry import Points
from vision.observation import ASSERTED, Differences
from vision.topview import View

LOOKS = 4               # frames that are fused before it is asked
PATIENCE_S = 4.0        # how long a hand over the photos is waited for, where some frames are there already
COUNTS = range(1, MOST_OF_A_PAIR + 1)   # what a pair of a deck can come to
Choices = tuple[tuple[dict[str, int], float], ...]


@dataclass(frozen=True, slots=True)
class Counted:
    """What was counted on a pair as it lies. Quads (4, 2) mm begin at the pictures' own top left where that is known (`upright`)."""

    a: Points
    b: Points
    said: Differences
    upright: bool


class Counting:
    """The counting of one round. `done` once it has answered."""

    def __init__(self, finders: Finders) -> None:
        self._finders = finders
        self._views: list[View] = []
        self.shown: Differences | None = None     # what the pictures alone say
        self._answer: Differences | None = None
        self._since: float | None = None
        self.done = False

    @property
    def answer(self) -> Differences | None:
        """What was counted so far."""
        return self._answer

    def look(self, view: View, a: Points, b: Points, *, fuse: Callable[[Differences], Differences] = lambda said: said) -> Choices:
        """One more settled frame with the photos at these quads (mm). Empty while another look is worth waiting for.

        `fuse` joins what the pictures show with what another witness knows of these photos.
        """
        self._views.append(view)
        self.shown = self._finders.count(self._views, a, b)
        self._answer = fuse(self.shown)
        if (self._answer.count is None or self._answer.probability < ASSERTED) and len(self._views) < LOOKS:
            return ()
        self.done = True
        return choices(self._answer)

    def wait(self, t: float) -> Choices:
        """A frame in which the photos cannot be seen. The answer so far, when waiting has been long enough."""
        self._since = t if self._since is None else self._since
        if self._answer is None or t - self._since < PATIENCE_S:
            return ()
        self.done = True
        return choices(self._answer)


def choices(answer: Differences) -> Choices:
    """The counts with their probabilities, likeliest first: what is not given to the count is shared by the others in range."""
    low, high = answer.range if isinstance(answer.range, tuple) else (COUNTS[0], COUNTS[-1])
    count = answer.count
    if count is None:
        likely: Sequence[int] = range(low, high + 1)
        return tuple(({"count": n}, 1 / len(likely)) for n in likely)
    others = [n for n in range(low, high + 1) if n != count] or [n for n in (count - 1, count + 1) if n in COUNTS]
    others.sort(key=lambda n: (abs(n - count), n))
    share = (1 - answer.probability) / len(others)
    return (({"count": count}, answer.probability), *(({"count": n}, share) for n in others))
