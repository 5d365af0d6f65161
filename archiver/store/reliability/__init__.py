"""How far others can be trusted, in the state store: sources of labels, dates and validators."""
