"""A site that does everything wrong, and the real torrents that it also has."""
