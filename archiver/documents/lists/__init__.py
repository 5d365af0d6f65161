"""Documents that list articles: sitemaps, archive pages, and their pagers."""
