"""One module per kind of source; each one returns a `Population`."""
