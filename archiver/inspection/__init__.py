"""Programs that only read an archive: history, rebuild, WACZ, verification, statistics, simulation."""
