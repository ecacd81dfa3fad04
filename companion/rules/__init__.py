"""The rules of every box: pure functions of the standard library."""
