"""Align released texts without offsets with their originals, to find what was masked or replaced."""
