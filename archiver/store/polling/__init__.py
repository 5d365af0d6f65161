"""Channels: seeds, polls, entries, gaps, subscriptions to hubs."""
