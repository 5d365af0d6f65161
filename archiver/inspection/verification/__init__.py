"""Verification: whether an archive still is what was written, down to the last byte."""
