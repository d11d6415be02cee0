"""Blocks that several kinds of results share."""
