"""Writes English notes, letters, queries, forms and messages with invented identifiers, to learn from."""
