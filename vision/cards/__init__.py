"""Cards and tiles of one size: where they lie, which of a pack they are, which of them show the same."""
