"""Simulated attacks on a released table: linkage, singling out, linkability and inference."""
