"""django-machina for real, seeded with boards, topics and torrents, in a process of its own."""
