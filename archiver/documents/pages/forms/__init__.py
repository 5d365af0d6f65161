"""Forms on pages: their fields, and what they are for. Nothing is ever submitted here."""
