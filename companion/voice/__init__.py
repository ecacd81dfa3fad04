"""Sentences that the referee says."""
