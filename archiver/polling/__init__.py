"""When to poll which channel."""
