"""Several things at the same time: OpenCV and numpy let go of Python's lock while they work, so a second core halves the wait.

Threads are begun for each call and end with it: what is done beside may itself do things beside each other, and nothing waits for a place.
"""

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

CORES = 2      # of the machine that a table is refereed on; more hands at once only wait for each other

A = TypeVar("A")
B = TypeVar("B")


def both(one: Callable[[], A], other: Callable[[], B]) -> tuple[A, B]:
    """What two pieces of work give that know nothing of each other."""
    with ThreadPoolExecutor(1) as beside:
        second = beside.submit(other)
        return one(), second.result()


def each(work: Callable[[A], B], things: Sequence[A]) -> list[B]:
    """What the work makes of each thing, in the order of the things."""
    if len(things) < 2:
        return [work(thing) for thing in things]
    with ThreadPoolExecutor(CORES) as hands:
        return list(hands.map(work, things))
