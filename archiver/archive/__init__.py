"""What is kept: WARC, its index, objects files, the lock."""
