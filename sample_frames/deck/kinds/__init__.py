"""All kinds of things that the deck can show, by name."""

from __future__ import annotations

from sample_frames.deck.kinds.animals import ANIMALS
from sample_frames.deck.kinds.clothes import CLOTHES
from sample_frames.deck.kinds.food import FOOD
from sample_frames.deck.kinds.house import HOUSE
from sample_frames.deck.kinds.kind import Kind
from sample_frames.deck.kinds.kitchen import KITCHEN
from sample_frames.deck.kinds.sky import SKY
from sample_frames.deck.kinds.toys import TOYS

FAMILIES = (FOOD, KITCHEN, TOYS, HOUSE, ANIMALS, CLOTHES, SKY)
KINDS: dict[str, Kind] = {name: kind for family in FAMILIES for name, kind in family.items()}

__all__ = ["FAMILIES", "KINDS", "Kind"]
