"""Forms that are asked for records: what was submitted, what came, and the records."""
