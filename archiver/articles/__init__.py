"""articles."""
