"""Objects files: lines appended, and read back."""
