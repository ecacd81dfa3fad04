"""Building a table: measured points, seats and a lens in, a `vision.table.Table` out."""
