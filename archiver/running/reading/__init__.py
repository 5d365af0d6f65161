"""Captured pages read behind the crawl: in groups, by workers, until their entries are settled."""
