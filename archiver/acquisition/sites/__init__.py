"""Whole sites: where to go on them, and what to leave."""
