"""Keeps what the Web publishes through feeds."""

__version__ = "0.1.0"
