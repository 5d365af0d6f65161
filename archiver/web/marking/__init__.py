"""Marking fields in a browser: the stage on which an archived page lies, and what is saved of it."""
