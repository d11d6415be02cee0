"""Dates: read in any usual writing, moved, and written back in the same one."""
