"""When to ask again: what a channel does, what its publisher wishes, what the operator grants."""
