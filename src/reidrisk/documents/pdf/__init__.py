"""PDF: its text with the glyphs that draw it, their removal, and everything else that could carry a value."""
