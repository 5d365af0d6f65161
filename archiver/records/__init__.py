"""What pages list: records, their columns, and what they are in an ontology."""
