"""Attacks on rows of codes: exact and probabilistic linkage, nearest records, singling out by predicates."""
