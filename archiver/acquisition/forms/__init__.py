"""Records behind search forms: what may be asked, what to ask next, and how much of it was seen."""
