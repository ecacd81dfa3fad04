"""The companion at the table: reading, rules, session, page, voice and commands."""
