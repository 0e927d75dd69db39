"""What the job queue calls: an id in, one use case called."""
