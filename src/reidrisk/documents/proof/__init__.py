"""Proof that values are gone: other programs read the file again, and its bytes are searched."""
