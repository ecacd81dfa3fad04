"""The page and its HTTP and WebSocket interface."""
