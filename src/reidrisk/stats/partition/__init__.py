"""Partitions of distinct tuples into groups of at least the cell size: Mondrian and MDAV."""
