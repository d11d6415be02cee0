"""Results as pictures; one file a kind."""
