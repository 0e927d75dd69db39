"""What the use cases ask of the edges, as contracts."""
