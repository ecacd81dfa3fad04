"""The circles that decks print on the backs of their photos: where they lie and how they look."""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.geometry import Picture

Hulls = list[tuple[str, list[NDArray[np.int32]]]]  # of each difference: its kind and the outlines of its parts
LARGEST = 0.12  # radius, of the width
NUMBERS = ("none", "none", "none", "disc", "disc", "inside")  # each as likely


@dataclass(frozen=True)
class RingStyle:
    """How one deck prints its circles."""

    ink: tuple[int, int, int]
    edge: tuple[int, int, int] | None
    line: float  # of the width
    radius: tuple[float, float]  # of the width
    aspect: float
    number: str  # none, disc, inside
    turn: float  # radians: where a disc sits on the line
    disc: float  # its radius, of the ring's
    paper: bool  # the disc is of paper with an edge of ink, not of ink

    @staticmethod
    def drawn(rng: np.random.Generator) -> "RingStyle":
        ink, edge = [
            ((15, 15, 15), None),
            ((245, 245, 245), (20, 20, 20)),
            ((240, 240, 240), None),
            ((30, 30, 200), None),
            ((40, 40, 170), (235, 235, 235)),
            ((90, 90, 90), (210, 210, 210)),
            ((10, 10, 10), (240, 240, 240)),
        ][int(rng.integers(7))]
        low = float(np.exp(rng.uniform(np.log(0.011), np.log(0.05))))
        return RingStyle(
            ink,
            edge,
            float(rng.uniform(0.0018, 0.008)),
            (low, low * float(rng.uniform(1, 1.8))),
            float(rng.choice([1, 1, rng.uniform(0.75, 1.3)])),
            str(rng.choice(NUMBERS)),
            float(rng.choice([-0.75, -0.25, rng.uniform(-1, 1)]) * np.pi),
            float(rng.uniform(0.35, 0.65)),
            bool(rng.random() < 0.5),
        )


RingAt = tuple[float, float, float, float]  # x, y, radius across, radius down


def ring_places(rng: np.random.Generator, hulls: Hulls, style: RingStyle, width: int, height: int) -> tuple[list[RingAt], list[RingAt]]:
    """Where rings are printed on A and on B.

    A deck rings either each photo's own departures, so that one that both have in common is ringed on both, or every place that varies.
    """
    both: tuple[list[RingAt], list[RingAt]] = ([], [])
    everywhere, seldom = rng.random() < 0.4, rng.random() < 0.12

    def ring(x: float, y: float, least: float, sides: tuple[int, ...]) -> None:
        r = max(least, width * float(rng.uniform(*style.radius)))
        if r <= LARGEST * width:
            for side in sides:
                both[side].append((x, y, r * style.aspect**0.5, r / style.aspect**0.5))

    for _, parts in hulls:
        if seldom and rng.random() < 0.3:
            continue
        x, y, w, h = cv2.boundingRect(np.concatenate(parts))
        least = max(w, h) / 2 * float(rng.uniform(1.0, 1.4))
        sides = (0, 1) if everywhere or rng.random() < 0.2 else (int(rng.integers(2)),)
        ring(x + w / 2 + float(rng.normal(0, 3)), y + h / 2 + float(rng.normal(0, 3)), least, sides)
    for _ in range(int(rng.integers(0, 8))):
        sides = (int(rng.integers(2)),) if seldom and rng.random() < 0.3 else (0, 1)
        ring(float(rng.uniform(0.02, 0.98) * width), float(rng.uniform(0.02, 0.98) * height), 0.0, sides)
    return both


def print_rings(rng: np.random.Generator, picture: Picture, where: list[RingAt], style: RingStyle) -> None:
    """Prints circles, with numerals where the style has them, onto the picture. Each print numbers its own, in whatever order."""
    height, width = picture.shape[:2]
    four = cv2.resize(picture, None, fx=2, fy=2, interpolation=cv2.INTER_LINEAR)
    numbers = 1 + (rng.permutation(len(where)) if rng.random() < 0.6 else np.arange(len(where)))
    for n, (x, y, across, down) in zip(numbers, where, strict=True):
        r, axes = (across * down) ** 0.5, (round(2 * across), round(2 * down))
        line = max(1, round(2 * width * style.line))
        centre = (round(2 * x), round(2 * y))
        if style.edge is not None:
            cv2.ellipse(four, centre, axes, 0, 0, 360, style.edge, line + max(2, round(line * 0.8)), cv2.LINE_AA)
        cv2.ellipse(four, centre, axes, 0, 0, 360, style.ink, line, cv2.LINE_AA)
        if style.number != "none":
            scale = r / 22 * float(rng.uniform(0.5, 0.7))
            if style.number == "disc":
                at = (centre[0] + round(axes[0] * np.cos(style.turn)), centre[1] + round(axes[1] * np.sin(style.turn)))
                pale = (250, 250, 250) if sum(style.ink) < 400 else (10, 10, 10)
                ground, pen = (pale, style.ink) if style.paper else (style.ink, pale)
                size = round(2 * style.disc * r)
                cv2.circle(four, at, size, ground, -1, cv2.LINE_AA)
                if style.paper:
                    cv2.circle(four, at, size, style.ink, max(1, line // 2), cv2.LINE_AA)
                scale *= style.disc / 0.35
                corner = (at[0] - round(0.65 * size), at[1] + round(0.6 * size))
                cv2.putText(four, str(n), corner, 0, scale, pen, max(1, round(2 * scale)), cv2.LINE_AA)
            else:
                inside = (centre[0] - axes[0] // 2, centre[1] - axes[1] // 5)
                cv2.putText(four, str(n), inside, 0, scale, (250, 250, 250), max(2, round(4 * scale)), cv2.LINE_AA)
                cv2.putText(four, str(n), inside, 0, scale, style.ink, max(1, round(2 * scale)), cv2.LINE_AA)
    picture[:] = cv2.resize(four, (width, height), interpolation=cv2.INTER_AREA)
