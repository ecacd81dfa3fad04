"""The sample game as a film: a whole game of Sherlook on a rendered table, with its truth."""
