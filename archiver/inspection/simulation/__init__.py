"""Polling replayed on posting histories: ours, what others do, and the limit."""
