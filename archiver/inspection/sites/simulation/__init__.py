"""Strategies of crawling on the captured pages of a site: what each would have asked for, and what it got."""
