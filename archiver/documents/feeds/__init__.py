"""Feeds: reading them, finding them, and deciding when to ask again."""
