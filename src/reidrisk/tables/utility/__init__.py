"""What a released table is still good for, held against the original."""
