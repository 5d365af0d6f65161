"""A selection of articles taken away: as a feed, as one page, as a book."""
