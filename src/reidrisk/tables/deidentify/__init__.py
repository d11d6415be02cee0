"""Make a table releasable with the least loss: search, cell suppression, the loop over thresholds."""
