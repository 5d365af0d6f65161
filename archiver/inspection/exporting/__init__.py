"""Objects for analysts: chosen lines of objects files, as Parquet or JSON-L, by the day of their capture."""
