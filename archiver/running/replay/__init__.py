"""Replay: the crawl run again from its own WARC, to prove that the archive contains what it says."""
