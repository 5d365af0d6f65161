"""One run: its frontier, its processes, reading, replay, report."""
