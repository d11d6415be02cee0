"""De-identify a table with the least loss: search, cell suppression, and a ladder of thresholds."""
