"""Seeing: pictures of a table in, what lies there out. Knows no turns, no rules, no clock."""
