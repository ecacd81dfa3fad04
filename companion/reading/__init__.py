"""What happened: observations in, events out."""
