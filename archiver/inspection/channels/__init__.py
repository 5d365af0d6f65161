"""Channels: a list to search in and sort, and all that is known of one."""
