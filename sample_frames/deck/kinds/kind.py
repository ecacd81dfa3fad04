"""What a drawn kind of thing is: a name that a child would say, a drawing, and its usual colour."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

from sample_frames.deck.pen import Extent, Pen

Drawing = Callable[[Pen, str], None]


@dataclass(frozen=True)
class Kind:
    """`draw(pen, colour)` draws it in its unit box, standing on y = 0, with `colour` on its largest part."""

    name: str
    draw: Drawing
    colour: str

    @cached_property
    def extent(self) -> Extent:
        """The box that the drawing fills, in units of its own box."""
        pen = Pen()
        self.draw(pen, self.colour)
        return pen.extent


class Kinds(dict[str, Kind]):
    """A family of kinds by name; its drawings are put in with the decorator `@FAMILY.drawn("#usual colour")`."""

    def drawn(self, colour: str) -> Callable[[Drawing], Drawing]:
        def keep(draw: Drawing) -> Drawing:
            name = draw.__name__.replace("_", " ")
            self[name] = Kind(name, draw, colour)
            return draw

        return keep
