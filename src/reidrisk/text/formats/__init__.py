"""Annotation formats: one file for each, and what they share."""
