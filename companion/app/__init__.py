"""The page and its HTTP and WebSocket interface: one desk, one server, any number of listeners."""
