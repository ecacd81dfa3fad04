"""The companion at the table: reading, rules, session, page, voice and commands."""

__version__ = "0.1.0"
