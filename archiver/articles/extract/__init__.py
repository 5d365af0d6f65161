"""From a page to the article on it."""
