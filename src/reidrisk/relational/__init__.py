"""Linked tables about the same people as one release: keys, treatment, writing and proof."""
