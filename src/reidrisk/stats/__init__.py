"""Statistics: numbers in, numbers out. No files, no frames, no hidden randomness."""
