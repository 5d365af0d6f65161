"""State that survives: channels, entries, pages, articles and their versions."""
