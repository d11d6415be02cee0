"""Finding identifiers in text."""
