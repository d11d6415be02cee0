"""Names, places and facilities, found by word lists and by context."""
