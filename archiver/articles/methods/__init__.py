"""Finding the article on a page."""
