"""When to poll which channel, and why then."""
