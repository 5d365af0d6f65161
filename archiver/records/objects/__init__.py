"""Records as objects: their lines, their JSON Schema, and which of them are new or edited."""
