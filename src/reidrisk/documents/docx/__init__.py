"""Word documents: every part of the file is read, changed and cleaned."""
