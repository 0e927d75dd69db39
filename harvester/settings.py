"""The operator's settings: `harvest.toml`, overridden by `HARVEST_…`."""
