"""Names, places and facilities: lists of words, and what stands around them."""
