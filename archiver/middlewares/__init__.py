"""Downloader middlewares: politeness, and conditional requests."""
