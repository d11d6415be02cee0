"""Generalization hierarchies: what the values of a column become at each level."""
