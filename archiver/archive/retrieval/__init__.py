"""Retrieval: from a URL and a time to the record, and from a revisit to its original."""
