"""Campaigns for those who only read: how each stands, its ranking, and the reasons."""
