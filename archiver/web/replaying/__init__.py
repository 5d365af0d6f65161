"""Archived pages replayed with their scripts, by a pywb that the application starts and ends."""
