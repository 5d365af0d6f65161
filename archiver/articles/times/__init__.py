"""When an article was published and changed: what is said of it, and the one rule that decides."""
