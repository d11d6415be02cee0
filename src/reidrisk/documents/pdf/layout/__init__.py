"""From glyphs to text: pieces of lines, their order, and the text with the glyphs of each character."""
