"""WARC files that other programs made: checked, and taken into the archive without a changed record."""
