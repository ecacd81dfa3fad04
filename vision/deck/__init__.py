"""What a deck pack knows of its cards: its files, what varies among its photos, and which of them lies on the table."""
