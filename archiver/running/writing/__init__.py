"""The process that writes WARC, and what it is told."""
