"""Focused crawls replayed on a web whose topics are known."""
