"""The HTTP edge: what is sent, what comes back, and what is refused."""
