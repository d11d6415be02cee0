"""Replacing identifiers in text, and measuring how well that hides what was missed."""
