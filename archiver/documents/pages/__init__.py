"""A web page: its bytes, its tree, its text, its words, its language."""
