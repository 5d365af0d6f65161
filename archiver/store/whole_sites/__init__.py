"""Sites that are crawled as a whole: what waits, what was visited, what pays."""
