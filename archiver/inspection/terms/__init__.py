"""Words of the archive over time: those that come for the first time, that rise and that fall."""
