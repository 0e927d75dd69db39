"""Use cases of crawling: one visit, one crawl, one refresh."""
