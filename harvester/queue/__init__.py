"""Redis: the job queue of several workers."""
