"""The full-text index of articles: fed from objects files, asked in words."""
