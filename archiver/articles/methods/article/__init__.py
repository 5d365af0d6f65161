"""The default method: all evidence of a page, its siblings and its feed, weighed together."""
