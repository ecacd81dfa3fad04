"""The sample deck: forty photos of a night market, drawn by this folder's code, with their truth.

    deck = load()
    deck.front("p01"), deck.back("p01")      # 800×1200×3 BGR
    deck.count("p01", "p02"), deck.places("p01", "p02")
"""

from sample_frames.deck.pack import Deck, load, write
from sample_frames.deck.pieces import LAYOUTS, Layout, Pose
from sample_frames.deck.truth import Departure, Place, departures, pair_count, places

__all__ = ["LAYOUTS", "Deck", "Departure", "Layout", "Place", "Pose", "departures", "load", "pair_count", "places", "write"]
