"""Bytes, times, tables and progress, for people."""
