"""Downloader middlewares: manners, and conditional requests."""
