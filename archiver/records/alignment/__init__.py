"""Two graphs aligned by what they say: entities, relations, classes (PARIS, VLDB 2012)."""
