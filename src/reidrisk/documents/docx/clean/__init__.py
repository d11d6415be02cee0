"""Everything in a Word document that could tell a value besides its text is taken out."""
