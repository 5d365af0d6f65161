"""Campaigns: what is sought, how relevant pages and links are, and what is asked for next."""
