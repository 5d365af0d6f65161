"""Channels: when to poll them, what they missed, hubs that tell of news."""
