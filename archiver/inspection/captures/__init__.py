"""Captures of a URL: the list of them, and all that was kept of one."""
