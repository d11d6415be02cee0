"""Utility: how far a released table differs from the original for its users."""
