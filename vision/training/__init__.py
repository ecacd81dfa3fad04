"""How the small networks of `vision` are made: drawing their samples, training, export. Needs the `training` extra."""
