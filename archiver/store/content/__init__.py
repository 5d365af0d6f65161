"""Pages, articles and their versions: what led to them, what they need to be shown, what readers added."""
