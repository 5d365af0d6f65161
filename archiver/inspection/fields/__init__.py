"""Field wrappers for those who look: how they do, tables of their values, tests on archived pages."""
