"""The parts of a Word document (DOCX): text, tables, lists, pictures, formulas and the package."""
