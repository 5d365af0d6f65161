"""Rebuilding: a channel's page as it was at a time, although it was not captured then."""
