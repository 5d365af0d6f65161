"""The archive as RDF: statements made from objects, written to files, and kept in a store that is asked."""
