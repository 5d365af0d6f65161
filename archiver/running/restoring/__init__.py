"""A lost state store, made again from what the archive keeps: WARC files and objects."""
