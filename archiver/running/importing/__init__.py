"""WARC files of others: taken in, indexed, and their pages read as captured ones are."""
