"""How far sources can be trusted, for people: labels, dates and validators as tables."""
