"""Open APIs: what to ask each for, and what its answers say. Each reader is a module, and pure."""
