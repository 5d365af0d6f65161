"""From values on a few pages to rules for all of them: candidates, what they cost, and which is chosen."""
