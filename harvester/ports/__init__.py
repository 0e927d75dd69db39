"""What the use cases need from the world, as Protocols. The edges implement them, `wiring` connects them."""
