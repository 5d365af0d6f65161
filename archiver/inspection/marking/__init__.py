"""Fields marked by a person on archived pages: what a mark leads to on the page, and on pages like it."""
