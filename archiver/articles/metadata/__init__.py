"""What a page says of its article: title, authors, dates, edits, notices."""
