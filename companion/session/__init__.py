"""The journal of a game: written before anything is said, resumed after a kill."""
