"""Globally optimal full-domain generalization: search of the lattice of hierarchy levels."""
