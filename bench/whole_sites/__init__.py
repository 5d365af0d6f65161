"""Whole sites side by side: what a crawl asked for, and how much of what the application holds it got."""
