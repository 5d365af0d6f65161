"""Contributions to pages as objects."""
