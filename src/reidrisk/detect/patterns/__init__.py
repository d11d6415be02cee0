"""Identifiers that can be recognized by their form."""
