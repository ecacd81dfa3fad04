"""Refereeing live."""
