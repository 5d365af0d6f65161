"""From bytes to what they say: feeds, pages, lists, robots.txt. Nothing here knows an archive."""
