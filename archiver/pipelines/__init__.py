"""Item pipelines: what the spider yields becomes state."""
