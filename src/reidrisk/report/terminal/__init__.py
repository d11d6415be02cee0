"""Results as plain text; one file a kind."""
