"""Use cases of asking: one query, one torrent, one export."""
