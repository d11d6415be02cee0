"""Identifiers that can be recognised by how they are written."""
