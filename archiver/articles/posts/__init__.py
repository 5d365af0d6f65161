"""Posts that APIs show: their objects, their JSON Schema, and which of them are new or edited."""
