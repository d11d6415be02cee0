"""Search a redacted document, whoever made it, for values that must not be in it."""
