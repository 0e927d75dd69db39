"""Decisions on when and whether a URL may be fetched: pure, `now` is an argument."""
