"""Records behind forms: their lines, as tables and RDF, re-read from WARC, aligned."""
