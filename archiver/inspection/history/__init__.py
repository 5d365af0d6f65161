"""Articles over time, for those who read: histories, differences between versions, the feed of edits."""
