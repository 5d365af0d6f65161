"""What a document says of its times."""
