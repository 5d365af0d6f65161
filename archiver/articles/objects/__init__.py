"""Objects: one article version a line, for everybody who reads the archive."""
