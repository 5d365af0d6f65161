"""acquisition."""
