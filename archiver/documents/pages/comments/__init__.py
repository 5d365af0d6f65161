"""Comments, read off a page."""
