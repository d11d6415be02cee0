"""Generalization hierarchies: what the values of a column become, level by level."""
