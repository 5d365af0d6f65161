"""Rebuilding: a channel's page as it was at a time, although nobody captured it then."""
