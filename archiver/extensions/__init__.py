"""Scrapy extensions: the archive of a run, its progress and its end."""
