"""Spiders: they ask, and yield what came; they neither extract nor store."""
