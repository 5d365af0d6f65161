"""Field wrappers: what they gave, page by page, and what is read anew."""
