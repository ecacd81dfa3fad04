"""Our own deck, the scene that renders it, and clips of it with their truth."""
